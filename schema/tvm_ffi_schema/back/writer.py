# SPDX-License-Identifier: Apache-2.0
"""Lines of generated text, and anchors: the places for custom sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .cpp_type import CppNames

WIDTH = 100
#: Matches a character that needs an escape in a string literal.
_ESCAPED = re.compile(r'[\\"?\x00-\x1f\x7f]')


@dataclass(frozen=True)
class Anchor:
    """A place for custom sections; `stub` has the lines to write if there is no custom section."""

    name: str
    stub: tuple[str, ...] = ()


Piece = str | Anchor
Pieces = list[Piece]


@dataclass
class CppOptions:
    """Options of the C++ backends."""

    ffi: str = "::tvm::ffi::"
    dialect: str = "modern"
    customs: Mapping[str, frozenset[str]] = field(default_factory=dict)
    anchors: Mapping[str, frozenset[str]] = field(default_factory=dict)
    license: str = ""
    spellers: dict[tuple[int, str], CppNames] = field(default_factory=dict, repr=False)


def lines_of(pieces: Iterable[Piece], with_stubs: bool = True) -> Iterator[str]:
    """Yield the lines of pieces; replace anchors by their stubs, or omit them."""
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        elif with_stubs:
            yield from piece.stub


def wrap_call(head: str, args: list[str], tail: str, width: int = WIDTH) -> list[str]:
    """Return `head(args)tail` as lines that fit the width, aligned with the first argument."""
    whole = f"{head}({', '.join(args)}){tail}"
    if len(whole) <= width or not args:
        return [whole]
    indent = " " * (len(head) + 1)
    widest = max(map(len, args))
    if len(indent) > width // 2 or len(indent) + widest + 1 > width:
        indent = " " * (len(head) - len(head.lstrip()) + 4)
        return _filled([head + "("], args, indent, tail, width)
    return _filled([], args, indent, tail, width, head + "(")


def _filled(
    done: list[str], args: list[str], indent: str, tail: str, width: int, line: str = ""
) -> list[str]:
    current = line or indent
    empty = True
    for number, arg in enumerate(args):
        last = number == len(args) - 1
        text = arg + (")" + tail if last else ",")
        if not empty and len(current) + 1 + len(text) > width:
            done.append(current)
            current, empty = indent, True
        current += text if empty else " " + text
        empty = False
    return [*done, current]


def with_inits(head: str, params: list[str], inits: list[str]) -> list[str]:
    """Return a constructor definition with an empty body."""
    start = wrap_call(head, params, "")
    tail = f" : {', '.join(inits)} {{}}" if inits else " {}"
    if len(start) == 1 and len(start[0] + tail) <= WIDTH:
        return [start[0] + tail]
    if not inits:
        return [*start[:-1], start[-1] + " {}"]
    lines = [*start]
    together = f"      : {', '.join(inits)} {{}}"
    if len(together) <= WIDTH:
        return [*lines, together]
    for number, init in enumerate(inits):
        opening = "      : " if number == 0 else "        "
        lines += _one_init(opening + init, "," if number < len(inits) - 1 else " {}")
    return lines


def _one_init(init: str, tail: str) -> list[str]:
    """Return `name(arguments)` and `tail` as lines; no argument may contain a comma."""
    name, _, given = init.removesuffix(")").partition("(")
    return wrap_call(name, given.split(", "), tail)


def quoted(text: str) -> str:
    """Return a text as a C++ string literal."""
    if not _ESCAPED.search(text):
        return f'"{text}"'
    out = []
    for char in text:
        if char in '\\"':
            out.append("\\" + char)
        elif char == "\n":
            out.append("\\n")
        elif char == "\t":
            out.append("\\t")
        elif char == "\r":
            out.append("\\r")
        elif char == "?" and out and out[-1] == "?":
            out.append("\\?")  # escape the second "?", since "??" may begin a trigraph
        elif ord(char) < 0x20 or ord(char) == 0x7F:
            out.append(f"\\{ord(char):03o}")
        else:
            out.append(char)
    return '"' + "".join(out) + '"'


def one_line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())
