# SPDX-License-Identifier: Apache-2.0
"""Test ``Array``, a sequence of values in native memory."""

from __future__ import annotations

import types
from collections.abc import Hashable, Sequence
from unittest.mock import ANY

import pytest

import tvm_ffi
from tvm_ffi import core
from tvm_ffi.dataclasses import IntEnum, py_class
from tvm_ffi.testing import TestIntPair

Array = tvm_ffi.Array

# ---- construction ----


@pytest.mark.parametrize(
    "source",
    [
        [1, 2, 3],
        (1, 2, 3),
        range(1, 4),
        {1: "a", 2: "b", 3: "c"},
        iter([1, 2, 3]),
        Array([1, 2, 3]),
    ],
    ids=lambda source: type(source).__name__,
)
def test_made_from_any_iterable(source):
    assert list(Array(source)) == [1, 2, 3]


def test_made_from_text_and_generator():
    assert list(Array("ab")) == ["a", "b"]
    assert list(Array(x * x for x in range(4))) == [0, 1, 4, 9]
    assert len(Array([])) == 0


@pytest.mark.parametrize("bad", [1, None, 1.5, object()])
def test_made_from_something_else(bad):
    with pytest.raises(TypeError):
        Array(bad)


def test_wrong_number_of_arguments():
    with pytest.raises(TypeError):
        Array()
    with pytest.raises(TypeError):
        Array([1], [2])


def test_failing_iterable_loses_nothing(use_count):
    pair = TestIntPair(1, 2)

    def broken():
        yield pair
        yield pair
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        Array(broken())
    assert use_count(pair) == 1


def test_list_that_shrinks_while_it_is_read():
    values = list(range(50))

    class Shrinks:
        def __tvm_ffi_value__(self):
            values.clear()
            return 0

    values[0] = Shrinks()
    assert Array(values)[0] == 0


# ---- access ----


def test_index():
    array = Array([1, "two", 3.0])
    assert (array[0], array[1], array[2], array[-1], array[-3]) == (1, "two", 3.0, 3.0, 1)
    assert array[True] == "two"


def test_index_of_other_integers():
    np = pytest.importorskip("numpy")
    assert Array([1, 2])[np.int64(1)] == 2


@pytest.mark.parametrize("index", [3, 5, -4, 2**62, -(2**62)])
def test_index_out_of_range(index):
    with pytest.raises(IndexError) as caught:
        Array([1, 2, 3])[index]
    assert str(caught.value) == f"Index out of range. size: 3, got index {index}"


@pytest.mark.parametrize(("bad", "name"), [("x", "str"), (1.0, "float"), (None, "NoneType")])
def test_index_of_another_type(bad, name):
    with pytest.raises(TypeError, match=f"indices must be integers or slices, not {name}"):
        Array([1])[bad]


@pytest.mark.parametrize(
    "part",
    [
        *(slice(None), slice(1, None), slice(None, -1), slice(None, None, -1), slice(5, 1, -2)),
        *(slice(2, 2), slice(4, 1), slice(-100, 100), slice(None, None, 3), slice(-2, None)),
    ],
    ids=str,
)
def test_slice_is_the_list_that_python_gives(part):
    values = [1, "two", 3.0, None, b"5", 6]
    result = Array(values)[part]
    assert type(result) is list
    assert result == values[part]


def test_slice_with_step_zero():
    with pytest.raises(ValueError, match="zero"):
        Array([1])[::0]


def test_items_cannot_be_assigned():
    array = Array([1])
    with pytest.raises(TypeError):
        array[0] = 2
    with pytest.raises(TypeError):
        del array[0]


def test_iteration():
    array = Array([1, "two", [3]])
    assert list(array) == [1, "two", [3]]
    assert list(reversed(array)) == [[3], "two", 1]
    first, *rest = array
    assert (first, rest) == (1, ["two", [3]])
    iterator = iter(array)
    del array
    assert next(iterator) == 1
    assert list(iterator) == ["two", [3]]
    assert list(iterator) == []


def test_length_and_truth():
    assert (len(Array([1, 2])), bool(Array([0])), bool(Array([]))) == (2, True, False)


