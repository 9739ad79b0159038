# SPDX-License-Identifier: Apache-2.0
"""Classes of the enums in the library of test fixtures."""

from __future__ import annotations

from tvm_ffi import core
from tvm_ffi.dataclasses._enum.family import IntEnum, StrEnum
from tvm_ffi.registry import register_object

core._load_testing_library()


class _TestCxxIntEnum(IntEnum, type_key="testing.TestCxxIntEnum"):
    low = 10
    high = 20


class _TestCxxStrEnum(StrEnum, type_key="testing.TestCxxStrEnum"):
    add = "+"
    mul = "*"


@register_object("testing.TestCxxEnumHolder")
class _TestCxxEnumHolder(core.Object):
    priority: _TestCxxIntEnum
    opcode: _TestCxxStrEnum
