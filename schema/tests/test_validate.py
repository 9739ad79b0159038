# SPDX-License-Identifier: Apache-2.0
"""`validate` of hand-written C++: the rules, the places of their findings, and their edits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tvm_ffi_schema.build import toolchain

HERE = Path(__file__).parent / "handwritten"
SCHEMA, HEADER, SOURCE = ((HERE / f"ir.{end}.txt").read_text() for end in ("py", "h", "cc"))


@pytest.fixture
def written(project):
    project.schema(SCHEMA)
    project.write("tschema.toml", 'export_macros = ["TVM_DLL"]\n')
    project.write("include/ir.h", HEADER)
    project.write("src/ir.cc", SOURCE)
    return project


@pytest.mark.spec("SC101.58")
def test_what_agrees_has_no_findings(written):
    assert written.run("validate", "--strict") == 0, written.err
    assert "0 differences" in written.err


MEMBER = "  int64_t level = 3;\n"
DEFS = "      .def_ro("
REF = "  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Call, Base, CallNode);\n"
# (id of the rule, file, old text, new text, whether --fix repairs the edited file)
EDITS = [
    ("TS401", "ir.h", "class CallNode : public BaseNode", "class CalNode : public BaseNode", False),
    ("TS403", "ir.h", '"demo.Call"', '"demo.Cal"', True),
    ("TS404", "ir.h", "CallNode : public BaseNode", "CallNode : public ::tvm::ffi::Object", False),
    ("TS405", "ir.h", "CallNode, BaseNode)", "CallNode, ::tvm::ffi::Object)", False),
    ("TS406", "ir.cc", "  refl::ObjectDef<BaseNode>();\n", "", True),
    ("TS407", "ir.h", MEMBER, MEMBER + "  static void RegisterReflection();\n", False),
    ("TS408", "ir.cc", DEFS + '"args", &CallNode::args)\n', "", True),
    ("TS409", "ir.cc", '"args", &CallNode::args', '"args", &CallNode::op', False),
    (
        "TS409",
        "ir.cc",
        DEFS + '"args", &CallNode::args)\n',
        DEFS + '"args", &CallNode::args)\n      .def_rw("args", &CallNode::args)\n',
        False,
    ),
    ("TS410", "ir.cc", DEFS + '"args"', DEFS + '"more", &CallNode::op)\n' + DEFS + '"args"', False),
    ("TS411", "ir.h", "int64_t level = 3", "int32_t level = 3", False),
    (
        "TS412",
        "ir.h",
        "  ffi::ObjectRef span;\n" + MEMBER,
        MEMBER + "  ffi::ObjectRef span;\n",
        False,
    ),
    ("TS413", "ir.cc", 'def_ro("op"', 'def_rw("op"', True),
    ("TS414", "ir.h", "level = 3", "level = 4", False),
    ("TS415", "ir.h", "level = 3", "level", False),
    ("TS416", "ir.cc", ", refl::AttachFieldFlag::SEqHashIgnore()", "", True),
    ("TS416", "ir.cc", "SEqHashIgnore())", "SEqHashDefPattern(), refl::repr(false))", True),
    ("TS416", "ir.cc", '&CallNode::op, "What', '&CallNode::op, refl::repr(false), "What', True),
    ("TS417", "ir.h", "kTVMFFISEqHashKindTreeNode", "kTVMFFISEqHashKindDAGNode", True),
    ("TS423", "ir.h", 'INFO("demo.Base"', 'INFO_FINAL("demo.Base"', False),
    ("TS419", "ir.h", "ffi::ObjectRef span, int64_t level)", "int64_t level)", False),
    (
        "TS419",
        "ir.h",
        REF,
        "  Call(ffi::String op, ffi::Array<Base> args, int64_t level, ffi::ObjectRef span);\n"
        + REF,
        False,
    ),
    (
        "TS419",
        "ir.h",
        REF,
        "  Call(ffi::String op, ffi::Array<Base> args, ffi::ObjectRef span, bool level);\n" + REF,
        False,
    ),
    ("TS420", "ir.h", "int64_t arity(int64_t extra = 0) const", "int64_t arity() const", False),
    ("TS420", "ir.h", "int64_t arity(int64_t extra = 0) const", "int64_t count() const", False),
    ("TS421", "ir.h", "_NULLABLE(Call, ", "_NOTNULLABLE(Call, ", True),
    ("TS422", "ir.h", "_type_child_slots = 1", "_type_child_slots = 2", True),
    ("TS424", "ir.h", 'INFO("demo.Base"', 'INFO_FINAL("demo.Base"', False),
]


@pytest.mark.spec("SC8", "SC47", "SC101", "SC101.9", "SC101.21", "SC101.23", "SC101.24", "SC101.25")
@pytest.mark.spec("SC101.26", "SC101.27", "SC101.28", "SC101.29", "SC101.30", "SC101.31")
@pytest.mark.spec("SC101.32", "SC101.33", "SC101.34", "SC101.35", "SC101.36", "SC101.37")
@pytest.mark.spec("SC101.39", "SC101.40", "SC101.41", "SC101.42", "SC101.43", "SC101.44")
@pytest.mark.spec("SC101.59", "SC101.61", "SC101.64")
@pytest.mark.parametrize(("rule", "file", "old", "new", "fixed"), EDITS)
def test_rule(written, rule, file, old, new, fixed):
    name = f"include/{file}" if file.endswith(".h") else f"src/{file}"
    text = written.read(name)
    assert old in text
    written.write(name, text.replace(old, new, 1))
    before = written.files()
    assert written.run("validate") == 1
    assert rule in written.ids(), written.err
    assert written.files() == before
    if fixed:
        assert written.run("validate", "--fix-dry-run") == 1
        assert written.out.startswith("--- a/")
        assert written.files() == before
        written.run("validate", "--fix")
        assert written.run("validate") == 0, written.err
        after = written.files()
        assert written.run("validate", "--fix") == 0
        assert written.files() == after
        lines = set(before[name].decode().splitlines())
        assert len(set(written.read(name).splitlines()) - lines) <= 2


@pytest.mark.spec("SC101.13", "SC101.61")
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_fixes_keep_every_other_byte(written, newline):
    head = "\ufeff// ünïcode \u2028 stays\n"
    for name, text in (("include/ir.h", HEADER), ("src/ir.cc", SOURCE)):
        written.write(name, head + text, newline)
    good = written.files()
    broken = HEADER.replace("_type_child_slots = 1", "_type_child_slots = 7").replace(
        '"demo.Call"', '"x"'
    )
    written.write("include/ir.h", head + broken, newline)
    lost = SOURCE.replace(", refl::AttachFieldFlag::SEqHashIgnore()", "").replace(
        'def_ro("op"', 'def_rw("op"'
    )
    written.write("src/ir.cc", head + lost, newline)
    assert written.run("validate", "--fix") == 1
    assert written.files() == good


@pytest.mark.spec("SC101.63")
def test_generated_text_is_generated_again_instead_of_fixed(written):
    block = HEADER.replace("class CallNode", "// tschema: CallNode\nclass CallNode", 1)
    block = block.replace("class Call :", "// tschema: end\nclass Call :").replace(
        '"demo.Call"', '"x"'
    )
    written.write("include/ir.h", block.replace("_NULLABLE(Call,", "_NOTNULLABLE(Call,"))
    written.run("validate", "--fix")
    assert "1 of the places are generated text" in written.err
    assert '"x"' in written.read("include/ir.h")
    assert "_NULLABLE(Call," in written.read("include/ir.h")


@pytest.mark.spec("SC101.37")
def test_a_stated_kind_that_the_schema_has_not(written):
    off = "    default_sequal_reduce = False\n    default_shash_reduce = False\n"
    written.schema(SCHEMA.replace('    structural_eq = "tree"\n', off))
    written.run("validate")
    assert "TS417" in written.ids()
    written.run("validate", "--fix")
    assert "kTVMFFISEqHashKindUnsupported" in written.read("include/ir.h")
    written.run("validate")
    assert "kTVMFFISEqHashKindUnsupported" not in written.err


@pytest.mark.spec("SC101.22", "SC101.45", "SC101.47")
def test_notes(written):
    other = HEADER.replace("Base", "Other").replace("Call", "More").replace("demo.", "o.")
    written.write("include/other.h", other)
    written.write("include/ir.h", HEADER.replace(MEMBER, MEMBER + "  int64_t extra = 0;\n"))
    written.write("src/ir.cc", SOURCE.replace("What is called.", "Something else."))
    written.run("validate")
    assert {"TS402", "TS425", "TS427"} <= set(written.ids())
    assert written.run("validate", "--strict") == 1


@pytest.mark.spec("SC101.38")
def test_equality_without_hash(written):
    more = '  refl::TypeAttrDef<CallNode>().def("__s_equal__", &CallNode::SEqual);\n}\n}'
    written.write("src/ir.cc", SOURCE.replace("}\n}", more))
    assert written.run("validate") == 1
    assert "TS418" in written.ids()


@pytest.mark.spec("SC101.19", "SC101.58")
@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_what_is_generated_agrees_with_its_schema(project, dialect):
    for path in (Path(__file__).parent / "corpus").glob("*.py"):
        project.write(f"schema/{path.name}", path.read_text())
    assert project.run("generate", "-q", "--dialect", dialect) == 0, project.err
    project.run("validate", "--strict")
    assert project.ids() == [], project.err


@pytest.mark.parametrize(
    "text",
    ["class", "class X", "class X {", "class X : public", '"', "ObjectDef<", "ObjectDef<X>()", "({[" * 500,
     "class X : public Y { int", "TVM_FFI_DECLARE_OBJECT_INFO(", "using", "using A =", "#define A \\\n",
     "ObjectDef<X>().def_ro", 'ObjectDef<X>().def_ro("', "x::RegisterReflection", "class X{int a;int b=}"],
)  # fmt: skip
def test_broken_cpp_is_read_without_a_fall(written, text):
    written.write("include/broken.h", text)
    assert written.run("validate") in (0, 1)
    written.write("src/ir.cc", SOURCE[: len(SOURCE) // 2] + text)
    assert written.run("validate") in (0, 1)


@pytest.mark.spec("SC101.20")
def test_every_truncation_is_read(written):
    from tvm_ffi_schema.cxx import model
    from tvm_ffi_schema.cxx import read as reader

    for text in (HEADER, SOURCE):
        for end in range(0, len(text), 7):
            reader.read("x.h", text[:end], model.Sources())


@pytest.mark.skipif(toolchain.find() is None, reason="no C++ compiler")
def test_library(project):
    text = '@declare\nclass PNode(Object):\n    """A."""\n    type_key = "val.P"\n    x: int\n'
    project.schema(text)
    assert project.run("build", "-o", "p.so", "-q", "--debug") == 0, project.err
    assert project.run("validate", "--lib", "p.so") == 0, project.err
    project.schema(text.replace("x: int", "y: int"))
    assert project.run("validate", "--lib", "p.so") == 1
    assert project.ids() == ["TS412"]
    project.schema(text.replace("x: int", "x: ty.int32_t"))
    assert project.run("validate", "--lib", "p.so") == 1
    assert project.ids() == ["TS434"]
    project.schema(text.replace("val.P", "other.P"))
    assert project.run("validate", "--lib", "p.so") == 1
    assert project.ids() == ["TS431"]
    base = '@declare\nclass BNode(Object):\n    type_key = "val.B"\n'
    project.schema(base + text.replace("PNode(Object)", "PNode(BNode)"))
    assert project.run("validate", "--lib", "p.so") == 1
    assert sorted(project.ids()) == ["TS404", "TS431"]
    project.write("broken.so", "no library")
    assert project.run("validate", "--lib", "broken.so") == 1
    assert project.ids() == ["TS431"]


PAIR = '''
@declare
class PairNode(Object):
    """A pair."""
    type_key = "demo.Pair"
    left: ty.int64_t
    right: ty.int64_t
'''


@pytest.mark.parametrize("where", ["object", "reference"])
def test_arguments_of_one_type_in_another_order_are_found(project, where):
    project.schema(PAIR)
    project.write("tschema.toml", 'outputs = ["cpp"]\n')
    assert project.run("generate") == 0, project.err
    assert project.run("validate", "--strict") == 0, project.err
    text = project.read("include/ir.h")
    old = "(int64_t left, int64_t right)"
    first = text.index(f"{'PairNode' if where == 'object' else ' Pair'}{old}")
    for names, rule in (
        ("left_, int64_t right_", 0),
        ("a, int64_t b", 0),
        ("right, int64_t left", 1),
    ):
        edited = text[:first] + text[first:].replace(old, f"(int64_t {names})", 1)
        project.write("include/ir.h", edited)
        assert project.run("validate") == rule, project.err
        assert ("TS419" in project.ids()) == bool(rule)
        assert ("takes its arguments in another order" in project.err) == bool(rule)


def test_other_constructors_of_a_reference_class_are_its_own_matter(written):
    more = "  explicit Call(ffi::ObjectPtr<CallNode> n);\n  explicit Call(ffi::UnsafeInit tag);\n"
    full = (
        "  Call(ffi::String op, ffi::Array<Base> args, ffi::ObjectRef span, int64_t level = 3);\n"
    )
    less = "  explicit Call(ffi::String op);\n"  # some classes of TVM have only such a constructor
    for text in (more, less, more + full, more + full + less):
        written.write("include/ir.h", HEADER.replace(REF, text + REF))
        assert written.run("validate") == 0, written.err


def test_a_field_in_two_branches_is_registered_once(written):
    line = '      .def_ro("args", &CallNode::args)\n'
    assert line in SOURCE
    text = f"#ifdef BIG\n{line}#else\n{line}#endif\n"
    written.write("src/ir.cc", SOURCE.replace(line, text))
    assert written.run("validate") == 0, written.err
    written.write("src/ir.cc", SOURCE.replace(line, line + line))
    assert written.run("validate") == 1
    assert "'args' is registered twice" in written.err
    assert "the first registration is here" in written.err


def test_a_named_file_that_is_missing_is_the_only_finding(written):
    """An earlier version also reported each class of the schema as missing in C++."""
    assert written.run("validate", "--cpp", "nowhere.h") != 0
    assert written.ids() == ["TS120"], written.err
    assert "there is no nowhere.h" in written.err


NULLABLE = '''
from typing import Optional, Union

@declare
class LeafNode(Object):
    """A leaf."""

    type_key = "demo.Leaf"

@declare
class TreeNode(Object):
    """A tree."""

    type_key = "demo.Tree"
    leaf: Optional[LeafNode]
    last: Optional[LeafNode] = None

    @method
    def find(self, other: Optional[LeafNode] = None) -> Optional[LeafNode]:
        """Find one."""
'''


def test_a_union_that_begins_with_its_first_class_has_no_default(project):
    """An earlier version treated `= Leaf{}` as a default if the class was in a namespace."""
    union = NULLABLE.replace("last: Optional[LeafNode] = None", "last: Union[LeafNode, Other]")
    other = '@declare\nclass Other(Object):\n    """O."""\n\n    type_key = "demo.Other"\n\n'
    union = union.replace("@declare\nclass Tree", f"{other}@declare\nclass Tree")
    project.schema('__tschema__ = module(namespace="demo")\n' + union)
    assert project.run("generate") == 0, project.err
    assert "= Leaf{};" in project.read("include/demo/ir.h")
    assert project.run("validate", "--strict") == 0, project.err
