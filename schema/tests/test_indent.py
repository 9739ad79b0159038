# SPDX-License-Identifier: Apache-2.0
"""``--indent-custom``: custom sections stand like the code around them, once and when asked for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tvm_ffi_schema.diag import Bag
from tvm_ffi_schema.weave import indent, markers, tokens

from .test_weave_properties import LINE

SCHEMA = '''
__tschema__ = module(namespace="demo")

@declare
class GlobalVarNode(Object):
    """A variable."""
    type_key = "GlobalVar"
    structural_eq = "var"
    default_sequal_reduce = False
    default_shash_reduce = False
    name_hint: ty.String
    @method
    def length(self) -> int: ...
'''
MINE = """\
// tschema: custom-begin
bool SEqual(const GlobalVarNode* other,
            ffi::TypedFunction<bool(ffi::AnyView, ffi::AnyView, bool, ffi::AnyView)> equal) const {
  return equal(name_hint, other->name_hint, false, "name_hint");
}
int64_t SHash(int64_t init, ffi::TypedFunction<int64_t(ffi::AnyView, int64_t, bool)> hash) const {
  return hash(name_hint, init, false);
}
// tschema: custom-end
"""
BEFORE = f"// tschema: GlobalVarNode\n{MINE}// tschema: end\n"


@pytest.fixture
def ready(project):
    project.schema(SCHEMA)
    project.write("include/demo/ir.h", BEFORE)
    project.write("src/ir.cc", "// tschema: @registration\n// tschema: end\n")
    return project


def shifted(text: str, by: str) -> str:
    return re.sub(r"(?m)^(?=.)", by, text)


def test_sections_are_indented_once_and_on_request(ready):
    assert ready.run("generate", "-q", "--inplace", "include/demo/ir.h") == 0, ready.err
    assert f"\n{MINE}}};\n" in ready.read("include/demo/ir.h")
    options = ("--inplace", "include/demo/ir.h", "--indent-custom")
    assert ready.run("check", *options) == 1 and "+  // tschema: custom-begin" in ready.out
    assert ready.run("generate", "-q", *options) == 0, ready.err
    text = ready.read("include/demo/ir.h")
    assert "\n" + shifted(MINE, "  ") + "};\n" in text
    for more in (options, options[:2]):
        assert ready.run("check", "--no-cache", *more) == 0, ready.out
        assert ready.run("generate", "--no-cache", *more) == 0
        assert ready.read("include/demo/ir.h") == text


def test_before_the_first_generation(ready):
    """The form of the proposal: a block that holds nothing but a custom section."""
    options = ("-q", "--inplace", "include/demo/ir.h", "--indent-custom")
    assert ready.run("generate", *options) == 0, ready.err
    assert "\n" + shifted(MINE, "  ") + "};\n" in ready.read("include/demo/ir.h")


def test_whole_files(project):
    off = ("    default_sequal_reduce = False\n", "    default_shash_reduce = False\n")
    project.schema(SCHEMA.replace(off[0], "").replace(off[1], ""))
    assert project.run("generate", "-q") == 0, project.err
    header = project.read("include/demo/ir.h")
    mine = "// tschema: custom-begin\nint mine() const;\n// tschema: custom-end\n"
    at = header.index("};\n")
    project.write("include/demo/ir.h", header[:at] + mine + header[at:])
    source = project.read("src/ir.cc")
    body = source[source.index("// tschema: custom-begin GlobalVarNode.method:length") :]
    project.write("src/ir.cc", source.replace(body[:20], "      " + body[:20], 1))
    assert project.run("generate", "-q", "--indent-custom") == 0, project.err
    assert shifted(mine, "  ") + "};\n" in project.read("include/demo/ir.h")
    assert project.read("src/ir.cc") == source  # what stands between classes has no margin
    assert project.run("check", "--no-cache") == 0


def indented(body: str, anchor: str = "") -> str:
    """Return a section of a block after it was indented."""
    head = "// tschema: A\nint generated;\n"
    text = (
        f"{head}// tschema: custom-begin {anchor}\n{body}// tschema: custom-end\n// tschema: end\n"
    )
    made = indent.indented(markers.parse("x.h", text, Bag()))
    assert made.startswith(head) and made.endswith("// tschema: end\n")
    again = indent.indented(markers.parse("x.h", made, Bag()))
    assert again == made
    return "".join(made.splitlines(keepends=True)[3:-2])


CASES = {
    "deeper": ("      int a;\n        int b;\n", "", "  int a;\n    int b;\n"),
    "tabs": ("\tint a;\n\t\tint b;\n", "", "  int a;\n  \tint b;\n"),
    "blank lines": ("int a;\n\n \nint b;\n", "", "  int a;\n\n \n  int b;\n"),
    "body of a constructor": ("Check();\n", "ctor-body", "    Check();\n"),
    "between classes": ("    int a;\n", "after", "int a;\n"),
    "labels": ("int a;\nprivate:\nint b;\n", "", "  int a;\n private:\n  int b;\n"),
    "labels alone are no measure": (" public:\n  int a;\n", "", " public:\n  int a;\n"),
    "not a label": ("private::f();\n", "", "  private::f();\n"),
    "raw string": ('f(R"x(\n  a\nb)x");\nint c;\n', "", '  f(R"x(\n  a\nb)x");\n  int c;\n'),
    "string that is continued": ('auto s = "a \\\nb";\n', "", '  auto s = "a \\\nb";\n'),
    "macro": ("#define F(x) \\\n  g(x)\nint a;\n", "", "#define F(x) \\\n  g(x)\n  int a;\n"),
    "directives": ("#ifdef A\nint a;\n#endif\n", "", "#ifdef A\n  int a;\n#endif\n"),
    "text of a comment": ("/* One\ntwo\n */\nint a;\n", "", "  /* One\ntwo\n   */\n  int a;\n"),
    "stars of a comment": ("/*!\n * One\n */\nint a;\n", "", "  /*!\n   * One\n   */\n  int a;\n"),
    "comment that is continued": ("// a \\\nb\nint c;\n", "", "  // a \\\nb\n  int c;\n"),
    "line ends": ("int a;\r\nint b;\r", "", "  int a;\r\n  int b;\r"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_moves_and_what_stays(name):
    body, anchor, wanted = CASES[name]
    assert indented(body, anchor) == wanted


def test_other_languages_are_left_alone():
    text = "# tschema: A\n# tschema: custom-begin\nx = 1\n# tschema: custom-end\n# tschema: end\n"
    assert indent.indented(markers.parse("x.py", text, Bag())) == text


def test_a_block_with_a_conflict_is_left_alone():
    text = "// tschema: A\n// tschema: custom-begin\n<<<<<<< a\nx\n=======\n>>>>>>> b\n"
    text += "// tschema: custom-end\n// tschema: end\n"
    assert indent.indented(markers.parse("x.h", text, Bag())) == text


def hidden(text: str) -> list[str]:
    """Return what no indentation reaches: literals, and the words of comments."""
    kinds = ("raw", "string", "char")
    return [found for kind, found, _ in tokens.scan(text) if kind in kinds]


MORE = st.sampled_from(["\tint a;\n", " * star\n", "#define X \\\n", " private:\n", '"a\\\n'])
LINES = st.lists(st.one_of(LINE, LINE.map("  {}".format), MORE), max_size=24)


@settings(max_examples=400, deadline=None)
@given(text=LINES.map("".join))
def test_only_white_space_at_line_starts_changes(text):
    parsed = markers.parse("x.h", text, Bag())
    made = indent.indented(parsed)
    lines = markers.parse("x.h", made, Bag()).lines
    assert [line.lstrip(" \t") for line in lines] == [line.lstrip(" \t") for line in parsed.lines]
    assert hidden(made) == hidden(text)
    assert tokens.stream(made) == tokens.stream(text)
    again = markers.parse("x.h", made, Bag())
    assert len(again.blocks) == len(parsed.blocks)
    assert indent.indented(again) == made
    inside = {n for b in parsed.blocks for n in range(b.first, b.last + 1)}
    for number, (old, new) in enumerate(zip(parsed.lines, lines)):
        assert old == new or number in inside
