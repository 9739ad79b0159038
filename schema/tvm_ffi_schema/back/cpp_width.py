# SPDX-License-Identifier: Apache-2.0
"""Generated C++ lines that are too wide, broken where the fewest brackets are open."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .writer import WIDTH, Anchor, Piece, Pieces

_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
#: A character of a literal as it is spelled; an octal escape has exactly three digits here.
_UNIT = re.compile(r"\\[0-7]{3}|\\.|.")
#: Brackets, and what a line may be broken behind: a comma, an assignment, an operator.
_TOKEN = re.compile(r"->|<<|&&|[(){}\[\]<>,;=]")
#: What is looked at on the way through a line.
_PART = re.compile(rf"(?P<literal>{_LITERAL.pattern})|(?P<blank> )|(?P<token>{_TOKEN.pattern})")
_OPENING, _CLOSING = "({[<", ")}]>"
#: How much deeper than any bracket other places count: blanks, and the inside of a literal.
_BETWEEN_WORDS = 1000
_IN_LITERAL = 2000


def fitted(pieces: Pieces, width: int = WIDTH) -> Pieces:
    """Return pieces without lines that are wider than `width`, as far as they can be broken."""
    out: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str):
            out += [piece] if len(piece) <= width else broken(piece, width)
        elif any(len(line) > width for line in piece.stub):
            stub = (part for line in piece.stub for part in broken(line, width))
            out.append(Anchor(piece.name, tuple(stub)))
        else:
            out.append(piece)
    return out


def broken(line: str, width: int = WIDTH) -> list[str]:
    """Return a line as several; comments, directives and raw literals stay as they are."""
    bare = line.lstrip()
    outside = _LITERAL.sub("", line)
    if len(line) <= width or bare.startswith(("#", "*", "/*")) or "//" in outside or 'R"' in line:
        return [line]
    start = len(line) - len(bare)
    indent = " " * start
    breaks = [*_breaks(line, start)]
    out: list[str] = []
    while len(indent) + len(line) - start > width:
        fits = width - len(indent)
        left = [one for one in breaks if one[0] > start]
        near = [one for one in left if len(_part(line, start, *one)) <= fits]
        if not left:
            break
        chosen = min(near, key=lambda one: (one[1], -one[0])) if near else left[0]
        at, _, is_literal = chosen
        out.append(indent + _part(line, start, *chosen))
        if is_literal:
            line = f'{line[:at]}"{line[at:]}'
            breaks = [(place + (place > at), depth, inside) for place, depth, inside in breaks]
        start = at
        while line[start : start + 1] == " ":
            start += 1
        if not out[1:]:
            indent += "    "
    rest = line[start:]
    return [*out, indent[: max(4, width - len(rest))] + rest] if rest else out


def _part(line: str, start: int, at: int, depth: int, is_literal: int) -> str:
    """Return what stands before a break."""
    return f'{line[start:at]}"' if is_literal else line[start:at].rstrip()


def _breaks(line: str, at: int) -> Iterator[tuple[int, int, int]]:
    """Yield (place, open brackets, 1 inside of a literal) for each place of a possible break."""
    depth = 0
    for part in _PART.finditer(line, at):
        word, at = part[0], part.end()
        if part.lastgroup == "literal":
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
    """Yield the places inside of a literal: behind blanks, and before octal escapes."""
    before = '"'
    for unit in _UNIT.finditer(literal.string, literal.start() + 1, literal.end() - 1):
        if (before == " " and unit[0] != " ") or (len(unit[0]) == 4 and before != '"'):
            yield unit.start(), depth + _IN_LITERAL, 1
        before = unit[0]
