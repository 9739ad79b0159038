# SPDX-License-Identifier: Apache-2.0
"""What a `Literal` and a required reference refuse: in Python, in C++, in an image."""

from __future__ import annotations

import pytest

from .conftest import needs_compiler

SCHEMA = '''
from typing import Literal, Optional

__tschema__ = module(namespace="checked", type_key_prefix="checked.")

@declare
class ExprNode(Object):
    """An expression."""
    type_key = "Expr"

@declare
class SpanNode(Object):
    """A place, which may be missing."""
    type_key = "Span"
    nullable = True

@declare
class AddNode(ExprNode):
    """A sum."""
    type_key = "Add"
    mutable = True
    a: ExprNode
    b: Optional[ExprNode] = None
    span: SpanNode = field(kw_only=True)
    other: ExprNode = None
    mode: Literal["up", "down"] = "up"
    level: Literal[1, -2] = 1
    maybe: Optional[Literal["p"]] = None
    mixed: Literal["x", 7, None] = "x"
    many: list[Literal["m", "n"]] = field(default_factory=list)
    flag: Literal[True] = field(default=True, frozen=True)
'''
USE = """
import json, pickle, sys
import tvm_ffi
from tvm_ffi.dataclasses import replace
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str

module = tvm_ffi.load_module(sys.argv[1])
sys.path.insert(0, sys.argv[2])
from python._ir import Add, Expr, Span

def refused(kind, words, function, *args, **given):
    try:
        result = function(*args, **given)
    except Exception as error:
        assert type(error) is kind and words in str(error), repr(error)
    else:
        raise AssertionError(f"{given or args} was accepted: {result}")

e = Expr()
made = Add(e, span=None)
assert made.span is None and made.b is None and made.other is None
refused(TypeError, "to `checked.Expr`", Add, None, span=None)
refused(TypeError, "field `a`", setattr, made, "a", None)
refused(TypeError, "field `a`", replace, made, a=None)
made.b = made.span = made.other = None
assert pickle.loads(pickle.dumps(made)).a is not None
graph = json.loads(to_json_graph_str(made))
data = graph["nodes"][graph["root_index"]]["data"]
data["a"] = data["span"]
refused(TypeError, "to `checked.Expr` in field `a` of node", from_json_graph_str, json.dumps(graph))
new, cls, (program, types) = made.__reduce_ex__(4)
new(*cls).__setstate__((program, types))
EXPR, NONE = b"\\x11\\x01", b"\\0"  # the first value of the program is `a`
assert program.startswith(EXPR)
without_a = program.replace(EXPR, NONE, 1)
refused(TypeError, "to `checked.Expr` for field `a`", new(*cls).__setstate__, (without_a, types))
WRONG = [("mode", "c"), ("level", 2), ("maybe", "q"), ("mixed", "y"), ("mixed", 8),
         ("many", ["m", "z"]), ("flag", False)]
for name, value in WRONG:
    last = repr(value[-1] if isinstance(value, list) else value)
    refused(ValueError, f"got {last}", Add, e, span=None, **{name: value})
    refused(ValueError, f"got {last} for field `{name}`", replace, made, **{name: value})
    if name != "flag":
        refused(ValueError, f"got {last} for field `{name}`", setattr, made, name, value)
refused(ValueError, "expected Literal['up', 'down'], got 'c'", setattr, made, "mode", "c")
text = to_json_graph_str(made)
assert text.count('"up"') == 1
refused(ValueError, "field `mode`", from_json_graph_str, text.replace('"up"', '"c"'))
refused(ValueError, "field `mode`", new(*cls).__setstate__, (program.replace(b"up", b"no"), types))
for name, value in [("mode", "down"), ("level", -2), ("maybe", "p"), ("maybe", None),
                    ("mixed", 7), ("mixed", None), ("many", []), ("many", ["n", "m"])]:
    setattr(made, name, value)
    assert getattr(Add(e, span=None, **{name: value}), name) == getattr(made, name)
assert pickle.loads(pickle.dumps(made)).mode == "down"
if sys.argv[1].endswith(".tfs"):
    sys.exit()
assert module.make(e, "down").mode == "down"
refused(ValueError, "expected Literal['up', 'down'], got 'c' for field `mode`", module.make, e, "c")
"""
NATIVE = """
#include <checked/ir.h>
#include <tvm/ffi/function.h>
checked::Add Make(checked::Expr a, tvm::ffi::String mode) {
  tvm::ffi::Variant<tvm::ffi::String, int64_t> mixed = tvm::ffi::String("x");
  return checked::Add(a, std::nullopt, checked::Expr(), mode, 1, std::nullopt, mixed,
                      tvm::ffi::List<tvm::ffi::String>(), true, checked::Span());
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(make, Make);
"""


def generated(project, dialect: str) -> None:
    project.schema(SCHEMA)
    project.write("tschema.toml", f'dialect = "{dialect}"\noutputs = ["cpp", "python", "pyi"]\n')
    project.write("python/__init__.py", "")
    assert project.run("generate", "-q") == 0, project.err


@needs_compiler
@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_a_library_refuses_what_its_schema_refuses(project, dialect):
    """Earlier libraries took any text for a Literal, and None for each reference."""
    generated(project, dialect)
    project.write("native.cc", NATIVE)
    project.compile("src/ir.cc", "native.cc", output="lib.so")
    project.use(USE, "lib.so")
    assert project.run("validate", "--strict") == 0, project.err
    assert project.run("validate", "--lib", "lib.so") == 0, project.err


