# SPDX-License-Identifier: Apache-2.0
"""Test hooks of the user that take away the object whose operation called them.

Each operation of `OPERATIONS` runs several times: its first call of a hook moves the operand, drops
it, and so on; then its second call does, and its third and fourth. Any result or exception is
right. `pickle.dumps` crashed if `__data_to_json__` moved its object.
"""

from __future__ import annotations

import contextlib
import copy
import gc
import itertools
import pickle
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from child import in_child, note

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map, StructuralKey, core, structural_map, structural_walk
from tvm_ffi.dataclasses import asdict, py_class
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str

_numbers = itertools.count()
_held: list[Any] = []  # the operand
_pending: list[Callable[[], None]] = []  # what the next hook does
_take = tvm_ffi.convert(lambda value: None)


def hook(result: Any = None) -> Any:
    """Do what is pending; every hook of this file calls this function."""
    if _pending:
        _pending.pop()()
    return result


def x() -> Any:
    return _held[0]


def _move() -> None:
    _take(x()._move())


def _move_to_another_wrapper() -> None:
    core.Object.__new__(core.Object).__move_handle_from__(x())


def _move_in_another_thread() -> None:
    def move() -> None:
        with contextlib.suppress(ValueError):  # the operand may be empty already
            _move()

    thread = threading.Thread(target=move)
    thread.start()
    thread.join()


def _drop() -> None:
    _held.clear()
    gc.collect()


def _redefine() -> None:
    _define({})


def _fail() -> None:
    raise KeyError("from the hook")


ACTIONS = {
    "move": _move,
    "move to another wrapper": _move_to_another_wrapper,
    "move in another thread": _move_in_another_thread,
    "drop": _drop,
    "redefine": _redefine,
    "fail": _fail,
}


def _define(body: dict[str, Any]) -> None:
    """Make the class `Node`, or make it again."""
    names = {"__annotations__": {"x": "object", "child": "object"}, "child": None, **body}
    cls = type(core.Object)("Node", (core.Object,), {"__module__": __name__, **names})
    decorate = py_class(
        f"hostile.moving.Node{next(_numbers)}",
        init="__init__" not in body,
        eq=True,
        order=True,
        unsafe_hash=True,
        structural_eq="tree",
    )
    globals()["Node"] = decorate(cls)


def node(*arguments: Any) -> Any:
    return globals()["Node"](*(arguments or (1, None)))


class Odd:
    """A Python object whose methods call the hook."""

    def __index__(self) -> int:
        return hook(0)

    def __hash__(self) -> int:
        return hook(1)

    def __eq__(self, other: object) -> bool:
        return hook(True)

    def __repr__(self) -> str:
        return hook("odd")

    def __iter__(self) -> Any:
        for i in range(3):
            yield hook(i)

    def __reduce__(self) -> Any:
        return hook((Odd, ()))

    def __deepcopy__(self, memo: object) -> Odd:
        return hook(self)


class Value:
    def __tvm_ffi_value__(self) -> int:
        return hook(1)


class Holder:
    def __tvm_ffi_object__(self) -> Any:
        return hook(Array([1]))


def _initialize(self: Any, *arguments: Any) -> None:
    hook()
    self.__ffi_init__(*arguments)
    hook()


#: The bodies of classes, one for each hook of a class.
BODIES: dict[str, dict[str, Any]] = {
    "data_to_json": {
        "__data_to_json__": lambda self: hook({"x": 1}),
        "__data_from_json__": staticmethod(lambda data: hook(node())),
    },
    "getstate": {
        "__getstate__": lambda self: hook({"a": 1}),
        "__setstate__": lambda self, state: hook(),
    },
    "repr": {"__ffi_repr__": lambda *_: hook("r")},
    "hash": {"__ffi_hash__": lambda *_: hook(1)},
    "eq": {"__ffi_eq__": lambda *_: hook(True)},
    "compare": {"__ffi_compare__": lambda *_: hook(0)},
    "copy": {"__ffi_shallow_copy__": lambda *_: hook(node())},
    "s_equal": {"__s_equal__": lambda *_: hook(True)},
    "s_hash": {"__s_hash__": lambda *_: hook(7)},
    "s_visit": {"__s_visit__": lambda *_: hook()},
    "s_mutate": {"__s_mutate__": lambda value, *_: hook(value)},
    "post_init": {"__post_init__": lambda self: hook()},
    "convert": {"__ffi_convert__": staticmethod(lambda value: hook(node()))},
    "any_hash": {"__any_hash__": lambda *_: hook(1), "__any_equal__": lambda *_: hook(True)},
    "init": {"__init__": _initialize},
    "del": {"__del__": lambda self: hook()},
}

