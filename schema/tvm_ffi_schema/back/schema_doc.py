# SPDX-License-Identifier: Apache-2.0
"""Write literals and docstrings in Python, with the sections that `front.numpydoc` reads."""

from __future__ import annotations

from typing import Any

from ..ir import Doc, FieldDef


def safe(text: str) -> str:
    """Return a text with the escapes that a docstring needs."""
    return text.replace("\\", "\\\\").replace('"""', "'''")


def literal(value: Any) -> str:
    """Return a literal in Python, with double quotes around a text if it contains none."""
    text = repr(value)
    if isinstance(value, str) and text[0] == "'" and '"' not in value:
        return '"' + text[1:-1].replace("\\'", "'") + '"'
    return text


def docstring(doc: Doc, fields: tuple[FieldDef, ...], indent: str = "    ") -> list[str]:
    """Return the lines of a docstring and a blank line; empty if there is no documentation."""
    described = [f for f in fields if f.doc]
    if not (doc.summary or doc.text or described):
        return []
    parts = [[safe(line) for line in doc.summary.splitlines()], []]
    if doc.text:
        parts.append([safe(line) for line in doc.text.splitlines()])
    items = [(f.name, f.doc) for f in described]
    parts += _section("Attributes", items)
    parts += _section("Parameters", [(one.name, one.text) for one in doc.params])
    parts += _section("See Also", [(name, "") for name in doc.see_also])
    if doc.returns:
        parts.append(["Returns", "-------", *safe(doc.returns).splitlines()])
    parts += _section("Raises", [(one.name, one.text) for one in doc.raises])
    for title, text in (("Notes", doc.notes), ("Examples", doc.examples)):
        if text:
            parts.append([title, "-" * len(title), *safe(text).splitlines()])
    if doc.deprecated:
        parts.append([f".. deprecated:: {safe(doc.deprecated)}"])
    lines: list[str] = []
    for part in parts:
        lines += [*([""] if lines and part else []), *part]
    if not (doc.summary or doc.text):  # begin with a line break, since a title is not a summary
        lines.insert(0, "")
    body = [f'{indent}"""{lines[0]}', *(f"{indent}{line}".rstrip() for line in lines[1:])]
    if len(body) == 1:
        return [body[0] + '"""', ""]
    return [*body, f'{indent}"""', ""]


def _section(title: str, items: list[tuple[str, str]]) -> list[list[str]]:
    if not items:
        return []
    lines = [title, "-" * len(title)]
    for name, text in items:
        lines += [name, *(f"    {safe(line)}" for line in text.splitlines())]
    return [lines]
