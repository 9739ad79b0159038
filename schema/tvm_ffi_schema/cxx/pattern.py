# SPDX-License-Identifier: Apache-2.0
"""Patterns: C++ text with typed holes, which is written from values and recognised in tokens.

A pattern such as ``.def_ro($name:str, &$member:name$traits:TRAIT*)`` is compiled once, when its row
is made, to the pieces of text that `write` joins and to the tokens that `match` expects. The kinds
of holes are:

``name``
    A name with its qualifiers and its template arguments.
``str``
    Adjacent string literals; the value is their text without quotes and escapes.
``expr``
    All tokens up to the next token of the pattern that is outside of brackets; perhaps none.
``GROUP*``
    A list of constructs of a group, separated by commas. It is written with a comma before each
    construct, unless it comes directly after an opening bracket.

Names in a pattern match names with any qualifiers, so ``refl::repr`` also matches
``::tvm::ffi::reflection::repr`` and ``repr``. The words in `NOISE` and attributes are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from ..files import tokens
from ..ir import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .cursor import Cursor

#: The place of what was not read.
NOWHERE = Span("")
NOISE = frozenset(("const", "constexpr", "inline", "static"))
_HOLE = re.compile(r"\$(?P<name>\w+):(?P<kind>\w+)(?P<many>\*?)")
#: Matches between two arguments, but not in an argument that is a call.
_BETWEEN = re.compile(r", (?![^(]*\))|(?=\$\w+:\w+\*)")
#: Matches what needs an escape in a string literal; "??" may begin a trigraph.
_ESCAPED = re.compile(r'[\\"\x00-\x1f\x7f]|\?\?')
_ESCAPES = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\t": r"\t", "\r": r"\r", "??": r"?\?"}
_OPENING = frozenset("({[")
_POINTS = (".", "->")


def quoted(text: str) -> str:
    """Return a text as a C++ string literal."""
    escaped = _ESCAPED.sub(lambda m: _ESCAPES.get(m[0]) or f"\\{ord(m[0]):03o}", text)
    return f'"{escaped}"'


class Lambda(str):
    """The text of an argument that contains a lambda, and its parts."""

    params: list[str]
    body: str
    around: tuple[str, str]

    def inside(self, before: str, after: str) -> Lambda:
        """Return the text between two other texts."""
        return as_lambda(self.params, self.body, (before, after))


def as_lambda(params: list[str], body: str, around: tuple[str, str] = ("", "")) -> Lambda:
    """Return a lambda with one statement; `around` has the text before and after it."""
    text = Lambda(f"{around[0]}[]({', '.join(params)}) {{ {body} }}{around[1]}")
    text.params, text.body, text.around = params, body, around
    return text


class Hole(NamedTuple):
    """A hole of a pattern. `is_first` means that a list follows an opening bracket."""

    name: str
    kind: str
    is_list: bool = False
    is_first: bool = False


class Template:
    """A part of a pattern, compiled for writing."""

    def __init__(self, text: str) -> None:
        found = [*_HOLE.finditer(text)]
        self.text = _HOLE.sub("%s", text)
        self.holes = [(match["name"], match["kind"] == "str") for match in found]
        self.is_list = any(match["many"] for match in found)

    def fill(self, given: dict[str, Any], prefix: str) -> str:
        """Return the text with the given values; a text of one hole is its value."""
        text = self.text if prefix == "refl::" else self.text.replace("refl::", prefix)
        if not self.holes:
            return text
        texts = [quoted(given[name]) if is_text else given[name] for name, is_text in self.holes]
        return texts[0] if text == "%s" else text % tuple(texts)


@dataclass(eq=False)
class Row:
    """One row of the table of constructs.

    Rows of a group with the same name describe the same construct. The first of these rows is
    written; the others are older or shorter spellings, which are only recognised.

    Attributes
    ----------
    group
        The place where the construct may be, such as `TRAIT`.
    name
        The name of the construct.
    text
        The pattern.
    ir
        The attribute of a field or of a class that the construct states, and its value. A value of
        None means that a hole has the value.
    dialect
        The dialect in which the construct is written; empty for both dialects.
    """

    group: str
    name: str
    text: str
    ir: tuple[str, Any] | None = None
    dialect: str = ""

    @cached_property
    def parts(self) -> tuple[str | Hole, ...]:
        """Return what `Table.read` expects: tokens and holes."""
        out: list[str | Hole] = []
        at = 0
        for match in _HOLE.finditer(self.text):
            out += _words(self.text[at : match.start()])
            is_first = out[-1:] == ["("]
            out.append(Hole(match["name"], match["kind"], bool(match["many"]), is_first))
            at = match.end()
        return (*out, *_words(self.text[at:]))

    @cached_property
    def _templates(self) -> tuple[Template, list[Template] | None]:
        """Return the templates of the text before the parentheses and of each argument in them."""
        head, sign, inner = self.text.partition("(")
        if not sign or inner[-1] != ")":
            return Template(self.text), None
        return Template(head), [Template(one) for one in _BETWEEN.split(inner[:-1]) if one]

    @property
    def holes(self) -> set[str]:
        """Return the names of the holes."""
        return {part.name for part in self.parts if isinstance(part, Hole)}

    @property
    def constant(self) -> str:
        """Return the name of the constant that the pattern declares; empty for other patterns."""
        at = self.parts.index("=") if "=" in self.parts else 0
        return str(self.parts[at - 1]) if at else ""

    @property
    def first(self) -> str:
        """Return the first token of the pattern; empty if the pattern begins with a hole."""
        found = self.parts[0] if self.parts else ""
        return found if isinstance(found, str) else ""

    def call(self, given: dict[str, Any], prefix: str = "refl::") -> tuple[str, list[str]]:
        """Return the C++ text before the parentheses, and the arguments in the parentheses.

        `given` has the values of the holes; `prefix` replaces the qualifier `refl::`.
        """
        head, templates = self._templates
        arguments: list[str] = []
        for one in templates or ():
            if one.is_list:
                arguments += [item.write(prefix) for item in given.get(one.holes[0][0], ())]
            else:
                arguments.append(one.fill(given, prefix))
        return head.fill(given, prefix), arguments

    def write(self, given: dict[str, Any], prefix: str = "refl::") -> str:
        """Return the whole C++ text."""
        head, arguments = self.call(given, prefix)
        if self._templates[1] is None:
            return head
        if len(arguments) == 1 and isinstance(arguments[0], Lambda):
            return arguments[0].inside(f"{head}(", ")")
        return f"{head}({', '.join(arguments)})"


@dataclass
class Construct:
    """A construct: its row, and the values of the holes.

    The value of a hole is a text or a list of constructs. `spans` has the places of the holes, and
    `span` the place of the whole construct; constructs that were not read have no places.
    """

    row: Row
    values: dict[str, Any]
    span: Span = NOWHERE
    spans: dict[str, Span] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """Return the name of the row."""
        return self.row.name

    def text(self, hole: str) -> str:
        """Return the text in a hole; empty if the pattern has no such hole."""
        value = self.values.get(hole, "")
        return value if isinstance(value, str) else ""

    def items(self, hole: str) -> list[Construct]:
        """Return the constructs in a hole; empty if the pattern has no such hole."""
        value = self.values.get(hole, ())
        return [] if isinstance(value, str) else list(value)

    def place(self, hole: str) -> Span:
        """Return the place of a hole; the place of the construct if the hole is empty."""
        return self.spans.get(hole, self.span)

    def call(self, prefix: str = "refl::") -> tuple[str, list[str]]:
        """Return the text before the parentheses, and the arguments in the parentheses."""
        return self.row.call(self.values, prefix)

    def write(self, prefix: str = "refl::") -> str:
        """Return the construct as C++ text, in the spelling of its row."""
        return self.row.write(self.values, prefix)


class Table:
    """All rows; rows of a group are found by the first token of their patterns."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = tuple(rows)
        self._named: dict[tuple[str, str], list[Row]] = {}
        self._written: dict[tuple[Any, ...], Row] = {}
        for row in self.rows:
            self._named.setdefault((row.group, row.name), []).append(row)

    @cached_property
    def _by_first(self) -> dict[tuple[str, str], list[Row]]:
        """Return (group, word) -> rows; the word is empty for rows that begin with a hole.

        A chained call begins with a point; its rows are found by the point and the word after it.
        """
        found: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows:
            word = row.first
            if word in _POINTS:
                called = row.parts[1]
                word = f".{called}" if isinstance(called, str) else "."
            found.setdefault((row.group, word), []).append(row)
        return found

    def firsts(self, group: str) -> dict[str, None]:
        """Return the first tokens of the rows of a group, in the order of the rows."""
        return dict.fromkeys(row.first for row in self.rows if row.group == group)

    def named(self, group: str, name: str) -> list[Row]:
        """Return the rows of a construct."""
        return self._named.get((group, name), [])

    def row(self, group: str, name: str, value: Any = None, dialect: str = "") -> Row:
        """Return the row that is written for a construct, with a value of `ir` and a dialect."""
        return next(self._rows(group, name, value, dialect))

    def _rows(self, group: str, name: str, value: Any, dialect: str) -> Iterator[Row]:
        for row in self.named(group, name):
            is_same = value is None or (row.ir is not None and row.ir[1] == value)
            if is_same and dialect in ("", row.dialect):
                yield row

    def make(
        self, group: str, name: str, value: Any = None, dialect: str = "", /, **given: Any
    ) -> Construct:
        """Return a construct of the row that has `given` as the values of its holes."""
        key = (group, name, value, dialect, *given)
        row = self._written.get(key)
        if row is None:
            rows = self._rows(group, name, value, dialect)
            row = self._written[key] = next(one for one in rows if one.holes == set(given))
        return Construct(row, given)

    def read(self, group: str, c: Cursor, first: int, end: int) -> Construct | None:
        """Return the construct of a group that the tokens from `first` to `end` are, if any."""
        at = _head(c, first, end)
        if at >= end:
            return None
        word = c.words[at]
        if word in _POINTS:
            called = c.words[at + 1] if at + 1 < end else ""
            keys = (f".{called}", ".")
            rows = [row for key in keys for row in self._by_first.get((group, key), ())]
        else:
            known = self._by_first.get((group, word), ())
            if not known and at != first:  # a qualified name may begin a pattern with a hole
                known = self._by_first.get((group, c.words[first]), ())
            rows = [*known, *self._by_first.get((group, ""), ())]
        for row in rows:
            found = self._match(row, c, first, end)
            if found is not None:
                return found
        return None

    def read_list(self, group: str, c: Cursor, first: int, end: int) -> list[Construct]:
        """Return the constructs of a group in a list with commas."""
        found = (self.read(group, c, start, stop) for start, stop in c.split(first, end))
        return [one for one in found if one is not None]

    def _match(self, row: Row, c: Cursor, first: int, end: int) -> Construct | None:
        made = Construct(row, {})
        at = first
        for number, part in enumerate(row.parts):
            if isinstance(part, str):
                at = _literal(part, c, at, end)
            elif part.is_list:
                stop = _until(row.parts[number + 1 :], c, at, end)
                start = at
                if not part.is_first and start < stop:
                    if c.words[start] != ",":
                        return None
                    start += 1
                made.values[part.name] = self.read_list(part.kind, c, start, stop)
                at = stop
            else:
                at = _fill(part, row.parts[number + 1 :], c, at, end, made)
            if at < 0:
                return None
        if at != end:
            return None
        made.span = c.span(first, end - 1)
        return made


