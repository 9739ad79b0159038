# SPDX-License-Identifier: Apache-2.0
"""Read the body of a class: members, constants, constructors, methods.

The syntax tree of a body with unknown macros has errors in unpredictable places. Therefore this
module reads a body token by token: it matches brackets and skips unknown declarations. It joins
tokens to types and defaults, which therefore do not depend on white space and comments.
"""

from __future__ import annotations

from collections.abc import Iterator

from .cpp_facts import CppClass, Member
from .cpp_tokens import Cursor

_PASSED_OVER = {"using", "typedef", "friend", "static_assert", "enum"}
_WITH_PARENTHESES = ("alignas", "decltype", "__attribute__")
_SYMBOLS = frozenset(  # tokens that may follow `operator`
    ("<", ">", "<=", ">=", "==", "!=", "=", "+", "-", "*", "/", "%", "^", "&", "|", "~", "!")
) | {"++", "--", "&&", "||", "->", ",", "[", "]"}
_ACCESS = ("public", "protected", "private")


def read_body(c: Cursor, found: CppClass, first: int, end: int, is_struct: bool) -> None:
    """Add the declarations of a class body to `found`."""
    for _ in pieces(c, found, first, end, is_struct):
        pass


def pieces(
    c: Cursor, found: CppClass, first: int, end: int, is_struct: bool
) -> Iterator[tuple[int, int, str]]:
    """Add each declaration to `found`; yield (first token, token after the last, access)."""
    access = "public" if is_struct else "private"
    at = first
    while at < end:
        word = c.words[at]
        start = at
        if word in _ACCESS and c.words[at + 1 : at + 2] == [":"]:
            access = word
            at += 2
        elif word in ("class", "struct", "union") or word in _PASSED_OVER:
            at = _until(c, at, end) + 1
        elif _is_macro(c, found, at):
            at = c.closing(at + 1) + 1
        else:
            at = _declaration(c, found, at, end, access)
        yield start, min(at, end), access


def _is_macro(c: Cursor, found: CppClass, at: int) -> bool:
    """Return whether a macro call that has no semicolon begins at the token `at`."""
    if c.words[at + 1 : at + 2] != ["("] or c.words[at] in (found.name, *_WITH_PARENTHESES):
        return False
    after = c.closing(at + 1) + 1
    return c.is_word(at) and after < len(c) and c.is_word(after)


def _until(c: Cursor, at: int, end: int) -> int:
    """Return the index of the last token of a declaration: `;`, or `}` of a friend's body."""
    is_friend = c.words[at] == "friend"
    while at < end and c.words[at] != ";":
        is_body = c.words[at] == "{"
        at = c.closing(at) if c.words[at] in ("(", "{", "[") else at
        if is_body and is_friend:
            return at
        at += 1
    return at


def _declaration(c: Cursor, found: CppClass, at: int, end: int, access: str) -> int:
    """Read one declaration and return the index after it."""
    paren = equal = brace = colon = -1
    first, index = at, at
    angle = 0
    while index < end:
        word = c.words[index]
        if word == ";" or (word == "," and paren < 0 and not angle):
            if paren >= 0:
                break
            _data(c, found, (first, at), (equal, brace, colon), index, access)
            if word == ";":
                return index + 1
            at, equal, brace, colon = index + 1, -1, -1, -1
        elif word == "<":
            angle += 1
        elif word == ">":
            angle = max(0, angle - 1)
        elif word == "(" and paren < 0 and equal < 0 and not angle and index > first:
            paren = index
        elif word == "=" and equal < 0 and not angle:
            equal = index
        elif word in _WITH_PARENTHESES and paren < 0:
            index += c.words[index + 1 : index + 2] == ["("]
        elif word == "operator" and equal < 0:  # skip the symbol, which may be `=` or `<`
            index += 2 if c.words[index + 1 : index + 2] == ["("] else 0
            while index + 1 < end and c.words[index + 1] in _SYMBOLS:
                index += 1
        elif word == ":" and colon < 0:
            colon = index
        if index < end and c.words[index] in ("(", "["):
            index = c.closing(index)
        elif word == "{":
            if paren >= 0 and equal < 0 and not (colon > 0 and c.words[index - 1] not in ")}"):
                _function(c, found, first, paren)  # the body is the end of the declaration
                return c.closing(index) + 1
            brace = index if brace < 0 else brace
            index = c.closing(index)
        index += 1
    if paren >= 0:
        _function(c, found, first, paren)
    elif index > first and index < end:
        _data(c, found, (first, at), (equal, brace, colon), index, access)
    return index + 1


