# SPDX-License-Identifier: Apache-2.0
"""Print the facts of registered types, for `registry`. This module runs in a separate process.

``python -c "...; main()" {lib|module} NAME...`` loads the named files or modules, and prints the
types that they register as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from . import registry_native

#: The environment variable that contains the names of the type attributes to read, as a JSON array.
#: If the variable is not set, this module tries all names that occur in the loaded files.
ATTRIBUTES = "TVM_FFI_SCHEMA_ATTRIBUTES"
_RAW_FIELD = ("name", "doc", "offset", "size", "frozen", "metadata")
_FLAGS = ("init", "kw_only", "repr", "compare", "hash")


def main() -> None:
    """Load the files or modules in the arguments, and print the facts."""
    ffi: Any = import_module("tvm_ffi")
    before = set(map(str, ffi.registry.get_registered_type_keys()))
    kind, *names = sys.argv[1:]
    if kind == "module":
        sys.path.insert(0, os.getcwd())
        for name in names:
            import_module(name)
        paths = [sys.modules[name].__file__ or "" for name in names]
    else:
        paths = [os.path.abspath(name) for name in names]
        for path in paths:
            ffi.load_module(path)
    wanted = json.loads(os.environ.get(ATTRIBUTES, "null"))
    if wanted is None:
        wanted = registry_native.attribute_names(ffi.LIB, filter(None, paths))
    keys = [str(key) for key in ffi.registry.get_registered_type_keys()]
    found = [facts_of(ffi, key, wanted) for key in keys if key not in before]
    # Separate the JSON from text that the loaded libraries have written to standard output.
    sys.stdout.write("\n" + json.dumps(found) + "\n")


def _doc_of(cls: type | None) -> str:
    """Return the docstring that a class itself has; empty if there is none."""
    doc = None if cls is None else vars(cls).get("__doc__")
    return doc if isinstance(doc, str) else ""


def facts_of(ffi: Any, key: str, attributes: Iterable[str] = ()) -> dict[str, Any]:
    """Return what the runtime knows about a type, and the values of the named type attributes."""
    info = ffi.core._lookup_or_register_type_info_from_type_key(key)
    cls = info.type_cls
    attribute = ffi.core._lookup_type_attr
    layout = ffi.get_global_func("ffi.schema.Layout")(key)
    signs = registry_native.unsigned_fields(ffi.LIB, info.type_index)
    values = {name: attribute(info.type_index, name) for name in attributes}
    return {
        "key": key,
        "parent": info.parent_type_info.type_key if info.parent_type_info is not None else "",
        "doc": _doc_of(cls),
        "kind": int(ffi.get_global_func("ffi.schema.StructuralKind")(info.type_index)),
        "final": attribute(info.type_index, "__ffi_type_final__") is True,
        "abstract": attribute(info.type_index, "__ffi_init__") is None,
        "fields": [
            {**_field(ffi, one), "unsigned": unsigned}
            for one, unsigned in zip(info.fields or (), signs)
        ],
        "methods": [
            {"name": m.name, "doc": m.doc or "", "metadata": m.metadata, "static": m.is_static}
            for m in info.methods
        ],
        "entries": _entries(ffi, info),
        "slots": int(layout["child_slots"]),
        "sealed": not layout["overflows"],
        "size": layout["size"],
        "attributes": {n: _literal(ffi, v) for n, v in values.items() if v is not None},
    }


def _field(ffi: Any, one: Any) -> dict[str, Any]:
    facts = {name: getattr(one, name) for name in _RAW_FIELD}
    facts.update({name: getattr(one, f"c_{name}") for name in _FLAGS})
    facts["structural_eq"] = one.c_structural_eq or ""
    default = None
    if one.c_default is not ffi.core.MISSING:
        default = ["value", *_literal(ffi, one.c_default)]
    elif one.c_default_factory is not ffi.core.MISSING:
        try:
            default = ["factory", *_literal(ffi, one.c_default_factory())]
        except Exception as error:
            default = ["factory", "none", f"{type(error).__name__}: {error}"]
    facts["default"] = default
    return facts


def _literal(ffi: Any, value: Any) -> tuple[str, Any]:
    """Return ``("literal", value)``, ``("entry", [key, name])`` or ``("none", description)``."""
    if isinstance(value, ffi.Object):
        index = ffi.core._lookup_or_register_type_info_from_type_key
        key = str(ffi.core._type_cls_to_type_info(type(value)).type_key) if index else ""
        name = ffi.get_global_func("ffi.EnumNameOf")(value)
        if name is not None:
            return "entry", [key, str(name)]
    try:
        return "literal", _plain(value)
    except TypeError:
        return "none", repr(value)


def _plain(value: Any, depth: int = 0) -> Any:
    if depth > 32:
        raise TypeError("too deep")
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, bytes):
        return {"$bytes": value.hex()}
    if isinstance(value, str):
        return str(value)
    kind = type(value).__name__
    if kind in ("dtype", "DataType", "Device"):
        return str(value)
    if kind in ("Array", "List", "list", "tuple", "Shape"):
        return [_plain(item, depth + 1) for item in value]
    if kind in ("Map", "Dict", "dict"):
        return {_plain(k, depth + 1): _plain(v, depth + 1) for k, v in value.items()}
    raise TypeError(kind)


def _entries(ffi: Any, info: Any) -> list[dict[str, Any]] | None:
    state = ffi.core._lookup_type_attr(info.type_index, "__ffi_enum__")
    if state is None:
        return None
    return [_entry(ffi, info, one) for one in state.entries]


def _entry(ffi: Any, info: Any, one: Any) -> dict[str, Any]:
    fields = {}
    for field in _own_fields(info):
        kind, value = _literal(ffi, getattr(one, field))
        if kind == "literal":
            fields[field] = value
    return {
        "name": str(ffi.get_global_func("ffi.EnumNameOf")(one)),
        "number": getattr(one, "_int_index", None),
        "fields": fields,
    }


def _own_fields(info: Any) -> Iterable[str]:
    while info is not None and not info.type_key.startswith("ffi."):
        yield from (one.name for one in info.fields or ())
        info = info.parent_type_info
