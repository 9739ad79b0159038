# SPDX-License-Identifier: Apache-2.0
"""Test methods and type attributes of Python classes."""

from __future__ import annotations

import pytest

import tvm_ffi
from tvm_ffi import core
from tvm_ffi.dataclasses import field, fields, py_class
from tvm_ffi.dataclasses.py_class import _collect_py_methods


def methods_of(cls):
    return {m.name: m for m in cls.__tvm_ffi_type_info__.methods}


def attribute(cls, name, **options):
    return core._lookup_type_attr(cls.__tvm_ffi_type_info__.type_index, name, **options)


def test_l1_and_l2_marked_methods(key):
    name = key()

    @py_class(name)
    class A(tvm_ffi.Object):
        a: int

        @tvm_ffi.method
        def plus(self, x: int, other: A) -> int:
            return self.a + x

        @tvm_ffi.method
        @staticmethod
        def double(x):
            return 2 * x

    found = methods_of(A)
    assert found["plus"].func(A(1), 2, A(3)) == 3
    assert found["double"].func(4) == 8
    assert (found["plus"].is_static, found["double"].is_static) == (False, True)
    assert A(1).plus(2, None) == 3 and A.double(4) == 8
    assert found["plus"].metadata["type_schema"] == {
        "type": "Callable",
        "named_args": {
            "return": [{"type": "int"}],
            "params": [{"type": name}, {"type": "int"}, {"type": name}],
        },
    }
    assert found["double"].metadata["type_schema"]["named_args"] == {
        "return": [{"type": "Any"}],
        "params": [{"type": "Any"}],
    }


def test_l3_and_l4_unmarked_functions(key):
    def body():
        class A(tvm_ffi.Object):
            a: int

            def visible(self):
                return self.a

            @staticmethod
            def fixed(x):
                return x

            def _private(self):
                pass

            @property
            def prop(self):
                return 1

            @classmethod
            def of_class(cls):
                return cls

        return A

    plain = py_class(key())(body())
    assert not {"visible", "fixed"} & set(methods_of(plain))
    open_ = tvm_ffi.py_class(key())(body())
    found = set(methods_of(open_))
    assert {"visible", "fixed"} <= found
    assert not {"_private", "prop", "of_class"} & found
    assert methods_of(open_)["visible"].func(open_(3)) == 3
    explicit = py_class(key(), auto_methods=True)(body())
    assert "visible" in methods_of(explicit)


def test_l5_class_methods(key):
    with pytest.raises(TypeError, match=r"^@tvm_ffi\.method: @classmethod is not supported"):
        tvm_ffi.method(classmethod(lambda cls: 1))
    with pytest.raises(TypeError) as raised:
        tvm_ffi.method(3)
    assert str(raised.value) == "@tvm_ffi.method: expected a callable, got int."
    expected = (
        r"^@py_class\('CM'\): 'a' is wrapped by @classmethod, which is incompatible with FFI "
        "registration"
    )
    with pytest.raises(TypeError, match=expected):

        @py_class(key())
        class CM(tvm_ffi.Object):
            @classmethod
            @tvm_ffi.method
            def a(cls):
                pass


