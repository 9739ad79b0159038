# SPDX-License-Identifier: Apache-2.0
"""Parse docstrings with sections in the numpy style; record the line of each entry."""

from __future__ import annotations

import inspect
import re

from ..ir import Doc, DocItem, Span

_SECTIONS = {
    *("See Also", "Attributes", "Parameters", "Returns", "Raises", "Notes", "Examples"),
    *("Note", "Example", "Throws"),
}
_DEPRECATED = re.compile(r"^\.\. deprecated::\s*(.*)$")


def parse(docstring: str, file: str = "", first_line: int = 0) -> Doc:
    """Return the sections of a docstring; `first_line` is the line of its opening quotes."""
    if not docstring:
        return Doc()
    lines = inspect.cleandoc(docstring).splitlines()
    shift = first_line + _dropped_lines(docstring)
    parts = _split(lines)
    head, deprecated = _take_deprecated(parts.get("", (0, []))[1])
    summary, text = _paragraphs(head)

    def items(*names: str) -> tuple[DocItem, ...]:
        for name in names:
            if name in parts:
                start, body = parts[name]
                return _items(body, file, shift + start)
        return ()

    def plain(*names: str) -> str:
        for name in names:
            if name in parts:
                return "\n".join(parts[name][1]).strip("\n")
        return ""

    return Doc(
        summary=summary,
        text=text,
        see_also=tuple(_see_also(parts.get("See Also", (0, []))[1])),
        attributes=items("Attributes"),
        params=items("Parameters"),
        returns=_returned(parts.get("Returns", (0, []))[1]),
        raises=items("Raises", "Throws"),
        notes=plain("Notes", "Note"),
        examples=plain("Examples", "Example"),
        deprecated=deprecated,
    )


def _dropped_lines(docstring: str) -> int:
    """Count the blank lines that `cleandoc` removes at the start."""
    count = 0
    if not docstring[0].isspace():
        return count
    for line in docstring.splitlines():
        if line.strip():
            return count
        count += 1
    return count


def _split(lines: list[str]) -> dict[str, tuple[int, list[str]]]:
    """Return title -> (index of the first line, lines) for each section.

    The title "" stands for the text before the first section.
    """
    parts: dict[str, tuple[int, list[str]]] = {}
    title, start = "", 0
    at = 0
    while at < len(lines):
        is_title = (
            at + 1 < len(lines)
            and lines[at].strip() in _SECTIONS
            and set(lines[at + 1].strip()) == {"-"}
        )
        if is_title:
            parts.setdefault(title, (start, lines[start:at]))
            title, start = lines[at].strip(), at + 2
            at += 2
        else:
            at += 1
    parts.setdefault(title, (start, lines[start:]))
    return parts


def _paragraphs(lines: list[str]) -> tuple[str, str]:
    text = "\n".join(lines).strip("\n")
    first, _, rest = text.partition("\n\n")
    return " ".join(first.split()), rest.strip("\n")


def _take_deprecated(lines: list[str]) -> tuple[list[str], str]:
    for at, line in enumerate(lines):
        match = _DEPRECATED.match(line)
        if match:
            words, end = [match[1].strip()], at + 1
            while end < len(lines) and (lines[end].startswith("   ") or not lines[end].strip()):
                words.append(lines[end].strip())
                end += 1
            return lines[:at] + lines[end:], " ".join(filter(None, words)) or "deprecated"
    return lines, ""


def _items(lines: list[str], file: str, first_line: int) -> tuple[DocItem, ...]:
    """Return the entries of a section: `name` or `name : type`, each with an indented text."""
    found: list[DocItem] = []
    name, line_of = "", 0
    body: list[str] = []
    for number, line in enumerate([*lines, ""]):
        if line.strip() and not line[0].isspace():
            if name:
                found.append(_item(name, body, file, first_line + line_of))
            name, line_of, body = line.split(" : ")[0].strip().rstrip(":"), number, []
        else:
            body.append(line)
    if name:
        found.append(_item(name, body, file, first_line + line_of))
    return tuple(found)


def _item(name: str, body: list[str], file: str, line: int) -> DocItem:
    span: Span | None = Span(file, line) if file else None
    return DocItem(name, " ".join(" ".join(body).split()), span)


def _see_also(lines: list[str]) -> list[str]:
    names: list[str] = []
    for line in lines:
        if line.strip() and not line[0].isspace():
            before = line.partition(" : ")[0]
            names.extend(word.strip() for word in before.split(",") if word.strip())
    return names


def _returned(lines: list[str]) -> str:
    """Return the text of a section: the indented lines if there are any, or else all lines."""
    words = [line.strip() for line in lines if line.startswith((" ", "\t")) and line.strip()]
    if words:
        return " ".join(words)
    return " ".join(line.strip() for line in lines if line.strip())
