# SPDX-License-Identifier: Apache-2.0
"""Find the namespace of each position in a C++ file."""

from __future__ import annotations

import bisect
import re

from ..files import tokens
from .model import Place

_MARKS = tokens.outside(
    r"[{}]|using\s+namespace\s+(?P<using>[\w:]+)|(?P<inline>inline\s+namespace\b[^{};=()#/]*\{)"
    r"|namespace\b(?P<name>(?:/\*(?s:.*?)\*/|//[^\n]*\n|[^{};=()#/])*)(?P<opens>\{)?"
)
_DEEPEST = 200
_NAME = re.compile(r"\w+")
_NO_NAME = re.compile(r"/\*.*?\*/|//[^\n]*|\[\[.*?\]\]|\binline\b", re.DOTALL)


class Scopes:
    """The namespaces of a file, found without the braces in preprocessor lines."""

    def __init__(self, text: str) -> None:
        self._offsets = [0]
        self._names = [""]
        using: dict[str, None] = {}
        stack: list[str] = []
        for match in _MARKS.finditer(text) if "namespace" in text else ():
            found = match.group()
            before = text[match.start() - 1 : match.start()]
            if found not in ("{", "}") and tokens.is_word_char(before):
                stack += [""] * found.endswith("{")  # the keyword is only the end of a longer word
            elif match["using"]:
                using.setdefault(match["using"].lstrip(":"))
            elif found == "}":
                if stack and stack.pop():
                    self._note(match.end(), stack)
            elif found == "{" or match["inline"] or (match["opens"] and len(stack) >= _DEEPEST):
                stack.append("")
            elif match["opens"]:
                stack.append("::".join(_NAME.findall(_NO_NAME.sub(" ", match["name"]))))
                self._note(match.end(), stack)
        self._using = tuple(using)

    def _note(self, offset: int, stack: list[str]) -> None:
        self._offsets.append(offset)
        self._names.append("::".join(name for name in stack if name))

    def at(self, offset: int) -> Place:
        """Return the namespace at an offset; a class body is not a namespace."""
        return Place(self._names[bisect.bisect_right(self._offsets, offset) - 1], self._using)
