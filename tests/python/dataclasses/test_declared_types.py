# SPDX-License-Identifier: Apache-2.0
"""Test that ``c_class`` compares the types that it declares with those of the registered fields."""

from __future__ import annotations

import collections.abc
import itertools
from typing import Annotated, Any, ClassVar, Literal, Optional, TypeVar, Union

import pytest

import tvm_ffi
from tvm_ffi import libinfo
from tvm_ffi.dataclasses import IntEnum, c_class, entry, py_class
from tvm_ffi.testing import TestObjectBase

T = TypeVar("T")
numbers = itertools.count()


@py_class("test_declared_types.Node")
class Node(tvm_ffi.Object):
    value: int


@py_class("test_declared_types.Leaf")
class Leaf(Node):
    pass


@py_class("test_declared_types.Other")
class Other(tvm_ffi.Object):
    value: int


class Level(IntEnum, type_key="test_declared_types.Level"):
    LOW = entry(value=1)


def bind(registered, declared):
    """Register a class with one field, then declare the field with another annotation."""
    key = f"test_declared_types.Made{next(numbers)}"
    py_class(key)(type("Made", (tvm_ffi.Object,), {"__annotations__": {"x": registered}}))
    body = {"__annotations__": {"x": declared}, "__module__": __name__}
    return c_class(key)(type("Bound", (tvm_ffi.Object,), body))


@pytest.mark.parametrize(
    ("registered", "declared"),
    [
        (int, int),
        (int, Any),
        (int, object),
        (Any, int),
        (int, Optional[int]),
        (Optional[int], int),
        (Optional[int], Optional[float | int]),
        (Union[int, str], int),
        (int, Union[str, int]),
        (int, Annotated[int, "note"]),
        (int, Literal[1, 2]),
        (bool, int),
        (tvm_ffi.dtype, str),
        (Level, int),
        (int, Level),
        (Level, Level),
        (list[int], collections.abc.Sequence[int]),
        (tvm_ffi.Array[int], list[int]),
        (tvm_ffi.Array[int], tuple[int, int]),
        (tuple[int, str], tvm_ffi.Array[Any]),
        (tvm_ffi.Array, list[str]),
        (dict[str, int], collections.abc.Mapping[str, int]),
        (Node, Leaf),
        (Leaf, Node),
        (Node, tvm_ffi.Object),
        (tvm_ffi.Object, Leaf),
        (tvm_ffi.Object, str),
        (tvm_ffi.Object, list[int]),
        (collections.abc.Callable[[int], int], collections.abc.Callable[..., str]),
        # Annotations that say nothing about the value.
        (int, ClassVar[str]),
        (int, "ClassVar[str]"),
        (int, "NoSuchName"),
        (int, "1 +"),
        (int, T),
        (int, range),
    ],
)
def test_types_that_agree(registered, declared):
    assert bind(registered, declared) is not None


@pytest.mark.parametrize(
    ("registered", "declared"),
    [
        (int, float),
        (float, int),
        (int, bool),
        (int, str),
        (str, bytes),
        (str, tvm_ffi.dtype),
        (tvm_ffi.Device, int),
        (int, tvm_ffi.Object),
        (tvm_ffi.Object, int),
        (int, "str | None"),
        (Optional[int], str),
        (Union[int, str], float),
        (int, Literal["a"]),
        (list[int], dict[str, int]),
        (list[int], list[str]),
        (tuple[int, str], tuple[int, int]),
        (dict[str, int], dict[str, str]),
        (Node, Other),
        (Node, str),
        (Level, str),
        (tvm_ffi.Tensor, Node),
        (collections.abc.Callable[[int], int], Node),
    ],
)
def test_types_that_contradict(registered, declared):
    with pytest.raises(TypeError, match="declares the field `x` as"):
        bind(registered, declared)


def test_the_message_names_both_sides():
    with pytest.raises(TypeError) as raised:

        @c_class("testing.TestObjectBase")
        class Base(tvm_ffi.Object):
            v_i64: float
            v_f64: float
            v_str: str

    library = libinfo._find_own_library("tvm_ffi_testing")
    assert str(raised.value).replace("test_the_message_names_both_sides.<locals>.", "") == (
        "@c_class('testing.TestObjectBase'): class `Base` declares the field `v_i64` as `float`, "
        f"but {library} registers it as `int`. {__file__} and the library are of different "
        "versions: run tvm-ffi-stubgen again if it wrote the class, otherwise correct the "
        "annotation or rebuild the library"
    )
    # The former class of the type remains.
    assert type(TestObjectBase(1)) is TestObjectBase


def test_a_mixin_is_compared_too():
    class Mixin:
        v_str: int

    with pytest.raises(TypeError, match="declares the field `v_str` as `int`"):

        @c_class("testing.TestObjectBase")
        class Base(Mixin, tvm_ffi.Object):
            v_i64: int
            v_f64: float


def test_an_attribute_that_hides_a_field_is_not_compared():
    """A test for a fixed bug: ``v_str: int = 3`` is an attribute of the class, not the field."""

    @c_class("testing.TestObjectBase")
    class Base(tvm_ffi.Object):
        v_i64: int
        v_f64: float
        v_str: int = 3

    assert Base(1).v_str == 3
