# SPDX-License-Identifier: Apache-2.0
"""Test a library in C: values, functions with a state, errors, callbacks."""

from __future__ import annotations

import pytest


@pytest.fixture
def c(load, side):
    """Load the C client that was compiled with the headers of one side."""
    return load("c_client", side)


@pytest.mark.parametrize("value", [0, -1, 2.5, True, None, "seven..", "text on the heap", b"b" * 9])
def test_values_come_back(c, value):
    assert c["c_echo"](value) == value
    assert isinstance(c["c_echo"](value), type(value))


def test_objects_are_counted(load, c, maker):
    tensor = load("values", maker)["make_tensor"]()
    assert c["c_use_count"](tensor) == 1
    held = c["c_echo"]([tensor])
    assert c["c_use_count"](tensor) == 2
    assert load("values", maker)["check_tensor"](held[0])
    del held
    assert c["c_use_count"](tensor) == 1


def test_functions_have_a_state_that_is_deleted_once(c):
    add = c["c_make_adder"](5)
    assert add(2) == 7
    assert c["c_apply"](add, 3) == 8
    assert c["c_live_adders"]() == 1
    del add
    assert c["c_live_adders"]() == 0


def test_errors_both_ways(c):
    with pytest.raises(IndexError, match="made of parts"):
        c["c_raise"]()
    with pytest.raises(TypeError, match="c_apply takes a function first"):
        c["c_apply"](1)

    def fails():
        raise KeyError("from Python")

    with pytest.raises(KeyError, match="from Python"):
        c["c_apply"](fails)
