# SPDX-License-Identifier: Apache-2.0
"""Test the memory of short arrays.

An array whose elements cannot be part of a cycle has no GC header. Any thread may free the memory
of an array.
"""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import threading
import tracemalloc
import weakref
from collections.abc import Callable

import pytest
from running import run_threads

import tvm_ffi
import tvm_ffi.testing

LEAVES = [None, True, 7, 2.5, "a", "a text that lies on the heap", b"bytes", tvm_ffi.dtype("int32")]


@pytest.mark.parametrize("n", range(7))
def test_arrays_of_each_length_keep_their_elements(n: int) -> None:
    many = [tvm_ffi.Array([i + k for k in range(n)]) for i in range(3000)]
    for i in range(0, 3000, 2):
        many[i] = tvm_ffi.Array(["x"] * n)
    for i in range(1, 3000, 2):
        assert list(many[i]) == [i + k for k in range(n)]
    assert all(list(many[i]) == ["x"] * n for i in range(0, 3000, 2))


@pytest.mark.parametrize("leaf", LEAVES, ids=repr)
def test_a_short_array_of_leaves_is_not_tracked(leaf: object) -> None:
    array = tvm_ffi.Array([leaf])
    assert not gc.is_tracked(array)
    assert gc.get_referents(array) == []
    gc.collect()
    assert array[0] == leaf


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
    # tracemalloc does not count memory from a free list, so these arrays use up the free lists.
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
    assert bytes_per_array([1, 2]) == pytest.approx(basic, abs=2)
    assert bytes_per_array([object(), 2]) == pytest.approx(basic + GC_HEADER, abs=2)


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
