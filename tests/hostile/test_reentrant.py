# SPDX-License-Identifier: Apache-2.0
"""Test code of the user that runs during an operation and changes the operands."""

from __future__ import annotations

import copy
import gc
import pickle
import random
from collections.abc import Callable
from typing import Any

from child import in_child, note


def attempt(action: Callable[[], Any]) -> None:
    try:
        action()
    except Exception as error:
        str(error)


def mutations(x: Any) -> list[Callable[[], Any]]:
    """Return the changes that a hook may make to a List or a Dict."""
    import tvm_ffi

    if isinstance(x, tvm_ffi.List):
        return [
            x.clear,
            lambda: x.append(1),
            lambda: x.extend(range(100)),
            lambda: x.pop(),
            lambda: x.insert(0, "first"),
            lambda: x.__setitem__(0, None),
            lambda: x.__setitem__(slice(None), [1, 2, 3]),
            lambda: x.__delitem__(slice(0, 1)),
            x.reverse,
            lambda: x.__init__([5]),
            lambda: tvm_ffi.List.__new__(tvm_ffi.List).__move_handle_from__(x),
            lambda: tvm_ffi.convert(lambda v: None)(x._move()),
            gc.collect,
        ]
    return [
        x.clear,
        lambda: x.__setitem__("new", 1),
        lambda: x.update({i: i for i in range(100)}),
        lambda: x.popitem(),
        lambda: x.pop("a", None),
        lambda: x.__setitem__("a", None),
        lambda: x.__delitem__("a"),
        lambda: x.__init__({5: 5}),
        lambda: tvm_ffi.convert(lambda v: None)(x._move()),
        gc.collect,
    ]


class Hooked:
    """A value that calls a hook whenever its Python methods run."""

    def __init__(self, hook: Callable[[], Any]) -> None:
        self.hook = hook
        self.depth = 0

    def _run(self) -> None:
        if self.depth < 2:
            self.depth += 1
            attempt(self.hook)
            self.depth -= 1

    def __del__(self) -> None:
        self._run()

    def __eq__(self, other: object) -> bool:
        self._run()
        return self is other

    def __hash__(self) -> int:
        self._run()
        return 1

    def __lt__(self, other: object) -> bool:
        self._run()
        return True

    def __repr__(self) -> str:
        self._run()
        return "Hooked"

    def __reduce__(self) -> Any:
        self._run()
        return (int, ())

    def __deepcopy__(self, memo: Any) -> Any:
        self._run()
        return 5

    def __index__(self) -> int:
        self._run()
        return 0

    def __bool__(self) -> bool:
        self._run()
        return True


class Eager(Hooked):
    """A `Hooked` that converts to another value; each conversion method first calls the hook."""

    def __iter__(self) -> Any:
        self._run()
        yield 1
        self._run()
        yield 2

    def __len__(self) -> int:
        self._run()
        return 2

    def __tvm_ffi_value__(self) -> Any:
        self._run()
        return 5


