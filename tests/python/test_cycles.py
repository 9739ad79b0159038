# SPDX-License-Identifier: Apache-2.0
"""Test that unreachable cycles of native references are collected, and live objects are not."""

from __future__ import annotations

import gc
import sys
import textwrap
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from running import collects_beside_threads, execute, run_threads

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map
from tvm_ffi.core import _collect_cycles
from tvm_ffi.dataclasses import field, py_class


class Payload:
    """An object for weak references, which show whether the node that refers to it is alive."""


@py_class("test.cycles.Node")
class Node(tvm_ffi.Object):
    next: Any = None
    other: Any = None
    payload: Any = None


@py_class("test.cycles.Typed")
class Typed(tvm_ffi.Object):
    parent: Typed | None = None
    children: List[Typed] = field(default_factory=list)
    payload: Any = None


@py_class("test.cycles.Leaf")
class Leaf(tvm_ffi.Object):
    number: int
    text: str


@py_class("test.cycles.Derived")
class Derived(Node):
    extra: Any = None


def node() -> Node:
    return Node(payload=Payload())


def watched_pair() -> tuple[Node, weakref.ref]:
    """Return a node that another node refers back to, and a reference to its payload."""
    a = node()
    a.next = Node(next=a)
    return a, weakref.ref(a.payload)


def assert_collected(watched: weakref.ref) -> None:
    gc.collect()
    assert watched() is None


# ---- shapes: each function makes a cycle that includes `a`; the test watches the payload of `a`


def itself(a):
    a.next = a


def pair(a):
    a.next = Node(next=a)


def ring(a):
    last = a
    for _ in range(50):
        last.next = Node()
        last = last.next
    last.next = a


def two_rings_that_share_an_object(a):
    a.next = Node(next=a)
    a.other = Node(next=a)


def array(a):
    a.next = Array([1, a])


def list_(a):
    a.next = List([1])
    a.next.append(a)


def list_of_itself(a):
    a.next = List([a])
    a.next.append(a.next)


def map_value(a):
    a.next = Map({"a": a})


def map_key(a):
    a.next = Map({a: 1})


def large_map(a):
    a.next = Map(dict.fromkeys(range(100), a))


def dict_value(a):
    a.next = Dict()
    a.next["a"] = a


def dict_key(a):
    a.next = Dict({a: 1})


def large_dict_of_keys(a):
    a.next = Dict({Node(next=a): i for i in range(100)})


def nested_containers(a):
    a.next = Dict({"x": Array([List([Map({1: a})])])})


def tuple_(a):
    a.next = (1, (2, a))


def subclass(a):
    a.next = Derived(extra=a)


def callback(a):
    a.next = Node(next=a)
    a.next.other = lambda: a


def bound_method(a):
    class Handler:
        def __init__(self, owner):
            self.owner = owner

        def handle(self):
            return self.owner

    a.next = Node(next=a)
    a.next.other = Handler(a).handle


def partial(a):
    import functools

    a.next = Node(next=a)
    a.next.other = functools.partial(print, a)


def one_callback_held_twice(a):
    function = tvm_ffi.convert(lambda: a)
    a.next = function
    a.other = function


def boxed_python_object(a):
    a.next = Node(next=a)
    holder = Payload()
    holder.owner = a
    a.next.other = holder


def error(a):
    caught = ValueError("x")
    caught.owner = a
    a.next = Node(next=a)
    a.next.other = tvm_ffi.convert(caught)


SHAPES = [
    *(itself, pair, ring, two_rings_that_share_an_object, array, list_, list_of_itself, map_value),
    *(map_key, large_map, dict_value, dict_key, large_dict_of_keys, nested_containers, tuple_),
    *(subclass, callback, bound_method, partial, one_callback_held_twice),
    *(boxed_python_object, error),
]


def watch(shape: Callable[[Node], None]) -> weakref.ref:
    a = node()
    watched = weakref.ref(a.payload)
    shape(a)
    return watched


@pytest.fixture(autouse=True)
def nothing_is_left():
    gc.collect()
    yield
    gc.collect()


@pytest.mark.parametrize("shape", SHAPES)
def test_a_cycle_is_collected(shape):
    gc.disable()
    try:
        watched = watch(shape)
        assert watched() is not None
        assert_collected(watched)
    finally:
        gc.enable()


