# SPDX-License-Identifier: Apache-2.0
"""Test names, documentation, signatures and representations of functions and methods."""

from __future__ import annotations

import functools
import gc
import inspect
import pickle
import sys
import threading

import pytest
from running import run_threads

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core
from tvm_ffi._signatures import annotation
from tvm_ffi._signatures import function as signatures
from tvm_ffi.cpp import load_inline

SOURCE = r"""
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/reflection/overload.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/rvalue_ref.h>

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

void LayerNorm(ffi::TensorView x, double eps) {}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(layernorm, LayerNorm, "Normalize the rows of x.",
                              refl::arg_names("x", "eps"), refl::arg_defaults("[1e-5]"));
int64_t Scale(int64_t x, int64_t by) { return x * by; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, Scale, refl::arg_names("x,by"), refl::arg_defaults("[10]"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(scale, "Multiply.");
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bad_names, Scale, refl::arg_names("x"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(keyword_name, Scale, refl::arg_names("class", "y"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bad_defaults, Scale, refl::arg_names("x,y"),
                              refl::arg_defaults("[1, 2, 3]"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bad_json, Scale, refl::arg_names("x,y"), refl::arg_defaults("[1"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(no_array, Scale, refl::arg_names("x,y"), refl::arg_defaults("1"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(other_type, Scale, "Multiply.", refl::arg_names("x,y"),
                              refl::arg_defaults("[\"a\"]"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(no_names, Scale, refl::arg_defaults("[1]"));

int64_t count(ffi::Array<int64_t> a, ffi::Optional<ffi::String> s) { return a.size(); }
ffi::Map<ffi::String, ffi::Array<double>> many(
    bool b, int64_t i, double f, ffi::String s, ffi::Bytes y, DLDataType t, DLDevice d, void* p,
    ffi::Tensor x, ffi::Map<ffi::String, ffi::Any> m, ffi::Tuple<int64_t, ffi::String> u,
    ffi::Variant<int64_t, ffi::String> v, ffi::Function g,
    ffi::TypedFunction<int64_t(ffi::Array<int64_t>)> h, ffi::ObjectRef o, ffi::Any a) {
  return {};
}
ffi::Function adder(int64_t step) {
  return ffi::Function::FromTyped([step](int64_t x) { return x + step; });
}
void moved(ffi::RValueRef<ffi::ObjectRef> x, ffi::AnyView a, ffi::Shape s, ffi::Error e,
           DLTensor* t) {}
ffi::Function same() { return ffi::Function::GetGlobalRequired("sigs.clamp"); }

class PointObj : public ffi::Object {
 public:
  int64_t x, y;
  PointObj(int64_t x, int64_t y) : x(x), y(y) {}
  explicit PointObj(ffi::UnsafeInit) {}
  int64_t Norm(int64_t p, bool root) const { return x + y + p; }
  static int64_t Twice(int64_t v) { return 2 * v; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sigs.Point", PointObj, ffi::Object);
};
class PlainObj : public ffi::Object {
 public:
  int64_t x;
  double y;
  PlainObj(int64_t x, int64_t y) : x(x), y(y) {}
  explicit PlainObj(int64_t x) : x(x), y(0) {}
  explicit PlainObj(ffi::UnsafeInit) {}
  int64_t One(int64_t v) const { return v; }
  ffi::String Two(ffi::String v) const { return v; }
  static int64_t Make(int64_t v) { return v; }
  static double MakeMore(double v, int64_t n) { return v; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sigs.Plain", PlainObj, ffi::Object);
};
class OnlyObj : public ffi::Object {
 public:
  int64_t x;
  explicit OnlyObj(double v) : x(0) {}
  explicit OnlyObj(ffi::UnsafeInit) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sigs.Only", OnlyObj, ffi::Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::GlobalDef()
      .def("sigs.clamp", [](int64_t x, int64_t low, int64_t high) { return x < low ? low : x; },
           "Return x, or the nearer end.", refl::arg_names("x,low,high"),
           refl::arg_defaults("[0, 100]"))
      .def_packed("sigs.any", [](ffi::PackedArgs args, ffi::Any* result) { *result = args.size(); },
                  "Count arguments.")
      .def_packed("sigs.named_any",
                  [](ffi::PackedArgs args, ffi::Any* result) { *result = args.size(); },
                  refl::arg_names("a,b"), refl::arg_defaults("[1]"))
      .def("sigs.deep.name", [] { return 1; })
      .def("sigs_without_a_dot", [](int64_t x) { return x; })
      .def("sigs.defaults", [](ffi::Any a, ffi::Any b, ffi::Any c, ffi::Any d) { return a; },
           refl::arg_names("a,b,c,d"), refl::arg_defaults("[null, [1, \"x\"], 2.5, \"it's\"]"));
  refl::ObjectDef<PointObj>("A point in the plane.")
      .def(refl::init<int64_t, int64_t>(), "Make a point.", refl::arg_names("x", "y"),
           refl::arg_defaults("[7]"))
      .def_rw("x", &PointObj::x, "How far right.")
      .def_rw("y", &PointObj::y)
      .def("norm", &PointObj::Norm, "The norm.", refl::arg_names("p,root"),
           refl::arg_defaults("[false]"))
      .def("plain_norm", &PointObj::Norm)
      .def("misnamed", &PointObj::Norm, refl::arg_names("self,p,root"))
      .def_static("twice", &PointObj::Twice, "Twice v.")
      .def_static("twice_by_name", &PointObj::Twice, refl::arg_names("v"));
  refl::OverloadObjectDef<PlainObj>()
      .def_ro("x", &PlainObj::x)
      .def_ro("y", &PlainObj::y)
      .def(refl::init<int64_t, int64_t>(), refl::arg_names("x", "y"))
      .def(refl::init<int64_t>(), refl::arg_names("x"))
      .def("either", &PlainObj::One, "Of a number.")
      .def("either", &PlainObj::Two, "Of a text.")
      .def_static("make", &PlainObj::Make, "Make one.")
      .def_static("make", &PlainObj::MakeMore);
  refl::ObjectDef<OnlyObj>().def(refl::init<double>()).def_ro("x", &OnlyObj::x);
}
"""


