# SPDX-License-Identifier: Apache-2.0
"""Test functions that the other side calls, and calls that alternate between the sides."""

from __future__ import annotations

import pytest

import tvm_ffi


def test_typed_functions_and_closures(load, maker, reader):
    add = load("functions", maker)["make_adder"](5)
    assert load("functions", reader)["call_twice"](add, 1) == 11
    assert load("functions", reader)["call_packed"](add, [7]) == 12


def test_callbacks_of_the_interpreter(load, reader):
    seen = []
    load("functions", reader)["call_packed"](lambda *args: seen.extend(args), [1, "two", None])
    assert seen == [1, "two", None]


@pytest.mark.spec("E13")
def test_calls_go_to_and_fro(load, maker, reader):
    assert load("functions", maker)["ping"](load("functions", reader)["ping"], 100) == 100


def test_captured_values_are_released_once(load, maker, reader):
    live = load("functions", maker)["live_capture_count"]
    function = load("functions", maker)["make_with_capture"]()
    assert live() == 1
    assert load("functions", reader)["call_packed"](function, [1, 2, 3]) == 3
    assert live() == 1
    del function
    assert live() == 0


def test_global_functions_are_seen_by_the_other_side(load, maker, reader):
    name = f"interop.global.{maker}.{reader}"
    load("functions", maker)["register_global"](name, 3)
    assert load("functions", reader)["call_global"](name) == 3
    load("functions", reader)["register_global"](name, 4)
    assert load("functions", maker)["call_global"](name) == 4
    assert tvm_ffi.get_global_func(name)() == 4
    assert load("functions", reader)["forget_global"](name)
    assert tvm_ffi.get_global_func(name, allow_missing=True) is None


@pytest.mark.spec("S06")
def test_every_caller_clears_the_result_first(load, maker, reader):
    checker = load("functions", maker)["make_result_checker"]()
    assert checker()
    assert load("functions", reader)["call_packed"](checker, [])
    assert load("c_client", reader)["c_apply"](checker)


def test_functions_that_return_expected_values(load, side):
    half = load("functions", side)["half"]
    assert half(8) == 4
    told = load("functions", "ours")["described"](half(3))
    assert load("functions", "peer")["part"](told, "message") == "odd"
