# SPDX-License-Identifier: Apache-2.0
"""Test shortened texts of values, and ``format_full``."""

from __future__ import annotations

import sys
import time
from typing import Any

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map, Shape
from tvm_ffi.dataclasses import field, py_class

full_text = tvm_ffi.get_global_func("ffi.ReprPrint")

#: An upper limit for the length of a summary; see `kSummaryLimits` in src/graph/repr_limits.h.
LONGEST = 25_000


@py_class("test.display.Node")
class Node(tvm_ffi.Object):
    """A class with fields for any value."""

    x: int
    y: Any = None
    hidden: int = field(default=0, repr=False)


@py_class("test.display.Failing")
class Failing(tvm_ffi.Object):
    """A class whose text cannot be made."""

    error: Any = "ValueError"

    def __ffi_repr__(self, fn_repr):
        kinds = {"ValueError": ValueError, "KeyboardInterrupt": KeyboardInterrupt}
        raise kinds[self.error]("no text\nsecond line")


@py_class("test.display.Script")
class Script(tvm_ffi.Object):
    """A class whose hook returns a long text."""

    size: int = 100_000
    part: Any = None

    def __ffi_repr__(self, fn_repr):
        return "s" * self.size if self.part is None else f"<{fn_repr(self.part)}>"


def test_first_and_last_elements_and_the_length_are_shown():
    expected = "0, 1, 2, ..., 19997, 19998, 19999; length 20000"
    assert repr(Array(range(20000))) == f"({expected})"
    assert repr(List(range(20000))) == f"[{expected}]"
    for cls in (Map, Dict):
        assert repr(cls({i: -i for i in range(5000)})) == (
            "{0: 0, 1: -1, 2: -2, ..., 4997: -4997, 4998: -4998, 4999: -4999; length 5000}"
        )


def test_str_is_repr():
    for value in (Array(range(20000)), Node(1), List([1]), Array(range(3))):
        assert str(value) == f"{value}" == repr(value)


@pytest.mark.parametrize(
    "value",
    [
        Array(range(1000)),
        Map({i: i for i in range(500)}),
        Array([Node(i, [i]) for i in range(400)]),
        List(["x" * 900] * 20),
        Array([Shape(range(900))]),
        Node(1, b"\x00" * 1000),
    ],
    ids=lambda value: type(value).__name__,
)
def test_up_to_the_limits_the_text_is_complete(value):
    assert repr(value) == full_text(value) == tvm_ffi.format_full(value)


def test_one_more_value_is_a_summary():
    assert repr(Array(range(1001))) == "(0, 1, 2, ..., 998, 999, 1000; length 1001)"


def test_nested_containers_are_shortened_at_each_level():
    row = "(0, 1, 2, ..., 97, 98, 99; length 100)"
    rows = ", ".join([row] * 3)
    assert repr(Array([Array(range(100))] * 100)) == f"({rows}, ..., {rows}; length 100)"
    # A container of six elements is shown completely, even if another container is shortened.
    assert repr(Array([Array(range(2000)), Array(range(6))])) == (
        "((0, 1, 2, ..., 1997, 1998, 1999; length 2000), (0, 1, 2, 3, 4, 5))"
    )


def test_long_strings_and_bytes_show_begin_end_and_length():
    text = "a" * 50_000 + "z" * 50_000
    expected = f'"{"a" * 80}"..."{"z" * 80}" (length 100000)'
    assert repr(Array([text])) == f"({expected},)"
    assert repr(Node(1, text)) == f"test.display.Node(x=1, y={expected})"
    data = b"a" * 50_000 + b"z" * 50_000
    assert repr(List([data])) == f'[b"{"a" * 80}"...b"{"z" * 80}" (length 100000)]'


def test_no_character_is_cut():
    # Each character has three bytes, so 80 bytes end inside a character.
    assert repr(Array(["€" * 30_000])) == (
        '("' + "\\u20ac" * 26 + '"..."' + "\\u20ac" * 27 + '" (length 30000),)'
    )


def test_control_characters_stay_escaped():
    text = repr(Array(["\x00\n\x1b[31m" * 10_000]))
    assert text.isprintable()
    assert len(text) < 1500


def test_shapes_and_big_integers_are_shortened():
    shape = "0, 1, 2, ..., 2997, 2998, 2999; length 3000"
    assert repr(Shape(range(3000))) == f"({shape})"
    assert repr(Array([Shape(range(3000))] * 1)).startswith("(Shape(0, 1, 2, 3")
    assert repr(Array([Shape(range(30_000))])) == (
        "(Shape(0, 1, 2, ..., 29997, 29998, 29999; length 30000),)"
    )
    assert repr(Shape((1, 2))) == "(1, 2)"
    assert tvm_ffi.format_full(Shape(range(3000))) == str(tuple(range(3000)))
    number = repr(Array([1 << 1_000_000]))
    assert number.startswith("(0x1000") and number.endswith(" (length 250003),)")


@pytest.mark.parametrize("count", [101, 5000, 100_000])
def test_deep_nests_are_collapsed(count):
    chain = Node(0)
    for i in range(count):
        chain = Node(i, chain)
    text = repr(chain)
    assert text.count("test.display.Node(x=") == 8
    assert text.endswith("test.display.Node(...)" + ")" * 8)


