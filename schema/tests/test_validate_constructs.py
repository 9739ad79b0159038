# SPDX-License-Identifier: Apache-2.0
"""`validate` finds an error in each construct that the generator writes."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from running import execute

from tvm_ffi_schema.cxx import model
from tvm_ffi_schema.cxx import read as reader
from tvm_ffi_schema.cxx.constructs import TABLE, USUAL
from tvm_ffi_schema.cxx.cursor import Lines
from tvm_ffi_schema.cxx.pattern import NOWHERE, Construct, Row
from tvm_ffi_schema.ir import Span

from .conftest import PRELUDE

#: The reproducer: `validate` had no findings for any of the errors in `OVERLOOKED`.
SCHEMA = '''
__tschema__ = module(namespace="demo", type_key_prefix="demo.")

@declare
class ANode(Object):
    """A."""
    type_key = "A"
    structural_eq = "tree"
    ctor = False
    type_attrs = {"demo.rank": 3}
    x: ty.int64_t

    @method
    def f(self) -> int: ...
'''
HEADER = """\
#include <tvm/ffi/tvm_ffi.h>
namespace demo {
class ANode : public ::tvm::ffi::Object {
 public:
  int64_t x{};
  int64_t f() const { return x; }
  int64_t g() const { return 0; }
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("demo.A", ANode, ::tvm::ffi::Object);
};
class A : public ::tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(A, ::tvm::ffi::ObjectRef, ANode);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ::tvm::ffi::reflection;
  refl::ObjectDef<ANode>().def_ro("x", &ANode::x).def("f", &ANode::f);
  refl::TypeAttrDef<ANode>().def("demo.rank", 3);
}
}  // namespace demo
"""
INFO = "  TVM_FFI_DECLARE_OBJECT_INFO("
CONSTANT = "  static constexpr bool "
OVERLOOKED = {
    "another function": ("&ANode::f", "&ANode::g", "TS409", "'f' is registered for g, not for f"),
    "another function beside an overload": (
        '.def("f", &ANode::f)',
        '.def("f", &ANode::g).def("f", [](const ANode* self, int64_t x) { return x; })',
        "TS409",
        "'f' is registered for g, not for f",
    ),
    "a static method": ('def("f"', 'def_static("f"', "TS413", "def_static, the schema says def"),
    "a method more": (
        '.def("f", &ANode::f)',
        '.def("f", &ANode::f).def("f2", &ANode::g)',
        "TS410",
        "'f2' is registered, but not in the schema",
    ),
    "final": ("OBJECT_INFO(", "OBJECT_INFO_FINAL(", "TS424", "ANode is final in C++, not in the"),
    "mutable": (
        INFO,
        f"{CONSTANT}_type_mutable = true;\n{INFO}",
        "TS413",
        "_type_mutable is true, the schema says false",
    ),
    "sealed": (
        INFO,
        f"{CONSTANT}_type_child_slots_can_overflow = false;\n{INFO}",
        "TS422",
        "_type_child_slots_can_overflow is false, the schema says true",
    ),
    "an attribute": ('"demo.rank", 3', '"demo.rank", 4', "TS438", "is 4, the schema says 3"),
    "no attribute": (
        '.def("demo.rank", 3)',
        "",
        "TS438",
        "'demo.rank' of demo.A is not registered",
    ),
    "another class": ('"demo.A", ANode', '"demo.A", A', "TS405", "names A, the class is ANode"),
    "no entry of an enum": ("ObjectDef<ANode>()", "ObjectDef<ANode>().as_enum()", "TS430", "enum"),
}
#: The errors that `--fix` repairs.
MENDED = ("a static method", "final", "mutable", "sealed", "another class")


@pytest.mark.parametrize("error", OVERLOOKED)
def test_an_error_that_was_overlooked_is_found(project, error):
    old, new, rule, words = OVERLOOKED[error]
    assert old in HEADER
    project.schema(SCHEMA)
    project.write("src/ir.cc", HEADER)
    assert project.run("validate", "--cpp", "src", "--strict") == 0, project.err
    project.write("src/ir.cc", HEADER.replace(old, new))
    assert project.run("validate", "--cpp", "src") == 1
    assert project.ids() == [rule], project.err
    assert words in project.err
    project.run("validate", "--cpp", "src", "--fix")
    assert (project.run("validate", "--cpp", "src") == 0) == (error in MENDED), project.err


def test_a_method_registered_by_an_expression_is_not_judged(project):
    project.schema(SCHEMA)
    for target in (
        "[](const ANode* self) { return self->x; }",
        "static_cast<int64_t (ANode::*)() const>(&ANode::f)",
        "refl::overload_cast<>(&ANode::f, refl::const_)",
        "&::demo::ANode::f",
    ):
        project.write("src/ir.cc", HEADER.replace("&ANode::f", target))
        assert project.run("validate", "--cpp", "src", "--strict") == 0, project.err
    project.write("src/ir.cc", HEADER.replace('.def("f"', '.def("__str__", &ANode::g).def("f"'))
    assert project.run("validate", "--cpp", "src", "--strict") == 0, project.err


def test_a_short_method_is_generated_compared_and_mended(project):
    short = SCHEMA.replace("@method", "@method(short=True)")
    project.schema(short.replace("(self)", "(self, y: int = 1)"))
    assert project.run("generate") == 0, project.err
    assert project.read("src/ir.cc").count(", refl::short_call()") == 2  # with and without `y`
    code = "[](const ANode* self) { return self->x; }"
    for target in ("&ANode::f", "refl::overload_cast<>(&ANode::f, refl::const_)", code):
        plain = HEADER.replace("&ANode::f", target)
        marked = HEADER.replace("&ANode::f", f"{target}, refl::short_call()")
        for schema, right, wrong in ((short, marked, plain), (SCHEMA, plain, marked)):
            project.schema(schema)
            project.write("src/ir.cc", wrong)
            assert project.run("validate", "--cpp", "src") == 1
            assert project.ids() == ["TS416"] and "other flags: short_call()" in project.err
            project.run("validate", "--cpp", "src", "--fix")
            assert project.read("src/ir.cc") == (right if target == "&ANode::f" else wrong)
            project.write("src/ir.cc", right)
            assert project.run("validate", "--cpp", "src", "--strict") == 0, project.err


def test_a_class_without_a_constructor_for_python_is_not_judged(project):
    project.schema(SCHEMA)
    head = "ObjectDef<ANode>"
    project.write("src/ir.cc", HEADER.replace(f"{head}()", f"{head}(refl::init(false))"))
    assert project.run("validate", "--cpp", "src", "--strict") == 0, project.err


def test_a_method_that_an_ancestor_declares_may_be_registered_again(project):
    below = '@declare\nclass BNode(ANode):\n    """B."""\n    type_key = "B"\n    ctor = False\n'
    text = SCHEMA + below
    project.schema(text)
    assert project.run("generate", "-q") == 0, project.err
    text = project.read("src/ir.cc")
    old = "refl::ObjectDef<BNode>()"
    assert f"{old};" in text
    for name, status in (("f", 0), ("h", 1)):
        project.write("src/ir.cc", text.replace(old, f'{old}.def("{name}", &BNode::f)'))
        assert project.run("validate") == status, project.err


# --- one error for each row of the table

ALL = '''
import math
from typing import Literal, Optional, overload

__tschema__ = module(namespace="demo", type_key_prefix="demo.")

@declare
class BaseNode(Object):
    """B."""
    type_key = "Base"
    abstract = True
    structural_eq = "tree"
    span: int = field(default=0, kw_only=True, structural_eq="ignore")

@declare
class LeafNode(BaseNode):
    """L."""
    type_key = "Leaf"
    final = True
    structural_eq = "dag"
    type_attrs = {"demo.rank": 3}
    name: str = field(doc="The name.", metadata={"a": 1})
    var: int = field(default=1, structural_eq="def")
    simple: int = field(default=1, structural_eq="def-simple")
    items: ty.Array[int] = field(default_factory=list, compare=False, repr=False)
    more: int = field(default=2, hash=False)
    late: int = field(default=3, init=False)
    word: Literal["a", "b"] = "a"
    base: BaseNode = field(kw_only=True)

    @method(short=True)
    def size(self, by: int) -> int:
        """Size."""

    @method(short=True)
    @staticmethod
    def of(x: int) -> int: ...

@declare
class SoleNode(Object):
    """S."""
    type_key = "Sole"
    mutable = True
    sealed = True
    nullable = False
    child_slots = 2
    x: int

    @method
    def __init__(self, text: str) -> None: ...

    @overload
    @method
    def plus(self, other: int) -> int: ...

    @overload
    @method
    def plus(self, other: str) -> str: ...

    @method
    def less(self, by: int = 1) -> int: ...

@declare
class Size(IntEnum):
    """S."""
    type_key = "Size"
    small = entry(1, attrs={"demo.a": 1})
    large = entry(10)

@declare
class Device(Enum):
    """D."""
    type_key = "Device"
    title: str = ""
    cpu = entry()
    gpu = entry(title="GPU", attrs={"demo.b": 2})

@declare
class ColorNode(Object):
    """C."""
    type_key = "Color"
    red: int = 0
    Black = entry()
'''
CLASSIC = '''
__tschema__ = module(namespace="demo", type_key_prefix="demo.", dialect="classic")

@declare
class OldNode(Object):
    """O."""
    type_key = "Old"
    x: int
    y: int

@declare
class EndNode(OldNode):
    """E."""
    type_key = "End"
    final = True
    nullable = False
    structural_eq = "dag"
    z: int

@declare
class StartNode(Object):
    """S."""
    type_key = "Start"
    x: int = 1
'''
#: Rows that the generator does not write, although they are the first of their kind.
UNWRITTEN = {
    "static constexpr bool _type_final = $value:expr",
    ".def_type_attr($name:str, $value:expr)",
    ".set_attr($name:str, $value:expr)",
}
#: Values that differ from every value in the schemas, by the kind of the hole or by its row.
OTHER = {"name": "Other", "str": "other", "expr": "77"}
OF_ROW = {
    "info": {"key": '"demo.Other"'},
    "kind": {"value": "kTVMFFISEqHashKindFreeVar"},
    "mutable": {"value": "false"},
    "overflow": {"value": "true"},
    "factory": {"value": "[]() { return ::tvm::ffi::Array<::tvm::ffi::String>(); }"},
    "metadata": {"pairs": '{"other", 1}'},
    "key": {"value": '"demo.Other"'},
    "visit": {"member": "other"},
}
#: (name of a row, error): the meaning of an expression cannot be known, and a description or an
#: overload for a default may be missing, and a reference may take None.
NOT_COMPARED = {
    *(("method", "types"), ("method", "const"), ("method", "value"), ("doc", "without")),
    *(("less", "without"), ("not_null", "without")),
}


@pytest.fixture(scope="module")
def generated(tmp_path_factory) -> dict[str, dict[str, str]]:
    """Return dialect -> the schema, the header and the source."""
    made = {}
    for dialect, schema in (("modern", ALL), ("classic", CLASSIC)):
        root = tmp_path_factory.mktemp(dialect)
        (root / "schema").mkdir()
        (root / "schema/ir.py").write_text(PRELUDE + schema)
        execute(sys.executable, "-m", "tvm_ffi_schema", "generate", "-q", cwd=root)
        names = ("include/demo/ir.h", "src/ir.cc")
        made[dialect] = {"schema": schema, **{n: (root / n).read_text() for n in names}}
    return made


def errors(row: Row, text: str) -> Iterator[tuple[str, str]]:
    """Yield (name of an error, text with the error) for the first use of a row in a text."""
    sources = model.Sources()
    reader.read("x", text, sources)
    for cls in sources.classes.values():
        for name, (_, span) in cls.constants.items():
            if name == row.constant and span != NOWHERE:
                value = OF_ROW.get(row.name, {}).get("value", OTHER["expr"])
                yield "value", replaced(text, span, value)
                return
    one = next((one for one in constructs(sources) if one.row is row), None)
    if one is None:
        return
    may_lack = (one.text("name") or row.name, "without") in NOT_COMPARED
    if row.group in ("ENTRY", "ATTR", "VALUE", "TRAIT", "VISIT") and not may_lack:
        yield "without", replaced(text, one.span, "")
    for part in row.parts:
        if isinstance(part, str) or part.is_list or (row.name, part.name) in NOT_COMPARED:
            continue
        value = OF_ROW.get(row.name, {}).get(part.name, OTHER[part.kind])
        changed = Construct(row, {**one.values, part.name: value})
        yield part.name, replaced(text, one.span, changed.write())


def constructs(sources: model.Sources) -> Iterator[Construct]:
    """Yield all constructs, also those in other constructs; those without a schema are last."""
    todo: list[Construct] = []
    for cls in sources.classes.values():
        todo += [*([cls.macro] if cls.macro is not None else []), *(cls.visited or ())]
    for one in sources.statements:
        todo += [one.head, *one.entries]
    while todo:
        one = todo.pop(0)
        yield one
        for value in one.values.values():
            todo += value if isinstance(value, list) else []


def replaced(text: str, span: Span, by: str) -> str:
    """Replace the text of a span; remove the comma before it if nothing takes its place."""
    lines = Lines("x", text)
    first = lines.offset(span.line, span.col)
    last = lines.offset(span.end_line, span.end_col)
    before = text[:first].rstrip()
    if not by and before.endswith(","):
        first = len(before) - 1
    return text[:first] + by + text[last:]


@pytest.mark.parametrize("row", TABLE.rows, ids=lambda row: row.text)
def test_an_error_in_each_construct_is_found(project, generated, row):
    seeded = 0
    for texts in generated.values():
        names = [name for name in texts if name != "schema"]
        for name in names:
            for error, text in errors(row, texts[name]):
                project.schema(texts["schema"])
                for other in names:
                    project.write(other, text if other == name else texts[other])
                project.run("validate")
                findings = [one for one in project.ids() if one != "TS402"]
                assert findings, (error, name)
                seeded += 1
    first = TABLE.row(row.group, row.name, row.ir[1] if row.ir else None, row.dialect)
    is_written = row is first and row.name != "other" and row.text not in UNWRITTEN
    is_usual = row.ir is not None and USUAL.get(row.name) == row.ir[1]  # such a flag is not written
    assert seeded or not is_written or is_usual or (row.name, "without") in NOT_COMPARED


def test_a_file_below_two_roots_is_not_compared_with_itself(project):
    """An earlier version reported each field as registered twice, at the line of the field."""
    project.schema(SCHEMA)
    project.write("src/include/ir.h", HEADER)
    roots = [word for root in (".", "src", "./src/include/ir.h") for word in ("--cpp", root)]
    assert project.run("validate", *roots, "--strict") == 0, project.err
    project.write("tschema.toml", 'cpp_include_root = "."\n')
    assert project.run("validate", "--strict") == 0, project.err
    twice = HEADER.replace('.def_ro("x", &ANode::x)', '.def_ro("x", &ANode::x)' * 2)
    project.write("src/include/ir.h", twice)
    assert project.run("validate", "--strict") == 1
    assert project.ids() == ["TS409"], project.err


def test_a_field_that_a_base_lacks_is_reported_with_the_constructors_below(project):
    """An earlier version had one finding for each constructor of each class below the base."""
    leaves = "".join(
        f'@declare\nclass L{n}Node(BaseNode):\n    """L."""\n    type_key = "L{n}"\n    y: int\n'
        for n in range(5)
    )
    base = '@declare\nclass BaseNode(Object):\n    """B."""\n    type_key = "Base"\n    x: int\n'
    project.schema(base + leaves)
    assert project.run("generate", "-q") == 0, project.err
    assert project.run("validate", "--strict") == 0, project.err
    project.schema(base + "    more: int\n" + leaves)
    assert project.run("validate") == 1
    assert sorted(project.ids()) == ["TS408", "TS412", "TS419", "TS419"], project.err
    assert "follows the fields, like 4 more constructors below BaseNode" in project.err


def test_the_visited_members_of_each_classic_class_are_compared(project):
    """An earlier version compared them only for classes with TVM_REGISTER_NODE_TYPE."""
    project.schema(CLASSIC.replace("    y: int\n", "    y: int = 1\n"))
    assert project.run("generate", "-q") == 0, project.err
    assert project.run("validate", "--strict") == 0, project.err
    text = project.read("include/demo/ir.h")
    for old, new, rule in (
        ('v->Visit("z", &z);', 'v->Visit("z", &y);', "TS409"),
        ('v->Visit("y", &y);', 'v->Visit("y", &x);', "TS409"),
        ('    v->Visit("z", &z);\n', "", "TS408"),
        ('v->Visit("z", &z);', 'v->Visit("z", &z);v->Visit("more", &z);', "TS410"),
    ):
        assert old in text
        project.write("include/demo/ir.h", text.replace(old, new))
        assert project.run("validate") == 1, old
        assert set(project.ids()) == {rule}, project.err
