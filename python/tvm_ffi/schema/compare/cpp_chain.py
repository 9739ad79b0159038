# SPDX-License-Identifier: Apache-2.0
"""Registration chains: ``ObjectDef<T>().def_ro(...)`` and their like, read by their tokens."""

from __future__ import annotations

import ast
import re

from .cpp_facts import OBJECT_CHAINS, Chain, Entry, last_name
from .cpp_tokens import Cursor

_PREFIX = re.compile(r"[\w:]*::\Z")


def read_chain(c: Cursor, at: int) -> tuple[Chain | None, int]:
    """Return the chain whose first word is at `at`, and the index behind it; None for a type."""
    end, depth, comma = at + 2, 0, 0
    while end < len(c) and (depth or c.words[end] != ">"):
        depth += (c.words[end] == "<") - (c.words[end] == ">")
        comma = comma or (end if c.words[end] == "," and not depth else 0)
        end += 1
    if _word(c, end + 1) != "(":
        return None, at + 1
    kind = "ObjectDef" if c.words[at] in OBJECT_CHAINS else c.words[at]
    target = last_name(c.joined(at + 2, comma or end))
    chain = Chain(kind, target, [], c.span(at), c.span(at))
    before = _PREFIX.search(c.lines.text, max(0, c.offsets[at] - 80), c.offsets[at])
    chain.prefix = before.group() if before else ""
    index = c.closing(end + 1) + 1
    while _word(c, index) == "." and _word(c, index + 2) in ("(", "<"):
        opening = index + 2
        while _word(c, opening) not in ("(", ""):
            opening += 1
        chain.entries.append(_entry(c, index + 1, opening))
        index = c.closing(opening) + 1
    chain.end = c.span(min(index, len(c)) - 1)
    return chain, max(index, at + 1)


def _word(c: Cursor, at: int) -> str:
    return c.words[at] if at < len(c) else ""


def _entry(c: Cursor, word: int, opening: int) -> Entry:
    ranges = c.arguments(opening) if opening < len(c) else []
    args = [c.joined(first, last) for first, last in ranges]
    spans = [c.span(first, last - 1) for first, last in ranges]
    name = args[0] if args else ""
    if name.startswith('"'):
        try:
            name = str(ast.literal_eval(name))
        except (SyntaxError, ValueError):
            name = name.strip('"')
    span = c.span(word)
    name_span = spans[0] if spans else span
    closing = min(c.closing(opening), len(c) - 1)
    return Entry(c.words[word], name, args[1:], span, name_span, spans[1:], c.span(closing))