def test_l6_signatures_without_a_schema(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        @tvm_ffi.method
        def variadic(self, *args: int) -> int:
            return len(args)

        @tvm_ffi.method
        def keywords(self, **kwargs):
            pass

        @tvm_ffi.method
        def keyword_only(self, *, a: int = 1):
            pass

        @tvm_ffi.method
        def unknown(self, a: NoSuchName3):  # noqa: F821
            pass

    for method in methods_of(A).values():
        if not method.name.startswith("__"):
            assert method.metadata["type_schema"] == {"type": "Callable"}
    assert methods_of(A)["variadic"].func(A(), 1, 2) == 2


def test_l7_known_hooks_are_attributes(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        @tvm_ffi.method
        def __ffi_repr__(self, fn_repr):
            return "hooked"

        @staticmethod
        def __ffi_convert__(value):
            return A()

        __s_hash__ = None

    assert "__ffi_repr__" not in methods_of(A)
    assert attribute(A, "__ffi_repr__") is not None
    assert attribute(A, "__ffi_convert__") is not None
    assert repr(A()) == "hooked"


def test_l8_custom_hooks(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        def __ffi_custom__(self):
            return 1

        @tvm_ffi.method
        def __ffi_marked__(self):
            return 2

    assert attribute(A, "__ffi_custom__")(A()) == 1
    assert attribute(A, "__ffi_marked__")(A()) == 2
    assert "__ffi_custom__" not in methods_of(A)
    assert methods_of(A)["__ffi_marked__"].func(A()) == 2


def test_l9_lists_of_names(key):
    @py_class(key())
    class P(tvm_ffi.Object):
        __ffi_type_attr_names__ = ("__custom_data__", "__late__")
        __custom_data__ = "parent"

        def __s_equal__(self, other, cmp):
            return True

    @py_class(key())
    class Inherits(P):
        __ffi_inherit_type_attrs__ = ("__custom_data__",)

    @py_class(key())
    class OptsOut(P):
        __ffi_inherit_type_attrs__ = ()

    @py_class(key())
    class Blocks(P):
        __s_equal__ = None

    @py_class(key())
    class Below(Blocks):
        pass

    @py_class(key())
    class Plain(P):
        pass

    assert attribute(P, "__custom_data__") == "parent"
    assert attribute(Inherits, "__custom_data__") == "parent"
    assert attribute(Inherits, "__s_equal__") is None
    assert attribute(OptsOut, "__s_equal__") is None
    assert attribute(OptsOut, "__custom_data__") is None
    assert attribute(Plain, "__s_equal__") is not None
    assert attribute(Blocks, "__s_equal__") is None
    assert attribute(Below, "__s_equal__") is None
    for wrong in ("abc", [1], None):
        body = {"__ffi_type_attr_names__": wrong, "__module__": __name__}
        with pytest.raises(TypeError) as raised:
            py_class(key())(type(tvm_ffi.Object)("Bad", (tvm_ffi.Object,), body))
        expected = "TypeAttr registration lists must be tuples or lists of strings"
        assert str(raised.value) == expected


def test_l10_nearest_ancestor(key):
    @py_class(key())
    class P(tvm_ffi.Object):
        def __ffi_repr__(self, fn_repr):
            return "p"

    @py_class(key())
    class C(P):
        pass

    assert attribute(C, "__ffi_repr__") is None
    assert attribute(C, "__ffi_repr__", ancestor=True)(C(), None) == "p"


class Marker:
    pass


def test_l11_field_markers(key):
    @py_class(key())
    class P(tvm_ffi.Object):
        __ffi_field_markers__ = (Marker,)
        a: int
        m: Marker = 3
        b: int

    @py_class(key())
    class C(P):
        q: Marker
        c: int

    first, second = (Marker, P, "m", 1), (Marker, C, "q", 2)
    assert P.__tvm_ffi_type_info__._decorator_args["field_markers"] == (first,)
    assert C.__tvm_ffi_type_info__._decorator_args["field_markers"] == (first, second)
    assert P.m == 3 and [f.name for f in fields(C)] == ["a", "b", "c"]
    for wrong in (3, ["x"]):
        body = {"__ffi_field_markers__": wrong, "__module__": __name__}
        with pytest.raises(TypeError) as raised:
            py_class(key())(type(tvm_ffi.Object)("Bad", (tvm_ffi.Object,), body))
        assert str(raised.value) == "__ffi_field_markers__ must be a tuple or list of types"


def test_hook_of_resolved_fields(key):
    order = []

    def hook_named(name):
        def hook(info, own):
            order.append((name, info._decorator_args["eq"], [f.name for f in own]))

        hook.__ffi_on_fields_resolved__ = True
        return hook

    class Mixin:
        second = hook_named("second")

    @py_class(key(), eq=True)
    class P(tvm_ffi.Object):
        first = hook_named("first")
        a: int

    @py_class(key(), eq=True)
    class C(Mixin, P):
        third = hook_named("third")
        b: int

    assert order[0] == ("first", True, ["a"])
    assert [entry[0] for entry in order[1:]] == ["first", "second", "third"]
    assert order[1] == ("first", True, ["b"])


def test_hook_may_define_methods_and_change_fields(key):
    def add_method(info, own):
        def added(self):
            return self.a

        info.type_cls.added = tvm_ffi.method(added)
        own[0].structural_eq = "ignore"

    add_method.__ffi_on_fields_resolved__ = True

    @py_class(key())
    class A(tvm_ffi.Object):
        hook = add_method
        a: int = field(default=3)

    assert methods_of(A)["added"].func(A()) == 3
    assert A.__tvm_ffi_type_info__.fields[0].c_structural_eq == "ignore"


def test_selection_of_methods(key):
    class Body:
        def unmarked(self):
            pass

        def __ffi_unknown__(self):
            pass

    assert _collect_py_methods(Body) is None

    class Marked:
        __ffi_hash__ = None
        __s_equal__ = 5

        @tvm_ffi.method
        def m(self):
            pass

    function = vars(Marked)["m"]
    assert _collect_py_methods(Marked) == [
        ("__ffi_hash__", None, False),
        ("__s_equal__", 5, False),
        ("m", function, False),
    ]
