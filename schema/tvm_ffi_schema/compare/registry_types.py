# SPDX-License-Identifier: Apache-2.0
"""Convert type schemas, which the runtime stores in JSON form, to types of schema files."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .. import ty
from ..ir import CppType, TypeRef, names
from ..link.program import RUNTIME

INTEGERS = {1: "int8_t", 2: "int16_t", 4: "int32_t", 8: "int64_t"}
#: Name in type schemas -> name in schema files, if they differ by more than the prefix ``ffi.``.
_NAMES = {"float": "double", "void*": "Handle", "Variant": "Union", "ffi.Object": "ObjectRef"}
_NAMES.update({"str": "String", "bytes": "Bytes", "ffi.SmallStr": "String", "dtype": "DataType"})


class TypeReader:
    """Reads types; `extern` declares a class of another library, `note` reports a message."""

    def __init__(self, extern: Callable[[str], str], note: Callable[[str], None]) -> None:
        self.extern = extern
        self.note = note

    def read(self, schema: Any, size: int) -> TypeRef:
        """Return the type that a type schema, as parsed from JSON, describes."""
        name = schema.get("type", "Any") if isinstance(schema, dict) else "Any"
        if name == "int":
            return TypeRef(INTEGERS.get(size, "int64_t"))
        if name == "float" and size == 4:
            return TypeRef("float")
        named = schema.get("named_args", {}) if isinstance(schema, dict) else {}
        if named:
            returned = named.get("return") or [{"type": "None"}]
            parts = [*returned[:1], *named.get("params", ())]
            return TypeRef("Function", tuple(self.read(part, 8) for part in parts))
        args = tuple(self.read(arg, 8) for arg in schema.get("args", ()))
        origin = _NAMES.get(name, name[4:] if name.startswith("ffi.") else name)
        row = ty.row_of(origin)
        if row is None:
            return self._foreign(name, size)
        if origin in ("Array", "List", "Map", "Dict") and not args:
            args = (TypeRef("Any"),) * row.arity
        if origin in ("Tuple", "Union", "Optional") and not args:
            return TypeRef("Any")
        return TypeRef(origin, args)

    def _foreign(self, name: str, size: int) -> TypeRef:
        if names.is_type_key(name) and "::" not in name:
            key = self.extern(name)
            return TypeRef("ObjectRef") if key in RUNTIME else TypeRef("class", name=key)
        self.note(f"the type {name} has no name in schemas")
        return TypeRef("Cpp", cpp=CppType(name, as_type=TypeRef("Any"), size=size, align=8))


def schema_of(metadata: dict[str, Any]) -> Any:
    """Return the parsed type schema of a field or a method; empty if there is none."""
    text = metadata.get("type_schema", "{}")
    try:
        return json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return {}
