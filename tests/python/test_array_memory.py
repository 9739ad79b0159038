# SPDX-License-Identifier: Apache-2.0
"""Short arrays: without the collector's head where nothing in them can be part of a cycle, and in
memory that any thread may give back."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import threading
import weakref
from collections.abc import Callable

import pytest

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
def test_a_short_array_of_leaves_is_no_business_of_the_collector(leaf: object) -> None:
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
    """Make and drop an array without a head and one with it, while arrays have a `__del__`."""
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

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_construction_takes_the_words_of_the_general_road() -> None:
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
