# SPDX-License-Identifier: Apache-2.0
"""Compare signatures of C++ functions: signatures are equal if callers see no difference."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from .model import Function, Place
from .names import Lookup

_ATTRIBUTE = re.compile(r"\[\[.*?\]\]")
_NAME_AT_END = re.compile(r"(?<=[\s>&*])\w+$")
_LONE_NUMBER = frozenset(("int", "long", "short", "char", "double", "unsigned", "signed"))
Type = tuple[str, ...]
#: (is it static, return type, name, types of the parameters, is it const)
Shape = tuple[bool, Type, str, tuple[Type, ...], bool]


def parameter(text: str, lookup: Lookup, place: Place) -> Type:
    """Return the type of a parameter, without its name and default.

    A value and a constant reference have the same type, since callers see no difference.
    """
    words = lookup.tokens(_parts(text)[0], place)
    while words and words[-1] in ("&", "const"):
        words = words[:-1]
    while words and words[0] == "const" and "*" not in words:
        words = words[1:]
    return words


def name(text: str) -> str:
    """Return the name of a parameter without a trailing underscore; empty if it has no name."""
    return _parts(text)[1]


@functools.lru_cache(maxsize=1 << 14)  # many constructors have the same parameters
def _parts(text: str) -> tuple[str, str]:
    """Return the type and the name of a parameter, without its default."""
    text = _ATTRIBUTE.sub("", text) if "[[" in text else text
    text = _before(text, "=").strip()
    found = _NAME_AT_END.search(text)
    if found is None or found[0] in _LONE_NUMBER:
        return text, ""
    return text[: found.start()].strip(), found[0].rstrip("_")


def shape(one: Function, lookup: Lookup, place: Place) -> Shape:
    """Return the parts of a signature that `alike` compares."""
    returned = parameter(f"{one.returns} x" if one.returns else "", lookup, place)
    params = tuple(parameter(text, lookup, place) for text in one.params)
    return one.is_static, returned, one.name, params, one.is_const


def alike(one: Shape, other: Shape, lookup: Lookup) -> bool:
    """Return whether callers see no difference between two functions."""
    if (one[0], one[2], one[4]) != (other[0], other[2], other[4]):
        return False
    return lookup.alike(one[1], other[1]) and all_alike(one[3], other[3], lookup)


def all_alike(one: Sequence[Type], other: Sequence[Type], lookup: Lookup) -> bool:
    """Return whether two lists of parameters have the same types."""
    return len(one) == len(other) and all(map(lookup.alike, one, other))


def _before(text: str, mark: str) -> str:
    """Return the text before the first mark that is outside of brackets."""
    if mark not in text:
        return text
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "<({[") - (char in ">)}]")
        if char == mark and depth <= 0:
            return text[:at]
    return text


def split(text: str) -> list[str]:
    """Split a text at the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "<({[") - (char in ">)}]")
        if char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [p for p in (*parts, text[start:]) if p.strip() and p.strip() != "void"]
