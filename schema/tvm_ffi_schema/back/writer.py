# SPDX-License-Identifier: Apache-2.0
"""Lines of generated text, and anchors: the places for custom sections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .cpp_type import CppNames

WIDTH = 100


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
    #: Whether names in enclosing namespaces are written without these namespaces.
    is_short: bool = False
    #: The macro before functions of classes whose module does not set `export`.
    export: str = ""
    spellers: dict[tuple[int, str], CppNames] = field(default_factory=dict, repr=False)


def lines_of(pieces: Iterable[Piece], with_stubs: bool = True) -> Iterator[str]:
    """Yield the lines of pieces; replace anchors by their stubs, or omit them."""
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        elif with_stubs:
            yield from piece.stub


def one_line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())
