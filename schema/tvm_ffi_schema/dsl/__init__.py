# SPDX-License-Identifier: Apache-2.0
"""The schema language: the decorators, functions and base classes that schema files use.

Each function checks its arguments and returns a record; it does not register a type in a native
library. The import reader runs schema files, which call these functions. The static reader parses
schema files, and calls the same functions with the literals in a file. So both readers refuse the
same schemas.
"""

from __future__ import annotations

from typing import Any

from .decorators import MethodMark, Record, declare, extend, method, mixin, recording
from .fields import EntrySpec, FieldSpec, auto, entry, field
from .modules import ExternSpec, ModuleSpec, extern, module
from .values import (
    KW_ONLY,
    MISSING,
    AutoSlots,
    CppText,
    Enum,
    IntEnum,
    Object,
    StrEnum,
    Trait,
    auto_slots,
    cpp,
)

__all__ = [
    "KW_ONLY",
    "MISSING",
    "WORDS",
    "AutoSlots",
    "CppText",
    "EntrySpec",
    "Enum",
    "ExternSpec",
    "FieldSpec",
    "IntEnum",
    "MethodMark",
    "ModuleSpec",
    "Object",
    "Record",
    "StrEnum",
    "Trait",
    "auto",
    "auto_slots",
    "cpp",
    "declare",
    "entry",
    "extend",
    "extern",
    "field",
    "method",
    "mixin",
    "module",
    "recording",
]

#: Names that a schema file may import from this package.
WORDS: dict[str, Any] = {
    name: globals()[name]
    for name in (
        *("KW_ONLY", "MISSING", "Enum", "IntEnum", "Object", "StrEnum", "Trait", "auto"),
        *("auto_slots", "cpp", "declare", "entry", "extend", "extern", "field", "method"),
        *("mixin", "module"),
    )
}