def _words(text: str) -> list[str]:
    """Return the tokens of a pattern without noise and qualifiers; a dollar begins a hole."""
    words = [word for word, _ in tokens.code(text, 0, len(text)) if word not in NOISE]
    out: list[str] = []
    for word in words:
        if word == "::":
            if out:
                out.pop()
        else:
            out.append(word)
    return out


def _skipped(c: Cursor, at: int, end: int) -> int:
    """Return the index of the next token that is not noise or a part of an attribute."""
    while at < end:
        if c.words[at] in NOISE:
            at += 1
        elif c.words[at] == "[" and c.words[at + 1 : at + 2] == ["["]:
            at = c.closing(at) + 1
        else:
            break
    return at


def _head(c: Cursor, at: int, end: int) -> int:
    """Return the index of the first token after noise and qualifiers."""
    at = _skipped(c, at, end)
    while at + 1 < end:
        if c.words[at] == "::":
            at += 1
        elif c.words[at + 1] == "::" and c.is_word(at):
            at += 2
        else:
            break
    return at


def _literal(word: str, c: Cursor, at: int, end: int) -> int:
    """Return the index after a token of a pattern; -1 if the token is not at `at`."""
    is_name = word[0].isalpha() or word[0] == "_"
    at = _head(c, at, end) if is_name else _skipped(c, at, end)
    if at >= end:
        return -1
    found = c.words[at]
    if found == word or (word in _POINTS and found in _POINTS):
        return at + 1
    if word == "(" and found == "<":  # template arguments of a call
        at = _angle(c, at, end)
        return at + 1 if at < end and c.words[at] == "(" else -1
    return -1


