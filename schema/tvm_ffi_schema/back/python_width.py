# SPDX-License-Identifier: Apache-2.0
"""Break generated Python lines that are too wide: imports, and statements that end with a call."""

from __future__ import annotations

import ast
import re
from typing import Any

from .writer import WIDTH

_IMPORT = re.compile(r"(?P<head>\s*from \S+ import )(?P<names>[^(]+)\Z")
#: Matches a line that assigns the result of a call.
_CALL = re.compile(r"(?P<head>.* = [\w.]+)\((?P<inner>.*)\)\Z")


def broken(line: str, width: int = WIDTH) -> list[str]:
    """Break a wide import or call; write each imported name or argument on its own line."""
    if len(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    names = _IMPORT.match(line)
    if names is not None:
        items = names["names"].split(", ")
        return [f"{names['head']}(", *(f"{indent}    {one}," for one in items), f"{indent})"]
    call = _CALL.match(line)
    items = _arguments(call["inner"]) if call is not None else []
    if call is None or not items:
        return [line]
    return [f"{call['head']}(", *(f"{indent}    {one}," for one in items), f"{indent})"]


def _arguments(text: str) -> list[str]:
    """Return the source text of each argument of a call; empty if Python cannot parse `text`."""
    try:
        node = ast.parse(f"f({text})", mode="eval").body
    except SyntaxError:
        return []
    if not isinstance(node, ast.Call):
        return []
    parts: list[Any] = [*node.args, *node.keywords]
    starts = [one.col_offset for one in parts]
    ends = [one.end_col_offset for one in parts]
    whole = f"f({text})".encode()
    return [whole[first:last].decode() for first, last in zip(starts, ends)]
