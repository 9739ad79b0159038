# SPDX-License-Identifier: Apache-2.0
"""Read the registries of this process."""

from __future__ import annotations

import json

from .. import _abi, _ffi_api, core
from .._types.info import _lineage
from ..registry import list_global_func_names
from . import consts
from .colour import paint
from .type_text import read_schema
from .utils import FuncInfo, NamedTypeSchema, ObjectInfo, parameters_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def collect_global_funcs() -> dict[str, list[FuncInfo]]:
    """Return the global functions that have a type schema, by prefix and sorted by name.

    Print the names of functions without a type schema.
    """
    found: dict[str, list[FuncInfo]] = {}
    for name in function_names():
        prefix, dot, _ = name.rpartition(".")
        if not dot:
            _skipped(f"Invalid name in global function: {name}")
            continue
        metadata = json.loads(_ffi_api.GetGlobalFuncMetadata(name) or "{}")
        function = function_info(name, metadata, str(_ffi_api.GetGlobalFuncDoc(name)))
        if function is not None:
            found.setdefault(prefix, []).append(function)
    return found


def function_info(name: str, metadata: dict[str, Any], doc: str | None) -> FuncInfo | None:
    """Describe a function; print a note and return None if it has no type schema."""
    value = metadata.get("type_schema")
    if value is None:
        _skipped(f"Function has no type schema: {name}")
        return None
    schema = read_schema(value)
    named, fault = parameters_of(metadata, schema)
    if fault is not None:
        _skipped(f"Names of the parameters of {name}: {fault}")
    return FuncInfo(NamedTypeSchema(name, schema), doc=doc or None, parameters=named, fault=fault)


def function_names() -> list[str]:
    """Return the names of the global functions, sorted."""
    return sorted(map(str, list_global_func_names()))


def has_functions(prefix: str) -> bool:
    """Return whether a function directly below a prefix is registered, with or without a schema."""
    return any(name.rpartition(".")[0] == prefix for name in function_names())


def _skipped(text: str) -> None:
    print(paint(consts.TERM_YELLOW, f"[Skipped] {text}"))


def object_types() -> dict[str, int]:
    """Return the keys and the indices of the object types, sorted."""
    keys = sorted(map(str, _ffi_api.GetRegisteredTypeKeys()))
    indices = {key: core._object_type_key_to_index(key) or 0 for key in keys}
    return {key: i for key, i in indices.items() if i >= _abi.TYPE_STATIC_OBJECT_BEGIN}


def collect_type_keys() -> dict[str, list[str]]:
    """Return the keys of the object types by prefix, sorted."""
    found: dict[str, list[str]] = {}
    for key in object_types():
        prefix, dot, _ = key.rpartition(".")
        if dot:
            found.setdefault(prefix, []).append(key)
    return found


def object_info_from_type_key(type_key: str) -> ObjectInfo | None:
    """Describe a type; return None if it is not registered."""
    if core._object_type_key_to_index(type_key) is None:
        return None
    return ObjectInfo.from_type_info(core._lookup_or_register_type_info_from_type_key(type_key))


def payload_of_enum(type_key: str) -> str | None:
    """Return the payload type of an enum, ``int`` or ``str``; None for a type without payloads."""
    if core._object_type_key_to_index(type_key) is None:
        return None
    lineage = _lineage(core._lookup_or_register_type_info_from_type_key(type_key))
    found = (consts.PAYLOAD_OF_ENUM.get(info.type_key) for info in lineage)
    return next(filter(None, found), None)


def toposort_objects(type_keys: Iterable[str]) -> list[ObjectInfo]:
    """Describe types; sort them by key, except that a parent precedes its children."""
    found = (object_info_from_type_key(key) for key in sorted(set(type_keys)))
    waiting = {info.type_key: info for info in found if info is not None}
    result: list[ObjectInfo] = []
    while waiting:
        ready = [info for info in waiting.values() if info.parent_type_key not in waiting]
        # `ready` is never empty, because the types of a process form a tree.
        result.append(ready[0])
        del waiting[ready[0].type_key]
    return result
