# SPDX-License-Identifier: Apache-2.0
"""Read data of older versions: apply renames in the schema, and functions of `upgrade`.

Only reading and writing data use the native library.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from importlib import import_module
from typing import Any, TypeVar

from ..dsl.recorder import is_recording
from ..ir import ObjectDef

_F = TypeVar("_F", bound=Callable[["Record"], Any])
_VERSIONS = "schema_versions"

_types: dict[str, str] = {}
_fields: dict[str, dict[str, str]] = {}
_functions: dict[str, dict[int, Callable[[Record], Any]]] = {}


class Record(MutableMapping[str, Any]):
    """The stored fields of one object.

    A field with a number type or `bool` maps to its value. Any other field maps to the index of the
    node that stores the value: `node` reads a node, and `add` creates a node.
    """

    def __init__(self, fields: dict[str, Any], nodes: list[Any]) -> None:
        self._fields = fields
        self._nodes = nodes

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._fields[name] = value

    def __delitem__(self, name: str) -> None:
        del self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def node(self, number: int) -> tuple[str, Any]:
        """Return the type key and the data of a node.

        Raises
        ------
        IndexError
            If there is no such node.

        """
        if not 0 <= number < len(self._nodes):
            raise IndexError(f"there is no node {number}")
        found = self._nodes[number]
        return found.get("type", ""), found.get("data")

    def add(self, type_key: str, data: Any = None) -> int:
        """Add a node, as in ``add("ffi.String", "text")``, and return its index."""
        self._nodes.append({"type": type_key} if data is None else {"type": type_key, "data": data})
        return len(self._nodes) - 1


def upgrade(type_key: str, *, from_version: int = 1) -> Callable[[_F], _F]:
    """Register a function that converts records of a type to the next version of the type.

    Data without a version has version 1. `dumps` writes the present version of the type: the
    largest `from_version` plus 1.

    Parameters
    ----------
    type_key
        The present type key of the type.
    from_version
        The version of the records that the function takes.

    Raises
    ------
    ValueError
        If the version is not a positive integer, or already has an upgrade.

    Examples
    --------
    >>> from tvm_ffi.schema import upgrade
    >>> @upgrade("doc.upgrade.Call", from_version=1)
    ... def give_it_a_name(record):
    ...     record["name"] = record.add("ffi.String", "call")

    """
    if type(from_version) is not int or from_version < 1:
        raise ValueError(f"upgrade(): versions are numbers from 1 on, not {from_version!r}")

    def decorate(function: _F) -> _F:
        if is_recording():
            return function  # a reader runs the file: do not register the function
        known = _functions.setdefault(type_key, {})
        if from_version in known:
            raise ValueError(f"version {from_version} of {type_key!r} has an upgrade already")
        known[from_version] = function
        return function

    return decorate


def note_renames(type_key: str, renamed_from: str, fields: Iterable[tuple[str, str]]) -> None:
    """Record the former names of a type and of its fields, so that `loads` accepts these names."""
    if renamed_from:
        _types[renamed_from] = type_key
    for old, new in fields:
        _fields.setdefault(type_key, {})[old] = new


def note_definition(one: ObjectDef) -> None:
    """Register the renames that a definition states."""
    pairs = [(f.renamed_from, f.reflected_name or f.name) for f in one.fields if f.renamed_from]
    note_renames(one.type_key, one.renamed_from, pairs)


def dumps(value: Any) -> str:
    """Return a value as graph JSON that includes the versions of its types."""
    ffi: Any = import_module("tvm_ffi")
    versions = {key: max(known) + 1 for key, known in sorted(_functions.items())}
    metadata = {_VERSIONS: versions} if versions else None
    text: str = ffi.serialization.to_json_graph_str(value, metadata)
    return text


def loads(text: str) -> Any:
    """Read a value from graph JSON that the present or older versions of its types have written.

    Raises
    ------
    ValueError
        If the text is not a graph, if an upgrade fails, or if data has a newer version than its
        type.

    """
    ffi: Any = import_module("tvm_ffi")
    if _types or _fields or _functions:
        text = _upgraded(text)
    return ffi.serialization.from_json_graph_str(text)


def _upgraded(text: str) -> str:
    """Apply renames and upgrades to graph JSON; return any other text unchanged."""
    try:
        graph = json.loads(text)
        nodes = graph["nodes"]
        stated = (graph.get("metadata") or {}).get(_VERSIONS) or {}
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return text
    if not isinstance(nodes, list) or not isinstance(stated, dict):
        return text
    changed = False
    for node in list(nodes):
        if isinstance(node, dict) and isinstance(node.get("type"), str):
            changed = _node(node, nodes, stated) or changed
    return json.dumps(graph) if changed else text


def _node(node: dict[str, Any], nodes: list[Any], stated: dict[str, Any]) -> bool:
    key = _types.get(node["type"], node["type"])
    changed = bool(key != node["type"])
    version = stated.get(key, stated.get(node["type"], 1))
    node["type"] = key
    functions = _functions.get(key, {})
    newest = max(functions, default=0) + 1
    if type(version) is not int or version < 1 or (functions and version > newest):
        raise ValueError(f"data of version {version!r} of {key!r}; this program knows {newest}")
    fields = node.get("data")
    if not isinstance(fields, dict):
        return changed
    for old, new in _fields.get(key, {}).items():
        if old in fields and new not in fields:
            fields[new] = fields.pop(old)
            changed = True
    for number in range(version, newest):
        if number in functions:
            _apply(functions[number], Record(fields, nodes), key, number)
            changed = True
    return changed


def _apply(function: Callable[[Record], Any], record: Record, key: str, version: int) -> None:
    try:
        function(record)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise ValueError(
            f"the upgrade of {key!r} from version {version} failed: {reason}"
        ) from error
