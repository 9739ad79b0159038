# SPDX-License-Identifier: Apache-2.0
"""Python syntax of types, signatures and imports."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass


def union(members: Iterable[str]) -> str:
    """Write a union: each member once, and ``None`` last."""
    texts = dict.fromkeys(members)
    last = ["None"] if texts.pop("None", 0) is None else []
    return " | ".join([*texts, *last])


def generic(name: str, arguments: Iterable[str]) -> str:
    """Write a type with its arguments; without brackets if there are none."""
    text = ", ".join(arguments)
    return f"{name}[{text}]" if text else name


def callable_type(name: str, result: str, parameters: Iterable[str] | None) -> str:
    """Write the type of a function; ``None`` means unknown parameters."""
    if parameters is None:
        return f"{name}[..., {result}]"
    return f"{name}[[{', '.join(parameters)}], {result}]"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a constructor or method."""

    name: str
    type: str
    # The source text of the default; empty if there is none.
    default: str = ""
    kw_only: bool = False


def parameter_list(parameters: Iterable[Parameter], receiver: str = "self") -> list[str]:
    """Write parameters after a receiver, with a star before the first keyword-only parameter."""
    texts = [receiver] if receiver else []
    starred = False
    for parameter in parameters:
        if parameter.kw_only and not starred:
            texts.append("*")
            starred = True
        default = f" = {parameter.default}" if parameter.default else ""
        texts.append(f"{parameter.name}: {parameter.type}{default}")
    return texts


def function(
    name: str, parameters: Sequence[str], result: str, *, is_static: bool = False, width: int = 0
) -> list[str]:
    """Write a signature without a body, on several lines if it is wider than ``width``."""
    lines = ["@staticmethod"] if is_static else []
    line = f"def {name}({', '.join(parameters)}) -> {result}: ..."
    if not width or len(line) <= width:
        return [*lines, line]
    return [*lines, f"def {name}(", *(f"    {p}," for p in parameters), f") -> {result}: ..."]


def import_lines(names_of: Mapping[str, Collection[str]]) -> list[str]:
    """Write sorted import statements; names without a module use a plain ``import``."""
    lines = []
    for module in sorted(names_of):
        names = ", ".join(sorted(names_of[module]))
        lines.append(f"from {module} import {names}" if module else f"import {names}")
    return lines