FORMER = """
#include <tvm/ffi/reflection/registry.h>
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  auto add = [](int64_t x, int64_t y) { return x + y; };
  refl::GlobalDef()
      .def("sigs.former0", add, "Add.", refl::arg_names("x,y"), refl::arg_defaults("[2]"))
      .def("sigs.former1", add, "Add.", refl::arg_names("x,y"), refl::arg_defaults("[2]"));
}
"""


@pytest.fixture(scope="module")
def mod():
    functions = {"count": "Count the\nelements.", "many": "", "moved": "", "adder": "", "same": ""}
    return load_inline("sigs_lib", cpp_sources=SOURCE, functions=functions)


@pytest.fixture(scope="module")
def point(mod):
    @tvm_ffi.register_object("sigs.Point")
    class Point(tvm_ffi.Object):
        x: int
        y: int

    return Point


def texts_of(function):
    return [getattr(function, name, None) for name in ("__module__", "__qualname__", "__name__")]


# ---- exported functions ----


def test_exported_function(mod):
    f = mod.layernorm
    assert repr(f) == "<Function sigs_lib.layernorm(x: Tensor, eps: float = 1e-05)>"
    assert texts_of(f) == ["sigs_lib", "layernorm", "layernorm"]
    assert f.__doc__ == inspect.getdoc(f) == "Normalize the rows of x."
    x, eps = inspect.signature(f).parameters.values()
    assert (x.annotation, x.default) == (tvm_ffi.Tensor, inspect.Parameter.empty)
    assert (eps.annotation, eps.default) == (float, 1e-5)
    assert inspect.signature(f).return_annotation is None
    assert mod.get_function_doc("layernorm") == f.__doc__
    assert mod.get_function_metadata("layernorm")["arg_names"] == "x,eps"


def test_exported_function_takes_keywords_and_defaults(mod):
    for _ in range(2):
        f = mod.get_function("scale")
        assert (f(2), f(2, 3), f(x=5), f(by=4, x=1)) == (20, 6, 50, 4)
    with pytest.raises(TypeError, match=r"scale\(\) got an unexpected keyword argument 'q'"):
        mod["scale"](1, q=2)
    assert (mod.scale.__doc__, mod.get_function_doc("scale")) == ("Multiply.", "Multiply.")


def test_exported_function_called_first_by_position(mod):
    f = mod.get_function("scale")
    assert f(2, 3) == 6
    assert f(x=2) == 20