@pytest.mark.parametrize("shape", SHAPES)
def test_a_cycle_with_a_wrapper_is_kept(shape):
    a = node()
    watched = weakref.ref(a.payload)
    shape(a)
    for _ in range(3):
        gc.collect()
    assert watched() is a.payload
    assert a.next is not None
    del a
    assert_collected(watched)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_cycle_that_a_native_container_holds_is_kept(shape):
    holder = List([])
    a = node()
    watched = weakref.ref(a.payload)
    shape(a)
    holder.append(a)
    del a
    for _ in range(3):
        gc.collect()
    assert watched() is holder[0].payload
    assert holder[0].next is not None
    holder.clear()
    assert_collected(watched)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_hangs_on_a_live_object_is_kept(shape):
    """Check that a live object keeps a cycle alive through arrays that are not candidates."""
    holder = Node(next=Array([Array([node()])]))
    watched = weakref.ref(holder.next[0][0].payload)
    shape(holder.next[0][0])
    for _ in range(3):
        gc.collect()
    assert watched() is holder.next[0][0].payload
    assert holder.next[0][0].next is not None
    holder.next = None
    assert_collected(watched)


def test_a_live_object_that_garbage_refers_to_is_kept():
    live = node()
    a = node()
    a.next = Node(next=a, other=List([live, live]))
    del a
    gc.collect()
    assert isinstance(live.payload, Payload)
    assert live.next is None


def test_a_long_ring_is_collected_without_the_c_stack():
    first = last = node()
    watched = weakref.ref(first.payload)
    for _ in range(100_000):
        last.next = Node()
        last = last.next
    last.next = first
    del first, last
    assert_collected(watched)


def test_parents_and_children_are_collected():
    root = Typed(payload=Payload())
    watched = weakref.ref(root.payload)
    for _ in range(10):
        child = Typed(parent=root)
        child.children.append(Typed(parent=child))
        root.children.append(child)
    del root, child
    assert_collected(watched)


def test_a_copy_of_a_cycle_is_collected():
    import copy

    a = Node()
    a.next = List([a])
    twin = copy.deepcopy(a)
    assert twin.next[0] is twin
    twin.payload = Payload()
    watched = weakref.ref(twin.payload)
    del twin
    assert_collected(watched)
    assert a.next[0] is a
    a.next = None


def test_a_cycle_is_collected_after_it_was_seen_alive():
    a, watched = watched_pair()
    holder = List([a])
    del a
    gc.collect()
    assert watched() is not None
    holder.pop()  # the earlier collection has already seen each wrapper that dies here
    assert_collected(watched)


def test_a_cycle_that_python_garbage_held_goes_in_the_same_collection():
    a, watched = watched_pair()
    knot = [a]
    knot.append(knot)
    del a, knot
    assert_collected(watched)


def test_wrappers_of_survivors_are_found_again():
    a = node()
    a.next = b = Node(next=a)
    address = b.__chandle__()
    del b
    gc.collect()
    again = a.next
    assert again.__chandle__() == address
    assert a.next is again
    del again
    gc.collect()
    assert a.next.next is a
    a.next = None


# ---- automatic collection


def payloads_alive(refs):
    return sum(ref() is not None for ref in refs)


# The time of a collection depends on what the previous collection did, so these programs run in
# separate processes.
COUNTING = """
    import tvm_ffi
    from tvm_ffi.dataclasses import py_class

    alive = most = 0

    class Counted:
        def __init__(self):
            global alive, most
            alive += 1
            most = max(most, alive)

        def __del__(self):
            global alive
            alive -= 1

    @py_class("test.cycles.Counting")
    class Node(tvm_ffi.Object):
        next: object = None
        payload: object = None

    def make_pairs(count):
        for _ in range(count):
            a = Node(payload=Counted())
            a.next = Node(next=a)
"""


def most_pairs_alive(run_python, program: str) -> int:
    whole = textwrap.dedent(COUNTING) + textwrap.dedent(program) + "\nprint(most)"
    return int(run_python(whole))


def test_many_cycles_are_collected_without_being_asked(run_python):
    assert most_pairs_alive(run_python, "make_pairs(20_000)") < 12_000


def test_a_hundred_thousand_pairs_do_not_accumulate(run_python):
    program = """
    import gc
    make_pairs(100_000)
    gc.collect()
    assert alive == 0
    """
    assert most_pairs_alive(run_python, program) < 25_000


