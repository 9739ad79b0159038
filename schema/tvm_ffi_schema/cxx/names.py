# SPDX-License-Identifier: Apache-2.0
"""Resolve names of classes and types in C++, from the namespace where the name occurs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .cursor import joined
from .model import GLOBAL, Alias, CppClass, Place, Sources, joined_name, last_name

_TOKEN = re.compile(r"(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*|\S")
_WORD = re.compile(r"(?:::)?[A-Za-z_]")
_SPELLINGS = {
    "int": "int32_t",
    "signed": "int32_t",
    "unsigned": "uint32_t",
    "short": "int16_t",
    "long": "int64_t",
    "long long": "int64_t",
    "unsigned short": "uint16_t",
    "unsigned long": "uint64_t",
    "unsigned long long": "uint64_t",
    "signed char": "int8_t",
    "unsigned char": "uint8_t",
    "size_t": "uint64_t",
}
_NUMBER_WORDS = frozenset(("int", "signed", "unsigned", "short", "long", "char", "size_t"))
_SAYS_NOTHING = frozenset(("typename", "class", "struct", "mutable", "volatile"))
_DEEPEST = 16
_MOST_TOKENS = 2000


class Lookup:
    """Resolves the names in all sources of one run."""

    def __init__(self, sources: Sources) -> None:
        self._classes = sources.classes
        self._aliases = sources.aliases
        self._by_last: dict[str, list[CppClass]] = {}
        for one in sources.classes.values():
            self._by_last.setdefault(one.name, []).append(one)
        self._aliases_by_last: dict[str, list[Alias]] = {}
        for name, alias in sources.aliases.items():
            self._aliases_by_last.setdefault(last_name(name), []).append(alias)
        names = (*sources.classes, *sources.aliases)
        self._holds = {name.rpartition("::")[0] for name in names}
        self._plain: dict[Place, dict[str, tuple[str, ...]]] = {}
        self._alike: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = {}
        self._left = 0  # tokens that may still be expanded in a type, as aliases may be recursive

    def called(self, name: str) -> list[CppClass]:
        """Return the classes with a name, in any namespace."""
        return self._by_last.get(name, [])

    def find(self, text: str, place: Place = GLOBAL) -> CppClass | None:
        """Return the class that a name refers to at a place; None if the class is not known."""
        text = self.resolved(text.partition("<")[0].strip(), place)
        if last_name(text) not in self._by_last:
            return None
        for name in _seen(text, place):
            if name in self._classes:
                return self._classes[name]
        if text.startswith("::"):
            return None
        end = "::" + text
        near = [c for c in self.called(last_name(text)) if f"::{c.full}".endswith(end)]
        return near[0] if len(near) == 1 else None

    def same_class(self, one: str, place: Place, other: str, seen_from: Place = GLOBAL) -> bool:
        """Return whether two names mean the same class.

        If one of the classes is unknown, compare only the last parts of the names.
        """
        here, there = self.find(one, place), self.find(other, seen_from)
        if here is not None and there is not None:
            return here is there
        return last_name(self.resolved(one, place)) == last_name(self.resolved(other, seen_from))

    def resolved(self, text: str, place: Place) -> str:
        """Return the class name that an alias stands for, or the name itself."""
        for _ in range(_DEEPEST):
            alias = self._alias(text, place)
            if alias is None or alias.params or not _WORD.match(alias.text):
                break
            text, place = alias.text.partition("<")[0], alias.place
        return text

    def _alias(self, text: str, place: Place) -> Alias | None:
        if last_name(text) not in self._aliases_by_last:
            return None
        for name in _seen(text, place):
            if name in self._classes:
                return None
            if name in self._aliases:
                return self._aliases[name]
        near = self._aliases_by_last[text] if "::" not in text else []
        return near[0] if len(near) == 1 else None

    def same_type(self, one: str, place: Place, other: str) -> bool:
        """Return whether the type `one` at `place` is the type `other` in the global namespace."""
        return self.alike(self.tokens(one, place), self.tokens(other, GLOBAL))

    def alike(self, left: tuple[str, ...], right: tuple[str, ...]) -> bool:
        """Return whether two types have equal tokens; of unknown names, compare the last part."""
        if left == right or len(left) != len(right):
            return left == right
        known = self._alike.get((left, right))
        if known is None:
            known = self._alike[left, right] = self._is_alike(left, right)
        return known

    def _is_alike(self, left: tuple[str, ...], right: tuple[str, ...]) -> bool:
        for here, there in zip(left, right):
            if last_name(here) != last_name(there):
                return False
            if here != there and here.startswith("::") and there.startswith("::"):
                pair = self._classes.get(here[2:]), self._classes.get(there[2:])
                if None not in pair and pair[0] is not pair[1]:
                    return False
        return True

    def tokens(self, text: str, place: Place = GLOBAL) -> tuple[str, ...]:
        """Return the tokens of a type, with aliases replaced and with full names of classes."""
        plain = self._plain.get(place)
        if plain is None:
            plain = self._plain[place] = self._plain.setdefault(self._outer(place), {})
        known = plain.get(text)
        if known is None:
            self._left = _MOST_TOKENS
            known = plain[text] = tuple(_spelled(self._expanded(text, place, 0)))
        return known

    def _outer(self, place: Place) -> Place:
        """Return the nearest enclosing namespace or class that declares names."""
        scope = place.scope
        while scope and scope not in self._holds:
            scope = scope.rpartition("::")[0]
        return Place(scope, place.using)

    def _expanded(self, text: str, place: Place, depth: int) -> list[str]:
        out: list[str] = []
        words = _TOKEN.findall(text)
        self._left -= len(words)
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if not _WORD.match(word):
                out.append(word)
                continue
            if word in _SAYS_NOTHING:
                continue
            whole = depth < _DEEPEST and self._left > 0
            alias = self._alias(word, place) if whole else None
            if alias is not None and alias.params:
                end = _closing(words, at)
                given = [
                    joined(self._expanded(joined(arg), place, depth + 1))
                    for arg in _split(words[at + 1 : end])
                ]
                filled = _filled(alias, given)
                out += self._expanded(filled, alias.place, depth + 1)
                at = end + 1
            elif alias is not None:
                out += self._expanded(alias.text, alias.place, depth + 1)
            else:
                found = self.find(word, place)
                out.append(f"::{found.full}" if found is not None else word)
        return out


def _seen(text: str, place: Place) -> Iterator[str]:
    """Yield the full names that a name may mean, innermost namespace first."""
    if text.startswith("::"):
        yield text[2:]
        return
    scope = place.scope
    while True:
        yield joined_name(scope, text)
        if not scope:
            break
        scope = scope.rpartition("::")[0]
    for opened in place.using:
        yield joined_name(opened, text)


def _spelled(words: list[str]) -> Iterator[str]:
    """Yield the tokens of a type; replace each spelling of a number type by the same spelling."""
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and last_name(words[end]) in _NUMBER_WORDS:
            end += 1
        if end == at:
            yield words[at]
            at += 1
            continue
        run = [last_name(word) for word in words[at:end]]
        if "char" not in run and len(run) > 1:
            run = [word for word in run if word not in ("int", "signed")] or ["int"]
        run.sort(key=("unsigned", "signed", "long", "short", "int", "char", "size_t").index)
        name = " ".join(run)
        yield _SPELLINGS.get(name, name)
        at = end


def _closing(words: list[str], at: int) -> int:
    depth = 0
    for index in range(at, len(words)):
        depth += (words[index] == "<") - (words[index] == ">")
        if not depth:
            return index
    return len(words)


def _split(words: list[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    depth = 0
    for word in words:
        depth += (word in "<({[") - (word in ">)}]")
        if word == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _filled(alias: Alias, given: list[str]) -> str:
    pairs = dict(zip(alias.params, given))
    return re.sub(r"\w+", lambda m: pairs.get(m[0], m[0]), alias.text)