def test_names_in_load_inline(mod):
    assert mod.count.__doc__ == "Count the\nelements."
    optional = "Optional[str]" if sys.version_info < (3, 14) else "str | None"
    assert str(inspect.signature(mod.count)) == (
        f"(arg0: collections.abc.Sequence[int], arg1: {optional}, /) -> int"
    )
    assert (
        repr(mod.count)
        == "<Function sigs_lib.count(arg0: Sequence[int], arg1: str | None, /) -> int>"
    )
    with pytest.raises(TypeError, match="unexpected keyword argument 'arg0'"):
        mod.count(arg0=[1], arg1=None)


def test_parameter_types(mod):
    assert repr(mod.many) == (
        "<Function sigs_lib.many(arg0: bool, arg1: int, arg2: float, arg3: str, arg4: bytes, "
        "arg5: dtype, arg6: Device, arg7: c_void_p, arg8: Tensor, arg9: Mapping[str, Any], "
        "arg10: tuple[int, str], arg11: int | str, arg12: Callable, "
        "arg13: Callable[[Array[int]], int], arg14: Object, arg15: Any, /) "
        "-> Map[str, Array[float]]>"
    )
    signature = inspect.signature(mod.many)
    assert signature.return_annotation == tvm_ffi.Map[str, tvm_ffi.Array[float]]
    types = [p.annotation for p in signature.parameters.values()]
    assert (types[5], types[6]) == (tvm_ffi.dtype, tvm_ffi.Device)


def test_more_parameter_types(mod):
    assert repr(mod.moved) == (
        "<Function sigs_lib.moved(arg0: Object, arg1: Any, arg2: Shape, arg3: Error, "
        "arg4: Tensor, /)>"
    )


_NO_FIT = {
    "bad_names": "its arg_names 'x' has 1 name, but the function has 2 parameters",
    "keyword_name": "its arg_names 'class,y' has 'class', which is not an identifier of Python",
    "bad_defaults": "its arg_defaults '[1, 2, 3]' has 3 values, but its arg_names 'x,y' only 2",
    "bad_json": "its arg_defaults '[1' is not JSON "
    "(Expecting ',' delimiter: line 1 column 3 (char 2))",
    "no_array": "its arg_defaults '1' is not a JSON array",
    "other_type": """its arg_defaults '["a"]' has 'a' for the parameter 'y' of type int""",
}


@pytest.mark.parametrize("name", _NO_FIT)
def test_names_that_do_not_fit_are_not_shown_and_every_error_of_the_count_has_the_reason(mod, name):
    f = mod.get_function(name)
    assert str(inspect.signature(f)) == "(arg0: int, arg1: int, /) -> int"
    note = f"its parameters have no names, because {_NO_FIT[name]}"
    assert repr(f) == f"<Function sigs_lib.{name}(arg0: int, arg1: int, /) -> int; {note}>"
    doc = f"Its parameters have no names or defaults, because {_NO_FIT[name]}."
    assert f.__doc__ == ("Multiply.\n\n" if name == "other_type" else "") + doc
    assert f(2, 3) == 6
    with pytest.raises(TypeError) as caught:
        f("a")
    assert f"`{name}(0: int, 1: int) -> int`. Expected 2 but got 1 arguments" in str(caught.value)
    assert "missing" not in str(caught.value)
    reason = f"; its parameters have no names or defaults, because {_NO_FIT[name]}"
    assert str(caught.value).splitlines()[0].endswith(f"arguments{reason}")
    with pytest.raises(TypeError, match="Mismatched type on argument #0") as caught:
        f("a", 1)
    assert "no names" not in str(caught.value)


def test_defaults_without_names_are_reported(mod):
    assert "because it has arg_defaults without arg_names>" in repr(mod.no_names)
    assert mod.no_names(2, 3) == 6


def test_count_error_of_a_method_has_the_reason(point):
    with pytest.raises(TypeError, match="because its arg_names 'self,p,root' has 3 names"):
        point(3, 4).misnamed(1)
    assert "Its parameters have no names" not in (point(3, 4).norm.__doc__ or "")


@pytest.mark.parametrize("name", _NO_FIT)
def test_names_that_do_not_fit_are_an_error_of_keyword_calls(mod, name):
    f = mod.get_function(name)
    for args, keywords in [((), {"x": 2, "y": 5}), ((2,), {"x": 5}), ((1, 2, 3), {"x": 5})]:
        with pytest.raises(TypeError) as caught:
            f(*args, **keywords)
        assert str(caught.value) == (
            f"{name}() got an unexpected keyword argument 'x': "
            f"it takes positional arguments only, because {_NO_FIT[name]}"
        )


