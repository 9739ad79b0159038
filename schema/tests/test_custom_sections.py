# SPDX-License-Identifier: Apache-2.0
"""Custom sections in generated files move with their class and method, or to a separate file."""

from __future__ import annotations

import re

import pytest

from tvm_ffi_schema.weave import merge

from .conftest import needs_compiler
from .test_interruption import KILL, posix, start

SCHEMA = '''
__tschema__ = module(namespace="demo", type_key_prefix="demo.", header="demo/ir.h")

@declare
class PointNode(Object):
    """A point."""
    type_key = "Point"
    x: ty.float64

    @method
    def norm(self) -> ty.float64:
        """Return the norm."""

@declare
class LineNode(Object):
    """A line."""
    type_key = "Line"
    a: ty.float64
'''
HEADER, SOURCE, BINDING = "include/demo/ir.h", "src/ir.cc", "python/_ir.py"
SECTION = (
    "// tschema: custom-begin\n  int mine_of_{0}() const {{ return 1; }}\n// tschema: custom-end\n"
)


@pytest.fixture
def full(project):
    """Make a project with a hand-written body of `norm`, and sections in both classes."""
    project.schema(SCHEMA)
    project.write("tschema.toml", 'outputs = ["cpp", "python"]\n')
    assert project.run("generate") == 0, project.err
    text = project.read(SOURCE)
    body = r'  TVM_FFI_THROW\(NotImplementedError\) << "demo.Point.norm.*\n.*UNREACHABLE.*\n'
    project.write(SOURCE, re.sub(body, "  return x;\n", text))
    text = project.read(HEADER)
    for name in ("Point", "Line"):
        mark = "  TVM_FFI_DECLARE_OBJECT_INFO"
        first, _, rest = text.partition(f"class {name}Node")
        text = first + f"class {name}Node" + rest.replace(mark, SECTION.format(name) + mark, 1)
    project.write(HEADER, text)
    text = project.read(BINDING)
    section = "    # tschema: custom-begin Point.tail\n    mine = 1\n    # tschema: custom-end\n"
    project.write(BINDING, text.replace("    x: float\n", "    x: float\n" + section))
    assert project.run("generate") == 0, project.err
    return project


def place(text: str, *words: str) -> None:
    """Check that the words occur in this order."""
    places = [text.index(word) for word in words]
    assert places == sorted(places), text


RENAMED = SCHEMA.replace("class PointNode", "class DotNode")
RENAMED_CLASS = RENAMED.replace('"Point"', '"Point"\n    ref = "Dot"')
RENAMED_KEY = RENAMED.replace('"Point"', '"Dot"\n    renamed_from = "demo.Point"')


@pytest.mark.parametrize("schema", [RENAMED_CLASS, RENAMED_KEY], ids=["class", "key"])
def test_sections_follow_a_renamed_class(full, schema):
    full.schema(schema)
    assert full.run("generate") == 0, full.err
    place(full.read(HEADER), "class DotNode", "mine_of_Point", "class Dot :", "class LineNode")
    source = full.read(SOURCE)
    assert "// tschema: custom-begin DotNode.method:norm" in source and "return x;" in source
    assert "PointNode.method" not in source and "NotImplementedError" not in source
    assert " DotNode::norm()" in source and "PointNode::norm" not in source
    place(full.read(BINDING), "class Dot(", "mine = 1", "class Line(")
    assert "custom-begin Dot.tail" in full.read(BINDING)
    assert not list(full.root.rglob("*.orphaned"))
    before = full.files()
    assert full.run("generate") == 0 and full.files() == before


@pytest.mark.parametrize("frontend", ["static", "import"])
def test_a_body_follows_a_renamed_method(full, frontend):
    old = "    @method\n    def norm"
    full.schema(SCHEMA.replace(old, '    @method(renamed_from="norm")\n    def length'))
    assert full.run("generate", "--frontend", frontend) == 0, full.err
    source = full.read(SOURCE)
    assert "// tschema: custom-begin PointNode.method:length" in source and "return x;" in source
    assert "method:norm" not in source and "NotImplementedError" not in source
    assert " PointNode::length()" in source and "::norm" not in source


SECOND = (
    SCHEMA
    + """
@declare
class OtherNode(Object):
    type_key = "tir.Point"
    ref = "Point"
    cpp_name = "PointNode"
    namespace = "demo::tir"
    y: ty.float64

    @method
    def slope(self) -> ty.float64: ...
"""
)


def test_sections_of_two_classes_with_one_last_name_were_mixed_up(full):
    full.schema(SECOND)
    assert full.run("generate") == 0, full.err
    text, source = full.read(HEADER), full.read(SOURCE)
    place(text, "mine_of_Point", "mine_of_Line", "namespace tir {", "double y{}")
    assert "custom-begin PointNode.method:norm" in source
    assert "custom-begin demo::tir::PointNode.method:slope" in source
    first, mark, rest = text.rpartition("  TVM_FFI_DECLARE_OBJECT_INFO")
    full.write(HEADER, first + SECTION.format("Other") + mark + rest)
    full.write(SOURCE, re.sub("  TVM_FFI_THROW.*tir.Point.slope.*", "  return y;", source))
    full.schema(SECOND.replace("x: ty", "wide: ty").replace("y: ty", "high: ty"))
    for _ in range(2):
        assert full.run("generate") == 0 and full.run("check") == 0, full.err
        text, source = full.read(HEADER), full.read(SOURCE)
        place(text, "wide{}", "mine_of_Point", "mine_of_Line", "high{}", "mine_of_Other")
        place(source, "::norm()", "return x;", "namespace tir {", "::slope()", "return y;")
        place(full.read(BINDING), "class Point(", "mine = 1", "class Line(", "class Other(")
    versions = [text.replace(f"mine_of_{name}", "changed") for name in ("Point", "Other")]
    merged = merge.merge(HEADER, merge.Sides(*versions, text), whole=True)
    assert merged.fault is None
    place(merged.text, "wide{}", "changed", "mine_of_Line", "high{}")
    assert merged.text.rpartition("high{}")[2].count("changed") == 1
    full.schema(SECOND.partition("    @method\n    def slope")[0])
    assert full.run("generate") == 4
    assert "return y;" in full.read(SOURCE + ".orphaned") and "return x;" in full.read(SOURCE)


