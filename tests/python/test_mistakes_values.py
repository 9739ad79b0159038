# SPDX-License-Identifier: Apache-2.0
"""Test the messages for typical mistakes with values: place, cause and a likely fix.

The numbers in `ROWS` identify the mistakes in a list of 66 typical mistakes.
``test_mistakes_lookup.py`` tests the mistakes with names, libraries and compilers.
"""

from __future__ import annotations

import re
import threading
import typing
from array import array as memory_array
from types import SimpleNamespace
from typing import Any

import pytest
from running import run_threads

import tvm_ffi
from tvm_ffi import core, structural
from tvm_ffi import dataclasses as dc
from tvm_ffi.cpp import load_inline

SOURCE = r"""
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/overload.h>
#include <tvm/ffi/reflection/registry.h>

#include <stdexcept>

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

class NodeObj : public ffi::Object {
 public:
  int64_t v = 0;
  uint8_t small = 7;
  ffi::String name;
  ffi::Array<int64_t> many;
  ffi::Optional<ffi::Tensor> data;
  NodeObj() = default;
  NodeObj(int64_t v, ffi::String name) : v(v), name(name) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("tests.mistakes.Node", NodeObj, ffi::Object);
};
class Node : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Node, ffi::ObjectRef, NodeObj);
};
class AutoObj : public ffi::Object {
 public:
  int64_t a = 0;
  uint8_t b = 7;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("tests.mistakes.Auto", AutoObj, ffi::Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<NodeObj>()
      .def(refl::init<int64_t, ffi::String>())
      .def_ro("v", &NodeObj::v)
      .def_rw("small", &NodeObj::small)
      .def_rw("name", &NodeObj::name)
      .def_rw("many", &NodeObj::many)
      .def_rw("data", &NodeObj::data)
      .def("add", [](NodeObj* self, int64_t x, ffi::String) { return self->v + x; })
      .def("named", [](NodeObj* self, int64_t x, int64_t y) { return self->v + x + y; },
           refl::Metadata{{"arg_names", "x, y"}, {"arg_defaults", "[2]"}})
      .def_static("make", [](int64_t x) { return x; });
  refl::ObjectDef<AutoObj>().def_rw("a", &AutoObj::a).def_rw("b", &AutoObj::b);
  refl::GlobalDef().def(
      "tests.mistakes.layernorm",
      [](ffi::TensorView x, ffi::TensorView gamma, ffi::TensorView beta, int64_t dim,
         double eps) { return dim; },
      refl::Metadata{{"arg_names", "x, gamma, beta, dim, eps"}, {"arg_defaults", "[1e-05]"}});
  refl::GlobalDef().def(
      "tests.mistakes.small",
      [](int64_t a, uint8_t b) { return a + b; },
      refl::Metadata{{"arg_names", "a, b"}});
  // Calls another function of the same signature.
  refl::GlobalDef().def(
      "tests.mistakes.outer",
      [](ffi::Function f, ffi::Any x) { return f(x); },
      refl::Metadata{{"arg_names", "f, x"}});
}

int64_t ndim(ffi::Tensor t) { return t.ndim(); }
int64_t view(ffi::TensorView t) { return t.ndim(); }
int64_t ptr(DLTensor* t) { return t->ndim; }
int64_t add(int64_t a, int64_t b) { return a + b; }
int32_t same(int32_t x) { return x; }
uint8_t byte(uint8_t x) { return x; }
float half(float x) { return x / 2; }
ffi::String text(ffi::String x) { return x; }
int64_t sum(ffi::Array<int64_t> all) { return static_cast<int64_t>(all.size()); }
int64_t bytes(ffi::Array<uint8_t> all) { return static_cast<int64_t>(all.size()); }
int64_t size(ffi::Map<ffi::String, int64_t> all) { return static_cast<int64_t>(all.size()); }
int64_t numbered(ffi::Map<int64_t, uint8_t> all) { return static_cast<int64_t>(all.size()); }
int64_t nested(ffi::Map<ffi::String, ffi::Array<int64_t>> all) {
  return static_cast<int64_t>(all.size());
}
int64_t choice(ffi::Variant<int64_t, ffi::String> v) { return v.as<int64_t>().value_or(0); }
int64_t pair(ffi::Tuple<int64_t, ffi::String> v) { return v.get<0>(); }
int64_t empty() { return ffi::Optional<int64_t>().value(); }
int64_t call(ffi::Function f) { return f().cast<int64_t>(); }
int64_t typed(ffi::TypedFunction<int64_t(int64_t)> f) { return f(1); }
int64_t v_of(Node n) { return n->v; }
Node make_node() { return Node(ffi::make_object<NodeObj>()); }
void own_check(ffi::TensorView x) {
  if (x.dtype() != (DLDataType{kDLFloat, 32, 1})) {
    TVM_FFI_THROW(TypeError) << "x: expected float32, got " << x.dtype();
  }
}
void icheck(ffi::TensorView x) { TVM_FFI_ICHECK_EQ(x.ndim(), 2); }
void fails() { throw std::runtime_error("plain std"); }
void throws_number() { throw 3; }
// Throws a TypeError of its own that reads like one of the library.
void own_error(int64_t way, ffi::String text, ffi::Any value) {
  switch (way) {
    case 0:
      TVM_FFI_THROW(TypeError) << text;
      break;
    case 1:
      throw ffi::Error("TypeError", text, "");
    case 2:
      TVMFFIErrorSetRaisedFromCStr("TypeError", text.c_str());
      throw ffi::detail::MoveFromSafeCallRaised();
    default:  // after an error of the library that is handled
      try {
        value.cast<double>();
      } catch (const ffi::Error& error) {
        throw ffi::Error("TypeError", text, error.backtrace().c_str());
      }
  }
}
int64_t own_cast(ffi::Any value) { return value.cast<int64_t>(); }
int64_t at(ffi::Array<int64_t> a, int64_t i) { return a[i]; }
"""

