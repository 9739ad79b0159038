# SPDX-License-Identifier: Apache-2.0
"""Test wrappers: one wrapper per native object, moved handles, and freed wrappers."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable

import pytest
from running import FREE_THREADED, run_threads

import tvm_ffi
from tvm_ffi import core, testing

ECHO = tvm_ffi.get_global_func("testing.echo")
USE_COUNT = tvm_ffi.get_global_func("testing.object_use_count")


def test_wrappers_do_not_keep_objects_after_their_death() -> None:
    array = tvm_ffi.Array([testing.TestIntPair(1, 2)])
    pair = array[0]
    assert USE_COUNT(pair) == 2
    del pair
    assert USE_COUNT(array[0]) == 2
    assert array[0].a == 1


def test_ten_thousand_wrappers_stay_apart() -> None:
    pairs = [testing.TestIntPair(i, -i) for i in range(10_000)]
    array = tvm_ffi.Array(pairs)
    assert all(array[i] is pairs[i] for i in range(10_000))
    del pairs[::2]
    assert all(array[2 * i + 1] is pairs[i] for i in range(5_000))
    fresh = [array[2 * i] for i in range(5_000)]
    assert all(p.a == 2 * i for i, p in enumerate(fresh))
    assert all(array[2 * i] is p for i, p in enumerate(fresh))


def test_a_callback_cannot_take_an_argument_away_from_the_call_under_way() -> None:
    walk = tvm_ffi.get_global_func("ffi.StructuralWalk")
    takes = tvm_ffi.convert(lambda x: None)
    counts = []

    def steal_by_call(x: tvm_ffi.List) -> None:
        takes(x._move())

    def steal_by_move(x: tvm_ffi.List) -> None:
        tvm_ffi.List.__new__(tvm_ffi.List).__move_handle_from__(x)

    def make_again(x: tvm_ffi.List) -> None:
        x.__init__([tvm_ffi.List([9])])

    for steal in (steal_by_call, steal_by_move, make_again):
        inner = testing.TestIntPair(1, 2)
        outer = tvm_ffi.List([tvm_ffi.List([1]), tvm_ffi.List([2]), inner])
        visited = []

        def visit(*args, steal=steal, outer=outer, visited=visited) -> None:
            if not visited:
                steal(outer)
                tvm_ffi.List([[7], [8], 9])  # would reuse the memory of a list freed too early
            visited.append(args)

        walk(outer, [(tvm_ffi.core._object_type_key_to_index("ffi.List"), visit)], [], 0)
        assert len(visited) == 3
        visited.clear()
        counts.append(USE_COUNT(inner))
    assert counts == [1, 1, 1]


def test_a_later_argument_cannot_take_an_earlier_one_away() -> None:
    class Thief:
        def __init__(self, victim: tvm_ffi.List) -> None:
            self.victim = victim

        def __tvm_ffi_value__(self) -> int:
            self.victim.__init__([1])
            return 5

    victim = tvm_ffi.List([1, 2, 3])
    length = tvm_ffi.convert(lambda x, y: len(x))
    assert length(victim, Thief(victim)) == 3
    assert len(victim) == 1


def test_an_object_that_the_callee_does_not_take_stays_with_its_wrapper() -> None:
    pair = testing.TestIntPair(1, 2)
    tvm_ffi.get_global_func("testing.nop")(pair._move())
    assert pair.a == 1
    assert ECHO(pair) is pair


def test_the_same_rvalue_reference_twice_is_refused() -> None:
    moved = testing.TestIntPair(1, 2)._move()
    with pytest.raises(ValueError, match="passed twice"):
        ECHO(moved, moved)
    assert moved.obj.a == 1


def test_a_function_does_not_move_while_it_runs() -> None:
    failures = []

    def steal() -> None:
        try:
            core.Function.__new__(core.Function).__move_handle_from__(function)
        except ValueError as error:
            failures.append(str(error))

    function = tvm_ffi.convert(steal)
    function()
    if FREE_THREADED:
        # Calls are not counted. The call keeps the function alive until it ends.
        assert failures == []
        with pytest.raises(ValueError, match="moved"):
            function()
    else:
        assert failures == ["cannot move a Function while it is being called"]


def test_a_subclass_with_a_finalizer_dies_once() -> None:
    deaths = []

    class Mortal(testing.TestIntPair):
        def __del__(self) -> None:
            deaths.append(self.a)

    mortal = Mortal(5, 6)
    array = tvm_ffi.Array([mortal])
    del mortal
    gc.collect()
    assert deaths == [5]
    assert array[0].a == 5


def test_a_finalizer_added_later_is_honoured() -> None:
    deaths = []

    class Late(tvm_ffi.Object):
        pass

    tvm_ffi.register_object("testing.TestIntPair")(Late)
    try:
        late = Late(1, 2)
        Late.__del__ = lambda self: deaths.append(self.a)  # type: ignore[attr-defined]
        del late
        assert deaths == [1]
    finally:
        tvm_ffi.register_object("testing.TestIntPair")(testing.TestIntPair)


def test_wrappers_made_and_dropped_on_many_threads() -> None:
    shared = tvm_ffi.Array([testing.TestIntPair(i, i) for i in range(50)])
    wrong = []

    def work() -> None:
        for i in range(2000):
            if shared[i % 50].a != i % 50 or ECHO(testing.TestIntPair(i, 1)).a != i:
                wrong.append(i)

    run_threads([threading.Thread(target=work) for _ in range(4)])
    assert wrong == []


def test_memory_of_wrappers_with_a_dictionary_is_not_given_to_plain_ones() -> None:
    class Open(testing.TestIntPair):
        __slots__ = ("__dict__",)

    many = [Open(i, i) for i in range(100)]
    del many
    plain = [testing.TestIntPair(i, i) for i in range(5000)]
    del plain
    gc.collect()
    assert testing.TestIntPair(1, 2).a == 1


LEAF_CLASSES = """
import gc
import sys
import tvm_ffi
from tvm_ffi import testing

early = []

class Base(tvm_ffi.Object):
    def __init_subclass__(cls, **kwargs):
        early.append(cls.__new__(cls))

class Pair(Base):
    pass

tvm_ffi.register_object("testing.TestIntPair")(Pair)
made = Pair(1, 2)
assert gc.is_tracked(early[0]) and type(early[0]) is type(made) is Pair
held = [Pair(i, i) for i in range(5000)]
early.clear()
del held, made
gc.collect()
print("done")
"""


def test_instances_older_than_the_registration_of_their_class_die_well(
    run_python: Callable[..., str],
) -> None:
    assert run_python(LEAF_CLASSES) == "done"


def test_objects_that_hold_only_numbers_have_no_gc_header() -> None:
    class Sub(testing.TestIntPair):
        pass

    pair, sub = testing.TestIntPair(1, 2), Sub(1, 2)
    assert not gc.is_tracked(pair)
    # `sys.getsizeof` would add the GC header if the class had one.
    assert sys.getsizeof(pair) == type(pair).__basicsize__
    assert type(pair).__basicsize__ == object.__basicsize__ + tuple.__itemsize__  # the handle
    assert not type(pair).__flags__ & (1 << 14)  # Py_TPFLAGS_HAVE_GC
    assert (sub.a, sub.b) == (1, 2)
    del pair, sub
    gc.collect()
