# SPDX-License-Identifier: Apache-2.0
"""Mixins, types of C++, hand-written constructors and methods, in both dialects."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi_schema.build import toolchain

HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif(toolchain.find() is None, reason="no C++ compiler")

BODIES = {
    "PlusNode.method:total": "double PlusNode::total(double scale) const {\n"
    "  return scale * (a->value + b->value);\n}\n",
    "ParsedNode.method:__init__": "ParsedNode::ParsedNode(::tvm::ffi::String text, int64_t base)\n"
    "    : value(std::stoll(std::string(text), nullptr, static_cast<int>(base))), base(base) {}\n",
    "ParsedNode.method:plus": "int64_t ParsedNode::plus(int64_t other) const {\n"
    "  return value + other;\n}\n",
    "ParsedNode.method:plus#2": "::tvm::ffi::String ParsedNode::plus(::tvm::ffi::String other)"
    " const {\n  return ::tvm::ffi::String(std::to_string(value)) + other;\n}\n",
}
USE = """
import pickle, sys
import tvm_ffi
from tvm_ffi_schema.run_time import loaded

sys.path.insert(0, "python")
tvm_ffi.load_module(sys.argv[1])
import _members as m

a, b = m.Term(3.0), m.Term(4.0)
plus = m.Plus(a, b, span=5)
assert (plus.a.value, plus.b.value, plus.note, plus.span) == (3.0, 4.0, "", 5)
assert (plus.total(), plus.total(2.0), plus.length()) == (7.0, 14.0, 25.0)
assert (plus.total(scale=3.0), m.Plus.of(b=2.0, a=1.0).b.value) == (21.0, 2.0)
assert m.Plus.of(1.0, 2.0).b.value == 2.0
assert tvm_ffi.structural_equal(plus, m.Plus(m.Term(3.0), m.Term(4.0), span=9))
assert not tvm_ffi.structural_equal(plus, m.Plus(b, a))
assert tvm_ffi.structural_hash(plus) == tvm_ffi.structural_hash(m.Plus(m.Term(3.0), m.Term(4.0)))
minus = m.Minus(a, b)
assert (minus.wide, minus.span) == (False, 0) and isinstance(minus, m.Op)
try:
    m.Plus(a, None)
except TypeError:
    pass
else:
    raise AssertionError("a term is never null")

where = m.Allocate("local")
assert (where.scope, where.extent) == ("local, and a text that is long enough for the heap", 1)
assert not tvm_ffi.structural_equal(where, m.Allocate("global"))
try:
    m.Allocate("nowhere")
except ValueError as error:
    assert "no such scope: nowhere" in str(error)
else:
    raise AssertionError("not a scope")

parsed = m.Parsed("12")
assert (parsed.value, parsed.base, m.Parsed("ff", 16).value) == (12, 10, 255)
assert (parsed.plus(1), parsed.plus("!")) == (13, "12!")
tagged = m.Tagged(7, tag="t")
assert (tagged.value, tagged.tag, tagged.base) == (7, "t", 10)
for one in (plus, minus, where, parsed, tagged):
    again = pickle.loads(pickle.dumps(one))
    assert tvm_ffi.structural_equal(again, one) and repr(again) == repr(one)
import _enums as e

assert (e.Activation.GeLU.approximate, e.Activation.Tanh.inplace) == (True, True)
assert e.Activation.ReLU is e.Activation.get("ReLU")
assert (e.Precision.FP32.value, e.Precision.FP33.value) == (32, 33)
assert e.Precision(16).name == "FP16"
assert e.Layout.NHWC.value == "nhwc" and e.Layout("NCHW") is e.Layout.NCHW
assert (e.Color.Red.red, e.Color.Black.red) == (255, 0)
assert e.Paint().color is e.Color.Red
print(repr(plus), repr(where), repr(parsed))
"""
CONSTRUCT = """
#include <corpus/members.h>

#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

using namespace corpus;

static double Make() {
  Parsed parsed("21");
  Plus plus(Term(2), Term(3), 1);
  Tagged tagged(5);
  Allocate where(Scope::kLocal);
  return plus->total() + static_cast<double>(parsed->value + tagged->value + where->extent);
}