def _function(c: Cursor, found: CppClass, at: int, paren: int) -> None:
    before = c.words[at:paren]
    if not c.is_word(paren - 1) or "operator" in before or "~" in before:
        return
    name = before[-1]
    span = c.span(paren - 1)
    if name == found.name:
        params = [c.joined(a, b) for a, b in c.arguments(paren)]
        found.constructors.append((params, span))
        return
    if c.words[paren + 1 : paren + 2] in (["*"], ["&"]):
        return  # the declaration is a pointer to a function
    if name == "RegisterReflection":
        found.has_register = True
    end = c.closing(paren)
    text = c.joined(at, end + 1)
    if c.words[end + 1 : end + 2] == ["const"]:
        text += "const"
        end += 1
    while c.words[end + 1 : end + 2] in (["noexcept"], ["&"]):
        end += 1
    if c.words[end + 1 : end + 2] == ["->"]:
        text += c.joined(end + 1, _end_of_head(c, end + 1))
    found.methods[name] = (text, span)
    found.overloads.setdefault(name, []).append(text)


def _end_of_head(c: Cursor, at: int) -> int:
    while at < len(c) and c.words[at] not in (";", "{", "=", "override", "final"):
        at = c.closing(at) + 1 if c.words[at] in ("(", "[") else at + 1
    return at


def _data(
    c: Cursor,
    found: CppClass,
    start: tuple[int, int],
    marks: tuple[int, int, int],
    end: int,
    access: str,
) -> None:
    """Add the data member or constant whose declarator ends before the token `end`.

    `start` has two indices: the first token of the declaration, and of the declarator. `marks` has
    the indices of `=`, `{` and `:`.
    """
    first, own = start
    equal, brace, colon = marks
    stop = min(i for i in (equal, brace, colon, end) if i >= 0)
    at = stop
    while at > own and c.words[at - 1] == "]":
        at = next((i for i in range(own, at) if c.closing(i) == at - 1), own)
    if at - 1 < own or not c.is_word(at - 1) or (own == first and at - first < 2):
        return
    name, span = c.words[at - 1], c.span(own, at - 1)
    leading = c.words[first:at]
    if leading[0] == "template":
        return
    if "constexpr" in leading or ("static" in leading and equal >= 0):
        value = c.joined(equal + 1, end) if equal >= 0 else ""
        place = c.span(equal + 1, end - 1) if equal >= 0 and end > equal + 1 else c.span(at - 1)
        found.constants[name] = (value, place)
        return
    if "static" in leading:
        return
    while c.words[first] in ("mutable", "inline"):
        first += 1
        span = c.span(first, at - 1) if own <= first else span
    type_ = c.joined(first, at - 1) if own <= first else _shared_type(c, first, own, at - 1)
    default = c.joined(equal + 1, end) if equal >= 0 else ""
    if equal < 0 and brace >= 0:
        default = c.joined(brace + 1, c.closing(brace))
    type_ += c.joined(at, stop)
    has_value = equal >= 0 or brace >= 0
    found.members.append(Member(name, type_, default, span, access, has_value))


def _shared_type(c: Cursor, first: int, own: int, name: int) -> str:
    """Return the type of the second or a later declarator: `int*` for `b` in `int a, *b`."""
    end = next(end for _, end in c.split(first, own))
    marks = [i for i in range(first, end) if c.words[i] in ("=", "{", ":")]
    stop = marks[0] if marks else end
    while c.words[stop - 1] == "]":
        stop = next(i for i in range(first, stop) if c.closing(i) == stop - 1)
    stop -= 1
    while stop > first and c.words[stop - 1] in ("*", "&", "&&"):
        stop -= 1
    return c.joined(first, stop) + c.joined(own, name)
