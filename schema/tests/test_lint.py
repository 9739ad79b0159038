# SPDX-License-Identifier: Apache-2.0
"""Lint: selection of rules, suppression by comments, `--fix`."""

from __future__ import annotations

import ast
import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tvm_ffi_schema.check import lint, lint_fixes
from tvm_ffi_schema.commands.validate import apply
from tvm_ffi_schema.diag import Bag
from tvm_ffi_schema.link import reader

from . import played
from .test_hostile import SCHEMAS, damaged

A = '@declare\nclass ANode(Object):\n    """One."""\n    type_key = "a.A"\n'
toml = pytest.mark.skipif(sys.version_info < (3, 11), reason="reading TOML needs Python 3.11")


# --- comments


@pytest.mark.spec("SC104.23")
@toml
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (A + "    x: int\n    y: int\n", ["TS312", "TS312"]),
        (A + "    x: int  # tschema: allow TS312 -- why\n    y: int\n", ["TS312"]),
        (A + "    # tschema: allow TS312 -- why\n    x: int\n    y: int\n", []),
        ("# tschema: allow TS312 -- why\n" + A + "    x: int\n    y: int\n", []),
        ("# tschema: allow TS312 -- why\n\n" + A + "    x: int\n", []),
        (A.replace("):", "):  # tschema: allow TS312 -- why", 1) + "    x: int\n", []),
        (A + "    x: int  # tschema: allow TS312, TS321 -- why\n", ["TS331"]),
        (A + "    x: ty.Any  # tschema: allow TS312, TS321 -- why\n", []),
        (A + '    t: ty.Any  # tschema: allow TS321 -- "a" # b\n', ["TS312"]),
        (A + "    x: int  # tschema: allow TS312\n", ["TS312", "TS332"]),
        (A + "    x: int  # tschema: allow TS312 --\n", ["TS312", "TS332"]),
        (A + "    x: int  # tschema: allow TS999 -- why\n", ["TS312", "TS331"]),
        (A + "    x: int  # tschema: allow FIELD_SAME_NAME -- why\n", ["TS312"]),
        (A + "    x: int  # tschema: allow FIELD_SAME_NAM -- why\n", ["TS312", "TS331"]),
        (A.replace("One.", "# tschema: allow TS312 -- a text") + "    x: int\n", ["TS312"]),
        ("S = extern('o.S', obj='o::S', ref='o::R')  # tschema: allow TS330 -- soon\n" + A, []),
    ],
)
def test_what_a_comment_covers(project, text, found):
    project.schema(text)
    project.write("tschema.toml", '[lint]\nselect = ["ALL"]\n')
    assert project.run("lint") == int(bool(found))
    assert sorted(project.ids()) == found, project.err


def test_warnings_of_the_readers_are_suppressed_too(project):
    text = A + "    #: One.\n    x: int = field(doc='Two.')\n"
    project.schema(text)
    assert project.run("lint") == 1 and project.ids() == ["TS311"]
    project.schema(text.rstrip() + "  # tschema: allow TS311 -- both are right\n")
    assert project.run("lint") == 0, project.err


def test_findings_in_json_are_at_the_file(project):
    project.schema(A + "    #: D.\n    x: ty.Any\n")
    assert project.run("export", "-q", "-o", "ir.json") == 0
    assert project.run("lint", "ir.json") == 1
    assert project.err.startswith("ir.json:1:1: warning[TS321]")


def test_a_first_schema_has_no_findings(project):
    """An earlier version reported the missing documentation of each class and each field."""
    project.schema(
        "@declare\nclass ANode(Object):\n    type_key = 'a.A'\n    x: int\n    y: str = ''\n"
    )
    assert project.run("lint") == 0
    assert project.err == "0 findings\n"


@toml
@pytest.mark.parametrize(
    ("options", "found"),
    [
        ("", ["TS321"]),
        ('select = ["ALL"]', ["TS310", "TS321"]),
        ('select = ["TS31"]', ["TS310"]),
        ('select = ["ALL"]\nignore = ["TS32"]', ["TS310"]),
        ("select = []", []),
        ('ignore = ["ALL"]', None),
        ('ignore = ["TS399"]', None),
        ('select = "ALL"', None),
        ('select = [""]', None),
    ],
)
def test_select_and_ignore(project, options, found):
    project.schema(A.replace("One.", "") + "    #: D.\n    x: ty.Any\n")
    project.write("tschema.toml", "[lint]\n" + options + "\n")
    status = project.run("lint")
    if found is None:
        assert status in (1, 2) and (status == 1 or set(project.ids()) >= {"TS011"})
    else:
        assert (status, project.ids()) == (int(bool(found)), found), project.err


# --- fixes

