# SPDX-License-Identifier: Apache-2.0
"""Classes of the types in the library of test fixtures."""

from __future__ import annotations

from tvm_ffi import _ffi_api, core
from tvm_ffi.dataclasses.c_class import c_class
from tvm_ffi.registry import get_global_func

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tvm_ffi.container import Array

# The types must be registered before their classes.
core._load_testing_library()


@c_class("testing.TestObjectBase")
class TestObjectBase(core.Object):
    """A type with fields of three kinds, each with a default, and a method."""

    # Prevents pytest from collecting the classes of this module as tests.
    __test__ = False

    v_i64: int
    v_f64: float
    v_str: str

    add_i64: Callable[[int], int]


@c_class("testing.TestObjectDerived")
class TestObjectDerived(TestObjectBase):
    """A derived type with two additional fields without defaults."""

    v_map: Any
    v_array: Array[Any]


@c_class("testing.TestIntPair")
class TestIntPair(core.Object):
    """A type with two read-only integers, set by a C++ constructor."""

    __test__ = False

    a: int
    b: int

    sum: Callable[[], int]


@c_class("testing.TestNonCopyable")
class TestNonCopyable(core.Object):
    """A type that cannot be copied."""

    __test__ = False

    value: int


@c_class("testing.TestObjectPtrHolder")
class TestObjectPtrHolder(core.Object):
    """A type with a field for an object, and an optional field for an object."""

    __test__ = False

    value: TestObjectBase
    optional_value: TestObjectBase | None


@c_class("testing.TestCompare")
class TestCompare(core.Object):
    """A type with two fields that are compared, and one field that is not."""

    __test__ = False

    key: int
    name: str
    ignored_field: int


@c_class("testing.TestHash")
class TestHash(core.Object):
    """A type with two fields that are hashed, and one field that is not."""

    __test__ = False

    key: int
    name: str
    hash_ignored: int


@c_class("testing.TestCustomHash")
class TestCustomHash(core.Object):
    """A type with a custom hash that uses only ``key``."""

    __test__ = False

    key: int
    label: str


@c_class("testing.TestCustomCompare")
class TestCustomCompare(core.Object):
    """A type with custom comparison and hash that use only ``key``."""

    __test__ = False

    key: int
    label: str


@c_class("testing.TestEqWithoutHash")
class TestEqWithoutHash(core.Object):
    """A type with a custom equality and without a matching hash."""

    __test__ = False

    key: int
    label: str


# ---- types whose initializer is generated from their fields ----


@c_class("testing.TestCxxInitSubset")
class _TestCxxInitSubset(core.Object):
    required_field: int
    optional_field: int
    note: str


@c_class("testing.TestCxxKwOnly")
class _TestCxxKwOnly(core.Object):
    x: int
    y: int
    z: int
    w: int


@c_class("testing.TestCxxAutoInit")
class _TestCxxAutoInit(core.Object):
    a: int
    b: int
    c: int
    d: int


@c_class("testing.TestCxxAutoInitSimple")
class _TestCxxAutoInitSimple(core.Object):
    x: int
    y: int


@c_class("testing.TestCxxAutoInitAllInitOff")
class _TestCxxAutoInitAllInitOff(core.Object):
    x: int
    y: int
    z: int


@c_class("testing.TestCxxAutoInitKwOnlyDefaults")
class _TestCxxAutoInitKwOnlyDefaults(core.Object):
    p_required: int
    p_default: int
    k_required: int
    k_default: int
    hidden: int


@c_class("testing.TestCxxNoAutoInit")
class _TestCxxNoAutoInit(core.Object):
    x: int
    y: int


@c_class("testing.TestCxxAutoInitParent")
class _TestCxxAutoInitParent(core.Object):
    parent_required: int
    parent_default: int


@c_class("testing.TestCxxAutoInitChild")
class _TestCxxAutoInitChild(_TestCxxAutoInitParent):
    child_required: int
    child_kw_only: int


# ---- other ways to create objects ----


def create_object(type_key: str, **kwargs: Any) -> core.Object:
    """Create an object by reflection from the given fields; other fields get their defaults."""
    fields = [part for item in kwargs.items() for part in item]
    made: core.Object = _ffi_api.MakeObjectFromPackedArgs(type_key, *fields)
    return made


def make_unregistered_object() -> core.Object:
    """Create an object of a type without a Python class."""
    made: core.Object = get_global_func("testing.make_unregistered_object")()
    return made


def add_one(x: int) -> int:
    """Add one, in native code."""
    result: int = get_global_func("testing.add_one")(x)
    return result


def __getattr__(name: str) -> Any:
    """Return a pytest mark for newer interpreters; import pytest only for these marks."""
    if name in ("requires_py310", "requires_py312", "requires_py313"):
        import sys

        import pytest

        least = (3, int(name[-2:]))
        reason = f"needs Python {least[0]}.{least[1]}"
        return pytest.mark.skipif(sys.version_info < least, reason=reason)
    from . import classes, enums

    for other in (classes, enums):
        members = vars(other)
        if name in members and name.lstrip("_").startswith(("Test", "Schema")):
            return members[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
