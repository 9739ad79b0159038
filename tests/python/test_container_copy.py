# SPDX-License-Identifier: Apache-2.0
"""Test ``copy.copy`` of containers."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map
from tvm_ffi.dataclasses import py_class


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
