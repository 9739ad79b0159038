# SPDX-License-Identifier: Apache-2.0
"""Test pickling and copying of objects, which use the graph that the runtime writes."""

from __future__ import annotations

import abc
import copy
import pickle
from typing import Any

import numpy as np
import pytest

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map, core, serialization
from tvm_ffi.dataclasses import py_class
from tvm_ffi.testing import TestIntPair, TestObjectBase, TestObjectDerived

CONTAINERS = [Array([1, "a", [2]]), List([1, [2.5]]), Map({"a": 1, 2: None}), Dict({1: {2: 3}})]


@pytest.mark.spec("PY-H208", "PY-H209")
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("value", CONTAINERS, ids=lambda value: type(value).__name__)
def test_containers_come_back_equal(value, protocol):
    loaded = pickle.loads(pickle.dumps(value, protocol))
    assert type(loaded) is type(value)
    assert loaded == value
    assert not loaded.same_as(value)


@pytest.mark.spec("PY-H208", "PY-H209")
@pytest.mark.parametrize("value", CONTAINERS, ids=lambda value: type(value).__name__)
def test_copies_are_new_objects(value):
    for made in (copy.copy(value), copy.deepcopy(value)):
        assert type(made) is type(value)
        assert made == value
        assert not made.same_as(value)


@pytest.mark.spec("PY-J264")
def test_objects_come_back_by_their_fields():
    loaded = pickle.loads(pickle.dumps(TestObjectBase(v_i64=3, v_str="x")))
    assert type(loaded) is TestObjectBase
    assert (loaded.v_i64, loaded.v_f64, loaded.v_str) == (3, 10.0, "x")
    derived = TestObjectDerived(v_map={"a": 1}, v_array=[2], v_i64=3)
    loaded = pickle.loads(pickle.dumps(derived))
    assert type(loaded) is TestObjectDerived
    assert (loaded.v_i64, dict(loaded.v_map), list(loaded.v_array)) == (3, {"a": 1}, [2])


def test_objects_whose_type_has_no_python_class_come_back():
    """A test for a fixed bug: a class made at run time was pickled by name, which failed."""
    made = tvm_ffi.testing.make_unregistered_object()
    for loaded in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert type(loaded) is type(made)
        assert (loaded.v1, loaded.v2) == (41, 42)
    empty = type(made).__new__(type(made))
    with pytest.raises(pickle.PicklingError, match="TestUnregisteredObject"):
        pickle.dumps(empty)


def test_shared_parts_stay_shared():
    part = List([1])
    loaded = pickle.loads(pickle.dumps(Array([part, part])))
    assert loaded[0].same_as(loaded[1])


@pytest.mark.spec("PY-B28")
@pytest.mark.parametrize("cls", [Array, TestIntPair, core.Object])
def test_empty_objects(cls):
    loaded = pickle.loads(pickle.dumps(cls.__new__(cls)))
    assert type(loaded) is cls
    assert loaded.__chandle__() == 0


def test_an_object_without_a_creator_says_so():
    with pytest.raises(
        TypeError, match=r"cannot pickle value: objects of type .*no native creator"
    ):
        pickle.dumps(core.MISSING)


@pytest.mark.parametrize(
    ("state", "error"),
    [
        (None, TypeError),
        ({}, TypeError),
        ({"handle": 1}, TypeError),
        ({"handle": "no graph"}, ValueError),
        ({"handle": "{}"}, ValueError),
        ({"handle": '{"root_index": 0, "nodes": [{"type": "int", "data": 1}]}'}, ValueError),
    ],
)
def test_garbage_as_state(state, error):
    x = Array([1])
    with pytest.raises(error):
        x.__setstate__(state)
    assert list(x) == [1]


@pytest.mark.spec("PY-J264")
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("size", [8, 1023, 1024, 100_000])
def test_bytes_come_back_as_plain_bytes(size, protocol, echo):
    value = echo(b"x" * size)
    assert type(value) is core.Bytes
    loaded = pickle.loads(pickle.dumps(value, protocol))
    assert type(loaded) is bytes
    assert loaded == value
    assert copy.copy(value) == copy.deepcopy(value) == value


