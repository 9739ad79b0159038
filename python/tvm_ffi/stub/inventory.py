# SPDX-License-Identifier: Apache-2.0
"""Describe registered types and functions as plain data and as text."""

from __future__ import annotations

import inspect
import json

from .. import _ffi_api, core
from .._types.schema.text import tensor_text
from ..module import Module, load_module
from . import lib_state
from .lib_state import function_info, object_info_from_type_key
from .type_text import read_schema, signature_of, write_schema
from .utils import parameters_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from tvm_ffi._signatures.keywords import Parameters
    from tvm_ffi.core import TypeSchema
    from tvm_ffi.module import Module

    from .utils import FuncInfo

    Inventory = dict[str, dict[str, dict[str, Any]]]

# The inventory describes only these type attributes, which this package defines, because the
# runtime cannot list the attributes of a type.
_ATTRIBUTES = (
    *("__ffi_new__", "__ffi_init__", "__ffi_convert__", "__ffi_shallow_copy__"),
    *("__any_hash__", "__any_equal__", "__ffi_repr__", "__ffi_hash__", "__ffi_eq__"),
    *("__ffi_compare__", "__s_equal__", "__s_hash__", "__s_visit__", "__s_mutate__"),
    *("__s_maybe_inplace_mutate__", "__data_to_json__", "__data_from_json__", "__ffi_enum__"),
)


def registered_names() -> tuple[set[str], set[str]]:
    """Return the keys of the object types and the names of the functions of this process."""
    return set(lib_state.object_types()), set(lib_state.function_names())


def take_inventory(
    type_keys: Collection[str], functions: Collection[str], libraries: Collection[str] = ()
) -> Inventory:
    """Describe types, global functions, and the functions that libraries export, by name."""
    return {
        "types": {key: _type(key) for key in sorted(type_keys)},
        "functions": {name: _function(name) for name in sorted(functions)},
        "exports": {path: _exports(path) for path in libraries},
    }


def _text(schema: TypeSchema) -> str:
    return write_schema(schema, lambda origin: origin, tensor_of=lambda _, t: tensor_text(t))


def signature_text(schema: TypeSchema | None, named: Parameters | None = None) -> str:
    """Return the text of a signature; an unknown signature accepts any arguments.

    ``named`` has the names and defaults of the last parameters; a receiver before them has no name.
    """
    if schema is None:
        return "(...) -> Any"
    result, parameters = signature_of(schema)
    texts = ["..."] if parameters is None else list(map(_text, parameters))
    described = _parameters(schema, named) or []
    texts[len(texts) - len(described) :] = [
        f"{p['name']}: {p['type']}" + (f" = {p['default']!r}" if "default" in p else "")
        for p in described
    ]
    return f"({', '.join(texts)}) -> {_text(result)}"


def _function(name: str) -> dict[str, Any]:
    metadata = json.loads(_ffi_api.GetGlobalFuncMetadata(name) or "{}")
    return _function_entry(metadata, str(_ffi_api.GetGlobalFuncDoc(name)))


def _exports(path: str) -> dict[str, Any]:
    """Describe the functions that a library exports."""
    module = load_module(path)
    return {
        name: _function_entry(
            module.get_function_metadata(name) or {}, module.get_function_doc(name) or ""
        )
        for name in _names_in(module)
    }


def _names_in(module: Module) -> list[str]:
    return list(map(str, _ffi_api.ModuleGetFunctionNames(module) or ()))


def exported_names(path: str) -> list[str]:
    """Return the names of the functions that a library exports; ``[]`` if it is not a module."""
    try:
        return _names_in(load_module(path))
    except Exception:  # The library's code may raise any error.
        return []


def exported_functions(path: str) -> list[FuncInfo]:
    """Describe the functions with a type schema that a library exports.

    A function that an attribute of ``Module`` hides is left out, because only indexing finds it.
    """
    module = load_module(path)
    described = [
        function_info(name, module.get_function_metadata(name) or {}, module.get_function_doc(name))
        for name in sorted(_names_in(module))
        if not hasattr(Module, name)
    ]
    return [function for function in described if function is not None]


def _function_entry(metadata: dict[str, Any], doc: str) -> dict[str, Any]:
    schema = _schema(metadata)
    named, fault = (None, None) if schema is None else parameters_of(metadata, schema)
    return {
        "signature": signature_text(schema, named),
        "typed": schema is not None,
        "doc": doc or None,
        "parameters": _parameters(schema, named),
        **_fault_entry(fault),
    }


def _fault_entry(fault: str | None) -> dict[str, str]:
    """Return ``{"fault": reason}`` if registered parameter names are not used; otherwise ``{}``."""
    return {} if fault is None else {"fault": fault}


def _schema(metadata: dict[str, Any]) -> TypeSchema | None:
    given = metadata.get("type_schema")
    return None if given is None else read_schema(given)