def test_collapsed_containers_keep_their_brackets():
    def nested(value):
        for _ in range(7):
            value = List([value])
        return List([List(range(1000)), value])

    for value, text in [
        (Array([1]), "(...)"),
        (List([1]), "[...]"),
        (Dict({1: 2}), "{...}"),
        (Array([]), "()"),
        (List([]), "[]"),
        (Dict({}), "{}"),
        (Node(1), "test.display.Node(...)"),
        (tvm_ffi.convert(len), "ffi.Function"),
        (7, "7"),
    ]:
        assert repr(nested(value)).endswith(f", {'[' * 7}{text}{']' * 8}")


@pytest.mark.parametrize(("width", "depth"), [(2, 60), (20, 60), (7, 5), (1000, 3)])
def test_shared_parts_do_not_multiply(width, depth):
    value: Any = 1
    for _ in range(depth):
        value = List([value] * width)
    begin = time.monotonic()
    assert len(repr(value)) < LONGEST
    assert time.monotonic() - begin < 2


def test_cycles_end():
    itself = List([1])
    itself.append(itself)
    assert repr(itself) == "[1, ...]"
    itself.extend([itself] * 5000)
    assert repr(itself) == "[1, ..., ..., ..., ..., ..., ...; length 5002]"
    itself.clear()
    node = Node(1)
    node.y = Array([node] * 3)
    assert repr(node) == "test.display.Node(x=1, y=(..., ..., ...))"
    node.y = None


def test_wide_values_end_with_dots():
    """Use a value whose parts are short enough to be shown, but which is too long as a whole."""
    value = Dict({i: List(["k" * 150] * 6) for i in range(6)})
    value = List([List([value] * 6)] * 6)
    text = repr(value)
    assert len(text) < LONGEST
    assert text.count("[") == text.count("]")
    assert text.count("{") == text.count("}")


def test_a_text_of_its_own_is_complete_and_shortened_inside_of_others():
    assert repr(Script()) == "s" * 100_000
    assert repr(Script(50)) == "s" * 50
    assert repr(Array([Script(50)])) == f"({'s' * 50},)"
    assert repr(Array([Script()])) == f"({'s' * 1000}...,)"
    assert tvm_ffi.format_full(Array([Script()])) == f"({'s' * 100_000},)"


def test_the_callback_of_a_hook_is_bounded_too():
    inner = Array(range(20000))
    assert repr(Script(0, inner)) == f"<{inner!r}>"
    chain: Any = 1
    for _ in range(150):  # A longer chain would be rejected: hooks use the stack of the thread.
        chain = Script(0, chain)
    assert repr(chain) == "<" * 8 + "test.display.Script(...)" + ">" * 8


def test_a_failing_hook_shows_its_error_inside_of_others():
    shown = "<test.display.Failing: ValueError: no text>"
    assert repr(Array([1, Failing(), 2])) == f"(1, {shown}, 2)"
    assert repr(Node(1, Failing())) == f"test.display.Node(x=1, y={shown})"
    assert repr(Failing()).startswith("Failing(0x")
    with pytest.raises(ValueError, match="no text"):
        tvm_ffi.format_full(Array([Failing()]))


def test_an_interrupt_is_passed_on():
    for value in (Failing("KeyboardInterrupt"), Array([Failing("KeyboardInterrupt")])):
        with pytest.raises(KeyboardInterrupt):
            repr(value)


def test_hooks_that_call_repr_run_once_on_each_level():
    calls = []

    @py_class("test.display.Block")
    class Block(tvm_ffi.Object):
        parts: Any

        def __ffi_repr__(self, fn_repr):
            calls.append(1)
            return "b" * 30_000 + repr(self.parts)

    block = Block(Array([]))
    for _ in range(20):
        block = Block(Array([block]))
    assert repr(block).startswith("bbb")
    assert len(calls) == 21


def test_a_hook_that_changes_the_list_is_harmless():
    target = List([])

    @py_class("test.display.Shrinking")
    class Shrinking(tvm_ffi.Object):
        a: int

        def __ffi_repr__(self, fn_repr):
            del target[3:]
            return "gone"

    target.extend([Shrinking(1), *range(5000)])
    assert repr(target).startswith("[gone, 0, 1")
    target.clear()


def run_python(program, environment):
    return execute(sys.executable, "-c", program, env=environment).stdout


def test_addresses_are_in_summaries(package_environment):
    program = "import tvm_ffi; print(repr(tvm_ffi.Array(range(2000))))"
    text = run_python(program, {**package_environment, "TVM_FFI_REPR_WITH_ADDR": "1"})
    assert text.startswith("(0, 1, 2, ..., 1997, 1998, 1999; length 2000)@0x")


def test_ten_million_elements_take_no_time():
    array = Array(range(10_000_000))
    begin = time.monotonic()
    assert repr(array).endswith("9999999; length 10000000)")
    assert time.monotonic() - begin < 0.5


@pytest.mark.parametrize("value", [1, "text", None, [1, 2], {1: 2}, (1,), 2.5])
def test_format_full_of_python_values_is_repr(value):
    assert tvm_ffi.format_full(value) == repr(value)


def test_format_full_of_an_empty_object():
    assert tvm_ffi.format_full(Array.__new__(Array)) == "Array(chandle=None)"


def test_format_full_is_public_but_not_starred():
    assert "format_full" in dir(tvm_ffi)
    assert tvm_ffi.format_full.__module__ == "tvm_ffi"
    assert "1000" in tvm_ffi.format_full(Array(range(20000)))


def test_import_does_not_load_the_display(package_environment):
    program = (
        "import sys, tvm_ffi; repr(tvm_ffi.Array([1])); "
        "print([name for name in sys.modules if '_display' in name])"
    )
    assert run_python(program, package_environment) == "[]\n"