def test_the_receiver_has_no_name(point):
    one = point(3, 4)
    assert str(inspect.signature(one.misnamed)).startswith("(arg0: ")
    with pytest.raises(TypeError) as caught:
        one.misnamed(p=1, root=False)
    assert str(caught.value).endswith(
        "Point.misnamed() got an unexpected keyword argument 'p': it takes positional arguments "
        "only, because its arg_names 'self,p,root' has 3 names, but the function has 2 parameters"
    )


def test_function_that_came_from_cpp_is_found_by_its_address(mod):
    f = mod.same()
    assert f.__qualname__ == "clamp"
    for name in ("__name__", "__qualname__", "__signature__"):
        assert not hasattr(mod.adder(1), name) or name == "__signature__"
    assert str(inspect.signature(mod.adder(1))) == "(*args)"
    assert repr(mod.adder(1)) == "ffi.Function"


def test_wrapper_that_is_made_again_finds_its_name(mod):
    box = tvm_ffi.Array([mod.get_function("scale")])
    gc.collect()
    assert repr(box[0]).startswith("<Function sigs_lib.scale(x: int, by: int = 10)")


# ---- global functions ----


def test_global_function(mod):
    f = tvm_ffi.get_global_func("sigs.clamp")
    assert repr(f) == "<Function sigs.clamp(x: int, low: int = 0, high: int = 100) -> int>"
    assert texts_of(f) == ["sigs", "clamp", "clamp"]
    assert f.__doc__ == "Return x, or the nearer end."
    assert str(inspect.signature(f)) == "(x: int, low: int = 0, high: int = 100) -> int"


def test_names_with_and_without_dots(mod):
    deep = tvm_ffi.get_global_func("sigs.deep.name")
    assert texts_of(deep) == ["sigs.deep", "name", "name"]
    flat = tvm_ffi.get_global_func("sigs_without_a_dot")
    assert texts_of(flat) == [None, "sigs_without_a_dot", "sigs_without_a_dot"]
    assert repr(flat) == "<Function sigs_without_a_dot(arg0: int, /) -> int>"


def test_packed_function(mod):
    f = tvm_ffi.get_global_func("sigs.any")
    assert (repr(f), f.__doc__) == ("<Function sigs.any(*args)>", "Count arguments.")
    assert str(inspect.signature(f)) == "(*args)"
    named = tvm_ffi.get_global_func("sigs.named_any")
    assert repr(named) == "<Function sigs.named_any(a, b=1)>"
    assert named(a=2) == named(1, 2) == 2


def test_real_defaults(mod):
    parameters = inspect.signature(tvm_ffi.get_global_func("sigs.defaults")).parameters
    assert [p.default for p in parameters.values()] == [None, [1, "x"], 2.5, "it's"]
    assert "MISSING" not in repr(tvm_ffi.get_global_func("sigs.defaults"))
    # Changing the shown default does not change the real default.
    parameters["b"].default.append(3)
    again = inspect.signature(tvm_ffi.get_global_func("sigs.defaults")).parameters
    assert again["b"].default == [1, "x"]


def test_replaced_function_does_not_show_the_other_one(mod):
    tvm_ffi.register_global_func("sigs.replaced", tvm_ffi.get_global_func("sigs.clamp"))
    former = tvm_ffi.get_global_func("sigs.clamp")
    tvm_ffi.register_global_func("sigs.replaced", lambda a: a, override=True)
    try:
        other = tvm_ffi.get_global_func("sigs.replaced")
        assert repr(other) == "<Function sigs.replaced(a, /)>"
        assert repr(former) == "<Function sigs.clamp(x: int, low: int = 0, high: int = 100) -> int>"
        names = load_inline("sigs_former", cpp_sources=FORMER)
        for calls in range(2):
            name = f"sigs.former{calls}"
            gone = tvm_ffi.get_global_func(name)
            for _ in range(calls):
                gone(1)
            tvm_ffi.register_global_func(name, lambda: None, override=True)
            assert repr(tvm_ffi.get_global_func(name)) == f"<Function {name}()>"
            # The former function still shows names and defaults. If it was called before it was
            # replaced, it does not show types.
            types = ("", "=2", "") if calls else (": int", ": int = 2", " -> int")
            assert repr(gone) == f"<Function {name}(x{types[0]}, y{types[1]}){types[2]}>"
            assert gone(y=1, x=2) == 3
            assert gone.__doc__ is None
        del names
    finally:
        tvm_ffi.remove_global_func("sigs.replaced")
    assert other.__name__ == "replaced"  # the name under which the function was looked up


