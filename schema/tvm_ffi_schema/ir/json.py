# SPDX-License-Identifier: Apache-2.0
"""Canonical JSON of the intermediate form: write and read JSON, compute hashes.

In the canonical form, keys are sorted, and default values, spans and paths are omitted. So equal
schemas have equal text, independent of the reader that made them.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import types
import typing
from typing import Any

from .. import ir

_CLASSES: dict[str, type] = {
    name: value
    for name, value in vars(ir).items()
    if isinstance(value, type) and dataclasses.is_dataclass(value)
}
_SKIPPED = {"span", "path"}


class IrError(ValueError):
    """A JSON text that is not a schema; `where` is the path of the offending value."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where or 'the document'}: {message}")
        self.where = where


def dumps(schema: ir.Schema) -> str:
    """Return the canonical text of a schema, with a final newline."""
    data = {"version": IR_TAG, **_out(schema)}
    return json.dumps(data, sort_keys=True, indent=1, ensure_ascii=False) + "\n"


def digest(value: Any) -> str:
    """Return the BLAKE2b hash of a record's canonical text."""
    text = json.dumps(_out(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.blake2b(text.encode("utf-8"), digest_size=16).hexdigest()


IR_TAG = ir.IR_VERSION


def _out(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [_out(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _out(item) for key, item in value.items()}
    defaults = _defaults(type(value))
    if defaults is None:
        if isinstance(value, float) and not math.isfinite(value):
            return {"$float": str(value)}  # JSON cannot represent this number
        return {"$bytes": value.hex()} if isinstance(value, bytes) else value
    result = {}
    for name, default in defaults:
        item = getattr(value, name)
        if item != default or type(item) is not type(default):
            result[name] = _out(item)
    return result


_DEFAULTS: dict[type, Any] = {}


def _defaults(cls: type) -> Any:
    """Return (field name, default) pairs of a record class; None for any other class."""
    if cls not in _DEFAULTS:
        _DEFAULTS[cls] = (
            [
                (
                    f.name,
                    f.default_factory()
                    if f.default_factory is not dataclasses.MISSING
                    else f.default,
                )
                for f in dataclasses.fields(cls)
                if f.name not in _SKIPPED
            ]
            if cls.__module__ == ir.__name__ and dataclasses.is_dataclass(cls)
            else None
        )
    return _DEFAULTS[cls]


def loads(text: str) -> ir.Schema:
    """Read a schema from JSON text.

    Raises
    ------
    IrError
        If the text is not valid JSON, has a newer version, or has another form than `dumps` writes.

    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise IrError("", f"this is not valid JSON: {error}") from None
    if not isinstance(data, dict):
        raise IrError("", f"expected an object, found {_kind(data)}")
    tag = data.pop("version", None)
    if tag != IR_TAG:
        raise IrError("version", f"expected {IR_TAG!r}, found {tag!r}")
    schema: ir.Schema = _in(ir.Schema, data, "")
    return schema


_HINTS: dict[type, dict[str, Any]] = {}


def _hints(cls: type) -> dict[str, Any]:
    if cls not in _HINTS:
        _HINTS[cls] = _evaluate_hints(cls)
    return _HINTS[cls]


def _evaluate_hints(cls: type) -> dict[str, Any]:
    return {name: hint for name, hint in typing.get_type_hints(cls).items() if name not in _SKIPPED}


def _in(expected: Any, value: Any, where: str) -> Any:
    """Convert a JSON value to the type of a type hint."""
    origin = typing.get_origin(expected)
    if expected is Any:
        return _literal_in(value)
    if origin is types.UnionType:
        inner = [arg for arg in typing.get_args(expected) if arg is not type(None)]
        return None if value is None else _in(inner[0], value, where)
    if origin is tuple:
        if not isinstance(value, list):
            raise IrError(where, f"expected an array, found {_kind(value)}")
        item = typing.get_args(expected)[0]
        return tuple(_in(item, one, f"{where}[{i}]") for i, one in enumerate(value))
    if origin is dict:
        if not isinstance(value, dict):
            raise IrError(where, f"expected an object, found {_kind(value)}")
        return {key: _literal_in(item) for key, item in value.items()}
    if isinstance(expected, type) and dataclasses.is_dataclass(expected):
        return _record_in(expected, value, where)
    if type(value) is not expected:
        raise IrError(where, f"expected {expected.__name__}, found {_kind(value)}")
    return value


def _record_in(cls: type, value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise IrError(where, f"expected an object, found {_kind(value)}")
    hints = _hints(cls)
    for key in value:
        if key not in hints:
            raise IrError(where, f"{cls.__name__} has no member {key!r}")
    arguments = {
        key: _in(hints[key], item, f"{where}.{key}" if where else key)
        for key, item in value.items()
    }
    try:
        return cls(**arguments)
    except TypeError:
        required = [f.name for f in dataclasses.fields(cls) if _is_required(f)]
        missing = [name for name in required if name not in arguments]
        raise IrError(where, f"{cls.__name__} needs {', '.join(missing)}") from None


def _is_required(f: Any) -> bool:
    return f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING


def _literal_in(value: Any) -> Any:
    if isinstance(value, dict):
        if set(value) == {"$bytes"}:
            return bytes.fromhex(value["$bytes"])
        if set(value) == {"$float"}:
            return _literal_in(float(value["$float"]))
        return {key: _literal_in(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_literal_in(item) for item in value]
    if isinstance(value, float) and math.isnan(value):
        return math.nan  # always return the same object, so that comparison by identity works
    return value


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "an array", str: "a text", type(None): "null"}
    return names.get(type(value), f"{type(value).__name__} {value!r:.40}")
