# SPDX-License-Identifier: Apache-2.0
"""Documents: the contents of the pages."""

from __future__ import annotations

import pytest

SCHEMA = '''
@declare
class BaseNode(Object):
    """A base."""
    type_key = "d.Base"

@declare
class PairNode(BaseNode):
    """Two numbers."""
    type_key = "d.Pair"
    #: The first.
    first: int
    #: The other one.
    second: float = field(default=0.5, kw_only=True, structural_eq="ignore")

@declare
class Level(IntEnum):
    """Levels."""
    type_key = "d.Level"
    #: Not much.
    Low = entry(1)
'''
OTHER = '''
from ir import PairNode

@declare
class HolderNode(Object):
    """Holds a pair."""
    type_key = "d.Holder"
    pair: PairNode
'''


@pytest.fixture
def pages(project):
    project.schema(SCHEMA)
    project.schema(OTHER, "schema/other.py")
    assert project.run("generate", "--to", "docs", "-q") == 0, project.err
    return project


@pytest.mark.spec("SC94.1")
def test_one_page_for_each_module(pages):
    made = [name for name in pages.files() if name.startswith("docs/")]
    assert made == ["docs/ir.md", "docs/other.md"]


@pytest.mark.spec("SC94.2")
def test_tables_of_fields_and_entries(pages):
    page = pages.read("docs/ir.md")
    assert "| `first` | `int64_t` |  | The first |\n" in page
    row, _ = (line for line in page.splitlines() if line.startswith("| `second`"))
    for words in ("`double`", "`0.5`", "keyword-only", "The other one"):
        assert words in row, row
    (row,) = (line for line in page.splitlines() if line.startswith("| `Low`"))
    assert "`1`" in row and "Not much" in row


@pytest.mark.spec("SC94.4")
def test_layout_has_offsets_and_users_are_linked(pages):
    page = pages.read("docs/ir.md")
    assert "not known" not in page  # for an enum, the page has no table of the layout
    assert "**Layout: " in page and "24" in page and "32" in page
    assert "Used by: " in page and "Holder" in page[page.index("Used by: ") :].split("\n")[0]


@pytest.mark.spec("SC94.3")
def test_diagrams_are_mermaid(pages):
    assert "```mermaid\n" in pages.read("docs/ir.md")
