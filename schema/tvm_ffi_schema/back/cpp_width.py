# SPDX-License-Identifier: Apache-2.0
"""Break generated C++ lines that are too wide, preferably outside of inner brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .writer import WIDTH, Anchor, Piece, Pieces

_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
#: Matches one character or one escape in a literal. All octal escapes in generated text have three
#: digits.
_UNIT = re.compile(r"\\[0-7]{3}|\\.|.")
#: Matches brackets, and tokens after which a line may be broken; after `->`, no line is broken.
_TOKEN = re.compile(r"->|<<|&&|[(){}\[\]<>,;=]")
#: `_PART` matches literals and tokens. `_ANY_PART` also matches blanks; it is used for lines that
#: are still too wide.
_PART = re.compile(rf"(?P<literal>{_LITERAL.pattern})|(?P<token>{_TOKEN.pattern})")
_ANY_PART = re.compile(rf"{_PART.pattern}|(?P<blank> )")
_OPENING, _CLOSING = "({[<", ")}]>"
#: Breaks inside fewer open brackets are preferred. These numbers are added for breaks at a blank
#: and inside a literal, so that other breaks come first.
_BETWEEN_WORDS = 1000
_IN_LITERAL = 2000


def fitted(pieces: Pieces, width: int = WIDTH) -> Pieces:
    """Return the pieces with wide lines broken to `width` columns, if a line can be broken."""
    if not any(len(p) > width if type(p) is str else _is_wide(p, width) for p in pieces):
        return pieces  # fast path: no line is too wide
    out: list[Piece] = []
    for piece in pieces:
        if not _is_wide(piece, width):
            out.append(piece)
        elif isinstance(piece, str):
            out += broken(piece, width)
        else:
            stub = (part for line in piece.stub for part in broken(line, width))
            out.append(Anchor(piece.name, tuple(stub)))
    return out


def _is_wide(piece: Piece, width: int) -> bool:
    if isinstance(piece, str):
        return len(piece) > width
    return any(len(line) > width for line in piece.stub)


def broken(line: str, width: int = WIDTH) -> list[str]:
    """Break a line into several; comments, directives and raw literals are not broken."""
    bare = line.lstrip()
    outside = _LITERAL.sub("", line)
    if len(line) <= width or bare.startswith(("#", "*", "/*")) or "//" in outside or 'R"' in line:
        return [line]
    first = start = len(line) - len(bare)
    indent = " " * start
    breaks = [*_breaks(line, first, _PART)]
    is_complete = False
    out: list[str] = []
    while len(indent) + len(line) - start > width:
        fits = width - len(indent)
        left = [one for one in breaks if one[0] > start]
        near = [one for one in left if one[0] - start + one[2] <= fits]
        if not near and not is_complete:
            breaks = [*_breaks(line, first, _ANY_PART)]
            is_complete = True
            continue
        if not left:
            break
        chosen = min(near, key=lambda one: (one[1], -one[0])) if near else left[0]
        at, _, is_literal = chosen
        out.append(indent + line[start:at].rstrip())
        if is_literal:
            out[-1] = f'{indent}{line[start:at]}"'
            line = f'{line[:at]}"{line[at:]}'
            breaks = [(place + (place > at), depth, inside) for place, depth, inside in breaks]
        start = at
        while line[start : start + 1] == " ":
            start += 1
        if not out[1:]:
            indent = _aligned(out[0], line[start:], width) or indent + "    "
    rest = line[start:]
    return [*out, indent[: max(4, width - len(rest))] + rest] if rest else out


def _aligned(first: str, rest: str, width: int) -> str:
    """Return the indent below the arguments of an open bracket in the line `first`.

    The result is empty if the line does not end between two arguments, or if the rest is too wide.
    """
    column = 0
    if first.endswith(","):
        opened: list[int] = []
        for part in _PART.finditer(first):
            if part[0] in _OPENING and (part[0] != "<" or first[part.start() - 1].strip()):
                opened.append(part.end())
            elif part[0] in _CLOSING and opened:
                opened.pop()
        column = opened[-1] if opened else 0
    return " " * column if column + len(rest) <= width or column <= width // 2 else ""


def _breaks(line: str, at: int, parts: re.Pattern[str]) -> Iterator[tuple[int, int, int]]:
    """Yield (column, number of open brackets, 1 if inside a literal) for each possible break."""
    depth = 0
    for part in parts.finditer(line, at):
        word, at = part[0], part.end()
        if part.lastgroup == "literal":
            if parts is _ANY_PART:
                yield from _literal_breaks(part, depth)
        elif part.lastgroup == "blank":
            yield part.start(), depth + _BETWEEN_WORDS, 0
        else:
            is_template = word == "<" and line[at - 2 : at - 1].strip() != ""
            if word in _OPENING and (word != "<" or is_template):
                depth += 1
                if line[at : at + 1] not in _CLOSING:
                    yield at, depth, 0
            elif word in _CLOSING:
                depth -= 1
            elif word != "->" and line[at : at + 1] == " ":
                yield at, depth, 0


def _literal_breaks(literal: re.Match[str], depth: int) -> Iterator[tuple[int, int, int]]:
    """Yield the possible breaks inside of a literal: after blanks, and before octal escapes."""
    before = '"'
    for unit in _UNIT.finditer(literal.string, literal.start() + 1, literal.end() - 1):
        if (before == " " and unit[0] != " ") or (len(unit[0]) == 4 and before != '"'):
            yield unit.start(), depth + _IN_LITERAL, 1
        before = unit[0]