def test_pairs_do_not_accumulate_beside_many_live_objects(run_python):
    # Collections that find no garbage become rarer, but the amount of garbage stays proportional to
    # the number of live objects.
    program = """
    keep = [Node(next=Node()) for _ in range(30_000)]
    for _ in range(20):  # the objects in `next` become candidates again and again
        for x in keep:
            x.next
        tvm_ffi.core._collect_cycles()
    make_pairs(200_000)
    """
    assert most_pairs_alive(run_python, program) < 150_000


@collects_beside_threads
def test_pairs_do_not_accumulate_while_four_threads_call_native_code(run_python):
    program = """
    import threading
    echo = tvm_ffi.get_global_func("testing.echo")

    def work():
        for i in range(50_000):
            make_pairs(1)
            echo(i)
            echo(i)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    """
    assert most_pairs_alive(run_python, program) < 100_000


@collects_beside_threads
def test_gc_collect_finds_cycles_while_four_threads_call_native_code():
    echo = tvm_ffi.get_global_func("testing.echo")
    stops = threading.Event()

    def work():
        while not stops.is_set():
            echo(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        watched = watch(pair)
        tries = 0
        while watched() is not None and tries < 20:
            gc.collect()
            tries += 1
        assert watched() is None
    finally:
        stops.set()
        for thread in threads:
            thread.join()


def test_a_python_function_that_native_code_calls_can_collect():
    def collects():
        watched = watch(pair)
        gc.collect()
        return watched() is None

    assert tvm_ffi.get_global_func("testing.apply")(collects)


def test_automatic_collection_obeys_gc_disable():
    gc.disable()
    try:
        refs = [watch(pair) for _ in range(30_000)]
        assert payloads_alive(refs) == 30_000
        gc.collect()
        assert payloads_alive(refs) == 0
    finally:
        gc.enable()


def test_cycles_are_collected_after_gc_freeze():
    before = [watch(pair) for _ in range(5)]
    gc.freeze()
    try:
        for _ in range(3):
            refs = [watch(pair) for _ in range(100)]
            gc.collect()
            assert payloads_alive(refs) == 0
    finally:
        gc.unfreeze()
    gc.collect()
    assert payloads_alive(before) == 0


def test_collections_of_young_objects_leave_cycles_alone():
    gc.disable()
    try:
        watched = watch(pair)
        gc.collect(0)
        gc.collect(1)
        assert watched() is not None
    finally:
        gc.enable()
    assert_collected(watched)


def test_gc_collect_returns_what_python_found():
    gc.collect()
    watch(pair)
    assert gc.collect() == 0


def test_other_callbacks_of_the_collector_are_all_called():
    phases = []

    def callback(phase, info):
        phases.append((phase, info["generation"]))

    before = list(gc.callbacks)
    gc.callbacks.append(callback)
    try:
        for generation in (0, 1, 2, 2):
            gc.collect(generation)
    finally:
        gc.callbacks.remove(callback)
    assert gc.callbacks == before
    expected = [(phase, generation) for generation in (0, 1, 2, 2) for phase in ("start", "stop")]
    assert [x for x in phases if x in expected] == expected


def test_python_garbage_is_not_counted_twice():
    gc.collect()
    assert [gc.collect(i) for i in (0, 1, 2, 0, 1, 2)] == [0] * 6
    assert gc.garbage == []


# ---- finalizers, weak references, exceptions


def test_an_object_that_its_finalizer_saves_is_kept_whole():
    saved = []

    class Saviour:
        def __init__(self, owner):
            self.owner = owner

        def __del__(self):
            saved.append(self)

        def call(self):
            return self.owner

    def make():
        a = node()
        a.next = Node(next=a)
        a.next.other = Saviour(a).call
        return weakref.ref(a.payload)

    watched = make()
    gc.collect()
    (saviour,) = saved
    a = saviour.owner
    assert watched() is None  # weak references are cleared first, as by Python's collector
    watched = weakref.ref(a.payload)
    assert a.next.next is a
    assert a.next.other().payload is a.payload
    del a, saviour
    saved.clear()
    assert_collected(watched)
    assert not saved  # a finalizer only runs once


def test_a_finalizer_that_looks_at_the_cycle_finds_it_whole():
    seen = []

    class Looker:
        def __init__(self, owner):
            self.owner = owner

        def __del__(self):
            seen.append(self.owner.next.next is self.owner)

    def make():
        a = node()
        a.next = Node(next=a)
        a.next.other = Looker(a)

    make()
    gc.collect()
    assert seen == [True]


def test_del_of_a_class_runs_when_the_wrapper_dies():
    count = 0

    @py_class("test.cycles.WithDel")
    class WithDel(tvm_ffi.Object):
        next: Any = None
        payload: Any = None

        def __del__(self):
            nonlocal count
            count += 1

    a = WithDel(payload=Payload())
    watched = weakref.ref(a.payload)
    a.next = Node(next=a)
    del a
    assert count == 1
    assert_collected(watched)
    assert count == 1


def test_an_object_saved_by_its_own_del_is_kept():
    saved = []

    @py_class("test.cycles.Resurrected")
    class Resurrected(tvm_ffi.Object):
        next: Any = None

        def __del__(self):
            saved.append(self)

    a = Resurrected()
    a.next = Node(next=a)
    del a
    for _ in range(3):
        gc.collect()
    assert saved[0].next.next is saved[0]
    saved[0].next = None


def test_callbacks_of_weak_references_run_and_may_collect():
    called = []

    def on_death(ref):
        gc.collect()
        called.append(ref)

    a = node()
    watched = weakref.ref(a.payload, on_death)
    a.next = Node(next=a)
    del a
    gc.collect()
    assert called == [watched]


def test_a_weak_reference_in_a_mixed_cycle_sees_whole_objects():
    seen = []

    @py_class("test.cycles.Weak", weakref_slot=True)
    class Weak(tvm_ffi.Object):
        next: Any = None
        payload: Any = None

    class Last:
        def __del__(self):
            x = ref()
            seen.append(None if x is None else x.next.next is x)

    def make():
        a = Weak(payload=Last())
        a.next = Node(next=a)
        a.next.other = lambda: a
        return weakref.ref(a)

    ref = make()
    assert ref() is not None
    gc.collect()
    assert ref() is None
    assert seen in ([None], [True])


def cycle_of_a_function():
    """Return an object in a cycle that only the collector of this package can find."""
    held = Payload()
    held.node = Node()
    held.node.next = Node(next=held.node, other=lambda: held)
    held.call = held.node.next.other
    return held


def test_weak_references_to_garbage_are_dead_before_it_is_taken_apart():
    by_name = weakref.WeakValueDictionary()
    seen = []

    def look(reference):
        seen.append((reference(), list(by_name.values()), other()))

    x = cycle_of_a_function()
    by_name["x"] = x
    other = weakref.ref(x)
    watched = weakref.ref(x, look)
    del x
    gc.collect()
    assert seen == [(None, [], None)]
    assert watched() is None
    assert not by_name


@pytest.mark.parametrize("finalizer", [False, True])
def test_no_weak_reference_gives_an_object_whose_function_is_gone(finalizer):
    found = []
    by_name = weakref.WeakValueDictionary()

    class Last:
        def __del__(self):
            found.extend(by_name.values())

    x = cycle_of_a_function()
    if finalizer:
        x.last = Last()
    by_name["x"] = x
    ends = weakref.finalize(x, lambda: found.extend(by_name.values()))
    del x
    gc.collect()
    assert found == []
    assert not ends.alive


def test_a_weak_reference_that_is_garbage_is_not_called():
    called = []
    x = cycle_of_a_function()
    x.watch = weakref.ref(x, called.append)
    watched = weakref.ref(x)
    del x
    assert_collected(watched)
    assert called == []


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_callback_of_a_weak_reference_that_raises_does_no_harm(monkeypatch, error):
    raised = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: raised.append(args.exc_type))

    def fails(reference):
        raise error("x")

    x = cycle_of_a_function()
    references = [weakref.ref(x, fails), weakref.ref(x, fails)]
    del x
    gc.collect()
    assert raised == [error] * 2
    assert [reference() for reference in references] == [None] * 2


