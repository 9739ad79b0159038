# SPDX-License-Identifier: Apache-2.0
"""A cursor over the tokens of C++ text, with positions and matching brackets."""

from __future__ import annotations

import bisect
import functools
import re

from ..files import tokens
from ..ir import Span
from . import values

_NOT_PLAIN = re.compile(r"""["'/#\\\\]|->|>=""")
_BLANK_TO_DROP = re.compile(r"(?<![\w>]) | (?!\w)")
_TEMPLATE_END = re.compile(r">(?=\w)")
_CLOSERS = {")": "(", "}": "{", "]": "["}
_BRACKETS = frozenset("(){}[]")


class Lines:
    """The text of a file and the offset of each line; all cursors of the file share one object."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.starts = [0]
        at = text.find("\n")
        while at >= 0:
            self.starts.append(at + 1)
            at = text.find("\n", at + 1)

    def place(self, offset: int) -> tuple[int, int]:
        """Return (line, column) of an offset."""
        line = bisect.bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and a column."""
        return self.starts[line - 1] + column - 1

    def span(self, first: int, last: int) -> Span:
        """Return the range between two offsets."""
        line, col = self.place(first)
        if line == len(self.starts) or last < self.starts[line]:
            return Span(self.path, line, col, line, col + last - first)
        return Span(self.path, line, col, *self.place(last))


class Cursor:
    """Tokens of a part of a file, without white space, comments and preprocessor lines.

    With `single`, the cursor contains only the statement that begins at the offset `first`.
    """

    def __init__(
        self, lines: Lines, first: int = 0, last: int | None = None, *, single: bool = False
    ) -> None:
        self.lines = lines
        end = len(lines.text) if last is None else last
        if single:
            self._read_statement(first, end)
        else:
            self.words, self.offsets = tokens.code_lists(lines.text, first, end)
        self._match = self._matches()

    def _read_statement(self, first: int, end: int) -> None:
        self.words, self.offsets = [], []
        depth = 0
        for word, offset in tokens.code(self.lines.text, first, end):
            self.words.append(word)
            self.offsets.append(offset)
            depth += (word in "({[") - (word in ")}]")
            if depth < 0 or (word == ";" and not depth):
                break

    def __len__(self) -> int:
        return len(self.words)

    def _matches(self) -> dict[int, int]:
        """Return index of an opening bracket -> index of its closing bracket.

        A closing brace also closes the brackets that are still open after its opening brace, so
        that a missing bracket affects only the text in the braces.
        """
        found: dict[int, int] = {}
        stack: list[int] = []
        for index, word in enumerate(self.words):
            if word not in _BRACKETS:
                continue
            if word not in _CLOSERS:
                stack.append(index)
            else:
                wanted = _CLOSERS[word]
                if stack and self.words[stack[-1]] == wanted:
                    found[stack.pop()] = index
                    continue
                if word == "}" and any(self.words[i] == "{" for i in stack):
                    while self.words[stack[-1]] != "{":
                        found[stack.pop()] = index
                    found[stack.pop()] = index
        return found

    def is_word(self, at: int) -> bool:
        """Return whether a token is an identifier or a keyword."""
        first = self.words[at][0]
        return (first.isalpha() or first == "_") and self.words[at][-1] not in "\"'"

    def span(self, first: int, last: int | None = None) -> Span:
        """Return the range of the tokens `first` to `last`; without `last`, of one token."""
        last = first if last is None else last
        return self.lines.span(self.offsets[first], self.offsets[last] + len(self.words[last]))

    def span_end(self, at: int) -> int:
        """Return the offset of the end of a token."""
        return self.offsets[at] + len(self.words[at])

    def closing(self, at: int) -> int:
        """Return the index of the closing bracket for the bracket at `at`.

        If it is missing, return the number of tokens.
        """
        return self._match.get(at, len(self.words))

    def arguments(self, at: int) -> list[tuple[int, int]]:
        """Return the token ranges of the arguments in the parentheses that open at `at`."""
        return self.split(at + 1, self.closing(at))

    def split(self, first: int, end: int) -> list[tuple[int, int]]:
        """Split a token range at the commas outside of brackets; return the ranges."""
        ranges = []
        index = first
        angle = 0
        while index < end:
            word = self.words[index]
            if word in ("(", "{", "["):
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
            ranges.append((first, min(end, len(self.words))))
        return ranges

    def literal(self, first: int, last: int) -> str | None:
        """Return the text of the string literals in a token range; None for other tokens."""
        return values.text(self.joined(first, last))

    def joined(self, first: int, last: int) -> str:
        """Return a token range as text, in the form of the function `joined`."""
        last = min(last, len(self.words))
        if first >= last:
            return ""
        return normal(self.lines.text[self.offsets[first] : self.span_end(last - 1)])


def joined(words: list[str]) -> str:
    """Return tokens as text, with a blank between two words and between `>` and a word."""
    out = []
    ends_word = False
    for word in words:
        if ends_word and (word[0].isalnum() or word[0] == "_"):
            out.append(" ")
        out.append(word)
        ends_word = word[-1].isalnum() or word[-1] == "_" or word == ">"
    return "".join(out)


@functools.lru_cache(maxsize=65536)
def normal(text: str) -> str:
    """Return C++ text with the white space that `joined` would write."""
    if text.isidentifier():
        return text
    if _NOT_PLAIN.search(text) is None:  # fast path with the same result as `normal_by_tokens`
        text = _BLANK_TO_DROP.sub("", " ".join(text.split()))
        return _TEMPLATE_END.sub("> ", text) if ">" in text else text
    return normal_by_tokens(text)


def normal_by_tokens(text: str) -> str:
    """Return the same text as `normal`; this is the slow path, for text of any kind."""
    return joined([word for word, _ in tokens.code(text, 0, len(text))])
