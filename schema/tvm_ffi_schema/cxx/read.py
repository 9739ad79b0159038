# SPDX-License-Identifier: Apache-2.0
"""Read hand-written C++ into the `model`, one file at a time.

The steps, in order::

    branches      replaces parts that ``#if`` removes with blanks
    macros        replaces macros with blanks
    parser        parses the rest with tree-sitter: classes, statements that register, aliases
    body          reads the declarations in the body of a class
    chains        reads a statement that registers, and its chained calls
    scopes        finds the namespace of each offset

`constructs` says what the constructs are, and `pattern` recognises them in tokens. `cursor` has the
tokens of a range. `names` resolves names from the namespace where they occur, and `values` computes
the value of a literal or a constant. This module imports tree-sitter when it reads the first file,
so commands that do not read C++ do not need tree-sitter.
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Iterator, Sequence

from . import macros
from .chains import follow
from .cursor import normal
from .model import Alias, CppClass, Place, Sources, joined_name
from .scopes import Scopes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import parser

_TYPEDEF = re.compile(r"\btypedef\s+(?P<type>[^;{}()\[\]]{1,400}?)\s+(?P<name>\w+)\s*;")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"](?P<name>[^>\"\n]+)[>\"]", re.MULTILINE)


class NoParser(Exception):  # noqa: N818 - the reason why C++ cannot be read
    """tree-sitter or its grammar cannot be used; `help` is advice for the user, or empty."""

    def __init__(self, message: str, help_: str = "") -> None:
        super().__init__(message)
        self.help = help_


@functools.cache  # cached: to build the query takes longer than to parse a small file
def _parser() -> parser.Parser:
    packages = ("tree_sitter", "tree_sitter_cpp")
    try:
        from . import parser

        return parser.Parser()
    except ModuleNotFoundError as error:
        help_ = "pip install tree-sitter tree-sitter-cpp" if error.name in packages else ""
        message = f"reading C++ needs the packages tree-sitter and tree-sitter-cpp: {error}"
        raise NoParser(message, help_) from error
    except ImportError as error:
        raise NoParser(f"tree-sitter cannot be imported: {error}") from error
    except (ValueError, TypeError, AttributeError) as error:
        message = f"the packages tree-sitter and tree-sitter-cpp do not fit together: {error}"
        raise NoParser(message, "install the versions that tvm-ffi-schema asks for") from error


class _Bodies:
    """An index that finds the classes of a file by the offsets of their bodies."""

    def __init__(self, classes: list[CppClass]) -> None:
        self.classes = sorted(classes, key=lambda one: one.opening)
        self.starts = [one.opening for one in self.classes]
        self.outer: list[int] = []
        for number, start in enumerate(self.starts):
            self.outer.append(self._index(number - 1, start))

    def _index(self, at: int, offset: int) -> int:
        while at >= 0 and offset >= self.classes[at].closing:
            at = self.outer[at]
        return at

    def around(self, offset: int) -> CppClass | None:
        """Return the innermost class whose body contains an offset."""
        at = self._index(bisect.bisect_left(self.starts, offset) - 1, offset)
        return None if at < 0 else self.classes[at]


def read(
    path: str,
    text: str,
    into: Sources,
    export_macros: Sequence[str] = (),
    object_macros: Sequence[str] = (),
) -> None:
    """Add the facts of one file to `into`.

    Raises
    ------
    NoParser
        If tree-sitter or its grammar cannot be used.

    """
    parse = _parser().read
    file = macros.blanked(path, text, export_macros, object_macros)
    facts = parse(file)
    scopes = Scopes(file.lines.text)
    bodies = _Bodies(facts.classes)

    def place(offset: int) -> Place:
        owner = bodies.around(offset)
        return scopes.at(offset) if owner is None else owner.inside

    for found in bodies.classes:  # outer classes come first
        found.place = place(found.opening)
    for found in bodies.classes:
        into.add_class(found)
    for use in (*file.node_types, *facts.uses):
        use.place = place(use.first)
        into.uses.append(use)
    for one in facts.statements:
        owner = bodies.around(one.offset)
        one.owner = owner.full if owner is not None else ""
        one.place = place(one.offset)
        if one.variable:
            follow(file.lines, one)
    into.statements += facts.statements
    for offset, name, alias in (*facts.aliases, *_typedefs(file.lines.text)):
        alias.place = place(offset)
        into.aliases.setdefault(joined_name(alias.place.scope, name), alias)
    into.includes[path] = [m["name"] for m in _INCLUDE.finditer(text)]


def _typedefs(text: str) -> Iterator[tuple[int, str, Alias]]:
    for match in _TYPEDEF.finditer(text) if "typedef" in text else ():
        yield match.start(), match["name"], Alias(normal(match["type"]))