FUNCTIONS = [
    *("ndim", "view", "ptr", "add", "same", "byte", "half", "text", "sum", "bytes", "size"),
    *("numbered", "nested", "choice", "pair", "empty", "call", "typed", "v_of", "make_node"),
    *("own_check", "icheck", "fails", "throws_number", "own_error", "own_cast", "at"),
]


@pytest.fixture(scope="module")
def t(tmp_path_factory):
    """Return everything that the code in `ROWS` uses, under short names."""
    numpy = pytest.importorskip("numpy")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TVM_FFI_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        lib = load_inline("mistakes_values", cpp_sources=SOURCE, functions=FUNCTIONS)

    @tvm_ffi.register_object("tests.mistakes.Node")
    class Node(tvm_ffi.Object):
        pass

    @dc.c_class("tests.mistakes.Auto")
    class Auto(tvm_ffi.Object):
        a: int
        b: int

    @dc.py_class("tests.mistakes.Pt")
    class Pt(tvm_ffi.Object):
        x: dict[str, list[int]]
        width: int = 3

    @dc.py_class("tests.mistakes.Tree", structural_eq="tree")
    class Tree(tvm_ffi.Object):
        x: int
        kids: list[int]
        child: typing.Optional[tvm_ffi.Object] = None

    return SimpleNamespace(
        lib=lib,
        np=numpy,
        Node=Node,
        Auto=Auto,
        Pt=Pt,
        node=Node(1, "n"),
        pt=Pt({}),
        tree=Tree(1, [1, 2], Tree(3, [4, 5])),
        x=numpy.zeros((2, 2), "float32"),
        layernorm=tvm_ffi.get_global_func("tests.mistakes.layernorm"),
        small=tvm_ffi.get_global_func("tests.mistakes.small"),
    )


class Own:
    """A class that the FFI does not know."""


def declare(annotation: str) -> Any:
    """Define a ``py_class`` with one field."""
    names: dict[str, Any] = {"tvm_ffi": tvm_ffi, "typing": typing, "dc": dc, "Own": Own}
    body = f"class A(tvm_ffi.Object):\n    x: {annotation}\n"
    source = f"@dc.py_class('tests.mistakes.A{abs(hash(annotation))}')\n{body}"
    exec(compile(source, "<a cell>", "exec", dont_inherit=True), names)
    return names["A"]


def enum_with(**values: Any) -> Any:
    """Define an enum whose variant has values for fields that do not exist."""
    body = {"red": dc.entry(**values), "__annotations__": {"shade": int}}
    cls = type("Color", (dc.Enum,), {**body, "__module__": __name__})
    return dc.py_enum("tests.mistakes.Color")(cls)


LAYERNORM = (
    "`tests.mistakes.layernorm(x: Tensor, gamma: Tensor, beta: Tensor, dim: int, "
    "eps: float = 1e-05) -> int`"
)
ADD = "`add(0: int, 1: int) -> int`"
METHOD = "`tests.mistakes.Node.add(self: tests.mistakes.Node, 1: int, 2: str) -> int`"
NAMED = "`tests.mistakes.Node.named(self: tests.mistakes.Node, x: int, y: int = 2) -> int`"
COUNT = "Mismatched number of arguments when calling: "
EMPTY = "it was moved from, or made without its constructor"
WIDE = "[-9223372036854775808, 9223372036854775807]"