def uses(x: Any, hooked: Any) -> dict[str, Callable[[], Any]]:
    """Return operations on `x` that may call the hook of `hooked`."""
    import tvm_ffi

    def call(name: str, *args: Any) -> Callable[[], Any]:
        return lambda: tvm_ffi.get_global_func(name)(*args)

    common: dict[str, Callable[[], Any]] = {
        "repr": lambda: repr(x),
        "==": lambda: x == tvm_ffi.List([hooked]),
        "<": lambda: x < tvm_ffi.List([hooked]),
        "in": lambda: hooked in x,
        "copy": lambda: copy.copy(x),
        "deepcopy": lambda: copy.deepcopy(x),
        "pickle": lambda: pickle.dumps(x),
        "iterate": lambda: [attempt(hooked.hook) for _ in x],
        "item": lambda: x[hooked],
        "RecursiveEq": call("ffi.RecursiveEq", x, x),
        "RecursiveHash": call("ffi.RecursiveHash", x),
        "DeepCopy": call("ffi.DeepCopy", x),
        "ReprPrint": call("ffi.ReprPrint", x),
        "StructuralHash": call("ffi.StructuralHash", x, False, False),
        "ToJSONGraph": call("ffi.ToJSONGraphString", x, None),
        "Walk": call("ffi.StructuralWalk", x, [(-1, lambda *a: attempt(hooked.hook))], [], 0),
        "Map": call("ffi.StructuralMap", x, [(-1, lambda *a: attempt(hooked.hook) or a[0])], [], 0),
        "Visit": call("ffi.StructuralVisit", x, [(-1, lambda *a: attempt(hooked.hook))]),
        "Mutate": call("ffi.StructuralMutate", x, [(-1, lambda *a: attempt(hooked.hook), False)]),
        "argument": lambda: tvm_ffi.convert(lambda *a: attempt(hooked.hook))(x, hooked, x, 1),
        "clear": x.clear,
    }
    if isinstance(x, tvm_ffi.List):
        common.update({
            "append": lambda: x.append(hooked),
            "extend": lambda: x.extend(hooked),
            "extend lazily": lambda: x.extend(attempt(hooked.hook) or i for i in range(5)),
            "insert": lambda: x.insert(hooked, hooked),
            "set": lambda: x.__setitem__(0, hooked),
            "set slice": lambda: x.__setitem__(slice(0, 2), hooked),
            "set slice lazily": lambda: x.__setitem__(
                slice(hooked, 2), (attempt(hooked.hook) or i for i in range(5))
            ),
            "delete": lambda: x.__delitem__(hooked),
            "delete slice": lambda: x.__delitem__(slice(0, 3)),
            "pop": lambda: x.pop(hooked),
            "remove": lambda: x.remove(hooked),
            "index": lambda: x.index(hooked),
            "count": lambda: x.count(hooked),
            "+": lambda: x + hooked,
            "+=": lambda: x.__iadd__(hooked),
            "reversed": lambda: [attempt(hooked.hook) for _ in reversed(x)],
            "sort": lambda: x.sort(),
        })  # fmt: skip
    else:
        common.update({
            "set": lambda: x.__setitem__("a", hooked),
            "set key": lambda: x.__setitem__(hooked, hooked),
            "get": lambda: x.get(hooked, hooked),
            "pop": lambda: x.pop(hooked, hooked),
            "popitem": lambda: x.popitem(),
            "delete": lambda: x.__delitem__("a"),
            "update": lambda: x.update({hooked: hooked}),
            "setdefault": lambda: x.setdefault(hooked, hooked),
            "items": lambda: [attempt(hooked.hook) for _ in x.items()],
            "values": lambda: [attempt(hooked.hook) for _ in x.values()],
            "in items": lambda: ("a", hooked) in x.items(),
            "in values": lambda: hooked in x.values(),
        })  # fmt: skip
    return common


def targets() -> list[Callable[[Any], Any]]:
    """Return makers of containers with a hooked value inside."""
    import tvm_ffi

    return [
        lambda h: tvm_ffi.List([h, 1, h]),
        lambda h: tvm_ffi.List([tvm_ffi.List([h]), tvm_ffi.Dict({h: h})]),
        lambda h: tvm_ffi.Dict({"a": h, "b": [h]}),
        lambda h: tvm_ffi.Dict({h: 1, "a": 2}),
    ]


def bounded(holder: list[Callable[[], Any]]) -> Callable[[], Any]:
    """Return a function that calls `holder[0]` at most fifty times, so that traversals end."""
    left = iter(range(50))
    return lambda: holder[0]() if holder and next(left, None) is not None else None