def test_contains_compares_type_and_value():
    array = Array([1, "a", "a string of some length", b"b", None, 2**70, ("B", 1)])
    for value in (1, "a", "a string of some length", b"b", None, 2**70, ("B", 1), ["B", 1]):
        assert value in array
    for value in (1.0, True, 2, "b", b"a", 2**71, ("B", 2)):
        assert value not in array


def test_contains_objects_by_handle():
    pair = TestIntPair(1, 2)
    assert pair in Array([pair])
    assert TestIntPair(1, 2) not in Array([pair])


def test_index_and_count_methods():
    array = Array([1, 2, 1, 3])
    assert (array.index(1), array.index(1, 1), array.count(1), array.count(9)) == (0, 2, 2, 0)
    with pytest.raises(ValueError, match=r"^9 is not in Array$"):
        array.index(9)


@py_class("tests.array.ByValue", eq=True)
class ByValue(tvm_ffi.Object):
    x: int


class Level(IntEnum, type_key="tests.array.Level"):
    low = 7


SEARCHED = [
    *(None, True, 1, 2.5, float("nan"), 2**70, "a", "a text that is not small", b"b", b"b" * 20),
    *((1, 2), [1, "a"], tvm_ffi.Shape((1, 2)), tvm_ffi.dtype("int32"), tvm_ffi.device("cpu:0")),
    *(Array([1]), tvm_ffi.List([Array([2])]), TestIntPair(1, 2), ByValue(3), Level.low, object()),
    tvm_ffi.Map({"a": 1}),
]
# (element, value of another type or identity, whether a search for the value finds the element)
ACROSS = [
    *((1, 1.0, False), (1, True, False), (True, 1, False), (0, None, False), (2.0, 2, False)),
    *(("a", b"a", False), ("int32", tvm_ffi.dtype("int32"), False), (2**70, 2.0**70, False)),
    *(((1, 2), [1, 2], True), ((1, 2), tvm_ffi.Shape((1, 2)), True), ((1, 2), range(1, 3), True)),
    *((tvm_ffi.Shape((1, 2)), tvm_ffi.Shape((1, 2)), True), (tvm_ffi.Shape((1,)), (1,), True)),
    *((ByValue(3), ByValue(3), True), (TestIntPair(1, 2), TestIntPair(1, 2), False)),
    *((Level.low, 7, True), (7, Level.low, True), ((1, 2), 3, False)),
]


@pytest.mark.parametrize("kind", [Array, tvm_ffi.List])
@pytest.mark.parametrize(
    ("element", "wanted", "found"),
    [*((value, value, True) for value in SEARCHED), *ACROSS],
    ids=lambda x: repr(x)[:20],
)
def test_in_index_count_and_remove_agree(kind, element, wanted, found):
    values = kind(["other", element, "other", element])
    assert (wanted in values) is found
    assert values.count(wanted) == 2 * found
    rest = tvm_ffi.List(values)
    if found:
        assert (values.index(wanted), values.index(wanted, 2), values.index(wanted, -1)) == (
            1,
            3,
            3,
        )
        rest.remove(wanted)
        assert len(rest) == 3 and rest[1] == "other"
    else:
        for look in (values.index, rest.remove):
            with pytest.raises(ValueError, match="not in"):
                look(wanted)


def test_a_value_that_equals_everything_is_found():
    for values in (Array([1, "a"]), tvm_ffi.List([1, "a"])):
        assert ANY in values and (values.index(ANY), values.count(ANY)) == (0, 2)


def test_bounds_of_index():
    array = Array([5, 6, 5])
    assert array.index(5, 1) == array.index(5, -2) == array.index(value=5, start=1, stop=9) == 2
    assert array.index(5, stop=1) == array.index(5, -99) == 0
    for bounds in ((0, 1), (0, -2), (2,), (9,)):
        with pytest.raises(ValueError, match=r"^6 is not in Array$"):
            array.index(6, *bounds)


def test_searching_a_list_that_the_comparison_changes():
    class Clears:
        def __eq__(self, other):
            values.clear()
            return False

        __hash__ = None

    values = tvm_ffi.List(["a" * 20, object(), "b" * 20])
    assert Clears() not in values and len(values) == 0
    values.extend(["a" * 20, object(), "b" * 20])
    assert values.count(Clears()) == 0 and len(values) == 0