def kind(i: int) -> str:
    return f"Mismatched type on argument #{i} when calling: "


def span(i: int) -> str:
    return f"Value out of range on argument #{i} when calling: "


# (number of the mistake, code with the mistake, message), and in ROWS the class of the error; "..."
# at the end of a message stands for any text.
TYPE_ERRORS: list[tuple[int, Any, str]] = [
    (1, lambda t: t.lib.add(1), f"{COUNT}{ADD}. Expected 2 but got 1 arguments"),
    (
        1,
        lambda t: t.node.add(1),
        f"{COUNT}{METHOD}. Expected 3 but got 2 arguments, where `self` counts",
    ),
    (
        1,
        lambda t: t.Node(1),
        f"{COUNT}`tests.mistakes.Node.__ffi_init__(0: int, 1: str) -> Object`. "
        "Expected 2 but got 1 arguments",
    ),
    (2, lambda t: t.lib.add(1, "x"), f"{kind(1)}{ADD}. Expected `int` but got `str`"),
    (2, lambda t: t.lib.text(b"x"), "*. Expected `str` but got `bytes`"),
    (2, lambda t: t.node.add("a", "b"), f"{kind(1)}{METHOD}. Expected `int` but got `str`"),
    (
        2,
        lambda t: t.node.named(1, "b"),
        f"{kind(2)}{NAMED}. Expected `int` but got `str` for parameter `y`",
    ),
    (2, lambda t: t.lib.add(1, Own()), "*. Expected `int` but got `Own`"),
    (3, lambda t: t.lib.add(1, 1.5), f"{kind(1)}{ADD}. Expected `int` but got `float`"),
    (
        4,
        lambda t: t.lib.text(2**70),
        f"{kind(0)}`text(0: str) -> str`. Expected `str` but got `int too large for 64 bits`",
    ),
    (
        5,
        lambda t: t.lib.add("a", "b"),  # the first wrong argument is reported
        f"{kind(0)}{ADD}. Expected `int` but got `str`",
    ),
    (
        5,
        lambda t: t.layernorm(t.x, "a", "b", "c", "d"),
        f"{kind(1)}{LAYERNORM}. Expected `Tensor` but got `str` for parameter `gamma`",
    ),
    (
        6,
        lambda t: tvm_ffi.convert(lambda x: x)(x=1),
        "<lambda>() got an unexpected keyword argument 'x': it takes positional arguments only, "
        "because it is registered without the names of its parameters (in C++ and Rust: arg_names)",
    ),
    (6, lambda t: t.node.add(x=1), "add() got an unexpected keyword argument 'x': it..."),
    (
        7,
        lambda t: t.layernorm(t.x, t.x, t.x, 1, esp=1),
        "tests.mistakes.layernorm() got an unexpected keyword argument 'esp'; did you mean 'eps'?",
    ),
    (
        7,
        lambda t: t.layernorm(t.x, t.x, t.x, 1, zzz=1),
        "*; its parameters are x, gamma, beta, dim, eps",
    ),
    (
        8,
        lambda t: t.layernorm(t.x, beta=t.x, dim=1),
        "tests.mistakes.layernorm() missing required argument: 'gamma'",
    ),
    (
        9,
        lambda t: t.layernorm(t.x, t.x),
        f"{COUNT}{LAYERNORM}. Expected 4 to 5 but got 2 arguments; missing `beta`, `dim`",
    ),
    (
        9,
        lambda t: t.layernorm(t.x, t.x, t.x, 1, 1.0, 3),
        f"{COUNT}{LAYERNORM}. Expected 4 to 5 but got 6 arguments",
    ),
    (
        9,
        lambda t: t.layernorm(t.x, t.x, "q", 1),
        f"{kind(2)}{LAYERNORM}. Expected `Tensor` but got `str` for parameter `beta`",
    ),
    (
        9,
        lambda t: t.node.named(),
        f"{COUNT}{NAMED}. Expected 2 to 3 but got 1 arguments, where `self` counts; missing `x`",
    ),
    (14, lambda t: t.lib.own_check(t.x.astype("float64")), "x: expected float32, got float64"),
    (
        15,
        lambda t: t.lib.view([1, 2]),
        f"{kind(0)}`view(0: Tensor) -> int`. Expected `Tensor` but got `list`; pass an array, for "
        "example numpy.asarray(value)",
    ),
    (15, lambda t: t.lib.ptr((1, 2)), "*. Expected `Tensor` but got `tuple`; pass an..."),
    *(
        (15, lambda t, make=make: t.lib.view(make(t)), f"*`{name}`; pass an array,...")
        for name, make in (
            ("memoryview", lambda t: memoryview(b"ab")),
            ("bytearray", lambda t: bytearray(b"ab")),
            ("array", lambda t: memory_array("f", [1.0])),
            ("float32", lambda t: t.np.float32(1)),
            ("complex", lambda t: 1j),
        )
    ),
    (15, lambda t: t.lib.view(b"ab"), "*. Expected `Tensor` but got `bytes`"),
    (15, lambda t: t.lib.view("ab"), "*. Expected `Tensor` but got `str`"),
    (15, lambda t: t.lib.ndim({"a": 1}), "*. Expected `Tensor` but got `dict`"),
    (16, lambda t: t.lib.view(None), "*. Expected `Tensor` but got `None`"),
    (17, lambda t: t.lib.ndim(None), "*. Expected `Tensor` but got `None`"),
    (
        26,
        lambda t: t.lib.sum([1, 2, "x"]),
        f"{kind(0)}`sum(0: Array[int]) -> int`. Expected `Array[int]` but got `list[index 2: str]`",
    ),
    (26, lambda t: t.lib.sum((1, Own())), "* but got `tuple[index 1: Own]`"),
    (26, lambda t: t.lib.sum(tvm_ffi.Array([1, "x"])), "* but got `Array[index 1: str]`"),
    (
        27,
        lambda t: t.lib.size({"a": 1, "b": "x"}),
        f"{kind(0)}`size(0: Map[str, int]) -> int`. Expected `Map[str, int]` but got "
        '`dict[K, some value is str at key "b"]`',
    ),
    (27, lambda t: t.lib.size({1: 1}), "* but got `dict[some key is int, V]`"),
    (
        27,
        lambda t: t.lib.nested({"a": [1], "b": (1, 2, Own())}),
        '* but got `dict[K, some value is tuple[index 2: Own] at key "b"]`',
    ),
    (
        27,
        lambda t: t.lib.size({"k" * 100: "x"}),
        f'* but got `dict[K, some value is str at key "{"k" * 60}..."]`',
    ),
    (
        28,
        lambda t: t.lib.sum(x for x in [1]),
        "*. Expected `Array[int]` but got `generator`; pass list(value)",
    ),
    (28, lambda t: t.lib.sum({1, 2}), "* but got `set`; pass list(value)"),
    (28, lambda t: t.lib.sum(range(3)), "* but got `range`; pass list(value)"),
    (28, lambda t: t.lib.sum("abc"), "*. Expected `Array[int]` but got `str`"),
    (28, lambda t: t.lib.sum(Own()), "*. Expected `Array[int]` but got `Own`"),
    (
        29,
        lambda t: t.lib.typed(lambda x: "text"),
        "Cannot convert from type `str` to `int`: the called function returned another type",
    ),
    (29, lambda t: t.lib.typed(3), "*. Expected `Callable[[int], int]` but got `int`"),
    (
        33,
        lambda t: setattr(t.node, "small", "q"),
        "Cannot convert from type `str` to `int` for field `small` of `tests.mistakes.Node`",
    ),
    (
        33,
        lambda t: setattr(t.node, "many", [1, "x"]),
        "Cannot convert from type `list[index 1: str]` to `Array[int]` for field `many` of "
        "`tests.mistakes.Node`",
    ),
    (
        33,
        lambda t: setattr(t.node, "many", {1}),
        "Cannot convert from type `set` to `Array[int]` for field `many`...",
    ),
    (
        33,
        lambda t: setattr(t.node, "data", [1]),
        "Cannot convert from type `list` to `Tensor | None` for field `data`...",
    ),
    (
        34,
        lambda t: t.Node(v=1, name="x"),
        "tests.mistakes.Node.__ffi_init__() got keyword argument 'v', but keyword arguments are "
        "not supported: the native constructor does not name its parameters",
    ),
    (
        34,
        lambda t: t.Auto(a=1, c=2),
        "tests.mistakes.Auto.__ffi_init__() got an unexpected keyword argument 'c'; its parameters "
        "are a, b",
    ),
    (
        34,
        lambda t: t.Auto("x", 2),
        "tests.mistakes.Auto.__ffi_init__() field 'a':\n  Cannot convert from type `str` to `int`",
    ),
    (
        34,
        lambda t: t.Pt({}, widht=2),
        "tests.mistakes.Pt.__ffi_init__() got an unexpected keyword argument 'widht'; did you mean "
        "'width'?",
    ),
    (
        47,
        lambda t: tvm_ffi.Tensor([1, 2]),
        "`Tensor` cannot be constructed directly: use tvm_ffi.from_dlpack(array) for an array or "
        "tensor of another library",
    ),
    (
        47,
        lambda t: tvm_ffi.Function(),
        "`Function` cannot be constructed directly: use tvm_ffi.convert(callable) or "
        "tvm_ffi.get_global_func(name)",
    ),
    (47, lambda t: tvm_ffi.Module(), "*factory method: tvm_ffi.load_module(path)."),
    (
        48,
        lambda t: tvm_ffi.from_dlpack([1, 2]),
        "Expect from_dlpack to take either a compatible tensor or PyCapsule, got list; make an "
        "array of it first, for example with numpy.asarray(value)",
    ),
    (
        58,
        lambda t: declare("set[int]"),
        "Cannot convert set[int] to TypeSchema for field `x` of class `A`: a field is of type "
        "Any, bool, int, float, str,...",
    ),
    (58, lambda t: declare("complex"), "Cannot convert <class 'complex'> to Type..."),
    (58, lambda t: declare("Own"), "* for field `x` of class `A`: a field is of type..."),
    (
        59,
        lambda t: declare("'Nope'")(1),
        "Cannot instantiate A: unresolved forward references: "
        "[\"x: Nope (name 'Nope' is not defined)\"]",
    ),
    (
        60,
        lambda t: t.Pt({"a": [1, "q"]}),
        "tests.mistakes.Pt.__ffi_init__() field 'x':\n"
        "  value for key 'a': element [1]: expected int, got str",
    ),
    (
        60,
        lambda t: setattr(t.pt, "width", "x"),
        "expected int, got str for field `width` of `tests.mistakes.Pt`",
    ),
    (
        60,
        lambda t: setattr(t.pt, "width", 2**70),
        f"integer {2**70} out of int64 range {WIDE} for field `width` of `tests.mistakes.Pt`",
    ),
    (
        60,
        lambda t: setattr(t.pt, "x", {"a": 3}),
        "value for key 'a': expected List, got int for field `x` of `tests.mistakes.Pt`",
    ),
    (
        62,
        lambda t: structural.structural_map(t.tree, (int, lambda n: "a" if n == 3 else n)),
        "expected int, got str for field `x`, inside <root>.child",
    ),
    (
        62,
        lambda t: structural.structural_map([t.tree], (int, lambda n: "a" if n == 5 else n)),
        "element [1]: expected int, got str for field `kids`, inside <root>[0].child",
    ),
    (
        63,
        lambda t: structural.structural_walk(t.tree, (int, lambda n: 99)),
        "CallExpected: result type mismatch, expected WalkResult, but got 99: a callback returns "
        "None, WalkResult.ADVANCE (0), WalkResult.SKIP (1) or a VisitInterrupt, inside <root>",
    ),
    (
        63,
        lambda t: structural.structural_walk(t.tree, (int, lambda n: "x")),
        "CallExpected: result type mismatch, expected WalkResult, but got str, inside <root>",
    ),
    (
        64,
        lambda t: enum_with(value=1),
        "Color.red: invalid enum entry: class `Color` has no field `value` (its fields: shade); "
        "declare it in the class body, for example `value: int`",
    ),
]
ROWS: list[tuple[int, Any, type[Exception], str]] = [
    *((row, code, TypeError, text) for row, code, text in TYPE_ERRORS),
    (
        4,
        lambda t: t.lib.add(1, 2**70),
        OverflowError,
        f"{span(1)}{ADD}. integer of more than 64 bits out of int64 range {WIDE}",
    ),
    (
        5,
        lambda t: t.lib.half(2**70),
        OverflowError,
        f"{span(0)}`half(0: float) -> float`. integer of more than 64 bits is not converted to "
        "float",
    ),
    (
        5,
        lambda t: t.layernorm(t.x, t.x, t.x, 1, -(2**70)),
        OverflowError,
        f"{span(4)}{LAYERNORM}. integer of more than 64 bits is not converted to float for "
        "parameter `eps`",
    ),
    (
        5,
        lambda t: t.lib.same(2**40),
        OverflowError,
        f"{span(0)}`same(0: int) -> int`. integer 1099511627776 out of int32 range "
        "[-2147483648, 2147483647]",
    ),
    (5, lambda t: t.lib.byte(-1), OverflowError, "*. integer -1 out of uint8 range [0, 255]"),
    (
        5,
        lambda t: t.lib.half(1e300),
        OverflowError,
        f"{span(0)}`half(0: float) -> float`. float 1e+300 out of float32 range "
        "[-3.40282347e+38, 3.40282347e+38]",
    ),
    (
        5,
        lambda t: t.small(1, 300),
        OverflowError,
        f"{span(1)}`tests.mistakes.small(a: int, b: int) -> int`. "
        "integer 300 out of uint8 range [0, 255] for parameter `b`",
    ),
    (13, lambda t: t.node.smal, AttributeError, "'Node' object has no attribute 'smal'"),
    (18, lambda t: t.lib.call(None), ValueError, "Cannot call a null Function"),
    (
        20,
        lambda t: t.lib.view(t.np.array([Own()])),
        BufferError,
        "* This ndarray has dtype object; convert it to a dtype of numbers, for example with "
        'x.astype("float32")',
    ),
    (
        20,
        lambda t: t.layernorm(t.x, t.x, t.x.astype(">f4"), 1),
        BufferError,
        "Argument #2 `beta` of `tests.mistakes.layernorm`: ...",
    ),
    (20, lambda t: t.lib.view(t.np.array(["a"])), BufferError, "Argument #0 of `view`: ..."),
    (20, lambda t: t.node.add(t.np.array(["a"]), ""), BufferError, "Argument #1 of `add`: ..."),
    (
        20,
        lambda t: t.node.named(1, y=t.np.array(["a"])),
        BufferError,
        "Argument #2 `y` of `named`: ...",
    ),
    (
        20,
        lambda t: tvm_ffi.get_global_func("testing.nop")(*[1] * 9, t.np.array(["a"])),
        BufferError,
        "Argument #9 of `testing.nop`: ...",
    ),
    (20, lambda t: t.lib.view(t.np.array(["a"])), BufferError, "* This ndarray has dtype <U1;..."),
    (
        20,
        lambda t: t.lib.view(t.np.array(["2020-01-01"], dtype="datetime64[D]")),
        BufferError,
        "* This ndarray has dtype datetime64[D];...",
    ),
    (
        23,
        lambda t: t.lib.view(Meta()),
        RuntimeError,
        "Cannot pack tensors on meta: a tensor on device meta has a shape and a dtype but no data; "
        'create it on a real device, for example with torch.empty_like(x, device="cpu")',
    ),
    (
        23,
        lambda t: t.lib.view(FakeTensor()),
        RuntimeError,
        "*: make the function an operator with tvm_ffi.torch.register_ops",
    ),
    (
        25,
        lambda t: t.lib.icheck(t.np.zeros(3, "float32")),
        RuntimeError,
        "Check failed: x.ndim() == 2 (1 vs. 2) ...",
    ),
    (
        27,
        lambda t: t.lib.numbered({1: 1, 7: 300}),
        OverflowError,
        "*. some value at key 7: integer 300 out of uint8 range [0, 255]",
    ),
    (29, lambda t: t.lib.call(lambda: 1 // 0), ZeroDivisionError, "*by zero"),
    (
        30,
        lambda t: t.lib.empty(),
        RuntimeError,
        "Back optional access: this Optional has no value; test has_value() first, or use "
        "value_or()",
    ),
    (31, lambda t: t.lib.fails(), RuntimeError, "plain std"),
    (32, lambda t: t.lib.at([1], 5), IndexError, "Index 5 out of bounds 1"),
    (32, lambda t: tvm_ffi.Array([1])[5], IndexError, "Index out of range. size: 1, got index 5"),
    (
        33,
        lambda t: setattr(t.node, "v", 3),
        AttributeError,
        "property 'v' of 'Node' object has no setter: the field is read-only",
    ),
    (
        33,
        lambda t: setattr(t.node, "small", 300),
        OverflowError,
        "field `small`: Cannot convert to `int`: integer 300 out of uint8 range [0, 255]",
    ),
    (
        35,
        lambda t: t.Node.__new__(t.Node).small,
        AttributeError,
        "field 'small' of 'Node' has no value: the object is empty, it was moved from or made "
        "without its constructor",
    ),
    (
        35,
        lambda t: t.lib.v_of(t.Node.__new__(t.Node)),
        ValueError,
        f"Node object is empty: {EMPTY}",
    ),
    (
        61,
        lambda t: dc.py_class("tests.mistakes.C", structural_eq="tre")(
            type("C", (tvm_ffi.Object,), {})
        ),
        ValueError,
        "structural_eq must be one of ['const-tree', 'dag', 'singleton', 'tree', 'var'] or None, "
        "got 'tre'",
    ),
    (
        64,
        lambda t: dc.replace(t.pt, widht=1),
        AttributeError,
        "type object 'Pt' has no attribute 'widht': replace() sets fields of t.<locals>.Pt; did "
        "you mean 'width'?",
    ),
    (64, lambda t: dc.replace(t.pt, y=1), AttributeError, "*; it has x, width"),
]


class Meta:
    """Stands for a tensor of PyTorch on device ``meta``, which PyTorch does not export."""

    device = "meta"

    def __dlpack__(self, **_: Any) -> Any:
        raise RuntimeError(
            "Cannot pack tensors on meta\nException raised from getDLDevice at DLConvert.cpp:1\n"
            "frame #0: c10::Error::Error()"
        )

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


class FakeTensor(Meta):
    """Stands for a tensor of PyTorch while ``torch.compile`` traces a graph."""

    device = "cpu"


# The number of the mistake that does not cause an error message.
WITHOUT_MESSAGE = {46}
# A mistake that needs PyTorch; test_torch.py tests its message.
ELSEWHERE = {24}
MINE = {*range(1, 10), *range(13, 19), 20, *range(23, 36), *(46, 47, 48), *range(58, 65)}


def test_each_row_has_a_test():
    assert {row for row, *_ in ROWS} | WITHOUT_MESSAGE | ELSEWHERE == MINE


def matches(text: str, expected: str) -> bool:
    """Compare a text with `expected`, where a leading ``*`` and a final ``...`` match any text."""
    pattern = re.escape(expected.removeprefix("*").removesuffix("..."))
    begin = ".*" if expected.startswith("*") else ""
    end = ".*" if expected.endswith("...") else ""
    return re.fullmatch(begin + pattern + end, text, re.DOTALL) is not None


def test_the_comparison_can_fail():
    assert matches("abc", "*bc") and matches("abc", "ab...") and matches("a.", "a.")
    assert not matches("abc", "ab") and not matches("abc", "*b") and not matches("ab", "a.")


@pytest.mark.parametrize(("row", "mistake", "error", "text"), ROWS)
def test_the_message_of_a_mistake(t, row, mistake, error, text):
    with pytest.raises(error) as caught:
        mistake(t)
    assert matches(str(caught.value), text), f"{row}: {caught.value}"


def test_row_46_asarray_gives_numbers(t):
    tensor = tvm_ffi.from_dlpack(t.x)
    for array in (t.np.asarray(tensor), t.np.array(tensor), t.np.asarray(tensor, dtype="float64")):
        assert array.shape == (2, 2)
        assert array.dtype.kind == "f"


# ---- errors that the translation of messages must not change


def test_a_cpp_exception_that_is_a_number_does_not_end_the_process(t):
    with pytest.raises(RuntimeError, match="An exception that is not a std::exception"):
        t.lib.throws_number()


def test_a_keyword_call_of_a_function_without_a_name():
    function = tvm_ffi.convert(lambda a: a)
    core._set_metadata(function, '{"arg_names":"a"}')
    assert function(a=1) == 1
    with pytest.raises(TypeError, match="<lambda>\\(\\) got an unexpected keyword argument 'b'"):
        function(b=1)


def test_a_check_can_print_a_complex_data_type(t):
    with pytest.raises(TypeError, match="x: expected float32, got complex64"):
        t.lib.own_check(t.x.astype("complex64"))


def test_cpp_code_sees_the_names_of_cpp(t):
    with pytest.raises(TypeError) as caught:
        t.lib.view([1])
    assert "Expected `DLTensor*` but got `ffi.Array`" in caught.value.__tvm_ffi_error__.message


def test_an_error_of_an_inner_call_is_not_told_of_the_outer_one(t):
    outer = tvm_ffi.get_global_func("tests.mistakes.outer")
    add = tvm_ffi.get_global_func("tests.mistakes.small")
    with pytest.raises(TypeError) as caught:
        outer(add, 1)
    text = str(caught.value)
    assert text == (
        f"{COUNT}`tests.mistakes.small(0: int, 1: int) -> int`. Expected 2 but got 1 arguments"
    )
    with pytest.raises(TypeError) as caught:
        outer(t.lib.sum, Own())
    assert "`sum(0: Array[int]) -> int`" in str(caught.value)
    assert "parameter" not in str(caught.value)


def test_messages_of_users_stay(t):
    def fail():
        raise TypeError("Cannot convert from type `ffi.SmallStr` to `DLTensor*`")

    with pytest.raises(TypeError, match=r"from type `ffi\.SmallStr` to `DLTensor\*`"):
        t.lib.call(fail)


@pytest.mark.parametrize("way", range(4))
@pytest.mark.parametrize(
    "text",
    [
        "Cannot convert from type `ffi.SmallStr` to `DLTensor*`",
        "Cannot treat type `ffi.SmallStr` as type `void*`",
        "Cannot compare values of different types: ffi.SmallStr vs ffi.Bytes",
        "Unsupported type: `ffi.SmallBytes`",
        "Mismatched type on argument #0 when calling: `own_error(0: int, 1: str, 2: Any) -> void`. "
        "Expected `int` but got `ffi.SmallStr`",
        "Mismatched number of arguments when calling: `own_error(0: int, 1: str, 2: Any) -> void`. "
        "Expected 3 but got 2 arguments",
        "Mismatched type on argument #0 when calling: `other(0: int) -> void`. Expected `int` but "
        "got `ffi.SmallStr`",
    ],
)
def test_an_error_of_cpp_code_that_reads_like_the_librarys_is_translated(t, way, text):
    with pytest.raises(TypeError) as caught:
        t.lib.own_error(way, text, "x")
    assert str(caught.value) == text


@pytest.mark.parametrize("value", ["x", 1])
def test_a_true_text_about_the_call_is_translated(t, value):
    """Libraries in Rust, or with the headers of other releases, make these texts themselves."""
    text = (
        "Argument #2: Cannot convert from type `{}` to `{}` when calling: "
        "`own_error(0: int, 1: str, 2: {}) -> {}`"
    )
    native = text.format("ffi.SmallStr", "DLTensor*", "DLTensor*", "void")
    with pytest.raises(TypeError) as caught:
        t.lib.own_error(2, native, value)
    is_true = value == "x"
    assert str(caught.value) == (
        text.format("str", "Tensor", "Tensor", "None") if is_true else native
    )


def test_errors_of_the_library_are_translated_wherever_they_are_raised(t):
    with pytest.raises(TypeError, match=r"^Cannot convert from type `str` to `int`$"):
        t.lib.own_cast("x")
    raised = []

    def inner():
        try:
            t.lib.own_cast("x")
        except TypeError as error:
            raised.append(error)
            raise

    with pytest.raises(TypeError, match=r"^Cannot convert from type `str` to `int`$") as caught:
        t.lib.call(inner)
    assert caught.value is raised[0]
    less = tvm_ffi.get_global_func("ffi.RecursiveLt")
    with pytest.raises(TypeError, match=r"different types: str vs bytes$"):
        less("a", b"a")
    with pytest.raises(TypeError, match=r"different types: str vs int$"):
        less("a" * 20, 1)
    stringify = tvm_ffi.get_global_func("ffi.json.Stringify")
    with pytest.raises(ValueError, match=r"^Unsupported type: `bytes`$"):
        stringify(b"a", None)
    with pytest.raises(ValueError, match=r"^Expect key to be string, got `bytes`$"):
        stringify({b"a" * 20: 1}, None)


def test_the_same_error_in_many_threads(t):
    texts = []

    def run():
        for _ in range(50):
            with pytest.raises(TypeError) as caught:
                t.layernorm(t.x, t.x, "q", 1)
            texts.append(str(caught.value))

    run_threads([threading.Thread(target=run) for _ in range(4)])
    assert set(texts) == {
        f"{kind(2)}{LAYERNORM}. Expected `Tensor` but got `str` for parameter `beta`"
    }
    assert len(texts) == 200


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda t: t.lib.choice(1.5), "Expected `int | str` but got `float`"),
        (lambda t: t.lib.pair([1, 2]), "Expected `tuple[int, str]` but got `list[index 1: int]`"),
        (lambda t: t.lib.pair([1]), "Expected `tuple[int, str]` but got `list of length 1`"),
        (lambda t: t.lib.pair(()), "but got `tuple of length 0`"),
        (lambda t: t.lib.pair(tvm_ffi.Array([1, 2, 3])), "but got `Array of length 3`"),
        (lambda t: t.lib.call(3), "Expected `Callable` but got `int`"),
        (lambda t: t.lib.v_of(t.x), "Expected `tests.mistakes.Node` but got `ndarray`"),
        (lambda t: t.lib.v_of(t.pt), "Expected `tests.mistakes.Node` but got `tests.mistakes.Pt`"),
    ],
)
def test_types_are_annotations_of_python(t, call, expected):
    with pytest.raises(TypeError) as caught:
        call(t)
    assert expected in str(caught.value)