def every_case(hooked_class: type) -> None:
    for t, make in enumerate(targets()):
        sample = make(Hooked(lambda: None))
        for i in range(len(mutations(sample))):
            for name in uses(sample, Hooked(lambda: None)):
                note(t, i, name)
                holder: list[Callable[[], Any]] = []
                hooked = hooked_class(bounded(holder))
                inside = Hooked(hooked.hook)
                x = make(inside)
                use = uses(x, hooked)[name]
                holder.append(mutations(x)[i])
                attempt(use)
                attempt(lambda x=x: (repr(x), len(x), list(x)))
                del use, x, inside, hooked
                holder.clear()


@in_child(seconds=120)
def test_hooks_of_values_change_the_container() -> None:
    every_case(Hooked)
    gc.collect()


@in_child(seconds=120)
def test_hooks_of_arguments_change_the_container() -> None:
    every_case(Eager)
    gc.collect()


@in_child()
def test_a_finalizer_changes_the_container_that_is_cleared() -> None:
    import tvm_ffi

    alive: list[Any] = []

    class Mortal:
        def __init__(self, container: Any) -> None:
            self.container = container

        def __del__(self) -> None:
            rng = random.Random(len(alive))
            attempt(rng.choice(mutations(self.container)))
            alive.append(None)

    for i in range(2000):
        note(i)
        x: Any = tvm_ffi.List([]) if i % 2 else tvm_ffi.Dict({})
        for k in range(4):
            if i % 2:
                x.append(Mortal(x))
            else:
                x[k] = Mortal(x)
        attempt(mutations(x)[i % len(mutations(x))])
        attempt(x.clear)
        x = None
    gc.collect()


@in_child()
def test_a_finalizer_brings_its_object_back() -> None:
    from tvm_ffi import List, testing

    saved: list[Any] = []

    class Phoenix(testing.TestIntPair):
        __slots__ = ("extra",)

        def __del__(self) -> None:
            saved.append(self)

    for i in range(50):
        x = Phoenix(i, i)
        held = List([x])
        del x
        assert saved[-1].a == i
        assert held[0].a == i
        del held
    assert [p.a for p in saved] == list(range(50))
    saved.clear()
    gc.collect()


@in_child()
def test_finalizers_that_fail_are_reported_and_pass() -> None:
    import sys

    import tvm_ffi

    reports: list[Any] = []
    sys.unraisablehook = lambda report: reports.append(report.exc_type)

    class Fails:
        def __del__(self) -> None:
            raise ValueError("in __del__")

    def drop_all() -> None:
        tvm_ffi.List([Fails()]).clear()
        tvm_ffi.Array([Fails()])
        tvm_ffi.Map({1: Fails()})
        tvm_ffi.Dict({1: Fails()}).pop(1)
        tvm_ffi.convert(Fails().__del__)
        echo = tvm_ffi.get_global_func("testing.echo")
        echo(Fails())

    drop_all()
    gc.collect()
    assert reports == [ValueError] * 6

    class FailsWhilePending(Fails):
        pass

    def pending() -> None:
        kept = tvm_ffi.List([FailsWhilePending()])
        raise KeyError(len(kept))

    try:
        tvm_ffi.convert(pending)()
    except KeyError:
        pass
    gc.collect()
    assert reports == [ValueError] * 7


@in_child()
def test_a_deleter_in_python_runs_while_an_exception_is_on_its_way() -> None:
    """Test that a failed call raises its exception, although deleters of arguments run Python."""
    import pytest
    from test_tensors import Producer

    import tvm_ffi

    ran = []

    class Chatty(Producer):
        def _delete(self, address: Any) -> None:
            ran.append(sum([1, 2]))
            attempt(lambda: tvm_ffi.get_global_func("no.such.function"))
            tvm_ffi.List([1, 2]).append(3)

    moved = tvm_ffi.List.__new__(tvm_ffi.List)
    for _ in range(20):
        producer = Chatty(True)
        with pytest.raises(ValueError, match="empty"):
            tvm_ffi.get_global_func("testing.echo")(producer, moved)
        producer = Chatty(True)
        with pytest.raises(TypeError, match="Mismatched type"):
            tvm_ffi.get_global_func("testing.add_one")(producer)
    assert len(ran) == 40