def test_a_callback_of_a_weak_reference_may_collect_in_another_thread():
    kept = []

    def on_death(reference):
        kept.append(cycle_of_a_function())
        thread = threading.Thread(target=gc.collect)
        thread.start()
        thread.join()
        gc.collect()

    x = cycle_of_a_function()
    watched = weakref.ref(x, on_death)
    del x
    assert_collected(watched)
    (again,) = kept
    assert again.call() is again


def test_a_finalizer_that_makes_a_weak_reference_to_garbage():
    made, called = [], []

    class Last:
        def __init__(self, owner):
            self.owner = owner

        def __del__(self):
            made.append(weakref.ref(self.owner, called.append))

    x = cycle_of_a_function()
    x.last = Last(x)
    del x
    gc.collect()
    (reference,) = made
    assert reference() is None
    assert called == made


def test_a_callback_that_a_finalizer_adds_to_the_collector_is_called():
    phases = []

    def added(phase, info):
        phases.append((phase, info["generation"]))

    class Adds:
        def __init__(self):
            self.me = self

        def __del__(self):
            gc.callbacks.append(added)

    before = list(gc.callbacks)
    Adds()
    gc.collect()
    gc.collect()
    assert phases == [("stop", 2), ("start", 2), ("stop", 2)]
    gc.callbacks.remove(added)
    gc.collect()
    assert gc.callbacks == before