def test_a_function_of_a_namespace_stores_no_name(run_python):
    out = run_python(
        """
import sys, types
import tvm_ffi
from tvm_ffi import _ffi_api
sys.modules["api"] = api = types.ModuleType("api")
tvm_ffi.init_ffi_api("testing", "api")
print("inspect" in sys.modules)
print(vars(_ffi_api.ArraySize), _ffi_api.ArraySize.__name__)
print(vars(api.add_one), api.add_one.__name__)
"""
    )
    assert out.splitlines() == ["False", "{} ArraySize", "{} add_one"]


# ---- functions made from Python callables ----


def test_python_function():
    @tvm_ffi.register_global_func("sigs_py.add", override=True)
    def add(x: int, y: int = 2, *rest: int, key: int = 3, **more: int) -> int:
        """Add."""
        return x + y

    assert repr(add) == "<Function sigs_py.add(x: int, y: int = 2, /, *rest: int) -> int>"
    assert (add.__name__, add.__doc__, add.__module__) == ("add", "Add.", __name__)
    assert add(1) == 3
    plain = tvm_ffi.convert(lambda x: x)
    assert plain.__name__ == "<lambda>"
    assert repr(plain) == "<Function test_python_function.<locals>.<lambda>(x, /)>"
    assert str(inspect.signature(tvm_ffi.convert(len))) == "(obj, /)"
    assert repr(tvm_ffi.convert(functools.partial(max, 1))) == "ffi.Function"


def test_callable_without_a_signature_or_name():
    class Odd:
        __signature__ = "wrong"

        def __call__(self, x):
            return x

    f = tvm_ffi.convert(Odd())
    assert f(1) == 1
    assert str(inspect.signature(f)) == "(*args)"
    assert repr(f) == "ffi.Function"
    assert not hasattr(f, "__name__")


def test_callable_whose_attributes_raise():
    class Odd:
        def __call__(self, x):
            return x

        def __getattr__(self, name):
            raise RuntimeError("no name")

    f = tvm_ffi.convert(Odd())
    assert repr(f) == "ffi.Function"
    with pytest.raises(RuntimeError, match="no name"):
        _ = f.__qualname__


# ---- attributes that the user sets ----


def test_attributes_can_be_set_and_deleted(mod):
    f = mod.get_function("scale")
    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        former = getattr(f, name)
        setattr(f, name, "mine")
        assert getattr(f, name) == "mine"
        delattr(f, name)
        assert getattr(f, name) == former


def test_functools_wraps(mod):
    @functools.wraps(mod.layernorm)
    def wrapper(*args):
        return mod.layernorm(*args)

    assert (wrapper.__name__, wrapper.__doc__) == ("layernorm", "Normalize the rows of x.")
    assert inspect.signature(wrapper) == inspect.signature(mod.layernorm)


def test_the_class_itself():
    assert core.Function.__name__ == "Function"
    assert "keywords" in core.Function.__doc__
    with pytest.raises(AttributeError, match="has no attribute '__signature__'"):
        _ = core.Function.__signature__

    class Mine(core.Function):
        """My functions."""

    assert Mine.__doc__ == "My functions."
    assert repr(Mine.__new__(Mine)) == "Mine(chandle=None)"
    assert repr(core.Function.__new__(core.Function)) == "Function(chandle=None)"
    with pytest.raises(ValueError, match=r".+"):
        _ = core.Function.__new__(core.Function).__name__


def test_invalid_arguments_of_the_helpers(mod):
    for arguments in [(1, "f"), (mod.scale, 1), (mod.scale,), ()]:
        for helper in (core._name_in_module, core._set_metadata):
            with pytest.raises(TypeError, match="expects a Function and a str"):
                helper(*arguments)
    with pytest.raises(TypeError, match="expects a Function, got int"):
        core._describe_function(1)


# ---- methods, constructors, classes ----


