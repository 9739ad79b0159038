# SPDX-License-Identifier: Apache-2.0
"""Classes whose instances are objects of the library."""

from __future__ import annotations

from .enum import (
    Enum,
    EnumAttrMap,
    EnumObject,
    EnumState,
    IntEnum,
    StrEnum,
    auto,
    c_enum,
    entry,
    py_enum,
)
