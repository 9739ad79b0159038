# SPDX-License-Identifier: Apache-2.0
"""Convert type schemas from and to the JSON objects of metadata."""

from __future__ import annotations

from json import loads as loads

from . import origins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .record import TypeSchema


def from_object(make: type[TypeSchema], obj: Any) -> TypeSchema:
    """Read a schema as an instance of ``make``; see ``TypeSchema.from_json_obj``."""
    if not isinstance(obj, dict) or "type" not in obj:
        raise TypeError(f"expected schema dict with 'type' key, got {type(obj).__name__}")
    name = obj["type"]
    if not isinstance(name, str):
        raise TypeError("schema type must be a string")
    fallback = obj.get("fallback")
    literals = obj.get("literals")
    return make(
        origins.NAME_OF_JSON.get(name, name),
        _args(make, name, obj.get("args")),
        fallback=None if fallback is None else from_object(make, fallback),
        named_args=_groups(make, obj.get("named_args")),
        type_key=name if name == origins.BIG_INT_KEY else None,
        literals=literals if isinstance(literals, list) else None,
        tensor=_tensor(obj.get("tensor")),
    )


def _tensor(entry: Any) -> dict[str, Any] | None:
    """Read what a typed tensor requires; ignore an entry of another form."""
    if not isinstance(entry, dict) or not entry.get("dtype"):
        return None
    lists = (entry["dtype"], entry.get("shape", []), entry.get("device", []))
    return entry if all(isinstance(value, list) for value in lists) else None


def _args(make: type[TypeSchema], name: str, members: Any) -> list[TypeSchema] | None:
    """Read the arguments; ignore numbers among them, such as the length of an array."""
    if not isinstance(members, list):
        return None
    if name == "std::function" and len(members) == 2 and isinstance(members[1], list):
        members = [members[0], *members[1]]
    return [from_object(make, member) for member in members if isinstance(member, dict)]


def _groups(make: type[TypeSchema], groups: Any) -> dict[str, tuple[TypeSchema, ...]] | None:
    if groups is None:
        return None
    if not isinstance(groups, dict):
        raise TypeError("named_args must be a map of names to type lists")
    read = {}
    for name, members in groups.items():
        if not isinstance(members, list):
            raise TypeError("named_args must map names to type lists")
        if not all(isinstance(member, dict) for member in members):
            raise TypeError("named_args lists must contain type schemas")
        read[name] = tuple([from_object(make, member) for member in members])
    return read


def to_object(schema: TypeSchema) -> dict[str, Any]:
    """Write a schema; see ``TypeSchema.to_json``."""
    obj: dict[str, Any] = {"type": schema.type_key or schema.origin}
    if schema.args or (schema.origin == "tuple" and schema.args is not None):
        obj["args"] = [to_object(arg) for arg in schema.args]
    if schema.named_args is not None:
        obj["named_args"] = {
            name: [to_object(member) for member in members]
            for name, members in schema.named_args.items()
        }
    if schema.fallback is not None:
        obj["fallback"] = to_object(schema.fallback)
    if schema.literals is not None:
        obj["literals"] = list(schema.literals)
    if schema.tensor is not None:
        obj["tensor"] = schema.tensor
    return obj
