# SPDX-License-Identifier: Apache-2.0
"""Test ``Array``, a sequence of values in native memory."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import threading
import tracemalloc
import types
import weakref
from collections.abc import Callable, Hashable, Mapping, MutableMapping, MutableSequence, Sequence
from unittest.mock import ANY

import pytest
from running import FREE_THREADED, run_threads

import tvm_ffi
import tvm_ffi.testing
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


# ---- the memory of short arrays

without_headers = pytest.mark.skipif(FREE_THREADED, reason="all arrays are tracked without the GIL")
LEAVES = [None, True, 7, 2.5, "a", "a text that lies on the heap", b"bytes", tvm_ffi.dtype("int32")]


@pytest.mark.parametrize("n", range(7))
def test_arrays_of_each_length_keep_their_elements(n: int) -> None:
    many = [tvm_ffi.Array([i + k for k in range(n)]) for i in range(3000)]
    for i in range(0, 3000, 2):
        many[i] = tvm_ffi.Array(["x"] * n)
    for i in range(1, 3000, 2):
        assert list(many[i]) == [i + k for k in range(n)]
    assert all(list(many[i]) == ["x"] * n for i in range(0, 3000, 2))


@without_headers
@pytest.mark.parametrize("leaf", LEAVES, ids=repr)
def test_a_short_array_of_leaves_is_not_tracked(leaf: object) -> None:
    array = tvm_ffi.Array([leaf])
    assert not gc.is_tracked(array)
    assert gc.get_referents(array) == []
    gc.collect()
    assert array[0] == leaf


@without_headers
def test_an_array_that_may_reach_python_is_tracked() -> None:
    pair = tvm_ffi.testing.TestIntPair(1, 2)
    assert not gc.is_tracked(tvm_ffi.Array([pair]))
    for value in (lambda: 1, [1], {1: 2}, tvm_ffi.List([1]), object()):
        assert gc.is_tracked(tvm_ffi.Array([value])), value
    assert gc.is_tracked(tvm_ffi.Array(range(100)))


# The header in front of objects that the collector tracks; 0 in free-threaded interpreters.
GC_HEADER = sys.getsizeof([]) - list.__basicsize__


def bytes_per_array(items: list[object]) -> float:
    """Return the average memory in bytes that the interpreter allocates for one array."""
    count = 10_000
    # tracemalloc does not count memory of free lists, which these arrays use up.
    kept = [tvm_ffi.Array(items) for _ in range(5000)]
    arrays: list[object] = [None] * count
    tracemalloc.start()
    try:
        for i in range(count):
            arrays[i] = tvm_ffi.Array(items)
        assert len(kept) == 5000
        return tracemalloc.get_traced_memory()[0] / count
    finally:
        tracemalloc.stop()


def test_only_arrays_that_may_reach_python_have_a_gc_header() -> None:
    basic = tvm_ffi.Array.__basicsize__
    assert basic == object.__basicsize__ + 2 * tuple.__itemsize__  # the handle and the tag
    bytes_per_array([1, 2])  # the table of wrappers may grow
    assert bytes_per_array([1, 2]) == pytest.approx(basic, abs=2)
    assert bytes_per_array([object(), 2]) == pytest.approx(basic + GC_HEADER, abs=2)


@without_headers
def test_the_collector_leaves_arrays_without_a_header_alone() -> None:
    """Check that functions of `gc`, which use GC headers, accept arrays that do not have one."""
    arrays = [tvm_ffi.Array([i, "x"]) for i in range(1000)]
    tracked = tvm_ffi.Array([[1], 2])
    known = {id(x) for x in gc.get_objects()}
    assert id(tracked) in known and known.isdisjoint(map(id, arrays))
    for array in arrays[:10]:
        assert not gc.is_tracked(array) and not gc.is_finalized(array)
        assert arrays in gc.get_referrers(array)
    gc.freeze()
    gc.collect()
    gc.unfreeze()
    cycle: list[object] = [arrays[0], arrays[1]]
    cycle.append(cycle)
    del cycle
    gc.collect()
    assert [list(array) for array in arrays] == [[i, "x"] for i in range(1000)]


def test_weak_references_and_containers_take_arrays_without_a_header() -> None:
    array = tvm_ffi.Array([1, 2])
    with pytest.raises(TypeError, match="weak reference"):
        weakref.ref(array)
    nested = ((array,), {"key": array}, [array])
    gc.collect()
    assert nested[0][0] is nested[1]["key"] is nested[2][0] is array


@without_headers
def test_memory_of_both_kinds_of_array_is_not_mixed_up() -> None:
    for _ in range(3):
        short = [tvm_ffi.Array([i]) for i in range(5000)]
        tracked = [tvm_ffi.Array([[i]]) for i in range(5000)]
        assert all(map(gc.is_tracked, tracked)) and not any(map(gc.is_tracked, short))
        del short
        gc.collect()
        assert [array[0][0] for array in tracked] == list(range(5000))
        del tracked
        gc.collect()


@pytest.mark.parametrize("others", [0, 1, 3, 50])
def test_a_cycle_through_an_array_is_collected(others: int) -> None:
    class Mark:
        pass

    def make() -> weakref.ref[Mark]:
        mark = Mark()
        members: list[object] = [mark]

        def callback() -> object:
            return members

        members.append(tvm_ffi.Array([callback, *range(others)]))
        return weakref.ref(mark)

    gone = make()
    gc.collect()
    assert gone() is None


def test_both_kinds_of_array_behave_alike() -> None:
    def facts(array: tvm_ffi.Array) -> list[object]:
        return [
            type(array),
            repr(array[:3]),
            array[0] == 1,
            array == copy.copy(array) == copy.deepcopy(array) == pickle.loads(pickle.dumps(array)),
            array.__add__([1]) == [*array, 1],
            sys.getrefcount(array),
        ]

    assert facts(tvm_ffi.Array([1, 2, 3])) == facts(tvm_ffi.Array([1, 2, 3, [4], 5]))


@without_headers
def test_an_array_keeps_its_class_when_instances_differ_in_memory() -> None:
    class Other(tvm_ffi.Array):
        __slots__ = ()

    for array in (tvm_ffi.Array([1]), tvm_ffi.Array([[1]])):
        with pytest.raises(TypeError, match="__class__ assignment"):
            array.__class__ = Other
    assert list(Other([1, 2])) == [1, 2]
    gc.collect()


def let_both_kinds_die(last_words: Callable[[tvm_ffi.Array], object]) -> None:
    """Make and drop arrays with and without a GC header, while their class has a `__del__`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tvm_ffi.Array, "__del__", last_words, raising=False)
        for items in ([1, 2], [[1], 2]):
            array = tvm_ffi.Array(items)
            del array