@pytest.mark.parametrize("option", ["renamed_from=1", "const=0", "short=1"])
def test_an_option_of_a_method_has_its_type(full, option):
    full.schema(SCHEMA.replace("    @method\n", f"    @method({option})\n"))
    assert full.run("generate") == 3
    assert "const and short are bools, cpp and renamed_from are texts" in full.err


def test_sections_of_a_removed_class_go_to_a_file_beside(full):
    full.schema(SCHEMA.partition("@declare\nclass LineNode")[0])
    before = full.files()
    assert full.run("check") == 4
    assert full.files() == before
    assert full.run("generate") == 4
    assert full.ids() == ["TS121"]
    header = full.read(HEADER)
    # Only the end marker follows `#endif`.
    assert header.rstrip().partition("#endif")[2].count("\n") == 1
    assert "mine_of_Line" not in header and "mine_of_Point" in header
    kept = full.read(HEADER + ".orphaned")
    assert "custom-begin LineNode.tail" in kept and kept.count("mine_of_Line") == 1
    before = full.files()
    for command in ("generate", "check", "generate"):
        assert full.run(command) == 4
        assert full.files() == before
    (full.root / (HEADER + ".orphaned")).unlink()
    assert full.run("generate") == 0
    assert full.run("check") == 0


def test_a_body_of_a_removed_method_goes_to_a_file_beside(full):
    full.schema(re.sub(r"    @method\n.*\n.*\n", "", SCHEMA))
    assert full.run("generate") == 4
    assert "return x;" not in full.read(SOURCE)
    assert "return x;" in full.read(SOURCE + ".orphaned")
    full.schema(SCHEMA)
    assert full.run("generate") == 4
    text = full.read(SOURCE)
    assert text.count("NotImplementedError") == 1
    full.write(SOURCE, text.replace("norm() const {\n", "norm() const {\n  // second\n"))
    full.schema(re.sub(r"    @method\n.*\n.*\n", "", SCHEMA))
    assert full.run("generate") == 4
    kept = full.read(SOURCE + ".orphaned")
    assert kept.count("return x;") == 1 and kept.count("// second") == 1


def test_sections_of_a_class_that_moved_to_another_header_are_kept(full):
    moved = 'type_key = "Line"\n    header = "demo/line.h"'
    full.schema(SCHEMA.replace('type_key = "Line"', moved))
    assert full.run("generate") == 4
    assert "mine_of_Line" in full.read(HEADER + ".orphaned")
    assert "class LineNode" in full.read("include/demo/line.h")


@needs_compiler
def test_a_section_of_no_class_stands_inside_of_the_namespace(full):
    section = "// tschema: custom-begin\nint free_function();\n// tschema: custom-end\n"
    for name in (HEADER, SOURCE):
        text = full.read(name)
        full.write(name, text.replace("namespace demo {\n", "namespace demo {\n" + section, 1))
    text = full.read(BINDING)
    section = section.replace("//", "#").replace("int free_function();", "FREE = 1")
    full.write(BINDING, text.replace("\n\n@c_class", f"\n{section}\n@c_class", 1))
    assert full.run("generate") == 0, full.err
    place(full.read(HEADER), "class Line :", "free_function", "}  // namespace demo", "#endif")
    place(full.read(SOURCE), "STATIC_INIT", "free_function", "}  // namespace demo")
    place(full.read(BINDING), "class Line(", "FREE = 1")
    assert full.run("check") == 0
    full.compile(SOURCE)


@posix
@pytest.mark.parametrize("call", ["replace", "fsync"])
@pytest.mark.parametrize("at", [1, 2, 3, 4, 5])
def test_a_killed_run_loses_no_section(full, call, at):
    full.schema(SCHEMA.partition("@declare\nclass LineNode")[0])
    process = start(full, "-c", KILL.replace("{call}", call), str(at), "generate")
    process.communicate()
    full.run("generate")
    texts = [data.decode() for name, data in full.files().items() if "ir.h" in name]
    assert sum(text.count("mine_of_Line") for text in texts) == 1


def test_a_section_of_methods_declares_what_it_names(full):
    mark = "  TVM_FFI_DECLARE_OBJECT_INFO"
    section = (
        "// tschema: custom-begin methods\n  double norm() const { return 2 * x; }\n"
        "// tschema: custom-end\n"
    )
    text = full.read(HEADER)
    first, _, rest = text.partition("class PointNode")
    full.write(HEADER, first + "class PointNode" + rest.replace(mark, section + mark, 1))
    assert full.run("generate") == 0, full.err
    text = full.read(HEADER)
    assert text.count("norm(") == 1 and "return 2 * x" in text
    full.schema(
        SCHEMA.replace(
            "    def norm", "    def scale(self) -> None: ...\n\n    @method\n    def norm"
        )
    )
    assert full.run("generate") == 0, full.err
    assert "void scale() const;" in full.read(HEADER)