def _parameters(schema: TypeSchema | None, named: Parameters | None) -> list[dict[str, Any]] | None:
    """Describe parameters with their names and defaults; None if they have no names."""
    if schema is None or named is None:
        return None
    names, defaults = named
    types = (signature_of(schema)[1] or ())[-len(names) :] if names else ()
    described: list[dict[str, Any]] = [
        {"name": name, "type": _text(type_)} for name, type_ in zip(names, types)
    ]
    for entry, default in zip(described[len(names) - len(defaults) :], defaults):
        entry["default"] = default
    return described


def _type(key: str) -> dict[str, Any]:
    info = core._lookup_or_register_type_info_from_type_key(key)
    described = object_info_from_type_key(key)
    index = info.type_index
    schemas = {} if described is None else {f.name: f.schema for f in described.fields}
    methods = [] if described is None else described.methods
    registered: Any = core._describe_type(index)
    return {
        "doc": None if registered is None else registered[5],
        "parent": None if described is None else described.parent_type_key,
        "final": bool(core._lookup_type_attr(index, "__ffi_type_final__")),
        "fields": [
            {
                "name": f.name,
                "type": _text(schemas[f.name]),
                "offset": f.offset,
                "size": f.size,
                "read_only": bool(f.frozen),
                "doc": f.doc or None,
            }
            for f in info.fields or ()
        ],
        "methods": [
            {
                "name": m.schema.name,
                "signature": signature_text(m.schema.schema, m.parameters),
                "static": not m.is_member,
                "doc": m.doc or None,
                "parameters": _parameters(m.schema.schema, m.parameters),
                **_fault_entry(m.fault),
            }
            for m in methods
        ],
        "attributes": [
            name for name in _ATTRIBUTES if core._lookup_type_attr(index, name) is not None
        ],
        "enum_entries": _enum_entries(index),
    }


def _enum_entries(type_index: int) -> list[str]:
    entries = core._lookup_type_attr(type_index, "__enum_entries__")
    try:
        return [] if entries is None else sorted(map(str, entries))
    except TypeError:
        return []  # The value of the attribute is not a mapping.


# ---- as text ----


def as_text(inventory: Inventory) -> str:
    """Return an inventory as text for a terminal: types as a tree, then functions."""
    types = inventory["types"]
    lines: list[str] = []
    children: dict[str | None, list[str]] = {}
    for key, entry in types.items():
        parent = entry["parent"] if entry["parent"] in types else None
        children.setdefault(parent, []).append(key)
    # Iterate instead of recursing, because the tree may be deeper than the recursion limit.
    waiting = [(key, 0) for key in reversed(children.get(None, []))]
    while waiting:
        key, depth = waiting.pop()
        lines += _type_lines(key, types[key], "  " * depth)
        waiting += [(child, depth + 1) for child in reversed(children.get(key, []))]
    if lines:
        lines.insert(0, "Types")
    functions = inventory["functions"]
    if functions:
        lines += ["", "Functions"] if lines else ["Functions"]
        for name, entry in functions.items():
            lines += _function_lines(name, entry, "  ")
    for path, exports in inventory.get("exports", {}).items():
        if exports:
            lines += ["", f"Exports of {path}"] if lines else [f"Exports of {path}"]
        for name, entry in exports.items():
            lines += _function_lines(name, entry, "  ")
    return "\n".join(lines) + "\n" if lines else "nothing is registered\n"


def _function_lines(name: str, entry: dict[str, Any], space: str) -> list[str]:
    lines = [f"{space}{name}{entry['signature']}", *_doc_lines(entry, f"{space}    ")]
    if entry.get("fault"):
        lines.append(f"{space}    no names of parameters: {entry['fault']}")
    return lines


def _doc_lines(entry: dict[str, Any], space: str) -> list[str]:
    doc = inspect.cleandoc(entry.get("doc") or "")
    return [f"{space}{line}".rstrip() for line in doc.splitlines()]


def _type_lines(key: str, entry: dict[str, Any], space: str) -> list[str]:
    lines = [f"  {space}{key}{' (final)' if entry['final'] else ''}"]
    inner = f"    {space}"
    lines += _doc_lines(entry, inner)
    for f in entry["fields"]:
        note = "  (read-only)" if f["read_only"] else ""
        lines.append(f"{inner}.{f['name']}: {f['type']}{note}")
        lines += _doc_lines(f, f"{inner}    ")
    for m in entry["methods"]:
        kind = "static " if m["static"] else ""
        lines += _function_lines(f"{kind}{m['name']}", m, inner)
    if entry["enum_entries"]:
        lines.append(f"{inner}entries: {', '.join(entry['enum_entries'])}")
    if entry["attributes"]:
        lines.append(f"{inner}attributes: {', '.join(entry['attributes'])}")
    return lines
