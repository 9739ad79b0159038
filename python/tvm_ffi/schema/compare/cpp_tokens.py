# SPDX-License-Identifier: Apache-2.0
"""A cursor over the tokens of a C++ file, with the places of each."""

from __future__ import annotations

import bisect
from collections.abc import Iterator

from ..ir import Span
from ..weave import tokens

_PAIRS = {"(": ")", "{": "}", "[": "]"}


class Cursor:
    """Tokens without white space and comments; preprocessor lines are left out."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.words: list[str] = []
        self.kinds: list[str] = []
        self.offsets: list[int] = []
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)
        for kind, word, offset in _code(text):
            self.kinds.append(kind)
            self.words.append(word)
            self.offsets.append(offset)

    def __len__(self) -> int:
        return len(self.words)

    def span(self, first: int, last: int | None = None) -> Span:
        """Return the range from one token to the end of another."""
        last = first if last is None else last
        end = self.offsets[last] + len(self.words[last])
        line, col = self.place(self.offsets[first])
        end_line, end_col = self.place(end)
        return Span(self.path, line, col, end_line, end_col)

    def place(self, offset: int) -> tuple[int, int]:
        """Return (line, column) of an offset."""
        line = bisect.bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def closing(self, at: int) -> int:
        """Return the index of the bracket that closes the one at `at`; the end if none does."""
        depth: list[str] = []
        for index in range(at, len(self.words)):
            word = self.words[index]
            if word in _PAIRS and self.kinds[index] == "punct":
                depth.append(_PAIRS[word])
            elif depth and word == depth[-1]:
                depth.pop()
                if not depth:
                    return index
        return len(self.words)

    def arguments(self, at: int) -> list[tuple[int, int]]:
        """Return the token ranges of the arguments between the parenthesis at `at` and its end."""
        end = self.closing(at)
        ranges = []
        first = index = at + 1
        angle = 0
        while index < end:
            word = self.words[index]
            if word in _PAIRS and self.kinds[index] == "punct":
                index = self.closing(index)
            elif word == "<":
                angle += 1
            elif word == ">":
                angle = max(angle - 1, 0)
            elif word == "," and not angle:
                ranges.append((first, index))
                first = index + 1
            index += 1
        if first < end:
            ranges.append((first, end))
        return ranges

    def joined(self, first: int, last: int) -> str:
        """Return tokens as text, with one blank between words."""
        out = ""
        before = ""
        for index in range(first, min(last, len(self.words))):
            word = self.words[index]
            if (_is_word(before[-1:]) or before == ">") and _is_word(word[0]):
                out += " "
            out += word
            before = word
        return out


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _code(text: str) -> Iterator[tuple[str, str, int]]:
    skip_to = -1
    at_line_start = True
    for kind, word, offset in tokens.scan(text):
        if offset < skip_to:
            continue
        if kind == "space":
            at_line_start = at_line_start or "\n" in word.replace("\\\n", "")
            continue
        if kind in ("line", "block"):
            continue
        if kind == "include":
            continue
        if word == "#" and at_line_start:
            skip_to = _end_of_directive(text, offset)
            continue
        at_line_start = False
        yield kind, word, offset


def _end_of_directive(text: str, offset: int) -> int:
    at = offset
    while True:
        end = text.find("\n", at)
        if end < 0:
            return len(text)
        if not text[offset:end].rstrip("\r").endswith("\\"):
            return end
        at = end + 1
