# SPDX-License-Identifier: Apache-2.0
"""Test that repeated operations on data classes and enums do not leak.

The classes are made once: native types are never freed, so a class per run would hide leaks.
``tools/leak_gate.py`` runs this module repeatedly and counts objects; each test also checks that
the wrappers that it made are freed.
"""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable
from typing import Any, ClassVar, Optional

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core, structural_equal, structural_hash
from tvm_ffi.dataclasses import Enum, asdict, entry, field, py_class, replace
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str

TIMES = 50
LONG = "a text that is longer than a small string"


@py_class("tests.nothing_left.Point")
class Point(tvm_ffi.Object):
    x: int
    y: float = 0.5
    name: str = LONG


@py_class("tests.nothing_left.Node", eq=True, order=True, unsafe_hash=True)
class Node(tvm_ffi.Object):
    label: str
    children: list[Any] = field(default_factory=list)
    table: dict[str, int] = field(default_factory=dict)
    parent: Optional[tvm_ffi.Object] = field(default=None, compare=False, repr=False)


@py_class("tests.nothing_left.Picky")
class Picky(tvm_ffi.Object):
    text: str
    number: int = field(default_factory=lambda: Picky.made())
    refuses: bool = False

    made = staticmethod(lambda: 1)

    def __post_init__(self) -> None:
        if self.refuses:
            raise RuntimeError(f"refused {self.text}")


class Colour(Enum, type_key="tests.nothing_left.Colour"):
    red = entry()
    green = entry()


def _node() -> Node:
    return Node(LONG, [Point(1), Node("leaf"), [1, LONG]], {"a": 1, LONG: 2})


def _fails(kind: type[Exception], call: Callable[[], Any]) -> None:
    with pytest.raises(kind):
        call()


def _cycle_through_python() -> None:
    node = _node()
    node.children.append(lambda: node)


def _failing_factory() -> None:
    def fails() -> int:
        raise ValueError(LONG)

    Picky.made = staticmethod(fails)
    try:
        _fails(ValueError, lambda: Picky(LONG))
    finally:
        Picky.made = staticmethod(lambda: 1)


def _failing_definition() -> None:
    def define() -> None:
        @py_class("tests.nothing_left.Never", eq=False, order=True)
        class Never(tvm_ffi.Object):
            x: int
            y: str = LONG

    _fails(ValueError, define)


def _key_taken() -> None:
    def define() -> None:
        @py_class("tests.nothing_left.Point")
        class Again(tvm_ffi.Object):
            x: int
            y: list[Any] = field(default_factory=list)

    _fails(ValueError, define)


def _enum_bound_again() -> None:
    class Variant(Enum, type_key="testing.TestEnumVariant"):
        Alpha: ClassVar[Any]

    assert Variant.Alpha is Variant.get("Alpha")


OPERATIONS: dict[str, Callable[[], Any]] = {
    "construct": lambda: Point(1, 2.5, LONG),
    "construct by keyword": lambda: Point(x=2**62, name=LONG),
    "construct with factories": _node,
    "missing argument": lambda: _fails(TypeError, lambda: Point(name=LONG)),
    "unknown argument": lambda: _fails(TypeError, lambda: Point(1, colour=LONG)),
    "converter half-way": lambda: _fails(TypeError, lambda: Node(LONG, [LONG], {"a": LONG})),
    "failing __post_init__": lambda: _fails(RuntimeError, lambda: Picky(LONG, 2, True)),
    "failing factory": _failing_factory,
    "failing definition": _failing_definition,
    "definition of a key that is taken": _key_taken,
    "set": lambda: setattr(_node(), "children", [LONG, Point(3)]),
    "failing set": lambda: _fails(TypeError, lambda: setattr(_node(), "table", {"a": [LONG]})),
    "copy": lambda: copy.copy(_node()),
    "deepcopy": lambda: copy.deepcopy(_node()),
    "replace": lambda: replace(_node(), label="other"),
    "asdict": lambda: asdict(_node()),
    "pickle": lambda: pickle.loads(pickle.dumps(_node())),
    "json": lambda: from_json_graph_str(to_json_graph_str(_node())),
    "repr": lambda: repr(_node()),
    "equality, order, hash": lambda: (_node() == _node(), _node() < _node(), hash(_node())),
    "structural": lambda: (structural_equal(_node(), _node()), structural_hash(_node())),
    "cycle through Python": _cycle_through_python,
    "enum": lambda: (Colour.get("red"), Colour.red, list(Colour.all_entries())),
    "enum through the border": lambda: pickle.loads(pickle.dumps(Colour.green)),
    "enum bound again": _enum_bound_again,
    "enum without such a name": lambda: _fails(KeyError, lambda: Colour.get("blue")),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_nothing_is_left_of(name: str) -> None:
    operation = OPERATIONS[name]
    operation()
    gc.collect()
    before = sum(core._live_wrappers().values())
    for _ in range(TIMES):
        operation()
    gc.collect()
    assert sum(core._live_wrappers().values()) == before