@pytest.mark.spec("PY-J264")
def test_text_comes_back_as_plain_text(echo):
    text = echo("a long piece of text")
    assert type(text) is core.String
    assert type(pickle.loads(pickle.dumps(text))) is str


def test_long_bytes_are_offered_out_of_band(echo):
    buffers = []
    value = [echo(b"x" * 100_000), echo(b"y" * 100)]
    text = pickle.dumps(value, 5, buffer_callback=buffers.append)
    assert len(text) < 1000
    assert [buffer.raw().nbytes for buffer in buffers] == [100_000]
    assert pickle.loads(text, buffers=buffers) == value


# ---- objects that pickle makes with `__new__` and `__setstate__`


@py_class("test.pickle.Plain")
class Plain(tvm_ffi.Object):
    x: int
    y: str
    next: Any = None


class Derived(Plain):
    """A class that is not registered itself."""


@py_class("test.pickle.OwnNew")
class OwnNew(tvm_ffi.Object):
    x: int

    def __new__(cls, x):
        return super().__new__(cls)


@py_class("test.pickle.Abstract")
class Abstract(tvm_ffi.Object):
    x: int

    @abc.abstractmethod
    def method(self): ...


@py_class("test.pickle.ByName")
class ByName(tvm_ffi.Object):
    name: str

    def __data_to_json__(self):
        return self.name

    @staticmethod
    def __data_from_json__(name):
        return BY_NAME[name]


BY_NAME = {"a": ByName("a")}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("value", [Plain(1, "a"), Plain(1, "a", [Plain(2, "b"), {"c": 3.0}])])
def test_the_pickle_of_an_object_calls_no_function_of_the_package(value, protocol):
    pickled = pickle.dumps(value, protocol)
    assert b"restore_graph" not in pickled
    for loaded in (pickle.loads(pickled), copy.deepcopy(value)):
        assert type(loaded) is Plain
        assert tvm_ffi.structural_equal(loaded, value)


def test_an_object_that_is_pickled_twice_is_one_object():
    value = Plain(1, "a")
    first, second = pickle.loads(pickle.dumps([value, value]))
    assert first is second
    assert first.same_as(pickle.loads(pickle.dumps((first, 1)))[0]) is False


def test_an_object_that_holds_a_python_object_comes_back():
    loaded = pickle.loads(pickle.dumps(Plain(1, "a", len)))
    assert (loaded.x, loaded.next("abc")) == (1, 3)


