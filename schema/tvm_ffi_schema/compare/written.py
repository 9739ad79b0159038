# SPDX-License-Identifier: Apache-2.0
"""Convert literals to the form that the runtime writes, so that defaults can be compared."""

from __future__ import annotations

from typing import Any

from ..front.fields import fits
from ..ir import FieldDef, TypeRef, native_text


def same_default(one: FieldDef, other: FieldDef) -> bool:
    """Return whether two fields have equal defaults.

    A default factory equals a default value if the factory makes an equal value.
    """
    if one.default is None or other.default is None or one.default == other.default:
        return one.default == other.default
    if not {one.default.kind, other.default.kind} <= {"value", "factory"}:
        return False
    return bool(written(one.default.value, one.type) == written(other.default.value, other.type))


def written(value: Any, type_: TypeRef) -> Any:
    """Return a literal in which devices and data types have the form that the runtime writes."""
    if type_.origin in ("Optional", "Union"):
        inner = next((arg for arg in type_.args if fits(arg, value)), None)
        return value if inner is None else written(value, inner)
    if type_.origin in ("Device", "DataType") and fits(type_, value):
        is_device = type_.origin == "Device"
        return native_text.device_name(value) if is_device else native_text.dtype_name(value)
    if isinstance(value, dict) and len(type_.args) == 2:
        key, item = type_.args
        return {written(k, key): written(v, item) for k, v in value.items()}
    if isinstance(value, (list, tuple)) and type_.args:
        args = type_.args if type_.origin == "Tuple" else type_.args * len(value)
        return [written(one, arg) for one, arg in zip(value, args)]
    return value
