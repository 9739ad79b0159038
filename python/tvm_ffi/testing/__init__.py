# SPDX-License-Identifier: Apache-2.0
"""What tests of this package and of its clients use: functions ``testing.*`` and their types."""

# ruff: noqa: F401 - the names that begin with an underscore are used all the same
from __future__ import annotations

from tvm_ffi.registry import init_ffi_api

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
    "TestHash",
    "TestIntPair",
    "TestNonCopyable",
    "TestObjectBase",
    "TestObjectDerived",
    "TestObjectPtrHolder",
    "create_object",
    "make_unregistered_object",
]

init_ffi_api("testing", __name__)