@pytest.mark.parametrize(
    "value",
    [
        Derived(1, "a"),
        OwnNew(1),
        # `cls.__new__(cls)` refuses an abstract class, but native code makes such objects.
        serialization.from_json_graph_str(
            '{"root_index":1,"nodes":[{"type":"int","data":1},'
            '{"type":"test.pickle.Abstract","data":{"x":0}}]}'
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_objects_that_new_alone_does_not_make_come_back(value):
    loaded = pickle.loads(pickle.dumps(value))
    assert type(loaded) is type(value)
    assert loaded.x == value.x


def test_the_object_that_a_hook_returns_is_loaded():
    assert pickle.loads(pickle.dumps(BY_NAME["a"])) is BY_NAME["a"]


def test_an_object_of_an_older_pickle_comes_back():
    older = (
        b"\x80\x04ctvm_ffi.serialization\nrestore_graph\n(NC\x09\x03\x02\x05\x01a\x00\x11\x00\x16"
        b"c" + __name__.encode() + b"\nPlain\n\x94\x8c\x01x\x8c\x01y\x8c\x04next\x87\x86\x85)tR."
    )
    loaded = pickle.loads(older)
    assert type(loaded) is Plain
    assert (loaded.x, loaded.y, loaded.next) == (1, "a", None)


FIELDS = ((Plain, ("x", "y", "next")),)


@pytest.mark.parametrize(
    ("state", "error"),
    [
        ((), TypeError),
        ((b"", ()), ValueError),
        ((b"", (), ()), TypeError),
        (("", ()), TypeError),
        ((b"", []), TypeError),
        ((b"\x00\x16", ()), ValueError),
        ((b"\x03\x02\x05\x01a\x11\x00\x16", FIELDS), ValueError),
        ((b"\x03\x02\x03\x02\x00\x11\x00\x16", FIELDS), TypeError),
        ((b"\x0a\x00\x16", ()), ValueError),
        ((b"\x00\x16", ((int, ()),)), TypeError),
    ],
    ids=repr,
)
def test_a_damaged_state_leaves_the_object_as_it_was(state, error):
    value = Plain(1, "a")
    with pytest.raises(error):
        value.__setstate__(state)
    assert (value.x, value.y) == (1, "a")


# ---- ``copy.copy`` of containers


@pytest.mark.spec("PY-H208", "PY-H209")
def test_copy_of_a_container_was_deep():
    """Before the fix, `copy.copy` wrote the container as JSON and read it again."""
    inner = List([1])
    for outer in (List([inner]), Array([inner]), Dict({0: inner}), Map({0: inner})):
        made = copy.copy(outer)
        assert type(made) is type(outer)
        assert not made.same_as(outer)
        assert made == outer
        assert made[0] is inner


def test_copy_of_a_list_changes_alone():
    values, table = List([1]), Dict({"a": 1})
    copy.copy(values).append(2)
    copy.copy(table)["b"] = 2
    assert (values, dict(table)) == ([1], {"a": 1})


def test_copy_of_a_container_that_contains_itself_failed():
    values = List([1])
    values.append(values)
    table = Dict({"a": 1})
    table["self"] = table
    try:
        made = copy.copy(values)
        assert (made[0], made[1] is values, len(made)) == (1, True, 2)
        assert copy.copy(table)["self"] is table
    finally:
        values.clear()
        table.clear()


def test_copy_of_a_container_with_values_that_json_cannot_hold():
    tensor, opaque = tvm_ffi.from_dlpack(np.arange(3)), object()
    elements = [tensor, opaque, len, "text" * 10, b"bytes" * 10, 1.5, None, True]
    made = copy.copy(Array(elements))
    assert made[0] is tensor or made[0].same_as(tensor)
    assert (made[1] is opaque, list(made[3:])) == (True, elements[3:])
    assert list(copy.copy(Map(dict(enumerate(elements[3:]))))) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("size", [0, 1, 4, 5, 1000])
def test_copy_of_a_mapping_keeps_the_order(size):
    table = Dict({str(i): i for i in range(size)})
    if size > 1:
        del table["0"]
        table["0"] = 0
    assert list(copy.copy(table).items()) == list(table.items())
    assert list(copy.copy(Map(table)).items()) == list(table.items())


def test_copy_of_a_subclass_keeps_class_and_attributes():
    class Named(List):
        __slots__ = ("__dict__",)

    values = Named([1])
    values.name = "one"
    made = copy.copy(values)
    assert (type(made), made.name, made) == (Named, "one", [1])
    made.name = "two"
    assert values.name == "one"


def test_copy_of_an_empty_wrapper_is_refused():
    with pytest.raises(ValueError, match=r"^List object is empty"):
        copy.copy(List.__new__(List))


def test_copy_of_a_mapping_ran_the_hooks_of_its_keys():
    """Before the fix, a hook could change the mapping while its entries were read."""
    target: list[Dict] = []

    @py_class("test.container_copy.Key", structural_eq="tree")
    class Key(tvm_ffi.Object):
        number: int

        def __any_hash__(self):
            while target:
                table = target.pop()
                table.clear()
                table.update(dict.fromkeys(range(1000)))
            return self.number

        def __any_equal__(self, other):
            return isinstance(other, Key) and self.number == other.number

    for size in (3, 200):
        table = Dict({Key(i): i for i in range(size)})
        target.append(table)
        made = copy.copy(table)
        target.clear()
        assert list(made.values()) == list(table.values()) == list(range(size))
