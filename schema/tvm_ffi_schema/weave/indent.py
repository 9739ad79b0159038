# SPDX-License-Identifier: Apache-2.0
"""Custom sections indented like the generated code around them: once, and only when asked for.

White space at the beginnings of lines changes, and nothing else. A line stays as it is where that
white space means something or is not the section's to move: in raw strings, behind a continued
line, in the text of a block comment, before a directive of the preprocessor.
"""

from __future__ import annotations

import re

from . import tokens
from .markers import MarkedFile

#: Anchor -> columns; what stands between classes has none.
_COLUMNS = dict.fromkeys(("head", "tail", "fields", "private", "registration"), 2)
_COLUMNS["ctor-body"] = 4
_BLANKS = " \t"
_LABEL = re.compile(r"(?:public|protected|private)[ \t]*:(?!:)")


def indented(file: MarkedFile) -> str:
    """Return the text of a file with its custom sections indented; only C++ is changed.

    Raises
    ------
    ValueError
        If more than indentation would change; a fault of this program.

    """
    old = "".join(file.lines)
    if file.language != "cpp":
        return old
    lines = list(file.lines)
    fixed = _fixed(old, lines)
    for block in file.blocks:
        for custom in block.customs if not block.has_conflict else ():
            first = custom.span.line - 1
            columns = _COLUMNS.get(custom.anchor.rpartition(".")[2], 0)
            _indent(lines, first, first + len(custom.lines) + 1, " " * columns, fixed)
    new = "".join(lines)
    if tokens.stream(new) != tokens.stream(old):
        raise ValueError(f"{file.path}: indenting would change more than indentation")
    return new


def _fixed(text: str, lines: list[str]) -> set[int]:
    """Return the indices of the lines whose beginnings are no indentation."""
    fixed = {n for n, line in enumerate(lines) if line.lstrip(_BLANKS).startswith("#")}
    fixed |= {n + 1 for n, line in enumerate(lines) if line.rstrip("\r\n").endswith("\\")}
    starts: dict[int, int] = {}
    at = 0
    for number, line in enumerate(lines):
        starts[at] = number
        at += len(line)
    for kind, found, offset in tokens.scan(text):
        if kind == "space" or ("\n" not in found and "\r" not in found):
            continue
        for match in re.finditer(r"\r\n|\r|\n", found):
            following = starts.get(offset + match.end())
            if following is None:
                continue
            is_decorated = kind == "block" and lines[following].lstrip(_BLANKS).startswith("*")
            if not is_decorated:
                fixed.add(following)
    return fixed


def _indent(lines: list[str], first: int, last: int, margin: str, fixed: set[int]) -> None:
    """Indent the lines of a section; those at `first` and `last` are its markers."""
    inside = [n for n in range(first + 1, last) if n not in fixed and lines[n].strip()]
    labels = {n for n in inside if margin and _LABEL.match(lines[n].lstrip(_BLANKS))}
    common = _common([_blanks(lines[n]) for n in inside if n not in labels])
    for number in inside:
        if number in labels:
            lines[number] = margin[1:] + lines[number].lstrip(_BLANKS)
        else:
            lines[number] = margin + lines[number][len(common) :]
    for number in (first, last):
        lines[number] = margin + lines[number].lstrip(_BLANKS)


def _blanks(line: str) -> str:
    return line[: len(line) - len(line.lstrip(_BLANKS))]


def _common(margins: list[str]) -> str:
    """Return what all margins begin with: the same characters, tabs among them."""
    low, high = min(margins, default=""), max(margins, default="")
    same = (a == b for a, b in zip(low, high))
    return low[: next((at for at, is_same in enumerate(same) if not is_same), len(low))]
