# SPDX-License-Identifier: Apache-2.0
"""Remove branches of ``#if`` from C++ text, so that the rest can be parsed without a preprocessor.

The branch of ``#if 0`` is removed; for ``#if 1``, the other branches are removed. If the braces in
a branch do not match, for example because each of two branches begins the same class, only the
first branch remains. Otherwise all branches remain; readers of the text must ignore a second
declaration with the same name.
"""

from __future__ import annotations

import re

from ..files import tokens

_WORTH_IT = re.compile(r"#[ \t]*(?:else|elif|if[ \t]+[01])\b")
_DIRECTIVE = re.compile(
    r"\#[ \t]*(?P<word>if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b"
    r"(?P<rest>(?:[^\n\\]|\\\r?\n|\\.)*)"
)
_MARKS = tokens.outside(r"[{}]|" + _DIRECTIVE.pattern)


class _Branch:
    """The text between two directives of one `#if`; `depth` is the number of unclosed braces."""

    def __init__(self, start: int, condition: str) -> None:
        self.start = start
        self.end = start
        self.condition = condition
        self.depth = 0
        self.is_balanced = True

    def brace(self, step: int) -> None:
        self.depth += step
        self.is_balanced = self.is_balanced and self.depth >= 0


def settled(text: str) -> str:
    """Replace the removed branches by blanks, so that all offsets and lines stay the same."""
    if _WORTH_IT.search(text) is None:
        return text
    gone: list[tuple[int, int]] = []
    groups: list[list[_Branch]] = []
    for match in _MARKS.finditer(text):
        found, word = match.group(), match["word"]
        if word is None:
            if groups and found in "{}":
                groups[-1][-1].brace(1 if found == "{" else -1)
        elif word.startswith("if"):
            condition = match["rest"].strip() if word == "if" else "?"
            groups.append([_Branch(match.end(), condition)])
        elif groups:
            groups[-1][-1].end = match.start()
            if word != "endif":
                groups[-1].append(_Branch(match.end(), word))
                continue
            group = groups.pop()
            gone += _left_out(group)
            if groups:
                groups[-1][-1].brace(group[0].depth)
    return _blanked(text, gone)


def _left_out(group: list[_Branch]) -> list[tuple[int, int]]:
    condition = group[0].condition.partition("//")[0].partition("/*")[0].strip()
    kept = group[1:] if condition == "0" else group[:1] if condition == "1" else list(group)
    if any(one.depth or not one.is_balanced for one in kept):
        kept = kept[:1]
    return [(one.start, one.end) for one in group if one not in kept]


def _blanked(text: str, ranges: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    at = 0
    for first, last in sorted(ranges):
        if first >= at:
            pieces += [text[at:first], re.sub(r"[^\r\n]", " ", text[first:last])]
            at = last
    return "".join([*pieces, text[at:]])
