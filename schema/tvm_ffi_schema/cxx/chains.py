# SPDX-License-Identifier: Apache-2.0
"""Read statements that register, such as ``ObjectDef<T>().def_ro(...)``, from tokens."""

from __future__ import annotations

import re

from ..files import tokens
from . import values
from .constructs import TABLE
from .cursor import Cursor, Lines
from .model import Call, Statement
from .pattern import Construct

_GIVEN = re.compile(r"\b(?P<name>[A-Za-z_]\w*)\s*=\s*(?:[\w:]*::)?\Z")
_LONGEST = 100
_NEAR = 2000
_PREFIX = re.compile(r"[\w:]*::\Z")


#: Kind of a statement -> the group of its chained calls.
_GROUPS = {"object": "ENTRY", "attrs": "ATTR", "entry": "VALUE", "column": "VALUE"}


def read_statement(c: Cursor) -> Statement | None:
    """Return the statement whose first word is the first token; None for other tokens."""
    end, comma = 2, 0
    depth = 0
    if _word(c, 1) != "<":
        return None
    while end < len(c) and (depth or c.words[end] != ">"):
        if c.words[end] in (";", "{", "}") or end > _LONGEST:
            return None  # a template argument cannot contain this token
        depth += (c.words[end] == "<") - (c.words[end] == ">")
        comma = comma or (end if c.words[end] == "," and not depth else 0)
        end += 1
    names = end + 1 < len(c) and c.is_word(end + 1) and _word(c, end + 2) in (";", "(", "{")
    if _word(c, end + 1) != "(" and not names:
        return None
    index = end + 1 + names
    has_arguments = _word(c, index) == "("
    after = c.closing(index) + 1 if has_arguments else index
    head = None if names else TABLE.read("STATEMENT", c, 0, min(after, len(c)))
    if head is None:  # the statement declares a variable, or has unusual arguments
        rows = (row for row in TABLE.rows if row.group == "STATEMENT" and row.first == c.words[0])
        traits = TABLE.read_list("TRAIT", c, index + 1, after - 1) if has_arguments else []
        head = Construct(next(rows), {"traits": traits}, c.span(0))
    made = Statement(head.kind, c.joined(2, comma or end), [], c.span(0), c.span(0), head)
    made.offset, made.word = c.offsets[0], c.words[0]
    before = _PREFIX.search(c.lines.text, max(0, made.offset - 80), made.offset)
    made.prefix = before.group() if before else ""
    given = _GIVEN.search(c.lines.text, max(0, made.offset - 160), made.offset)
    made.variable = c.words[end + 1] if names else given["name"] if given else ""
    made.is_of_parameter = _is_parameter(c.lines.text, made)
    if _word(c, index) != ";":
        index = c.closing(index) + 1
    read_calls(c, index, made)
    return made


def _is_parameter(text: str, chain: Statement) -> bool:
    if not chain.target.isidentifier():
        return False
    near = text[max(0, chain.offset - _NEAR) : chain.offset]
    start = near.find("template")
    head = rf"\btemplate\s*<[^;{{}}]*?\b(?:typename|class)\s+{chain.target}\b"
    return start >= 0 and re.search(head, near[start:]) is not None


def read_calls(c: Cursor, index: int, chain: Statement) -> None:
    """Add the chained calls that begin at `index`."""
    while _word(c, index) in (".", "->") and _word(c, index + 2) in ("(", "<"):
        opening = index + 2
        while _word(c, opening) not in ("(", ""):
            opening += 1
        chain.entries.append(read_call(_GROUPS[chain.kind], c, index + 1, opening))
        index = c.closing(opening) + 1
    if c.words:
        chain.end = c.span(min(max(index, 1), len(c)) - 1)
    chain.stop = c.span(index) if _word(c, index) == ";" else None


def follow(lines: Lines, chain: Statement) -> None:
    """Add the calls on the variable of a chain, from later statements of the same block."""
    text = lines.text
    start = lines.offset(chain.end.end_line, chain.end.end_col)
    depth = 0
    pattern = tokens.outside(rf"[{{}}]|{re.escape(chain.variable)}\s*(?=[.=])")
    for match in pattern.finditer(text, start):
        word = match.group()
        before = text[match.start() - 1 : match.start()]
        if word in ("{", "}"):
            depth += 1 if word == "{" else -1
            if depth < 0:
                return
        elif word.rstrip() != chain.variable or tokens.is_word_char(before) or before in ".:>":
            continue
        elif text[match.end()] == "=":
            return  # the variable is assigned another value
        else:
            read_calls(Cursor(lines, match.start(), single=True), 1, chain)


def _word(c: Cursor, at: int) -> str:
    return c.words[at] if at < len(c) else ""


def read_call(group: str, c: Cursor, word: int, opening: int) -> Call:
    """Return the call with its name at `word` and its opening parenthesis at `opening`."""
    ranges = c.arguments(opening) if opening < len(c) else []
    name = c.joined(*ranges[0]) if ranges else ""
    text = values.text(name)
    closing = min(c.closing(opening), len(c) - 1)
    made = TABLE.read(group, c, word - 1, closing + 1)
    if made is None:
        made = Construct(
            TABLE.row(group, "other"), {"word": c.words[word]}, c.span(word - 1, closing)
        )
    return Call(
        made.row,
        made.values,
        made.span,
        made.spans,
        method=c.words[word],
        name=name if text is None else text,
        word=c.span(word),
        name_span=c.span(ranges[0][0], ranges[0][1] - 1) if ranges else c.span(word),
        end=c.span(closing),
    )
