# SPDX-License-Identifier: Apache-2.0
"""Fixtures for tests of this package and of clients: functions ``testing.*`` and their types."""

# ruff: noqa: F401 - the names that begin with an underscore are used by tests
from __future__ import annotations

from tvm_ffi import _ffi_api, core
from tvm_ffi.registry import init_ffi_api

from . import _locking
from ._locking import run_with_gpu_lock
from .classes import (
    TestFrozenCxx,
    _SchemaAllTypes,
    _TestCxxClassBase,
    _TestCxxClassDerived,
    _TestCxxClassDerivedDerived,
)
from .testing import (
    TestCompare,
    TestCustomCompare,
    TestCustomHash,
    TestEqWithoutHash,
    TestHash,
    TestIntPair,
    TestNonCopyable,
    TestObjectBase,
    TestObjectDerived,
    TestObjectPtrHolder,
    _TestCxxAutoInit,
    _TestCxxAutoInitAllInitOff,
    _TestCxxAutoInitChild,
    _TestCxxAutoInitKwOnlyDefaults,
    _TestCxxAutoInitParent,
    _TestCxxAutoInitSimple,
    _TestCxxInitSubset,
    _TestCxxKwOnly,
    _TestCxxNoAutoInit,
    create_object,
    make_unregistered_object,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Enum classes; their module is imported when one of them, or its type, is first used.
_ENUMS = ("_TestCxxEnumHolder", "_TestCxxIntEnum", "_TestCxxStrEnum")
core._lazy_class_module.update({f"testing.{name[1:]}": "tvm_ffi.testing.enums" for name in _ENUMS})


def __getattr__(name: str) -> Any:
    if name not in _ENUMS:
        raise AttributeError(f"module 'tvm_ffi.testing' has no attribute {name!r}")
    from . import enums

    return getattr(enums, name)


__all__ = [
    "TestCompare",
    "TestCustomCompare",
    "TestCustomHash",
    "TestEqWithoutHash",
    "TestFrozenCxx",
    "TestHash",
    "TestIntPair",
    "TestNonCopyable",
    "TestObjectBase",
    "TestObjectDerived",
    "TestObjectPtrHolder",
    "create_object",
    "make_unregistered_object",
    "run_with_gpu_lock",
]

init_ffi_api("testing", __name__)
