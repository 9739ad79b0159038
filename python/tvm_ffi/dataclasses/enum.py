# SPDX-License-Identifier: Apache-2.0
"""Enums: named singletons of an object type, shared by all languages; see ``_enum/``."""

from __future__ import annotations

from ._enum.attr_map import EnumAttrMap
from ._enum.decorators import c_enum, py_enum
from ._enum.entries import EntryName, EnumEntries
from ._enum.entry import _EnumEntry, auto, entry
from ._enum.enum_object import EnumMeta, EnumObject
from ._enum.family import Enum, IntEnum, StrEnum
from ._enum.state import ENUM_STATE_ATTR, EnumState

__all__ = [
    "ENUM_STATE_ATTR",
    "EntryName",
    "Enum",
    "EnumAttrMap",
    "EnumEntries",
    "EnumMeta",
    "EnumObject",
    "EnumState",
    "IntEnum",
    "StrEnum",
    "auto",
    "c_enum",
    "entry",
    "py_enum",
]

for _public in (
    *(EntryName, Enum, EnumAttrMap, EnumEntries, EnumMeta, EnumObject, EnumState, IntEnum),
    *(StrEnum, _EnumEntry, auto, c_enum, entry, py_enum),
):
    _public.__module__ = __name__
