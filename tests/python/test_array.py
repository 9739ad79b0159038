# SPDX-License-Identifier: Apache-2.0
"""Test ``Array``, a sequence of values in native memory."""

from __future__ import annotations

import types
from collections.abc import Hashable, Mapping, MutableMapping, MutableSequence, Sequence
from unittest.mock import ANY

import pytest

import tvm_ffi
from tvm_ffi import core
from tvm_ffi.dataclasses import IntEnum, py_class
from tvm_ffi.testing import TestIntPair

Array, List = tvm_ffi.Array, tvm_ffi.List

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


@pytest.mark.spec("PY-B34")
@pytest.mark.parametrize("bad", [1, None, 1.5, object()])
def test_made_from_something_else(bad):
    with pytest.raises(TypeError):
        Array(bad)
    made = Array.__new__(Array)
    with pytest.raises(TypeError):
        made.__init__(bad)
    assert made.__chandle__() == 0


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


@pytest.mark.spec("PY-H178", "PY-H180")
def test_index():
    array = Array([1, "two", 3.0])
    assert (array[0], array[1], array[2], array[-1], array[-3]) == (1, "two", 3.0, 3.0, 1)
    assert array[True] == "two"


@pytest.mark.spec("PY-H180")
def test_index_of_other_integers():
    np = pytest.importorskip("numpy")
    assert Array([1, 2])[np.int64(1)] == 2


@pytest.mark.spec("PY-H179")
@pytest.mark.parametrize("index", [3, 5, -4, 2**62, -(2**62)])
def test_index_out_of_range(index):
    with pytest.raises(IndexError) as caught:
        Array([1, 2, 3])[index]
    assert str(caught.value) == f"Index out of range. size: 3, got index {index}"


@pytest.mark.spec("PY-H179")
@pytest.mark.parametrize(("bad", "name"), [("x", "str"), (1.0, "float"), (None, "NoneType")])
def test_index_of_another_type(bad, name):
    with pytest.raises(TypeError, match=f"indices must be integers or slices, not {name}"):
        Array([1])[bad]


@pytest.mark.spec("PY-H178")
@pytest.mark.parametrize("kind", [Array, List])
@pytest.mark.parametrize(
    "part",
    [
        *(slice(None), slice(1, None), slice(None, -1), slice(None, None, -1), slice(5, 1, -2)),
        *(slice(2, 2), slice(4, 1), slice(-100, 100), slice(None, None, 3), slice(-2, None)),
    ],
    ids=str,
)
def test_slice_is_the_list_that_python_gives(kind, part):
    values = [1, "two", 3.0, None, b"5", 6]
    result = kind(values)[part]
    assert type(result) is list
    assert result == values[part]


def test_slice_with_step_zero():
    with pytest.raises(ValueError, match="zero"):
        Array([1])[::0]


@pytest.mark.spec("PY-H188")
def test_items_cannot_be_assigned():
    array = Array([1])
    with pytest.raises(TypeError):
        array[0] = 2
    with pytest.raises(TypeError):
        del array[0]


@pytest.mark.spec("PY-H187")
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


@pytest.mark.spec("PY-H187")
def test_length_and_truth():
    assert (len(Array([1, 2])), bool(Array([0])), bool(Array([]))) == (2, True, False)


@pytest.mark.spec("PY-H186")
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


@pytest.mark.spec("PY-H187")
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
    *(Array([1]), List([Array([2])]), TestIntPair(1, 2), ByValue(3), Level.low, object()),
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


@pytest.mark.parametrize("kind", [Array, List])
@pytest.mark.parametrize(
    ("element", "wanted", "found"),
    [*((value, value, True) for value in SEARCHED), *ACROSS],
    ids=lambda x: repr(x)[:20],
)
def test_in_index_count_and_remove_agree(kind, element, wanted, found):
    values = kind(["other", element, "other", element])
    assert (wanted in values) is found
    assert values.count(wanted) == 2 * found
    rest = List(values)
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
    for values in (Array([1, "a"]), List([1, "a"])):
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

    values = List(["a" * 20, object(), "b" * 20])
    assert Clears() not in values and len(values) == 0
    values.extend(["a" * 20, object(), "b" * 20])
    assert values.count(Clears()) == 0 and len(values) == 0


def test_errors_of_comparisons_reach_the_caller():
    class Fails:
        def __eq__(self, other):
            raise KeyError("mine")

        __hash__ = None

    values = List([1])
    for look in (values.__contains__, values.index, values.count, values.remove):
        with pytest.raises(KeyError, match="mine"):
            look(Fails())


@pytest.mark.spec("PY-H210", "PY-H211")
def test_elements_are_converted_each_time():
    long = Array(["a" * 20])[0]
    assert type(long) is core.String
    value = object()
    assert Array([value])[0] is value
    pair = TestIntPair(1, 2)
    assert Array([pair])[0] is pair
    assert tvm_ffi.Dict({"a": [value]})["a"][0] is value
    assert tvm_ffi.Map({"p": pair})["p"] is pair