def test_a_finalizer_that_raises_does_no_harm(monkeypatch):
    raised = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: raised.append(args.exc_type))

    class Raises:
        def __del__(self):
            raise ValueError("from a finalizer")

    a = Node(payload=Raises(), other=Payload())
    watched = weakref.ref(a.other)
    a.next = Node(next=a)
    del a
    gc.collect()
    assert raised == [ValueError]
    assert watched() is None


def test_an_exception_on_its_way_passes_a_collection():
    class Bad(Exception):
        pass

    def fails():
        held = [watch(pair) for _ in range(15_000)]
        raise Bad(len(held))

    with pytest.raises(Bad):
        tvm_ffi.convert(fails)()


def test_attributes_in_a_dictionary():
    @py_class("test.cycles.Dictionary")
    class Dictionary(tvm_ffi.Object):
        __slots__ = ("__dict__", "__weakref__")
        next: Any = None

    a = Dictionary()
    a.note = Payload()
    watched = weakref.ref(a.note)
    a.next = Node(next=a)
    a.itself = a
    del a
    assert_collected(watched)


def test_a_function_of_the_cycle_that_is_held_elsewhere_keeps_working():
    def make():
        a = node()
        a.next = Node(next=a)
        a.next.other = lambda: a.next.next.payload
        return a.next.other, weakref.ref(a.payload)

    function, watched = make()
    gc.collect()
    assert function() is watched() is not None
    del function
    assert_collected(watched)


# ---- objects without cycles


def test_objects_without_references_are_not_candidates():
    held = List([Leaf(i, "x") for i in range(10)])
    before = _collect_cycles()
    assert before == 0
    assert [x.number for x in held] == list(range(10))
    gc.collect()
    assert [x.text for x in held] == ["x"] * 10


def test_candidates_die_with_their_last_reference():
    """Check that candidates outside of cycles die without a collection."""
    refs = []
    for _ in range(100):
        holder = List([node()])
        refs.append(weakref.ref(holder[0].payload))
        del holder
    assert payloads_alive(refs) == 0


def test_objects_that_own_nothing_any_more_are_left_alone():
    holder = List([Node(next=Node()), Node()])
    holder[0].next = None
    gc.collect()
    assert [x.next for x in holder] == [None, None]
    holder[1].next = holder[0]
    holder[0].next = holder[1]
    holder[0].payload = Payload()
    watched = weakref.ref(holder[0].payload)
    gc.collect()
    assert holder[0].next.next is holder[0]
    holder.clear()
    assert_collected(watched)


def test_places_of_dead_candidates_are_used_again():
    for _ in range(5):
        holders = [List([Node()]) for _ in range(5000)]
        assert all(isinstance(x[0], Node) for x in holders)
        del holders
    a = Node(next=Node())
    assert a.next is a.next
    assert a.next.next is None


# ---- threads and processes


def test_python_threads_that_change_the_graph():
    stop = threading.Event()
    errors = []

    def work(seed):
        try:
            mine = [Node(payload=seed) for _ in range(20)]
            step = 0
            while not stop.is_set():
                step += 1
                x, y = mine[step % 20], mine[step * 7 % 20]
                x.next = y
                y.other = List([x, y])
                mine[step * 3 % 20] = Node(next=x, other=y, payload=seed)
                assert x.next is y and y.other[0] is x
                assert all(each.payload == seed for each in mine)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(30):
        gc.collect()
    stop.set()
    for thread in threads:
        thread.join()
    assert errors == []