def test_errors_of_comparisons_reach_the_caller():
    class Fails:
        def __eq__(self, other):
            raise KeyError("mine")

        __hash__ = None

    values = tvm_ffi.List([1])
    for look in (values.__contains__, values.index, values.count, values.remove):
        with pytest.raises(KeyError, match="mine"):
            look(Fails())


def test_elements_are_converted_each_time():
    long = Array(["a" * 20])[0]
    assert type(long) is core.String
    value = object()
    assert Array([value])[0] is value
    pair = TestIntPair(1, 2)
    assert Array([pair])[0] is pair


# ---- equality and hash ----


def test_equal_to_sequences():
    array = Array([1, 2, 3])
    assert array == [1, 2, 3]
    assert array == [1, 2, 3]
    assert array == (1, 2, 3)
    assert array == range(1, 4)
    assert array == Array([1, 2, 3])
    assert array != Array([1, 2])
    assert (array != [1, 2, 3]) is False
    assert Array([TestIntPair(1, 2)]) == Array([TestIntPair(1, 2)])


def test_types_of_elements_matter():
    assert Array([1.0]) != [1]
    assert Array([True]) != [1]
    assert Array([float("nan")]) == Array([float("nan")])


def test_not_implemented_for_others():
    array = Array([1])
    for other in ("1", b"1", {1: 2}, 5, None, {1}):
        assert array.__eq__(other) is NotImplemented
        assert array.__ne__(other) is NotImplemented
        assert array != other
    with pytest.raises(TypeError):
        array < array  # noqa: B015


def test_hash():
    assert hash(Array([1, "a"])) == hash(Array([1, "a"]))
    assert hash(Array([1])) != hash(Array([2]))
    assert len({Array([1]), Array([1]), Array([2])}) == 2
    assert isinstance(Array([]), Hashable)


# ---- concatenation ----


@pytest.mark.parametrize("other", [[3, 4], (3, 4), range(3, 5), Array([3, 4])], ids=repr)
def test_concatenation(other):
    array = Array([1, 2])
    for result, expected in ((array + other, [1, 2, 3, 4]), (other + array, [3, 4, 1, 2])):
        assert type(result) is Array
        assert list(result) == expected
    assert array == [1, 2]


def test_concatenation_with_generator_and_with_others():
    assert list(Array([1]) + (x for x in [2])) == [1, 2]
    for bad in (5, None):
        with pytest.raises(TypeError):
            Array([1]) + bad
        with pytest.raises(TypeError):
            bad + Array([1])
    with pytest.raises(TypeError):
        Array([1]) * 2


def test_concatenation_keeps_the_python_class(echo):
    class Mine(Array):
        pass

    mine = Mine([1])
    assert type(mine + [2]) is Mine  # noqa: RUF005 - the operator is meant
    assert echo(mine) is mine


# ---- the class ----


def test_class():
    assert issubclass(Array, Sequence)
    assert isinstance(Array([]), tvm_ffi.Object)
    assert isinstance(Array([]), core.CContainerBase)
    assert isinstance(Array([]), core.CObject)
    assert type(Array[int]) is types.GenericAlias
    assert vars(Array)["__slots__"] == ()
    with pytest.raises(AttributeError):
        Array([]).attribute = 1


def test_pattern_matching():
    namespace = {"array": Array([1, 2, 3])}
    exec("match array:\n  case [first, *rest]: result = (first, rest)", namespace)
    assert namespace["result"] == (1, [2, 3])


def test_repr():
    assert repr(Array([])) == "()"
    assert repr(Array([1])) == "(1,)"
    assert str(Array([1, "a", None, True, b"b", 0.5])) == '(1, "a", None, True, b"b", 0.5)'
    assert repr(Array([TestIntPair(1, 2)])) == "(testing.TestIntPair(a=1, b=2),)"


def test_empty_handle_is_refused():
    empty = Array.__new__(Array)
    for use in (len, iter, bool, list, hash, lambda a: a[0], lambda a: a + a, lambda a: 1 in a):
        with pytest.raises(ValueError, match="is empty"):
            use(empty)
    assert repr(empty) == "Array(chandle=None)"


def test_elements_die_with_the_array(use_count):
    pair = TestIntPair(1, 2)
    array = Array([pair] * 10)
    assert use_count(pair) == 11
    del array
    assert use_count(pair) == 1