TVM_FFI_STATIC_INIT_BLOCK() { tvm::ffi::reflection::GlobalDef().def("members.make", Make); }
"""


def built(project, dialect: str) -> str:
    """Build the classes of `members` with the method bodies in `BODIES`; return the library."""
    for name in ("members", "enums"):
        project.write(f"schema/{name}.py", (HERE / f"corpus/{name}.py").read_text())
    project.write("include/corpus/scope.h", (HERE / "handwritten/scope.h.txt").read_text())
    arguments = ["generate", "-q", "--to", "cpp,python", "--dialect", dialect]
    assert project.run(*arguments) == 0, project.err
    source = project.read("src/members.cc")
    for anchor, body in BODIES.items():
        head, begin, rest = source.partition(f"// tschema: custom-begin {anchor}\n")
        assert begin, anchor
        source = head + begin + body + rest[rest.index("// tschema: custom-end") :]
    project.write("src/members.cc", source)
    assert project.run(*arguments) == 0, project.err
    assert project.read("src/members.cc") == source
    project.write("src/make.cc", CONSTRUCT)
    project.compile("src/members.cc", "src/enums.cc", "src/make.cc", output="libmembers.so")
    return str(project.root / "libmembers.so")


@pytest.mark.spec(
    "SC13", "SC37", "SC41", "SC44", "SC45", "SC46", "SC48", "SC60", "SC72", "SC92", "SC92.2"
)
@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_both_dialects_behave_alike(project, dialect):
    library = built(project, dialect)
    use = USE + "assert tvm_ffi.get_global_func('members.make')() == 32.0\n"
    done = execute(
        *(sys.executable, "-c", textwrap.dedent(use), library),
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])},
    )
    assert done.stdout == (
        'members.Plus(span=5, a=members.Term(value=3), b=members.Term(value=4), note="") '
        'members.Allocate(scope="local, and a text that is long enough for the heap", extent=1) '
        "members.Parsed(value=12, base=10)\n"
    )


def test_a_class_of_a_closed_file_may_stay_open(project):
    """Earlier versions ignored `final = False` in a closed file."""
    text = (
        "@declare\nclass %sNode(Object):\n    type_key = 't.%s'\n    ref = False\n    final = %s\n"
    )
    classes = [("A", False), ("B", "'auto'"), ("C", True)]
    whole = "".join(text % (name, name, final) for name, final in classes)
    project.schema(f"__tschema__ = module(closed=True)\n{whole}")
    assert project.run("generate", "-q") == 0, project.err
    header = project.read("include/ir.h")
    assert 'INFO("t.A", ANode' in header
    assert 'INFO_FINAL("t.B", BNode' in header and 'INFO_FINAL("t.C", CNode' in header


def test_the_hash_follows_the_comparison_in_every_output(project):
    """Earlier versions wrote `compare=False` without `hash`, so that C++ hashed the field."""
    project.schema(
        "@declare\nclass ANode(Object):\n    type_key = 't.A'\n    ref = False\n"
        "    x: int = field(default=0, compare=False)\n"
        "    y: int = field(default=0, compare=False, hash=True)\n"
    )
    assert project.run("generate", "-q") == 0, project.err
    source = project.read("src/ir.cc")
    assert "refl::compare(false), refl::hash(false)" in source.partition('"y"')[0]
    assert "hash" not in source.partition('"y"')[2]
    assert project.run("validate") == 0, project.err


ORDER = """
@declare
class Base(Object):
    type_key = "t.Base"
    dtype: str
    span: int = 0
    _: KW_ONLY
    tag: int = 1

@declare
class Add(Base):
    type_key = "t.Add"
    a: int

@declare
class Const(Base):
    type_key = "t.Const"
    value: int = 2
    _: KW_ONLY
    late: int
"""
USE_ORDER = """
import inspect
import sys
from tvm_ffi import schema

made = schema.load(sys.argv[1])
assert [*inspect.signature(made.Add).parameters] == ["dtype", "a", "span", "tag"]
assert [*inspect.signature(made.Const).parameters] == ["dtype", "span", "value", "late", "tag"]
assert (made.Add("x", 1, 7).a, made.Add("x", 1, 7).span) == (1, 7)
"""


def test_constructors_take_parameters_in_the_order_of_python(project):
    """Earlier versions refused a required field in a subclass of a class with a default.

    Where they wrote such a class, the order of the parameters differed from that in Python.
    """
    project.schema(ORDER)
    assert project.run("generate", "-q") == 0, project.err
    header = project.read("include/ir.h")
    assert "Add(::tvm::ffi::String dtype, int64_t a, int64_t span = 0, int64_t tag = 1);" in header
    signature = "Const(::tvm::ffi::String dtype, int64_t span, int64_t value, int64_t late"
    assert f"{signature}, int64_t tag = 1);" in header
    assert project.run("build", "-q", "--debug", "-o", "lib.so") == 0, project.err
    project.use(USE_ORDER, "lib.so")


@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_a_class_that_registers_in_its_body_needs_no_definition(project, dialect):
    fields = "    x: ty.Array[int] = field(default_factory=list, kw_only=True)\n    y: int = 1\n"
    project.schema(
        '@declare\nclass ANode(Object):\n    """A."""\n    type_key = "t.A"\n'
        f'    registration = "inline"\n{fields}'
    )
    project.write("tschema.toml", f'dialect = "{dialect}"\n')
    assert project.run("generate") == 0, project.err
    header, source = project.read("include/ir.h"), project.read("src/ir.cc")
    is_inside = "static void RegisterReflection() {" in header
    assert is_inside and source.count("ANode::RegisterReflection();") == 1
    assert "void ANode::RegisterReflection" not in source
    project.compile("src/ir.cc")
    assert project.run("validate") == 0, project.err


def test_a_class_that_cannot_have_subclasses_is_final(project):
    """Earlier versions wrote `_type_child_slots = 0`, with the slower check of a range."""
    project.schema(
        "@declare\nclass A(Object):\n    type_key = 't.A'\n    sealed = True\n\n"
        "@declare\nclass B(A):\n    type_key = 't.B'\n\n"
        "@declare\nclass C(A):\n    type_key = 't.C'\n    child_slots = 1\n"
    )
    assert project.run("generate", "-q") == 0, project.err
    words = re.findall(r"_INFO(\w*)\(\"t.(\w)", project.read("include/ir.h"))
    assert words == [("", "A"), ("_FINAL", "B"), ("", "C")]
    assert project.run("build", "-q", "--debug", "-o", "lib.so") == 0, project.err
    assert project.run("validate", "--lib", "lib.so") == 0, project.err