OF_NODES: dict[str, Callable[[], Any]] = {
    "new": lambda: (_held.__setitem__(0, type(x()).__new__(type(x()))), x().__init__(1, None)),
    "hash": lambda: hash(x()),
    "==": lambda: x() == node(),
    "<": lambda: x() < node(),
    "replace": lambda: x().__replace__(x=5),
    "mismatch": lambda: tvm_ffi.get_first_structural_mismatch(x(), node(2, None)),
    "key": lambda: {StructuralKey(x()): 1}[StructuralKey(node())],
    "set": lambda: setattr(x(), "x", [Value(), Holder()]),
    "make": lambda: setattr(x(), "x", node(Value(), Holder())),
    "key of a map": lambda: Map({x(): 1})[node()],
    "key of a dict": lambda: Dict({x(): 1}).get(node()),
    "in an array": lambda: x() in Array([node()]),
    "rvalue": lambda: _take(x()._move(), Value(), node()),
    "asdict": lambda: asdict(x()),
    "state": lambda: x().__setstate__(x().__getstate__()),
}
OF_ALL: dict[str, Callable[[], Any]] = {
    "reduce": lambda: x().__reduce_ex__(4),
    "pickle": lambda: pickle.loads(pickle.dumps(x())),
    "json": lambda: from_json_graph_str(to_json_graph_str(x())),
    "repr": lambda: repr(x()),
    "copy": lambda: copy.copy(x()),
    "deepcopy": lambda: copy.deepcopy(x()),
    "structural equal": lambda: tvm_ffi.structural_equal(x(), copy.copy(x())),
    "structural hash": lambda: tvm_ffi.structural_hash(x()),
    "walk": lambda: structural_walk(x(), lambda *_: hook()),
    "map": lambda: structural_map(x(), lambda *arguments: hook(arguments[0])),
    "init": lambda: x().__init__(Odd()),
    "call": lambda: _take(x(), Value(), x()),
    "convert": lambda: tvm_ffi.convert([x(), Value()]),
}
OF_CONTAINERS: dict[str, Callable[[], Any]] = {
    "in": lambda: Odd() in x(),
    "iterate": lambda: [hook() for _ in x()],
    "==": lambda: x() == type(x())(x()),
    "get": lambda: x()[Odd()],
    "field": lambda: node(x(), Value()),
}
OF_SEQUENCES: dict[str, Callable[[], Any]] = {
    "slice": lambda: x()[Odd() : Odd() : 1],
    "index": lambda: x().index(5, Odd(), Odd()),
    "count": lambda: x().count(Odd()),
    "+": lambda: x().__add__([Value(), Holder()]),
    "+ iterable": lambda: x() + Odd(),
    "reversed": lambda: [hook() for _ in reversed(x())],
    "== list": lambda: x() == [1, Odd(), "a", [2]],
}
OF_LISTS: dict[str, Callable[[], Any]] = {
    "set": lambda: x().__setitem__(Odd(), Value()),
    "set slice": lambda: x().__setitem__(slice(Odd(), Odd()), Odd()),
    "set step": lambda: x().__setitem__(slice(0, 4, 2), [Value(), Holder()]),
    "del": lambda: x().__delitem__(Odd()),
    "append": lambda: x().append(Value()),
    "extend": lambda: x().extend(Odd()),
    "insert": lambda: x().insert(Odd(), Value()),
    "pop": lambda: x().pop(Odd()),
    "remove": lambda: x().remove(Odd()),
    "sort": lambda: x().sort(key=lambda value: hook(1)),
}
OF_MAPPINGS: dict[str, Callable[[], Any]] = {
    "get or": lambda: x().get(Odd(), 1),
    "items": lambda: [hook() for _ in x().items()],
    "in items": lambda: ("a", Odd()) in x().items(),
    "in values": lambda: Odd() in x().values(),
    "|": lambda: x() | {Odd(): Value()},
}
OF_DICTS: dict[str, Callable[[], Any]] = {
    "set": lambda: x().__setitem__(Odd(), Value()),
    "del": lambda: x().__delitem__(Odd()),
    "pop": lambda: x().pop(Odd(), 1),
    "update": lambda: x().update({Odd(): Value(), "c": Holder()}),
    "update pairs": lambda: x().update((hook(i), i) for i in range(3)),
    "setdefault": lambda: x().setdefault(Odd(), Value()),
}

_ITEMS = (1, Odd(), "a", [2])
_ENTRIES = {"a": Odd(), 2: 3}


def _operations() -> Any:
    """Yield what is tested: the name, the body of the class, the operand and the operation."""
    for body in BODIES:
        for name, operation in {**OF_ALL, **OF_NODES}.items():
            yield f"{body}: {name}", body, node, operation
    common = {**OF_ALL, **OF_CONTAINERS}
    for make, more in (
        (lambda: Array(_ITEMS), OF_SEQUENCES),
        (lambda: List(_ITEMS), {**OF_SEQUENCES, **OF_LISTS}),
        (lambda: Map(_ENTRIES), OF_MAPPINGS),
        (lambda: Dict(_ENTRIES), {**OF_MAPPINGS, **OF_DICTS}),
    ):
        for name, operation in {**common, **more}.items():
            yield f"{type(make()).__name__}: {name}", "", make, operation


def _start_at(number: int, action: Callable[[], None]) -> None:
    """Make the hook with this number, counted from 0, do the action."""
    _pending[:] = [action if number == 0 else lambda: _start_at(number - 1, action)]


@pytest.mark.parametrize("action", list(ACTIONS))
@in_child(stack=8 << 20, seconds=120)
def test_hooks_that_take_the_operand_away(action: str) -> None:
    gc.freeze()  # `_drop` collects again and again
    sys.unraisablehook = lambda _: None  # for a `__del__` that raises
    num_reached = 0
    for name, body, make, operation in _operations():
        for number in range(4):
            _pending.clear()
            _define(BODIES.get(body, {}))
            _held[:] = [make()]
            note(action, "at hook", number, "of", name)
            _start_at(number, ACTIONS[action])
            with contextlib.suppress(Exception):
                operation()
                repr(_held)
            if _pending:
                break
            num_reached += 1
    _pending.clear()
    assert num_reached > 200