FIXES = [
    (A + "    x: ty.List[int] = []\n", A + "    x: ty.List[int] = field(default_factory=lambda: [])\n"),
    (
        A + "    x: ty.Dict[str, int] = {'a' :1}  # kept\n",
        A + "    x: ty.Dict[str, int] = field(default_factory=lambda: {'a' :1})  # kept\n",
    ),
    (
        A + "    x: ty.List[int] = field(default=[1], repr=False)\n",
        A + "    x: ty.List[int] = field(default_factory=lambda: [1], repr=False)\n",
    ),
    (A + "    default: int\n", A + '    default_: int = field(name="default")\n'),
    (A + "    default: int = 3\n", A + '    default_: int = field(default=3, name="default")\n'),
    (
        A + "    default: int = field(default=3)\n",
        A + '    default_: int = field(default=3, name="default")\n',
    ),
    (A + "    default: int = field()\n", A + '    default_: int = field(name="default")\n'),
    ("S = extern('o.S', obj='o::S',\n           ref='o::R')\n" + A, A),
    ("S = extern('o.S', obj='o::S', ref='o::R'); T = 1\n" + A, None),
    (A + "    #: D.\n    x: int  # tschema: allow TS312 -- why\n", A + "    #: D.\n    x: int\n"),
    (A + "    # tschema: allow TS312 -- why\n", A),
    (
        A + "    x: int  # tschema: allow TS312, TS321 -- why\n",
        A + "    x: int  # tschema: allow TS312 -- why\n",
    ),
    (A + "    BadName: int\n", None),
]  # fmt: skip


@pytest.mark.spec("SC104.6")
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("text", "after"), FIXES)
def test_fix(project, text, after, newline):
    head = "\ufeff# ünïcode \u2028 \x0c stays\n"
    path = project.schema("")
    prelude = path.read_text()
    project.write("schema/ir.py", head + prelude + text, newline)
    before = path.read_bytes()
    project.run("lint", "--fix")
    want = before if after is None else (head + prelude + after).replace("\n", newline).encode()
    assert path.read_bytes() == want
    project.run("lint", "--fix")  # a second run changes nothing
    assert path.read_bytes() == want
    fixable = {"TS320", "TS322", "TS330", "TS331"}
    assert after is None or not fixable & set(project.ids()), project.err


def test_a_fix_imports_what_it_writes(project):
    text = "from tvm_ffi.schema import Object, declare, ty\n" + A + "    x: ty.List[int] = []\n"
    project.write("schema/ir.py", text)
    project.run("lint", "--fix")
    assert "import Object, declare, ty, field\n" in project.read("schema/ir.py")
    assert project.run("export", "-q") == 0, project.err
    text = '"""Doc."""\nimport tvm_ffi.schema as s\nfrom tvm_ffi.schema.ty import List\n\n'
    text += "@s.declare\nclass ANode(s.Object):\n    type_key = 'a.A'\n    x: List[int] = []\n"
    project.write("schema/ir.py", text)
    project.run("lint", "--fix")
    assert '"""Doc."""\nfrom tvm_ffi.schema import field\n' in project.read("schema/ir.py")


def test_a_refused_fix_changes_no_file(project):
    project.schema(A + "    x: ty.List[int] = []\n", "schema/a.py")
    project.schema(A.replace("A", "B") + "    x: ty.List[int] = []\n", "schema/b.py")
    before = project.files()
    with played.no_locks(project):
        assert project.run("lint", "--fix") == 4
    assert project.ids() == ["TS119"] and project.files() == before
    project.run("lint")
    assert project.files() == before
    project.run("lint", "--fix")
    assert all("default_factory" in project.read(f"schema/{name}.py") for name in "ab")


@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_fixes_of_damaged_schemas_leave_python_and_nothing_to_fix(tmp_path_factory, seed):
    chance = random.Random(seed)
    path = tmp_path_factory.mktemp("fix") / "values.py"
    text = damaged(chance.choice(SCHEMAS), chance)
    for old, new in (
        ("= None", "= []"),
        ("    value", "    default"),
        ("\n\n", "  # tschema: allow TS312 -- x\n\n"),
    ):
        if chance.random() < 0.5:
            text = text.replace(old, new, 1)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    for _ in range(3):
        made = fixed(path)
        if made is None:
            return
        ast.parse(made)
        path.write_text(made, newline="")
    assert fixed(path) is None


def fixed(path: Path) -> str | None:
    """Return the text of a file after the edits of lint; None if lint changes nothing."""
    bag = Bag()
    program = reader.linked(reader.read([str(path)], bag), bag)
    if not bag.has_errors:
        lint.run(program, bag, {})
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        return None
    edits = [
        edit
        for _, made in lint_fixes.edits(
            bag.items[0].span.file if bag.items else "", text, bag.items
        )
        for edit in made
    ]
    made = apply(text, edits)
    return None if made == text else made
