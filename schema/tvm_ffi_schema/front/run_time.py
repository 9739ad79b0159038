# SPDX-License-Identifier: Apache-2.0
"""Convert values of a prototype that was run to the form that the readers use."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from . import prototype
from .raw import EntryName, Unreadable

_FIELD_OPTIONS = ("init", "kw_only", "repr", "compare", "hash", "structural_eq", "doc", "metadata")
_SEQUENCES = ("Array", "List", "Shape")
_MAPPINGS = ("Map", "Dict")


def evaluated(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """Return the value of an expression of a file that was run.

    Raises
    ------
    Unreadable
        If the evaluation fails, although it succeeded when the file was run.

    """
    code = compile(ast.Expression(node), "<prototype>", "eval")
    try:
        return value_of(eval(code, dict(names)))
    except Exception as error:
        text = f"this expression fails: {type(error).__name__}: {error}"
        raise Unreadable(node, text, "TS004") from None


def value_of(value: Any) -> Any:
    """Return a value of the runtime in the form of the readers; return other values unchanged."""
    kind = type(value).__name__
    if getattr(value, "__entry_name__", None) is not None:
        names = (name for name, one in vars(type(value)).items() if one is value)
        return EntryName(kind, next(names, str(value.__entry_name__)))
    if not type(value).__module__.startswith("tvm_ffi"):
        return _plain(value)
    if kind == "Field":
        return _field(value)
    if kind == "_EnumEntry":
        return prototype.entry(*map(value_of, value.args), **_values(value.kwargs))
    if kind in _SEQUENCES:
        return [value_of(item) for item in value]
    if kind in _MAPPINGS:
        return {value_of(key): value_of(item) for key, item in value.items()}
    return str(value) if kind in ("dtype", "DataType", "Device", "String") else value


def _plain(value: Any) -> Any:
    if type(value) in (list, tuple, set):
        return type(value)(map(value_of, value))
    return _values(value) if type(value) is dict else value


def _values(items: Mapping[Any, Any]) -> dict[Any, Any]:
    return {key: value_of(value) for key, value in items.items()}


def _field(given: Any) -> Any:
    options = {name: getattr(given, name) for name in _FIELD_OPTIONS}
    if given.frozen:
        options["frozen"] = True
    if given.default is not _missing():
        options["default"] = value_of(given.default)
    if given.default_factory is not _missing():
        factory = given.default_factory
        options["default_factory"] = lambda: value_of(factory())
    return prototype.field(**options, **given.extra_kwargs)


def _missing() -> Any:
    from importlib import import_module

    return import_module("tvm_ffi.core").MISSING