def test_an_image_refuses_what_its_schema_refuses(project):
    """An earlier image took any text for a Literal."""
    generated(project, "modern")
    assert project.run("build", "-q", "schema/ir.py", "-o", "lib.tfs") == 0, project.err
    project.use(USE, "lib.tfs")


def test_metadata_of_the_user_is_not_taken_for_the_values_of_a_literal(project):
    project.schema(
        "@declare\nclass ANode(Object):\n    type_key = 'metadata.A'\n    mutable = True\n"
        "    x: str = field(metadata={'one_of': 'these', 'note': '\"one_of\":[1]'})\n"
        "    y: int = field(metadata={'unit': '\"one_of\":[7]'})\n"
    )
    assert project.run("build", "-q", "schema/ir.py", "-o", "lib.tfs") == 0, project.err
    data = (project.root / "lib.tfs").read_bytes()
    assert data.count(b"one_of") >= 3
    project.use(
        "import sys, tvm_ffi, tvm_ffi.testing\ntvm_ffi.load_module(sys.argv[1])\n"
        "@tvm_ffi.register_object('metadata.A')\nclass A(tvm_ffi.Object): ...\n"
        "made = A('any', 8)\nmade.x = 'other'\nassert (made.x, made.y) == ('other', 8)\n",
        "lib.tfs",
    )


def test_a_prototype_raises_the_same_kind_of_error(project):
    """An earlier prototype raised TypeError for a value that a library refuses with ValueError."""
    project.write(
        "model.py",
        "from typing import Literal, Optional, Union\n"
        "from tvm_ffi import Object\n"
        "from tvm_ffi.dataclasses import auto_class, field\n"
        "@auto_class('checked.P')\nclass P(Object):\n"
        "    mode: Literal['up', 'down'] = 'up'\n"
        "    maybe: Optional[Literal['p']] = None\n"
        "    mixed: Union[Literal['x'], int, None] = 'x'\n"
        "    many: list[Literal['m']] = field(default_factory=list)\n"
        "    flag: Literal[True] = True\n",
    )
    project.write("tschema.toml", "outputs = []\n")
    assert project.run("build", "-q", "model.py", "-o", "lib.tfs") == 0, project.err
    program = """
import sys
import tvm_ffi
if IMAGE:
    tvm_ffi.load_module(sys.argv[1])
sys.path.insert(0, sys.argv[2])
from model import P
for name, value, kind in (
    ("mode", "c", ValueError), ("mode", 1, TypeError), ("mode", None, TypeError),
    ("maybe", "q", ValueError), ("maybe", 1, TypeError), ("mixed", "y", ValueError),
    ("mixed", [], TypeError), ("many", ["n"], ValueError), ("many", [1], TypeError),
    ("flag", False, ValueError), ("flag", "a", TypeError),
):
    for function, more in ((P, {name: value}), (setattr, None)):
        try:
            function(**more) if more else function(P(), name, value)
        except Exception as error:
            assert type(error) is kind and f"`{name}`" in str(error).replace("'", "`"), repr(error)
            last = value[-1] if name == "many" else value
            if kind is ValueError:
                assert f"], got {last!r}" in str(error), error
        else:
            raise AssertionError((name, value))
"""
    for image in (True, False):
        project.use(program.replace("IMAGE", str(image)), "lib.tfs")


def test_the_stub_says_which_fields_take_none(project):
    generated(project, "modern")
    stub = project.read("python/_ir.pyi")
    for text in ("a: Expr,", "b: Expr | None = None", "span: Span | None", "other: Expr | None"):
        assert text in stub, text


def test_a_registration_by_hand_without_the_values_is_found(project):
    generated(project, "modern")
    text = project.read("src/ir.cc")
    for old, new, rule in (
        (", refl::one_of<&AddNode::flag>(true)", "", "TS416"),
        ('("up", "down")', '("up")', "TS416"),
        (', refl::Metadata{{"not_null", true}}', "", ""),  # hand-written classes may take None
    ):
        assert old in " ".join(text.split()), text
        changed = " ".join(text.split()).replace(old, new).replace("#include", "\n#include")
        project.write("src/ir.cc", changed.replace("h>", "h>\n").partition(" // tschema: end")[0])
        assert project.run("validate") == (1 if rule else 0), project.err
        assert project.ids() == [rule][: len(rule)], project.err


def test_adopted_classes_take_none_as_before(project):
    text = """#include <tvm/ffi/tvm_ffi.h>
namespace old {
class SpanNode : public tvm::ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("old.Span", SpanNode, tvm::ffi::Object);
};
class Span : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Span, tvm::ffi::ObjectRef, SpanNode);
};
class ANode : public tvm::ffi::Object {
 public:
  Span span;
  TVM_FFI_DECLARE_OBJECT_INFO("old.A", ANode, tvm::ffi::Object);
};
class A : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(A, tvm::ffi::ObjectRef, ANode);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<SpanNode>();
  refl::ObjectDef<ANode>().def_ro("span", &ANode::spanCHECK);
}
}  // namespace old
"""
    for check, count in (("", 1), (', refl::Metadata{{"not_null", true}}', 0)):
        project.write("include/old.h", text.replace("CHECK", check))
        assert project.run("adopt", "include", "-o", "schema/old.py") == 0, project.err
        assert project.read("schema/old.py").count("nullable = True") == count
        assert project.read("include/old.h").count("not_null") == 1 - count
        assert project.run("check") == 0, project.err
        (project.root / "schema/old.py").unlink()
