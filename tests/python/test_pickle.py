# SPDX-License-Identifier: Apache-2.0
"""Test pickling and copying of objects, which use the graph that the runtime writes."""

from __future__ import annotations

import copy
import pickle

import pytest

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map, core
from tvm_ffi.testing import TestIntPair, TestObjectBase

CONTAINERS = [Array([1, "a", [2]]), List([1, [2.5]]), Map({"a": 1, 2: None}), Dict({1: {2: 3}})]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("value", CONTAINERS, ids=lambda value: type(value).__name__)
def test_containers_come_back_equal(value, protocol):
    loaded = pickle.loads(pickle.dumps(value, protocol))
    assert type(loaded) is type(value)
    assert loaded == value
    assert not loaded.same_as(value)


@pytest.mark.parametrize("value", CONTAINERS, ids=lambda value: type(value).__name__)
def test_copies_are_new_objects(value):
    for made in (copy.copy(value), copy.deepcopy(value)):
        assert type(made) is type(value)
        assert made == value
        assert not made.same_as(value)


def test_objects_come_back_by_their_fields():
    loaded = pickle.loads(pickle.dumps(TestObjectBase(v_i64=3, v_str="x")))
    assert type(loaded) is TestObjectBase
    assert (loaded.v_i64, loaded.v_f64, loaded.v_str) == (3, 10.0, "x")


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


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("size", [8, 1023, 1024, 100_000])
def test_bytes_come_back_as_plain_bytes(size, protocol, echo):
    value = echo(b"x" * size)
    assert type(value) is core.Bytes
    loaded = pickle.loads(pickle.dumps(value, protocol))
    assert type(loaded) is bytes
    assert loaded == value
    assert copy.copy(value) == copy.deepcopy(value) == value


def test_long_bytes_are_offered_out_of_band(echo):
    buffers = []
    value = [echo(b"x" * 100_000), echo(b"y" * 100)]
    text = pickle.dumps(value, 5, buffer_callback=buffers.append)
    assert len(text) < 1000
    assert [buffer.raw().nbytes for buffer in buffers] == [100_000]
    assert pickle.loads(text, buffers=buffers) == value
