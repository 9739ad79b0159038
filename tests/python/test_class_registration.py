# SPDX-License-Identifier: Apache-2.0
"""Test the registration of classes through ``tvm_ffi.core``, without the decorator."""

from __future__ import annotations

import gc
import weakref
from itertools import count
from typing import Any

import pytest
from running import classes_die

import tvm_ffi
from tvm_ffi import core
from tvm_ffi.core import MISSING, TypeSchema
from tvm_ffi.dataclasses import Field, field, py_class
from tvm_ffi.testing import TestIntPair

OBJECT = core._type_cls_to_type_info(core.Object)
_numbers = count()


@pytest.fixture
def key() -> str:
    return f"classregistration.K{next(_numbers)}"


def new_class(base: Any = tvm_ffi.Object) -> Any:
    return type(base)("Made", (base,), {"__module__": __name__})


def make_field(name: str, origin: str, **options: Any) -> Field:
    made = field(**options)
    made.name = name
    made._ty_schema = TypeSchema(origin)
    made.kw_only = bool(made.kw_only)
    return made


def test_type_info_before_and_after_its_fields(key):
    cls = new_class()
    info = core._register_py_class(OBJECT, key, cls)
    assert cls.__tvm_ffi_type_info__ is info
    assert (info.type_cls, info.type_key, info.fields, info.methods) == (cls, key, None, [])
    assert info.type_ancestors == [64] and info.parent_type_info is OBJECT
    assert core._type_cls_to_type_info(cls) is info
    assert core._type_index_to_type_info(info.type_index) is info
    assert info._register_fields([make_field("a", "int", default=3)], 1) is None
    record = info.fields[0]
    assert (record.name, record.size, record.offset, record.c_default) == ("a", 8, 24, 3)
    assert record.metadata["type_schema"] == {"type": "int"}
    assert record.ty.origin == "int" and record.c_default_factory is MISSING
    assert record.as_property(cls).fget is record.getter
    with pytest.raises(AssertionError):
        info._register_fields([])


def test_a7_taken_keys_are_refused(key):
    cls = new_class()
    core._register_py_class(OBJECT, key, cls)._register_fields([])
    for taken in (key, "testing.TestIntPair", "ffi.Object", "ffi.Array", "int"):
        with pytest.raises(ValueError, match=f"Type key '{taken}' is already registered"):
            core._register_py_class(OBJECT, taken, new_class())
    assert TestIntPair(1, 2).a == 1


@pytest.mark.parametrize("wrong", ["", "a\0b", "\ud800"])
def test_impossible_keys_are_refused(wrong):
    with pytest.raises(ValueError):
        core._register_py_class(OBJECT, wrong, new_class())


def test_wrong_arguments_are_refused(key):
    with pytest.raises(TypeError):
        core._register_py_class(OBJECT, 3, new_class())
    with pytest.raises(TypeError, match="not a subclass"):
        core._register_py_class(OBJECT, key, int)
    with pytest.raises(TypeError, match="fields registered"):
        core._allocate(TestIntPair.__new__(TestIntPair))
    with pytest.raises(TypeError):
        core._allocate(3)
    for make in (core._make_init, core._make_ffi_init):
        with pytest.raises(TypeError, match="not a class whose fields"):
            make(TestIntPair, None)
    with pytest.raises(TypeError):
        core._class_fields(64, core.Object, ((),), 0)
    with pytest.raises(ValueError):
        core._class_fields(10**6, core.Object, (), 0)


def test_a9_rollback_frees_the_key(key):
    for _ in range(3):
        cls = new_class()
        info = core._register_py_class(OBJECT, key, cls)
        core._rollback_py_class(info)
        assert not hasattr(cls, "__tvm_ffi_type_info__")
        assert core._type_index_to_type_info(info.type_index) is None
    cls = new_class()
    again = core._register_py_class(OBJECT, key, cls)
    assert again.type_index == info.type_index
    again._register_fields([make_field("a", "int")])
    core._make_init(cls, again)
    cls.a = again.fields[0].as_property(cls)
    assert cls(3).a == 3
    # `info` describes the former class, so this call does not change anything.
    core._rollback_py_class(info)
    assert type(tvm_ffi.Array([cls(3)])[0]) is cls


@classes_die
def test_rolled_back_class_is_collected(key):
    cls = new_class()
    core._rollback_py_class(core._register_py_class(OBJECT, key, cls))
    gone = weakref.ref(cls)
    del cls
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ([("a", "no.such.type", {})], TypeError, "no.such.type"),
        ([("a", "int", {}), ("a", "str", {})], TypeError, "Made.a: field is declared twice"),
        ([("", "int", {})], TypeError, "is not a name for a field"),
        ([("a\0b", "int", {})], TypeError, "is not a name for a field"),
        ([("\ud800", "int", {})], ValueError, "surrogates"),
        ([("a", "int", {"doc": 3})], TypeError, "doc of a field must be a str"),
        ([("a", "Any", {"default": "\ud800"})], ValueError, "surrogates"),
    ],
)
def test_nothing_is_registered_when_a_field_is_refused(key, fields, error, message):
    info = core._register_py_class(OBJECT, key, new_class())
    own = [make_field("first", "int")]
    for name, origin, options in fields:
        made = make_field(name, origin, **{k: v for k, v in options.items() if k != "doc"})
        made.doc = options.get("doc")
        own.append(made)
    with pytest.raises(error, match=message):
        info._register_fields(own)
    assert core._describe_type(info.type_index)[3] == []
    info._register_fields([make_field("first", "str")])
    assert [f.name for f in info.fields] == ["first"]