def _angle(c: Cursor, at: int, end: int) -> int:
    """Return the index after the template arguments that begin at `at`."""
    depth = 0
    while at < end:
        word = c.words[at]
        depth += (word == "<") - (word == ">")
        at = c.closing(at) + 1 if word in _OPENING else at + 1
        if not depth:
            break
    return at


def _until(rest: tuple[str | Hole, ...], c: Cursor, at: int, end: int) -> int:
    """Return the index of the next token of the pattern that is outside of brackets."""
    stops = {one for one in rest[:2] if isinstance(one, str)} if rest else set()
    if rest and isinstance(rest[0], str):
        stops = {rest[0]}
    elif rest:
        stops.add(",")
    angle = 0
    while at < end:
        word = c.words[at]
        if word in stops and not angle:
            return at
        if word in _OPENING:
            at = c.closing(at)
        elif word == "<":
            angle += 1
        elif word == ">":
            angle = max(0, angle - 1)
        at += 1
    return min(at, end)


def _fill(
    hole: Hole, rest: tuple[str | Hole, ...], c: Cursor, at: int, end: int, made: Construct
) -> int:
    """Read a hole and return the index after it; -1 if its tokens are not of its kind."""
    at = _skipped(c, at, end)
    if hole.kind == "str":
        stop = at
        while stop < end and c.words[stop][-1] == '"':
            stop += 1
        value: str | None = c.literal(at, stop) if stop > at else None
        if value is None:
            return -1
    elif hole.kind == "name":
        stop = _head(c, at, end)
        if stop >= end or not c.is_word(stop):
            return -1
        stop += 1
        if stop < end and c.words[stop] == "<" and (not rest or rest[0] != "<"):
            stop = _angle(c, stop, end)
        value = c.joined(at, stop)
    else:
        stop = _until(rest, c, at, end)
        value = c.joined(at, stop)
    made.values[hole.name] = value
    if stop > at:
        made.spans[hole.name] = c.span(at, stop - 1)
    return stop