# ---- equality and hash ----


@pytest.mark.spec("PY-H182")
def test_equal_to_sequences():
    array = Array([1, 2, 3])
    assert array == [1, 2, 3]
    assert array == (1, 2, 3)
    assert array == tvm_ffi.Shape((1, 2, 3))
    assert array == range(1, 4)
    assert array == Array([1, 2, 3])
    assert array != Array([1, 2])
    assert (array != [1, 2, 3]) is False
    assert Array([TestIntPair(1, 2)]) == Array([TestIntPair(1, 2)])


@pytest.mark.spec("PY-H184")
def test_types_of_elements_matter():
    assert Array([1.0]) != [1]
    assert Array([True]) != [1]
    assert Array([float("nan")]) == [float("nan")] == Array([float("nan")])


@pytest.mark.spec("PY-H183")
def test_not_implemented_for_others():
    array = Array([1])
    for other in ("1", b"1", {1: 2}, 5, None, {1}):
        assert array.__eq__(other) is NotImplemented
        assert array.__ne__(other) is NotImplemented
        assert array != other
    with pytest.raises(TypeError):
        array < array  # noqa: B015


@pytest.mark.spec("PY-H185")
def test_hash():
    assert hash(Array([1, "a"])) == hash(Array([1, "a"]))
    assert hash(Array([1])) != hash(Array([2]))
    assert len({Array([1]), Array([1]), Array([2])}) == 2


# ---- concatenation ----


@pytest.mark.spec("PY-H181")
@pytest.mark.parametrize("kind", [Array, List])
def test_concatenation(kind):
    values = kind([1])
    for other in ([2], (2,), range(2, 3), (x for x in [2]), Array([2]), List([2])):
        assert type(values + other) is kind
    for other in ([2], (2,), range(2, 3), Array([2]), List([2])):
        assert list(values + other) == [1, 2]
        assert list(other + values) == [2, 1]
    for other in ([2], (2,), range(2, 3)):
        assert type(other + values) is kind
    for bad in (5, None):
        with pytest.raises(TypeError):
            values + bad
        with pytest.raises(TypeError):
            bad + values
    with pytest.raises(TypeError):
        values * 2
    assert values == [1]


def test_concatenation_keeps_the_python_class(echo):
    class Mine(Array):
        pass

    mine = Mine([1])
    assert type(mine + [2]) is Mine  # noqa: RUF005 - the operator is meant
    assert echo(mine) is mine


# ---- the class ----


@pytest.mark.spec("PY-H205", "PY-B41", "PY-B44")
@pytest.mark.parametrize(
    ("cls", "bases"),
    [
        (Array, {Sequence}),
        (List, {Sequence, MutableSequence}),
        (tvm_ffi.Map, {Mapping}),
        (tvm_ffi.Dict, {Mapping, MutableMapping}),
    ],
)
def test_abstract_classes(cls, bases):
    value = cls([])
    every = (Sequence, MutableSequence, Mapping, MutableMapping)
    assert {base for base in every if isinstance(value, base)} == bases
    for base in (Hashable, tvm_ffi.Object, core.CContainerBase, core.CObject):
        assert isinstance(value, base)
    kinds = (Array, List, tvm_ffi.Map, tvm_ffi.Dict)
    assert [kind for kind in kinds if isinstance(value, kind)] == [cls]
    assert type(cls[int]) is types.GenericAlias


def test_class():
    assert vars(Array)["__slots__"] == ()
    with pytest.raises(AttributeError):
        Array([]).attribute = 1


@pytest.mark.spec("PY-H187")
def test_pattern_matching():
    namespace = {"array": Array([1, 2, 3]), "mapping": tvm_ffi.Map({"a": 1})}
    exec("match array:\n  case [first, *rest]: result = (first, rest)", namespace)
    exec("match mapping:\n  case {'a': value}: result += (value,)", namespace)
    assert namespace["result"] == (1, [2, 3], 1)


@pytest.mark.spec("PY-H206")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Array([1]), "(1,)"),
        (Array([]), "()"),
        (List([1]), "[1]"),
        (tvm_ffi.Map({}), "{}"),
        (tvm_ffi.Map({3: 2, "a": (3,)}), '{3: 2, "a": (3,)}'),
        (tvm_ffi.Dict({"a": 1}), '{"a": 1}'),
        (Array([1 / 3, 1e16]), "(0.333333, 1e+16)"),
        (Array([1, "a", None, True, b"b", 0.5]), '(1, "a", None, True, b"b", 0.5)'),
        (Array([TestIntPair(1, 2)]), "(testing.TestIntPair(a=1, b=2),)"),
        (Array([b'ab"\0']), '(b"ab\\x22\\x00",)'),
        (Array([None, True, "é"]), '(None, True, "\\u00e9")'),
    ],
)
def test_text(value, text):
    assert repr(value) == str(value) == text


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