def test_methods(point):
    p = point(1, 2)
    assert str(inspect.signature(point.norm)) == "(self, /, p: int, root: bool = False) -> int"
    assert str(inspect.signature(p.norm)) == "(p: int, root: bool = False) -> int"
    assert str(inspect.signature(p.plain_norm)) == "(arg0: int, arg1: bool, /) -> int"
    assert (point.norm.__doc__, p.norm.__doc__) == ("The norm.", "The norm.")
    assert p.norm(root=True, p=3) == 6


def test_static_methods(point):
    assert point.twice.__doc__ == "Twice v."
    assert repr(point.twice) == "<Function sigs.Point.twice(arg0: int, /) -> int>"
    assert texts_of(point.twice) == ["sigs", "Point.twice", "twice"]
    assert repr(point.twice_by_name) == "<Function sigs.Point.twice_by_name(v: int) -> int>"
    assert point.twice_by_name(v=4) == 8


def test_documentation_of_a_class(point):
    assert point.__doc__ == "A point in the plane."
    assert point.__init__.__doc__ == "Make a point."
    assert point.x.__doc__ == "How far right."

    @tvm_ffi.register_object("sigs.Point")
    class Own(tvm_ffi.Object):
        """My own."""

    try:
        assert Own.__doc__ == "My own."
    finally:
        tvm_ffi.register_object("sigs.Point")(point)
    assert point.__doc__ == "A point in the plane."


def test_documentation_of_a_class_that_is_made_up(run_python):
    out = run_python(
        """
import tvm_ffi, tvm_ffi.testing
from tvm_ffi.cpp import load_inline
load_inline("sigs_doc", cpp_sources='''
#include <tvm/ffi/reflection/registry.h>
class DocObj : public tvm::ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sigs.Doc", DocObj, tvm::ffi::Object);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  tvm::ffi::reflection::ObjectDef<DocObj>("What it is.");
  tvm::ffi::reflection::GlobalDef().def("sigs.doc", [] {
    return tvm::ffi::ObjectRef(tvm::ffi::make_object<DocObj>());
  });
}
''')
print(type(tvm_ffi.get_global_func("sigs.doc")()).__doc__)
"""
    )
    assert out.splitlines() == ["What it is.", "", "Auto-generated fallback class for sigs.Doc."]


def test_constructor_with_names(point):
    assert str(inspect.signature(point)) == "(x: int, y: int = 7)"
    assert str(inspect.signature(point.__init__)) == "(self, x: int, y: int = 7)"
    made = [point(1), point(1, 2), point(x=3), point(y=4, x=5), point(6, y=8)]
    assert [(p.x, p.y) for p in made] == [(1, 7), (1, 2), (3, 7), (5, 4), (6, 8)]
    for kwargs, message in [
        ({"q": 1}, "got an unexpected keyword argument 'q'; its parameters are x, y"),
        ({"y": 1}, "missing required argument: 'x'"),
    ]:
        with pytest.raises(TypeError) as caught:
            point(**kwargs)
        assert str(caught.value) == f"sigs.Point.__init__() {message}"


def test_errors_of_constructors_name_the_parameters(point):
    signature = r"`sigs.Point.__ffi_init__\(x: int, y: int = 7\) -> Object`"
    with pytest.raises(TypeError, match=signature + r"\. Expected 1 to 2 but got 3 arguments"):
        point(1, 2, 3)
    with pytest.raises(TypeError, match="Expected 1 to 2 but got 0 arguments; missing `x`"):
        point()
    with pytest.raises(TypeError, match=r"#1 .* Expected `int` but got `str` for parameter `y`"):
        point(1, y="a")


def test_constructor_with_names_in_other_classes(point):
    class Sub(point):
        pass

    assert (Sub(x=1).y, Sub(1, y=3).y) == (7, 3)

    @tvm_ffi.register_object("sigs.Point")
    class Own(tvm_ffi.Object):
        def __init__(self, value):
            self.__ffi_init__(y=value, x=1)

    try:
        assert (Own(4).x, Own(4).y) == (1, 4)
    finally:
        tvm_ffi.register_object("sigs.Point")(point)

    @tvm_ffi.dataclasses.c_class("sigs.Point", eq=True)
    class Data(tvm_ffi.Object):
        x: int
        y: int

    try:
        assert Data(y=1, x=2) == Data(2, 1)
        assert str(inspect.signature(Data)) == "(x: int, y: int = 7)"
    finally:
        tvm_ffi.register_object("sigs.Point")(point)


