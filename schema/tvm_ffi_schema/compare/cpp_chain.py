# SPDX-License-Identifier: Apache-2.0
"""Read registration chains such as ``ObjectDef<T>().def_ro(...)`` from tokens."""

from __future__ import annotations

import re

from ..files import tokens
from . import cpp_value
from .cpp_facts import OBJECT_CHAINS, Chain, Entry
from .cpp_tokens import Cursor, Lines

_GIVEN = re.compile(r"\b(?P<name>[A-Za-z_]\w*)\s*=\s*(?:[\w:]*::)?\Z")
_LONGEST = 100
_NEAR = 2000
_PREFIX = re.compile(r"[\w:]*::\Z")


def read_chain(c: Cursor) -> Chain | None:
    """Return the chain that begins at the first token; None if the tokens are not a chain."""
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
    kind = "ObjectDef" if c.words[0] in OBJECT_CHAINS else c.words[0]
    chain = Chain(kind, c.joined(2, comma or end), [], c.span(0), c.span(0))
    chain.offset, chain.word = c.offsets[0], c.words[0]
    before = _PREFIX.search(c.lines.text, max(0, chain.offset - 80), chain.offset)
    chain.prefix = before.group() if before else ""
    given = _GIVEN.search(c.lines.text, max(0, chain.offset - 160), chain.offset)
    chain.variable = c.words[end + 1] if names else given["name"] if given else ""
    chain.is_of_parameter = _is_parameter(c.lines.text, chain)
    index = end + 1 + names
    chain.arguments = c.joined(index + 1, c.closing(index)) if _word(c, index) == "(" else ""
    index = index if _word(c, index) == ";" else c.closing(index) + 1
    read_entries(c, index, chain)
    return chain


def _is_parameter(text: str, chain: Chain) -> bool:
    if not chain.target.isidentifier():
        return False
    near = text[max(0, chain.offset - _NEAR) : chain.offset]
    start = near.find("template")
    head = rf"\btemplate\s*<[^;{{}}]*?\b(?:typename|class)\s+{chain.target}\b"
    return start >= 0 and re.search(head, near[start:]) is not None


def read_entries(c: Cursor, index: int, chain: Chain) -> None:
    """Add the chained calls that begin at `index`."""
    while _word(c, index) in (".", "->") and _word(c, index + 2) in ("(", "<"):
        opening = index + 2
        while _word(c, opening) not in ("(", ""):
            opening += 1
        chain.entries.append(read_entry(c, index + 1, opening))
        index = c.closing(opening) + 1
    if c.words:
        chain.end = c.span(min(max(index, 1), len(c)) - 1)
    chain.stop = c.span(index) if _word(c, index) == ";" else None


def follow(lines: Lines, chain: Chain) -> None:
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
            read_entries(Cursor(lines, match.start(), single=True), 1, chain)


def _word(c: Cursor, at: int) -> str:
    return c.words[at] if at < len(c) else ""


def read_entry(c: Cursor, word: int, opening: int) -> Entry:
    """Return the call with its name at `word` and its opening parenthesis at `opening`."""
    ranges = c.arguments(opening) if opening < len(c) else []
    args = [c.joined(first, last) for first, last in ranges]
    spans = [c.span(first, last - 1) for first, last in ranges]
    name = args[0] if args else ""
    text = cpp_value.text(name)
    name = name if text is None else text
    span = c.span(word)
    name_span = spans[0] if spans else span
    closing = min(c.closing(opening), len(c) - 1)
    return Entry(c.words[word], name, args[1:], span, name_span, spans[1:], c.span(closing))
