# SPDX-License-Identifier: Apache-2.0
"""Test that Python's garbage collector finds reference cycles that include native references."""

from __future__ import annotations

import gc
import weakref

import pytest

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map


class Payload:
    """An object that supports weak references."""


def died(make):
    """Return whether the collector frees the cycle that `make` builds around a Payload."""
    gc.collect()
    payload = Payload()
    watch = weakref.ref(payload)
    make(payload)
    del payload
    alive_before = watch() is not None
    gc.collect()
    return alive_before, watch() is None


def through_opaque_box(payload):
    payload.held = Array([payload])


def through_list(payload):
    payload.held = List([1, payload])


def through_map_value(payload):
    payload.held = Map({"a": payload})


def through_map_key(payload):
    payload.held = Dict({payload: 1})


def through_nested_containers(payload):
    payload.held = Dict({i: Array([[List([payload])]]) for i in range(9)})


def through_callback(payload):
    def callback():
        return payload

    payload.held = tvm_ffi.convert(callback)


def through_callback_in_container(payload):
    payload.held = List([lambda: payload])


def through_converted_box(payload):
    payload.held = tvm_ffi.convert(payload)


def through_swallowed_exception(payload):
    def fails():
        error = ValueError("x")
        error.payload = payload
        payload.held = error
        raise error

    apply = tvm_ffi.get_global_func("testing.apply")
    with pytest.raises(ValueError):
        apply(fails)


@pytest.mark.parametrize(
    "make",
    [
        *(through_opaque_box, through_list, through_map_value, through_map_key),
        *(through_nested_containers, through_callback, through_callback_in_container),
        *(through_converted_box, through_swallowed_exception),
    ],
)
def test_cycle_is_collected(make):
    assert died(make) == (True, True)


@pytest.mark.parametrize("make", [through_list, through_map_value, through_nested_containers])
def test_wrappers_of_containers_in_used_memory_are_seen(make):
    for _ in range(3):
        # A short array of plain values does not have a GC header; test_array.py tests this.
        kinds = ((Array, [[1]]), (List, [1]), (Map, {1: 1}), (Dict, {1: 1}))
        dropped = [cls(x) for cls, x in kinds]
        assert all(gc.is_tracked(x) for x in dropped)
        del dropped
        box = Array([List([Map({"a": Dict({"b": 1})})])])
        assert gc.is_tracked(box[0]) and gc.is_tracked(box[0][0]["a"])
        assert died(make) == (True, True)


def test_class_that_derives_from_a_container_may_have_attributes():
    class Named(List):
        __slots__ = ("__dict__", "__weakref__", "name")

    for _ in range(3):
        named = Named([1, 2])
        named.name, named.other = Payload(), Payload()
        watches = [weakref.ref(x) for x in (named, named.name, named.other)]
        assert list(named) == [1, 2]
        del named
        assert [watch() for watch in watches] == [None] * 3


def test_an_object_with_another_owner_is_kept():
    shared = []

    def make(payload):
        payload.held = List([payload])
        shared.append(Array([payload.held]))

    assert died(make) == (True, False)
    box = shared.pop()[0]
    assert isinstance(box[0], Payload)
    box.clear()


def test_content_survives_a_collection():
    a = Array([Payload(), [Payload()], {"k": Payload()}])
    f = tvm_ffi.convert(lambda: a)
    gc.collect()
    assert isinstance(a[0], Payload)
    assert isinstance(a[1][0], Payload)
    assert isinstance(a[2]["k"], Payload)
    assert f().same_as(a)


def test_deep_nesting_is_walked_without_the_c_stack():
    x = List([Payload()])
    for _ in range(100_000):
        x = List([x])
    gc.collect()
    assert len(x) == 1


@pytest.mark.parametrize("wrap", [lambda x: Array([x]), lambda x: List([x]), lambda x: Map({1: x})])
def test_deep_nesting_is_destroyed_without_the_c_stack(wrap):
    x = wrap(0)
    for _ in range(300_000):
        x = wrap(x)
    del x
