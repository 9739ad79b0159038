# SPDX-License-Identifier: Apache-2.0
"""Test that the call paths give equal results; there is one call path for each arity."""

from __future__ import annotations

import pytest

import tvm_ffi
from tvm_ffi import testing

ECHO = tvm_ffi.get_global_func("testing.echo")
APPLY = tvm_ffi.get_global_func("testing.apply")
VALUES = [
    None,
    True,
    False,
    0,
    -1,
    7,
    2**62,
    -(2**63),
    2**63,
    2**100,
    -(2**100),
    0.5,
    "",
    "seven b",
]
VALUES += ["a longer string", "\N{LATIN SMALL LETTER E WITH ACUTE}" * 9, b"", b"1234567", b"x" * 40]


def gather(*args: object) -> tuple[object, ...]:
    return args


@pytest.mark.parametrize("count", [*range(20), 64, 65, 300, 2000])
def test_all_arities_pass_their_arguments_in_order(count: int) -> None:
    seen: list[tuple[object, ...]] = []
    collect = tvm_ffi.convert(lambda *args: seen.append(args))
    args = [VALUES[i % len(VALUES)] for i in range(count)]
    collect(*args)
    APPLY(collect, *args)
    assert seen == [tuple(args), tuple(args)]


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("release_gil", [True, False])
def test_lock_held_and_released_give_equal_results(value: object, release_gil: bool) -> None:
    echo = tvm_ffi.get_global_func("testing.echo")
    before = echo.release_gil
    try:
        echo.release_gil = release_gil
        result = echo(value)
    finally:
        echo.release_gil = before
    assert result == value
    assert isinstance(result, type(value))


@pytest.mark.parametrize("count", [1, 2, 3, 9, 100])
def test_a_failing_argument_stops_the_call_and_keeps_its_exception(count: int) -> None:
    class Unconvertible:
        def __tvm_ffi_object__(self) -> object:
            raise ZeroDivisionError("in the protocol")

    called = []
    record = tvm_ffi.convert(lambda *args: called.append(args))
    args = [*(f"temporary string number {i}" for i in range(count - 1)), Unconvertible()]
    with pytest.raises(ZeroDivisionError, match="in the protocol"):
        record(*args)
    assert called == []


def test_construction_through_the_class_equals_the_general_call_path() -> None:
    short = testing.TestIntPair(3, 4)
    general = testing.TestIntPair.__new__(testing.TestIntPair)
    general.__init__(3, 4)  # type: ignore[misc]

    class Sub(testing.TestIntPair):
        """A subclass that is not registered; it does not have the fast path."""

    sub = Sub(3, 4)
    for made in (short, general, sub):
        assert (made.a, made.b, made.sum()) == (3, 4, 7)
    assert type(sub) is Sub
    assert ECHO(sub) is sub


def test_changing_init_takes_a_class_off_the_fast_path() -> None:
    class Pair(tvm_ffi.Object):
        pass

    tvm_ffi.register_object("testing.TestIntPair")(Pair)
    try:
        assert Pair(1, 2).a == 1
        calls = []

        def init(self: Pair, *args: int) -> None:
            calls.append(args)

        Pair.__init__ = init  # type: ignore[method-assign,assignment]
        empty = Pair(8, 9)
        assert calls == [(8, 9)]
        assert empty.__chandle__() == 0
    finally:
        tvm_ffi.register_object("testing.TestIntPair")(testing.TestIntPair)


def test_constructor_errors_leave_an_empty_object() -> None:
    half = testing.TestIntPair.__new__(testing.TestIntPair)
    with pytest.raises(TypeError, match="Expected 2 but got 1 arguments"):
        half.__init__(1)  # type: ignore[misc,call-arg]
    assert repr(half) == "TestIntPair(chandle=None)"
    with pytest.raises(AttributeError, match=r"field 'a' of 'TestIntPair' .* is empty"):
        half.a  # noqa: B018
    with pytest.raises(ValueError, match="TestIntPair object is empty"):
        ECHO(half)