def test_a_del_that_came_later_runs_for_both_kinds() -> None:
    script: list[int] = []
    let_both_kinds_die(lambda array: script.append(len(array)))
    assert script == [2, 2]


def test_a_del_may_bring_either_kind_back() -> None:
    kept: list[tvm_ffi.Array] = []
    let_both_kinds_die(lambda array: kept.append(array))
    gc.collect()
    assert kept[0] == [1, 2] and kept[1][1] == 2
    kept.clear()
    gc.collect()


def test_arrays_die_on_threads_while_others_are_made() -> None:
    release = tvm_ffi.get_global_func("testing.nop")
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            for i in range(2000):
                arrays = [tvm_ffi.Array([seed, i, k]) for k in range(5)]
                release(*arrays)
                assert all(list(a) == [seed, i, k] for k, a in enumerate(arrays))
        except BaseException as error:
            failures.append(error)

    run_threads([threading.Thread(target=work, args=(n,)) for n in range(6)])
    assert not failures


def test_construction_raises_the_errors_of_the_general_path() -> None:
    assert tvm_ffi.Array(input_list=[3]) == [3]
    for args in ((), (1, 2)):
        with pytest.raises(TypeError, match="Array"):
            tvm_ffi.Array(*args)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="not iterable"):
        tvm_ffi.Array(1)  # type: ignore[arg-type]


def test_a_subclass_initializer_is_still_asked() -> None:
    class Doubled(tvm_ffi.Array):
        def __init__(self, items: list[int]) -> None:
            super().__init__([2 * x for x in items])

    assert Doubled([1, 2]) == [2, 4]
    assert type(Doubled([1])) is Doubled
