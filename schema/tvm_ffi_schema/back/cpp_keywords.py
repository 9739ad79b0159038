# SPDX-License-Identifier: Apache-2.0
"""Metadata with the parameter names of methods, for calls with keyword arguments."""

from __future__ import annotations

import json
from typing import Any

from ..cxx.constructs import TABLE
from ..cxx.pattern import Construct, quoted
from ..ir import MethodDef, ParamDef
from ..link.program import Class


def emit(cls: Class, method: MethodDef) -> list[Construct]:
    """Return a list with the argument that registers the metadata of a method.

    The list is empty for an overloaded method. The generated code does not use `refl::arg_names`,
    since other implementations of the C++ headers do not have this function.
    """
    made = ", ".join(f"{{{quoted(name)}, {quoted(text)}}}" for name, text in pairs(cls, method))
    return [TABLE.make("TRAIT", "metadata", pairs=made)] if made else []


def pairs(cls: Class, method: MethodDef) -> list[tuple[str, str]]:
    """Return the names and values of the metadata of a method."""
    several = sum(one.name == method.name for one in cls.native) > 1
    if several or not method.params:
        return []
    out = [("arg_names", ",".join(one.name for one in method.params))]
    defaults = _as_json(method.params)
    if defaults is not None:
        out.append(("arg_defaults", defaults))
    return out


def _as_json(params: tuple[ParamDef, ...]) -> str | None:
    """Return the list of parameter defaults as JSON; None if JSON cannot express a default."""
    defaults = [one.default for one in params if one.default is not None]
    if not defaults or any(one.kind not in ("value", "factory") for one in defaults):
        return None
    values = [_plain(one.value) for one in defaults]
    try:
        text = json.dumps(values, allow_nan=False)
    except (TypeError, ValueError):
        return None
    return text if json.loads(text) == values else None


def _plain(value: Any) -> Any:
    """Return a literal with lists instead of tuples, for JSON."""
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value
