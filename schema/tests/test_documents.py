# SPDX-License-Identifier: Apache-2.0
"""Documents: the contents of the pages; each page is self-contained."""

from __future__ import annotations

import re

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
def test_one_page_of_markdown_for_each_module_and_one_of_html(pages):
    made = [name for name in pages.files() if name.startswith("docs/")]
    assert made == ["docs/index.html", "docs/ir.md", "docs/other.md"]


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
    page, html = pages.read("docs/ir.md"), pages.read("docs/index.html")
    assert "not known" not in page  # for an enum, the page has no table of the layout
    assert "**Layout: " in page and "24" in page and "32" in page
    assert "Used by: " in page and "Holder" in page[page.index("Used by: ") :].split("\n")[0]
    assert re.search(r'Used by: <a href="#[^"]+">', html)


@pytest.mark.spec("SC94.3")
def test_diagrams_are_mermaid_in_markdown_and_svg_in_html(pages):
    assert "```mermaid\n" in pages.read("docs/ir.md")
    html = pages.read("docs/index.html")
    assert "<svg" in html and "mermaid" not in html


@pytest.mark.spec("SC94.1", "SC94.3", "SC94.5")
def test_the_html_page_stands_alone(pages):
    """The page loads no other file, and only the search box needs a script."""
    html = pages.read("docs/index.html")
    assert not re.search(r"""(?:src|href)=["'](?!#)""", html)
    assert "@import" not in html and "url(" not in html
    assert '<input id="search" type="search"' in html
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    assert len(scripts) <= 1 and all("search" in text for text in scripts)
    without = re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL)
    assert "<svg" in without and "Two numbers." in without
    targets = set(re.findall(r'href="#([^"]+)"', html))
    assert targets and targets <= set(re.findall(r'id="([^"]+)"', html))
