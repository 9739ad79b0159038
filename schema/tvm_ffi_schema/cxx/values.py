# SPDX-License-Identifier: Apache-2.0
"""Compute the values of C++ expressions, so that all spellings of a value compare equal."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from typing import Any

#: The value of an empty initialiser; depending on the type, it is zero, false, empty or null.
ZERO = ("zero",)
_NULL = frozenset(("nullptr", "std::nullopt", "::std::nullopt", "nullopt", "NULL"))
_NUMBER = re.compile(
    r"[-+]?(?:(?P<int>0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)(?:[uUlLzZ]*)"
    r"|(?P<float>[0-9']*\.?[0-9']+(?:[eE][-+]?[0-9]+)?|[0-9']+\.)[fFlL]?)"
)
_SPECIAL = re.compile(
    r"(?P<sign>-?)(?:(?:::)?std::numeric_limits<(?:float|double)>::"
    r"(?:infinity|(?P<nan>quiet_NaN))\(\)|INFINITY|(?P<macro>NAN))"
)
_LIMIT = re.compile(
    r"(?:::)?std::numeric_limits<(?:(?:::)?std::)?(?P<type>u?int(?:8|16|32|64))_t>::"
    r"(?P<end>min|lowest|max)\(\)|(?P<macro>U?INT(?:8|16|32|64))_(?P<macro_end>MIN|MAX)"
)
_LITERAL = re.compile(
    r'(?:u8|[uUL])?R"(?P<tag>[^\s()\\]{0,16})\((?P<raw>(?s:.*?))\)(?P=tag)"'
    r'|(?:u8|[uUL])?(?P<plain>"(?:[^"\\\n]|\\.)*")'
)
_CAST = re.compile(r"(?:static_cast<[^()]*>|[\w:]+(?:<[^()]*>)?)(?=[({])")
_TYPE = re.compile(r"[\w:]+(?:<[^(){}]*>)?(?=[({])")
# Matches conversions that do not change the value of a literal.
_TRANSPARENT = re.compile(
    r"(?:static_cast<.*>|(?:.*::)?(?:u?int(?:8|16|32|64)_t|U?INT(?:8|16|32|64)_C|size_t|int|long"
    r"|bool|float|double|short|unsigned|char|String|Bytes|string|Any|Optional<.*>))\Z"
)
_BRACKETS = {"(": ")", "{": "}"}


def text(spelled: str) -> str | None:
    """Return the text of one or more adjacent string literals; None for other expressions."""
    if '"' not in spelled:
        return None
    out = []
    at = 0
    for match in _LITERAL.finditer(spelled):
        if spelled[at : match.start()].strip():
            return None
        at = match.end()
        out.append(match["raw"] if match["plain"] is None else _unescaped(match["plain"]))
    return "".join(out) if out and not spelled[at:].strip() else None


def _unescaped(literal: str) -> str:
    if "\\" not in literal:
        return literal[1:-1]
    try:
        return str(ast.literal_eval(literal))
    except (SyntaxError, ValueError):
        return literal[1:-1]


def with_plain_texts(spelled: str) -> str:
    """Return an expression with each string literal in its JSON form, for comparisons."""
    return _LITERAL.sub(lambda match: json.dumps(text(match[0])), spelled)


def is_name(spelled: str) -> bool:
    """Return whether an expression is a single name, and not a literal such as `true`."""
    return re.fullmatch(r"[A-Za-z_][\w:]*", spelled) is not None and _literal(spelled) is None


def value(spelled: str, name: Callable[[str], str] = lambda name: "") -> Any:
    """Return the value of an expression; None if the expression is not simple enough.

    Parameters
    ----------
    spelled : str
        The tokens of the expression, joined without blanks.
    name : Callable[[str], str]
        A function that maps the name of a constant to its expression; to an empty text if the
        constant is unknown.

    """
    for _ in range(16):
        spelled = spelled.strip()
        inner = _inner(spelled)
        if inner is None:
            inner = name(spelled) if is_name(spelled) else ""
            if not inner:
                break
        spelled = inner
    if spelled == "":
        return ZERO
    return _literal(spelled)


def construction(spelled: str) -> tuple[str, str]:
    """Return the type and the arguments of `Type(...)` or `Type{...}`; empty texts otherwise."""
    match = _TYPE.match(spelled)
    if match is None or _closing(spelled, match.end()) != len(spelled) - 1:
        return "", ""
    return match[0], spelled[match.end() + 1 : -1].strip()


def same(one: Any, other: Any) -> bool:
    """Return whether two values are equal; `ZERO` equals zero, false, empty and null."""
    if ZERO in (one, other):
        rest = other if one == ZERO else one
        return rest == ZERO or rest in (0, "", ("null",))
    if isinstance(one, str) or isinstance(other, str):
        return type(one) is type(other) and one == other
    return bool(one == other)


def differ(one: Any, other: Any) -> bool:
    """Return whether two values are known and different."""
    return one is not None and other is not None and not same(one, other)


def _inner(spelled: str) -> str | None:
    """Return the expression in brackets or in a conversion of `_TRANSPARENT`; otherwise None."""
    match = _CAST.match(spelled)
    start = match.end() if match is not None and _TRANSPARENT.match(match[0]) else 0
    if spelled[start : start + 1] not in _BRACKETS or _closing(spelled, start) != len(spelled) - 1:
        return None
    inner = spelled[start + 1 : -1]
    return inner if _closing(f"({inner})", 0) == len(inner) + 1 and "," not in inner else None


def _closing(spelled: str, at: int) -> int:
    depth = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[(){}\[\]]', spelled[at:]):
        found = match[0]
        depth += (found in "({[") - (found in ")}]")
        if not depth:
            return at + match.start()
    return -1


def _literal(spelled: str) -> Any:
    if spelled in _NULL:
        return ("null",)
    if spelled in ("true", "false"):
        return spelled == "true"
    special = _SPECIAL.fullmatch(spelled)
    if special is not None:
        is_nan = bool(special["nan"] or special["macro"])
        return ("nan",) if is_nan else float(f"{special['sign']}inf")
    limit = _LIMIT.fullmatch(spelled)
    if limit is not None:
        return _limit(limit["type"] or limit["macro"].lower(), (limit["end"] or limit["macro_end"]))
    number = _NUMBER.fullmatch(spelled)
    if number is None:
        return text(spelled)
    sign = -1 if spelled.startswith("-") else 1
    digits = (number["int"] or number["float"]).replace("'", "")
    if number["int"] is None:
        return sign * float(digits)
    base = {"0x": 16, "0b": 2}.get(digits[:2].lower(), 8 if digits[:1] == "0" else 10)
    try:
        return sign * int(digits, base)
    except ValueError:
        return None


def _limit(type_: str, end: str) -> int:
    """Return the least or greatest number of a type like `int64` or `uint8`."""
    unsigned, _, bits = type_.rpartition("int")
    least = 0 if unsigned else -(1 << (int(bits) - 1))
    return (1 << int(bits)) - 1 + least if end.lower() == "max" else least
