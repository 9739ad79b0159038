# SPDX-License-Identifier: Apache-2.0
"""Object classes of hand-written C++: heads, members, constants, macros, registrations.

Not a C++ parser: it follows brackets, and understands what classes of objects look like. What it
does not understand it passes over.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from ..ir import Span
from .cpp_tokens import Cursor

_NOT_A_MEMBER = {"using", "typedef", "friend", "template", "static_assert", "enum", "static"}
_OBJECT_MACROS = {
    "TVM_FFI_DECLARE_OBJECT_INFO": False,
    "TVM_FFI_DECLARE_OBJECT_INFO_FINAL": True,
    "TVM_DECLARE_BASE_OBJECT_INFO": False,
    "TVM_DECLARE_FINAL_OBJECT_INFO": True,
}
_REF_MACROS = {
    "TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE": True,
    "TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE": False,
    "TVM_FFI_DEFINE_OBJECT_REF_METHODS": True,
    "TVM_DEFINE_OBJECT_REF_METHODS": True,
}


@dataclass
class Member:
    """A data member."""

    name: str
    type: str
    default: str
    span: Span
    access: str = "public"


@dataclass
class Macro:
    """A use of one of the object macros."""

    name: str
    args: list[str]
    spans: list[Span]
    span: Span


@dataclass
class CppClass:
    """A class as it stands in the sources."""

    name: str
    namespace: str
    bases: list[str]
    span: Span
    base_span: Span
    members: list[Member] = field(default_factory=list)
    methods: dict[str, tuple[str, Span]] = field(default_factory=dict)
    constructors: list[tuple[list[str], Span]] = field(default_factory=list)
    constants: dict[str, tuple[str, Span]] = field(default_factory=dict)
    macro: Macro | None = None
    has_register: bool = False


@dataclass
class Entry:
    """One call of a registration chain."""

    method: str
    name: str
    args: list[str]
    span: Span
    name_span: Span
    word_span: Span


@dataclass
class Chain:
    """`ObjectDef<T>()...` or `TypeAttrDef<T>()...`."""

    kind: str
    target: str
    entries: list[Entry]
    span: Span
    end: Span


@dataclass
class Sources:
    """What all files together say."""

    classes: dict[str, CppClass] = field(default_factory=dict)
    chains: list[Chain] = field(default_factory=list)
    register_calls: set[str] = field(default_factory=set)
    node_types: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)


def read(path: str, text: str, into: Sources, export_macros: list[str]) -> None:
    """Add what one file says."""
    for macro in export_macros:
        if macro:
            text = text.replace(macro, " " * len(macro))
    cursor = Cursor(path, text)
    _Reader(cursor, into).run()


def last_name(text: str) -> str:
    """Return the last component of a qualified name."""
    return text.rpartition("::")[2]


class _Reader:
    def __init__(self, cursor: Cursor, into: Sources) -> None:
        self.c = cursor
        self.into = into

    def run(self) -> None:
        words = self.c.words
        at = 0
        while at < len(words):
            word = words[at]
            if word == "namespace":
                at = self._namespace(at)
            elif word in ("class", "struct"):
                at = self._class(at)
            elif word in ("ObjectDef", "TypeAttrDef") and self._word(at + 1) == "<":
                at = self._chain(at)
            elif word == "RegisterReflection" and self._word(at - 1) == "::":
                if self._word(at - 3) != "void":
                    self.into.register_calls.add(words[at - 2])
                at += 1
            elif word == "TVM_REGISTER_NODE_TYPE":
                self.into.node_types.add(last_name(self.c.joined(at + 2, self.c.closing(at + 1))))
                at += 1
            elif word == "using" and self._word(at + 2) == "=":
                end = self._until(at, ";")
                self.into.aliases[words[at + 1]] = self.c.joined(at + 3, end)
                at = end
            else:
                at += 1

    def _word(self, at: int) -> str:
        return self.c.words[at] if 0 <= at < len(self.c.words) else ""

    def _until(self, at: int, mark: str) -> int:
        while at < len(self.c.words) and self.c.words[at] != mark:
            at = self.c.closing(at) if self.c.words[at] in "({[" else at
            at += 1
        return at

    def _namespace(self, at: int) -> int:
        return at + 1

    # --- classes

    def _class(self, at: int) -> int:
        """Read a class with a body; anything else is passed over."""
        start = at + 1
        while self._word(start) == "[":
            start = self.c.closing(start) + 1
        brace = start
        while brace < len(self.c.words) and self.c.words[brace] not in (
            "{",
            ";",
            "(",
            ")",
            ">",
            "=",
        ):
            if self.c.words[brace] == "<":
                return at + 1
            brace += 1
        if self._word(brace) != "{":
            return at + 1
        colon = next((i for i in range(start, brace) if self.c.words[i] == ":"), brace)
        name_at = colon - 1
        if self._word(name_at) == "final":
            name_at -= 1
        if name_at < start or self.c.kinds[name_at] != "word":
            return at + 1
        bases, base_span = self._bases(colon, brace, name_at)
        found = CppClass(self.c.words[name_at], "", bases, self.c.span(name_at), base_span)
        end = self.c.closing(brace)
        self._body(found, brace + 1, end)
        if found.macro is not None or found.name not in self.into.classes:
            self.into.classes[found.name] = found
        return brace + 1

    def _bases(self, colon: int, brace: int, name_at: int) -> tuple[list[str], Span]:
        words = list(self.c.words[colon + 1 : brace])
        text = self.c.joined(colon + 1, brace)
        parts = [part for part in text.split(",") if part]
        bases = []
        for part in parts:
            for word in ("public ", "protected ", "private ", "virtual "):
                part = part.replace(word, "")
            bases.append(part.replace("public", "", 1) if part.startswith("public::") else part)
        if not words:
            return [], self.c.span(name_at)
        first = colon + 1
        while self._word(first) in ("public", "protected", "private", "virtual"):
            first += 1
        return bases, self.c.span(first, brace - 1)

    def _body(self, found: CppClass, at: int, end: int) -> None:
        access = "private"
        while at < end:
            word = self.c.words[at]
            if word in ("public", "protected", "private") and self._word(at + 1) == ":":
                access = word
                at += 2
            elif word in _OBJECT_MACROS or word in _REF_MACROS:
                found.macro = self._macro(at)
                at = self.c.closing(at + 1) + 1
            elif word in ("class", "struct", "enum", "union"):
                at = self._until(at, ";") + 1
            else:
                at = self._declaration(found, at, end, access)

    def _macro(self, at: int) -> Macro:
        ranges = self.c.arguments(at + 1)
        args = [self.c.joined(first, last) for first, last in ranges]
        spans = [self.c.span(first, last - 1) for first, last in ranges]
        return Macro(self.c.words[at], args, spans, self.c.span(at))

    def _declaration(self, found: CppClass, at: int, end: int, access: str) -> int:
        """Read one declaration and return the index behind it."""
        paren = equal = brace = -1
        index = at
        angle = 0
        while index < end:
            word = self.c.words[index]
            if word == ";":
                break
            if word == "<":
                angle += 1
            elif word == ">":
                angle = max(0, angle - 1)
            if word == "(" and paren < 0 and equal < 0 and not angle:
                paren = index
            elif word == "=" and equal < 0:
                equal = index
            if word in ("(", "["):
                index = self.c.closing(index)
            elif word == "{":
                if paren >= 0 and equal < 0:  # the body of a function
                    self._function(found, at, paren)
                    return self.c.closing(index) + 1
                brace = index if brace < 0 else brace
                index = self.c.closing(index)
            index += 1
        if paren >= 0:
            self._function(found, at, paren)
        elif index > at:
            self._data(found, at, equal, brace, index, access)
        return index + 1

    def _function(self, found: CppClass, at: int, paren: int) -> None:
        name = self.c.words[paren - 1]
        span = self.c.span(paren - 1)
        if name == found.name and self._word(paren - 2) != "~":
            params = [self.c.joined(a, b) for a, b in self.c.arguments(paren)]
            found.constructors.append((params, span))
            return
        if name == "RegisterReflection":
            found.has_register = True
        end = self.c.closing(paren)
        text = self.c.joined(at, end + 1)
        if self._word(end + 1) == "const":
            text += "const"
        found.methods[name] = (text, span)

    def _data(
        self, found: CppClass, at: int, equal: int, brace: int, end: int, access: str
    ) -> None:
        stop = min(i for i in (equal, brace, end) if i >= 0)
        words = self.c.words[at:stop]
        if len(words) < 2 or self.c.kinds[stop - 1] != "word":
            return
        name = words[-1]
        if "constexpr" in words or (words[0] == "static" and equal >= 0):
            value = self.c.joined(equal + 1, end) if equal >= 0 else ""
            span = self.c.span(equal + 1, end - 1) if equal >= 0 and end > equal + 1 else None
            found.constants[name] = (value, span or self.c.span(stop - 1))
            return
        if words[0] in _NOT_A_MEMBER:
            return
        first = at
        while self.c.words[first] in ("mutable", "inline"):
            first += 1
        default = self.c.joined(equal + 1, end) if equal >= 0 else ""
        if equal < 0 and brace >= 0:
            default = self.c.joined(brace + 1, self.c.closing(brace))
        type_ = self.c.joined(first, stop - 1)
        found.members.append(Member(name, type_, default, self.c.span(first, stop - 1), access))

    # --- registration

    def _chain(self, at: int) -> int:
        end = at + 2
        while end < len(self.c.words) and self.c.words[end] != ">":
            end += 1
        target = last_name(self.c.joined(at + 2, end))
        chain = Chain(self.c.words[at], target, [], self.c.span(at), self.c.span(at))
        index = end + 1
        if self._word(index) == "(":
            index = self.c.closing(index) + 1
        while self._word(index) == "." and self._word(index + 2) in ("(", "<"):
            word = index + 1
            opening = index + 2
            while self._word(opening) not in ("(", ""):
                opening += 1
            chain.entries.append(self._entry(word, opening))
            index = self.c.closing(opening) + 1
        chain.end = self.c.span(min(index, len(self.c.words)) - 1)
        self.into.chains.append(chain)
        return max(index, at + 1)

    def _entry(self, word: int, opening: int) -> Entry:
        ranges = self.c.arguments(opening)
        args = [self.c.joined(first, last) for first, last in ranges]
        name = args[0] if args else ""
        if name.startswith('"'):
            try:
                name = str(ast.literal_eval(name))
            except (SyntaxError, ValueError):
                name = name.strip('"')
        span = self.c.span(word)
        name_span = self.c.span(ranges[0][0]) if ranges and ranges[0][0] < len(self.c) else span
        return Entry(self.c.words[word], name, args[1:], span, name_span, self.c.span(word))
