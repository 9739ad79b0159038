# SPDX-License-Identifier: Apache-2.0
"""Parse docstrings in the styles of numpy, Google and reST; record the line of each entry."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence

from ..ir import Doc, DocItem, Span

_SECTIONS = {
    *("See Also", "Attributes", "Parameters", "Returns", "Raises", "Notes", "Examples"),
    *("Note", "Example", "Throws"),
}
#: The first line of a section in the style of Google -> the title in the style of numpy.
_GOOGLE = {"Attributes:": "Attributes", "Args:": "Parameters", "Arguments:": "Parameters"}
_GOOGLE.update({f"{title}:": title for title in ("Returns", "Raises", "Notes", "Examples")})
_GOOGLE_ITEM = re.compile(r"^(\w+)\s*(?:\([^)]*\))?:\s*(.*)$")
#: Word of a field in the style of reST -> the title of its section in the style of numpy.
_REST = {"ivar": "Attributes", "cvar": "Attributes", "var": "Attributes", "param": "Parameters"}
_REST.update({"return": "Returns", "returns": "Returns", "raise": "Raises", "raises": "Raises"})
_REST_FIELD = re.compile(rf"^:({'|'.join(_REST)})(?:\s+(?:[\w.\[\]]+\s+)?(\w+))?:\s*(.*)$")
_DEPRECATED = re.compile(r"^\.\. deprecated::\s*(.*)$")


def parse(docstring: str, file: str = "", first_line: int = 0) -> Doc:
    """Return the sections of a docstring; `first_line` is the line of its opening quotes."""
    if not docstring:
        return Doc()
    lines = inspect.cleandoc(docstring).splitlines()
    shift = first_line + _dropped_lines(docstring)
    lines, numbers = _numpy_style(lines)
    parts = _split(lines)
    head, deprecated = _take_deprecated(parts.get("", (0, []))[1])
    summary, text = _paragraphs(head)

    def items(*names: str) -> tuple[DocItem, ...]:
        for name in names:
            if name in parts:
                start, body = parts[name]
                return _items(body, file, [shift + number for number in numbers[start:]])
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


def _numpy_style(lines: list[str]) -> tuple[list[str], Sequence[int]]:
    """Return lines in the style of numpy, and for each line the index of its source line."""
    if not any(line in _GOOGLE or line[:1] == ":" for line in lines):
        return lines, range(len(lines))
    head: list[tuple[int, str]] = []
    sections: list[tuple[int, str]] = []
    title, indent = "", 0
    for number, line in enumerate(lines):
        field = _REST_FIELD.match(line)
        is_inside = bool(title) and (not line.strip() or line[0].isspace())
        made = [line]
        if line in _GOOGLE and lines[number + 1 : number + 2] and lines[number + 1][:1].isspace():
            title, indent = _GOOGLE[line], len(lines[number + 1]) - len(lines[number + 1].lstrip())
            made = [title, "-" * len(title)]
        elif field is not None:
            made = [field[2], f"    {field[3]}"] if field[2] else [field[3]]
            if title != _REST[field[1]]:
                title, indent = _REST[field[1]], 0
                made = [title, "-" * len(title), *made]
        elif is_inside:
            item = _GOOGLE_ITEM.match(line[indent:])
            made = [line[indent:]]
            if item is not None and indent and title in ("Attributes", "Parameters", "Raises"):
                made = [item[1], f"    {item[2]}"]
        else:
            title = ""
        (sections if title else head).extend((number, one) for one in made)
    return [line for _, line in head + sections], [number for number, _ in head + sections]


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


def _items(lines: list[str], file: str, numbers: list[int]) -> tuple[DocItem, ...]:
    """Return the entries of a section: `name` or `name : type`, each with an indented text.

    `numbers` has the number of each line in the file.
    """
    found: list[DocItem] = []
    name, line_of = "", 0
    body: list[str] = []
    for number, line in enumerate([*lines, ""]):
        if line.strip() and not line[0].isspace():
            if name:
                found.append(_item(name, body, file, numbers[line_of]))
            name, line_of, body = line.split(" : ")[0].strip().rstrip(":"), number, []
        else:
            body.append(line)
    if name:
        found.append(_item(name, body, file, numbers[line_of]))
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