def test_b21_field_of_an_ancestor_is_refused(key):
    parent = new_class()
    parent_info = core._register_py_class(OBJECT, key, parent)
    child = new_class(parent)
    info = core._register_py_class(parent_info, key + ".Child", child)
    with pytest.raises(TypeError, match="not registered yet"):
        info._register_fields([make_field("b", "int")])
    parent_info._register_fields([make_field("a", "int")])
    with pytest.raises(TypeError, match=r"Made\.a: field is already declared by ancestor Made"):
        info._register_fields([make_field("a", "int")])
    info._register_fields([make_field("b", "int")])


def test_methods_and_type_attributes(key):
    cls = new_class()
    info = core._register_py_class(OBJECT, key, cls)
    info._register_fields([])
    core._make_init(cls, info)
    schema = '{"type_schema": {"type": "Callable"}}'
    info._register_py_methods(
        [
            ("double", lambda self, x: 2 * x, False, schema),
            ("triple", lambda x: 3 * x, True, schema),
            ("__ffi_repr__", lambda self, fn: "text", False, None),
        ],
        {"__ffi_repr__"},
    )
    double, triple = info.methods
    assert (double.name, double.is_static, triple.name, triple.is_static) == (
        *("double", False),
        *("triple", True),
    )
    assert double.metadata == {"type_schema": {"type": "Callable"}}
    assert double.func(cls(), 4) == 8 and triple.as_callable(cls).__func__(4) == 12
    assert repr(cls()) == "text"
    assert core._type_get_attr(info.type_index, "__ffi_repr__") is not None
    assert core._type_get_attr(info.type_index, "__no_such__") is None
    with pytest.raises(TypeError, match="must be callable"):
        info._register_py_methods([("four", 4, False, None)])


def test_set_type_cls(key):
    cls = new_class()
    info = core._register_py_class(OBJECT, key, cls)
    info._register_fields([make_field("a", "int")])
    core._make_init(cls, info)

    class Other(cls):
        __slots__ = ("__dict__",)

    one = cls(1)
    core._set_type_cls(info, Other)
    assert tvm_ffi.Array([one])[0] is one
    held = tvm_ffi.Array([cls(2)])
    assert type(held[0]) is Other
    held[0].extra = 1
    del one, held
    gc.collect()
    with pytest.raises(TypeError):
        core._set_type_cls(info, int)


def test_hooks_of_make_init(key):
    order = []
    cls = new_class()
    cls.__post_init__ = lambda self: order.append(("post", self.a, self.b))
    info = core._register_py_class(OBJECT, key, cls)
    info._register_fields([make_field("a", "int"), make_field("b", "Any", init=False, frozen=True)])
    for record in info.fields:
        setattr(cls, record.name, record.as_property(cls))
    made = core._make_init(cls, info, True, [("b", lambda self: order.append("b") or self.a + 1)])
    assert cls.__init__ is made
    assert cls(1).b == 2
    empty = cls.__new__(cls)
    empty.__init__(2)
    assert order == ["b", ("post", 1, 2), "b", ("post", 2, 3)]
    with pytest.raises(TypeError, match="init_properties"):
        core._make_init(cls, info, False, [("b", 3)])


def test_print_debug_info(capsys):
    core._print_debug_info()
    assert capsys.readouterr().out == "TVMFFIPyGetArgDispatchMapSize: 0\n"


# ---- the garbage collector ----


def test_cycles_through_fields_are_collected():
    @py_class("classregistration.Cyclic")
    class Cyclic(tvm_ffi.Object):
        callback: Any = None
        items: list[Any] = field(default_factory=list)

    class Marker:
        pass

    def make(kind):
        marker = Marker()
        one = Cyclic()

        def look() -> Any:
            return one, marker

        if kind == "callback":
            one.callback = look
        elif kind == "items":
            one.items.append([look])
        else:
            one.callback = Cyclic(look)
        return weakref.ref(marker)

    for kind in ("callback", "items", "nested"):
        gone = make(kind)
        gc.collect()
        assert gone() is None, kind


def test_reachable_cycles_stay():
    @py_class("classregistration.Cyclic2")
    class Cyclic(tvm_ffi.Object):
        callback: Any = None

    one = Cyclic()
    one.callback = lambda: one
    for _ in range(3):
        gc.collect()
    assert one.callback() is one
    one.callback = None


def test_only_what_may_hold_python_is_tracked():
    @py_class("classregistration.Plain")
    class Plain(tvm_ffi.Object):
        a: int
        b: str

    @py_class("classregistration.Holding")
    class Holding(Plain):
        c: Any = None

    assert not gc.is_tracked(Plain(1, "s"))
    holding = Holding(1, "s")
    assert gc.is_tracked(holding)
    held = tvm_ffi.Array([holding])
    del holding
    assert gc.is_tracked(held[0])


def test_deep_chain_is_destroyed():
    @py_class("classregistration.Chain")
    class Chain(tvm_ffi.Object):
        next: Any = None

    head = None
    for _ in range(200_000):
        head = Chain(head)
    gc.collect()
    del head
    gc.collect()
