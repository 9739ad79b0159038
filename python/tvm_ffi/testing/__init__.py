# SPDX-License-Identifier: Apache-2.0
"""What tests of this package and of its clients use: functions ``testing.*`` and their types."""

# ruff: noqa: F401 - the names that begin with an underscore are used all the same
from __future__ import annotations

from tvm_ffi import _ffi_api
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
from .enums import _TestCxxEnumHolder, _TestCxxIntEnum, _TestCxxStrEnum
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
    from collections.abc import Callable
    from typing import Any

    __getattr__: Callable[[str], Any]

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
