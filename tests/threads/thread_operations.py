# SPDX-License-Identifier: Apache-2.0
"""The operations that the tests of this folder mix: small functions of the shared objects.

An operation may meet what another thread has just done, so some exceptions belong to its result.
"""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

import tvm_ffi
from tvm_ffi import libinfo
from tvm_ffi.dataclasses import IntEnum, entry, py_class

HAS_GIL = getattr(sys, "_is_gil_enabled", lambda: True)()
LIBRARY = str(libinfo._find_library_by_basename("fast-tvm-ffi", "tvm_ffi_testing"))


@py_class("testing.threads.Point")
class Point(tvm_ffi.Object):
    """An object with a number and with a field that refers to another object."""

    x: int
    other: Any = None


class Colour(IntEnum, type_key="testing.threads.Colour"):
    """An enum whose variants are looked up."""

    red = entry(value=0)
    green = entry(value=1)


class Shared:
    """What all threads of a test use at the same time."""

    def __init__(self) -> None:
        self.number = tvm_ffi.get_global_func("testing.add_one")
        self.echo = tvm_ffi.get_global_func("testing.echo")
        self.apply = tvm_ffi.get_global_func("testing.apply")
        self.list = tvm_ffi.List([Point(i) for i in range(8)])
        self.dict = tvm_ffi.Dict({str(i): Point(i) for i in range(8)})
        self.array = tvm_ffi.Array([Point(i) for i in range(8)])
        self.point = Point(1, Point(2))
        self.own = threading.local()
        self.one_error = ValueError("shared")
        self.json = tvm_ffi.serialization.to_json_graph_str(tvm_ffi.Array([1, 2, 3]))

    @property
    def error(self) -> ValueError:
        """The exception that all threads raise.

        Without the GIL, each thread has its own: if several threads raise one exception, CPython
        3.13 counts the references to its traceback wrongly. This package has no part in that.
        """
        if HAS_GIL:
            return self.one_error
        self.own.__dict__.setdefault("error", ValueError("shared"))
        return self.own.error

    def fail(self) -> None:
        """Raise the exception."""
        raise self.error


OPERATIONS: dict[str, Callable[[Shared, int], object]] = {}


def operation(function: Callable[[Shared, int], object]) -> Callable[[Shared, int], object]:
    """Add a function to the table under its name."""
    OPERATIONS[function.__name__] = function
    return function


@operation
def call(shared: Shared, i: int) -> object:
    assert shared.number(i) == i + 1


@operation
def callback(shared: Shared, i: int) -> object:
    assert shared.apply(lambda x: x + 1, i) == i + 1


@operation
def create(shared: Shared, i: int) -> object:
    assert Point(i, shared.point).x == i


@operation
def receive(shared: Shared, i: int) -> object:
    """Return one object to every thread: there is one wrapper of it at any time."""
    first, second = shared.array[i % 8], shared.echo(shared.array[i % 8])
    assert first is second


@operation
def move(shared: Shared, i: int) -> object:
    point = Point(i)
    assert shared.echo(point._move()).x == i


@operation
def field_get(shared: Shared, i: int) -> object:
    other = shared.point.other
    assert shared.point.x >= 0 and copy.copy(shared.point).x >= 0 and repr(shared.point)
    assert other is None or isinstance(other.x, int)


@operation
def field_set(shared: Shared, i: int) -> object:
    shared.point.x = i
    shared.point.other = Point(i) if i % 2 else None


@operation
def container_read(shared: Shared, i: int) -> object:
    with suppress(IndexError):
        assert shared.list[i % 8].x >= 0
    value = shared.dict.get(str(i % 8))
    assert value is None or value.x >= 0
    assert shared.point not in shared.list and copy.copy(shared.list) is not copy.copy(shared.dict)
    return len(shared.list), len(shared.dict), shared.point in shared.array


@operation
def container_write(shared: Shared, i: int) -> object:
    shared.list.append(Point(i))
    with suppress(IndexError):
        shared.list[i % 8] = Point(i)
        if len(shared.list) > 16:
            shared.list.pop()
    shared.dict[str(i % 16)] = Point(i)
    shared.dict.pop(str((i + 1) % 16), None)


@operation
def iterate(shared: Shared, i: int) -> object:
    with suppress(IndexError):
        assert all(point.x >= 0 for point in shared.list)
    assert all(value.x >= 0 for value in shared.dict.values())
    return list(shared.dict.items())


@operation
def check_instance(shared: Shared, i: int) -> object:
    assert isinstance(shared.point, tvm_ffi.Object)
    assert not isinstance(shared.list, Point)


@operation
def define_class(shared: Shared, i: int) -> object:
    key = f"testing.threads.Defined{threading.get_ident()}x{i % 4}"
    made = py_class(key)(type("Defined", (tvm_ffi.Object,), {"__annotations__": {"x": int}}))
    assert made(i).x == i


@operation
def enum_entry(shared: Shared, i: int) -> object:
    assert Colour(i % 2) is (Colour.green if i % 2 else Colour.red)


@operation
def type_attribute(shared: Shared, i: int) -> object:
    Point.note = i
    assert Point.note >= 0


@operation
def error(shared: Shared, i: int) -> object:
    with pytest.raises(ValueError, match="shared") as caught:
        shared.apply(shared.fail)
    assert caught.value is shared.error
    shared.error.__traceback__ = None


@operation
def new_error(shared: Shared, i: int) -> object:
    with suppress(TypeError):
        shared.number("text")
        raise AssertionError


@operation
def copy_by_pickle(shared: Shared, i: int) -> object:
    assert pickle.loads(pickle.dumps(shared.point)).x >= 0
    return pickle.dumps(shared.list), copy.deepcopy(shared.dict), repr(shared.list)


@operation
def read_json(shared: Shared, i: int) -> object:
    assert len(tvm_ffi.serialization.from_json_graph_str(shared.json)) == 3


@operation
def structural(shared: Shared, i: int) -> object:
    assert tvm_ffi.structural_equal(shared.array, shared.array) and shared.list != shared.array[:0]
    return tvm_ffi.structural_hash(shared.list), tvm_ffi.structural_hash(shared.point)


@operation
def collect(shared: Shared, i: int) -> object:
    if i % 64 == 0:
        gc.collect()


@operation
def cycle(shared: Shared, i: int) -> object:
    ring = tvm_ffi.List([])
    ring.append(ring)


@operation
def begin_thread(shared: Shared, i: int) -> object:
    if i % 8 == 0:
        thread = threading.Thread(target=shared.number, args=(i,))
        thread.start()
        thread.join()


@operation
def release(shared: Shared, i: int) -> object:
    """Drop the last Python reference to an object that other threads receive."""
    shared.list[0] = shared.echo(Point(i))


@operation
def load_library(shared: Shared, i: int) -> object:
    if i % 8 == 0:
        assert tvm_ffi.load_module(LIBRARY) is not None