def test_overloads(mod):
    @tvm_ffi.register_object("sigs.Plain")
    class Plain(tvm_ffi.Object):
        x: int
        y: float

    assert (Plain(1).x, Plain(1, 2).y) == (1, 2.0)
    assert str(inspect.signature(Plain)) == "(*args)"
    with pytest.raises(TypeError, match="keyword arguments are not supported"):
        Plain(x=1)
    assert Plain(1).either("a") == "a"
    assert str(inspect.signature(Plain.either)) == "(self, /, *args)"
    assert Plain.either.__doc__ == (
        "either(self, arg0: int, /) -> int\n    Of a number.\n\n"
        "either(self, arg0: str, /) -> str\n    Of a text."
    )
    assert Plain.make.__doc__ == (
        "make(arg0: int, /) -> int\n    Make one.\n\nmake(arg0: float, arg1: int, /) -> float"
    )
    assert str(inspect.signature(Plain.make)) == "(*args)"


def test_constructor_without_names_takes_no_keywords(mod):
    @tvm_ffi.register_object("sigs.Only")
    class Only(tvm_ffi.Object):
        x: int

    assert str(inspect.signature(Only)) == "(arg0: float, /)"
    assert str(inspect.signature(tvm_ffi.testing.TestIntPair)) == "(a: int, b: int, /)"
    with pytest.raises(TypeError, match="does not name its parameters"):
        Only(x=1)


# ---- other places ----


def test_functions_of_a_module_that_is_not_a_library(mod, monkeypatch):
    told = {"f": '{"type_schema": "{\\"type\\": \\"ffi.Function\\"}", "arg_names": "a,b"}'}
    module = tvm_ffi.system_lib("sigs_other.")
    function = tvm_ffi.convert(lambda a, b: (a, b))
    api = tvm_ffi.module._ffi_api
    monkeypatch.setattr(api, "ModuleGetFunction", lambda *_: function)
    monkeypatch.setattr(api, "ModuleGetFunctionMetadata", lambda _, name, __: told.get(name))
    monkeypatch.setattr(api, "ModuleGetFunctionDoc", lambda *_: "Of another module.")
    found = module.get_function("f")
    assert found is function
    assert (found.__doc__, found.__name__) == ("Of another module.", "f")
    assert found(b=1, a=2) == [2, 1]


def test_many_threads_read_and_call(mod):
    errors = []

    def work():
        try:
            for _ in range(50):
                f = mod.get_function("scale")
                assert f(2) == 20
                assert f.__doc__ == "Multiply."
                assert len(inspect.signature(f).parameters) == 2
                assert repr(tvm_ffi.get_global_func("sigs.clamp")).startswith("<Function sigs.")
        except BaseException as error:
            errors.append(error)

    run_threads([threading.Thread(target=work) for _ in range(4)])
    assert not errors


def test_a_pickled_function_has_its_signature(mod):
    scale = pickle.loads(pickle.dumps(mod.scale))
    assert inspect.signature(scale) == inspect.signature(mod.scale)
    assert repr(scale) == repr(mod.scale)


def test_a_function_costs_no_more_memory():
    f = tvm_ffi.get_global_func("testing.add_one")
    before = sys.getsizeof(f)
    repr(f), f.__doc__, inspect.signature(f)
    assert sys.getsizeof(f) == before
    assert vars(f) == {}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/x/libkernels.so", "kernels"),
        ("kernels.cpython-311-x86_64-linux-gnu.so", "kernels"),
        ("lib.so", "lib"),
        ("libx.so.1.2", "x"),
        ("/x/my-kernels.so", ""),
        ("", ""),
        ('system library "x."', ""),
    ],
)
def test_library_name(path, name):
    assert signatures.library_name(path) == name


def test_text_of_annotations():
    schema = core.TypeSchema.from_json_str
    for text, expected in [
        ('{"type": "some.Unknown"}', "Unknown"),
        ('{"type": "Optional", "args": [{"type": "some.Unknown"}]}', "Unknown | None"),
        ('{"type": "ffi.Function"}', "Callable"),
        ('{"type": "Tuple", "args": []}', "tuple[()]"),
        ('{"type": "ffi.Array"}', "Array[Any]"),
    ]:
        assert annotation.text_of(annotation.of_schema(schema(text))) == expected
