# SPDX-License-Identifier: Apache-2.0
"""Make the JSON Schema of the canonical form from the records of `ir`."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from typing import Any

from .. import ir
from . import json as ir_json

_PLAIN = {str: "string", int: "integer", bool: "boolean", float: "number"}


def dumps() -> str:
    """Return the JSON Schema (draft 2020-12) that every exported schema satisfies."""
    top = _record(ir.Schema)
    top["properties"]["version"] = {"const": ir.IR_VERSION}
    top["required"] = ["version"]
    data = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Object schema, {ir.IR_VERSION}",
        **top,
        "$defs": {
            name: _record(cls) for name, cls in sorted(ir_json._CLASSES.items()) if _is_used(name)
        },
    }
    return json.dumps(data, indent=1) + "\n"


def _is_used(name: str) -> bool:
    return name not in ("Schema", "Span")


def _record(cls: type) -> dict[str, Any]:
    hints = ir_json._hints(cls)
    required = [f.name for f in dataclasses.fields(cls) if ir_json._is_required(f)]
    out: dict[str, Any] = {
        "type": "object",
        "properties": {name: _type(hint) for name, hint in hints.items()},
        "additionalProperties": False,
    }
    if cls.__doc__:
        out["description"] = " ".join(cls.__doc__.split())
    if required:
        out["required"] = required
    return out


def _type(hint: Any) -> dict[str, Any]:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return {}
    if origin is types.UnionType:
        return {"anyOf": [_type(args[0]), {"type": "null"}]}
    if origin is tuple:
        return {"type": "array", "items": _type(args[0])}
    if origin is dict:
        return {"type": "object"}
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return {"$ref": f"#/$defs/{hint.__name__}"}
    return {"type": _PLAIN[hint]}
