# SPDX-License-Identifier: Apache-2.0
"""Test errors across sides: kind, message, backtrace, cause, context (SY3)."""

from __future__ import annotations

import pytest

WAYS = ("caught", "expected", "slot")


class Told:
    """An error that a client caught; its attributes are the parts of the error."""

    def __init__(self, load, reader, way, raiser):
        client = load("functions", reader)
        args = ([],) if way == "caught" else ()
        self._told = client[f"{way}_from"](raiser, *args)
        self._part = client["part"]

    def __getattr__(self, name):
        return self._part(self._told, name)


@pytest.mark.spec("SY3")
@pytest.mark.parametrize("way", WAYS)
def test_a_thrown_error_arrives_whole(load, maker, reader, way):
    told = Told(load, reader, way, load("functions", maker)["raise_here"])
    assert (told.kind, told.message, told.what) == ("ValueError",) + (f"thrown by {maker}",) * 2
    assert "functions.cc" in told.backtrace
    assert "raise_here" in told.backtrace
    assert told.full.startswith("Traceback (most recent call last):\n")
    assert told.full.endswith(f"ValueError: thrown by {maker}\n")
    assert told.cause == "absent"


@pytest.mark.parametrize("way", WAYS)
def test_cause_and_context_arrive_too(load, maker, reader, way):
    function = load("functions", reader)
    raiser = load("functions", maker)["raise_chain"]
    args = ([],) if way == "caught" else ()
    told = function[f"{way}_from"](raiser, *args)
    assert function["part"](told, "cause") == "KeyError"
    assert load("containers", reader)["sum_of_items"](function["item"](told, "extra")) == 6


def test_kind_message_and_backtrace_are_kept(load, maker, reader):
    client = load("functions", reader)
    told = client["caught_from"](load("functions", maker)["raise_error"], ["MyError", "m\0n"])
    assert client["part"](told, "kind") == "MyError"
    assert client["part"](told, "message") == "m\0n"
    assert client["part"](told, "backtrace").startswith('  File "made.cc", line 7, in Maker\n')


def test_standard_exceptions_are_errors_beyond_a_library(load, maker, reader):
    told = Told(load, reader, "expected", load("functions", maker)["raise_standard"])
    assert (told.kind, told.message) == ("InternalError", f"standard {maker}")


def test_an_error_is_a_value_too(load, maker, reader):
    client = load("functions", reader)
    told = client["described"](load("functions", maker)["make_error"]())
    assert client["part"](told, "kind") == "IndexError"
    assert client["part"](told, "backtrace") == '  File "v.cc", line 1, in V\n'


def test_what_passes_through_stays_the_same_object(load, maker, reader):
    rethrows = load("functions", maker)["rethrows"]
    assert load("functions", reader)["passes_through"](rethrows)


def test_the_interpreter_sees_its_own_classes(load, maker):
    raise_error = load("functions", maker)["raise_error"]
    with pytest.raises(KeyError, match="which"):
        raise_error("KeyError", "which")
    with pytest.raises(ValueError, match=f"thrown by {maker}"):
        load("functions", maker)["raise_here"]()


def test_exceptions_of_the_interpreter_arrive_in_clients(load, reader):
    def fails():
        raise IndexError("in Python")

    told = Told(load, reader, "caught", fails)
    assert (told.kind, told.message) == ("IndexError", "in Python")
    assert "fails" in told.backtrace


def test_an_exception_through_both_sides_is_itself_again(load, maker, reader):
    def fails():
        raise IndexError("in Python")

    chain = load("functions", reader)["rethrows"]
    with pytest.raises(IndexError, match="in Python"):
        load("functions", maker)["call_packed"](chain, [fails])