def test_cycles_of_threads_that_ended_are_collected():
    refs = []
    run_threads([threading.Thread(target=lambda: refs.append(watch(pair))) for _ in range(8)])
    gc.collect()
    assert payloads_alive(refs) == 0


def run(source: str) -> str:
    program = "import gc, os, sys, weakref\nimport tvm_ffi\nfrom typing import Any\n"
    program += "from tvm_ffi.dataclasses import py_class\n"
    program += "@py_class('child.Node')\nclass Node(tvm_ffi.Object):\n"
    program += "    next: Any = None\n    other: Any = None\n    payload: Any = None\n"
    program += "class Payload: pass\n"
    program += textwrap.dedent(source)
    # CPython warns of a fork while other threads run.
    ran = execute(sys.executable, "-W", "ignore::DeprecationWarning", "-c", program)
    assert ran.stderr == ""
    return ran.stdout


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="needs fork")
def test_a_child_process_collects_what_it_inherited():
    out = run("""
        a = Node(payload=Payload())
        watched = weakref.ref(a.payload)
        a.next = Node(next=a)
        del a
        pid = os.fork()
        gc.collect()
        assert watched() is None
        if pid == 0:
            print("child", flush=True)
            os._exit(0)
        assert os.waitpid(pid, 0)[1] == 0
        print("parent")
    """)
    assert out == "child\nparent\n"


@collects_beside_threads
@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="needs fork")
@pytest.mark.parametrize("meanwhile", ["a call", "a collection"])
@pytest.mark.parametrize("where", ["Python", "a callback", "a destructor"])
def test_a_child_collects_that_was_forked_during(meanwhile, where):
    out = run(f"""
        import threading
        apply = tvm_ffi.get_global_func("testing.apply")
        begun, forked = threading.Event(), threading.Event()
        pids = []

        def pair(payload):
            a = Node(payload=payload)
            a.next = Node(next=a)
            a.next.other = lambda: a
            return weakref.ref(payload)

        def fork():
            pids.append(os.fork())

        class Forks:
            def __del__(self):
                fork()

        class Waits:
            def __del__(self):
                begun.set()
                forked.wait()

        def call():
            begun.set()
            tvm_ffi.get_global_func("testing.run_check_signal")(2)

        if {meanwhile!r} == "a call":
            thread = threading.Thread(target=call)
        else:
            pair(Waits())
            thread = threading.Thread(target=tvm_ffi.core._collect_cycles)
        thread.start()
        begun.wait()
        if {where!r} == "Python":
            fork()
        elif {where!r} == "a callback":
            apply(fork)
        else:
            items = tvm_ffi.List([Forks()])
            apply(items.clear)
        if pids == [0]:
            watched = pair(Payload())
            gc.collect()
            assert watched() is None
            print("child", flush=True)
            os._exit(0)
        assert os.waitpid(pids[0], 0)[1] == 0
        forked.set()
        thread.join()
        watched = pair(Payload())
        gc.collect()
        assert watched() is None
        print("parent")
    """)
    assert out == "child\nparent\n"


def test_the_interpreter_ends_with_cycles_left():
    out = run("""
        keep = []
        for i in range(3000):
            a = Node(payload=Payload())
            a.next = Node(next=a)
            if i % 2: keep.append(a)
        # Not here: registered classes are never freed, and functions of a class keep the module
        # of the class; from Python 3.14 on, its annotations are such a function.
        other = type(sys)("other")
        sys.modules["other"] = other
        exec('''if True:
            import gc
            class Late:
                def __del__(self):
                    gc.collect()
                    print("late")
            late = Late()
        ''', other.__dict__)
        del other
        print("end")
    """)
    assert out.split() == ["end", "late"]


def test_the_interpreter_ends_with_cycles_through_functions_left():
    out = run("""
        keep = []
        for i in range(3000):
            a = Node(payload=Payload())
            a.next = Node(next=a, payload=lambda a=a: a)
            if i % 2: keep.append(a)
        print("end")
    """)
    assert out.split() == ["end"]
