# SPDX-License-Identifier: Apache-2.0
"""Read the body of a class: members, constants, constructors, methods, macros.

The syntax tree of a body with unknown macros has errors in unpredictable places. Therefore this
module reads a body token by token: it matches brackets and skips unknown declarations. It joins
tokens to types and defaults, which therefore do not depend on white space and comments.
"""

from __future__ import annotations

from dataclasses import replace

from .chains import read_call
from .constructs import TABLE
from .cursor import Cursor, joined
from .model import MACROS, Call, CppClass, Declared, Function, Macro, Member

_PASSED_OVER = {"using", "typedef", "friend", "static_assert"}
_TYPES = ("class", "struct", "union", "enum")
_WITH_PARENTHESES = ("alignas", "decltype", "__attribute__")
_SYMBOLS = frozenset(  # tokens that may follow `operator`
    ("<", ">", "<=", ">=", "==", "!=", "=", "+", "-", "*", "/", "%", "^", "&", "|", "~", "!")
) | {"++", "--", "&&", "||", "->", ",", "[", "]"}
_NOT_OF_TYPE = frozenset(("static", "inline", "virtual", "constexpr", "explicit"))
_ACCESS = ("public", "protected", "private")


def read_body(c: Cursor, found: CppClass, first: int, end: int, is_struct: bool) -> None:
    """Add the declarations of a class body to `found`."""
    access = "public" if is_struct else "private"
    at = first
    while at < end:
        word, start = c.words[at], at
        if word == ";":
            at += 1
            continue
        if word in _ACCESS and c.words[at + 1 : at + 2] == [":"]:
            access, kind, names = word, "label", [word]
            at += 2
        elif word in _PASSED_OVER:
            kind, names = "other", []
            at = _until(c, at, end) + 1
        elif word in _TYPES:
            at, kind, names = _typed(c, found, at, end, access)
        elif _is_macro(c, found, at):
            kind, names = "macro", [word]
            at = _macro(c, found, at)
        else:
            at, kind, names = _declaration(c, found, at, end, access)
        last = c.span_end(min(at, end) - 1)
        found.declared.append(Declared(kind, names, c.offsets[start], last, access))


def _is_macro(c: Cursor, found: CppClass, at: int) -> bool:
    """Return whether a use of a macro begins at the token `at`: a name, directly called."""
    if c.words[at + 1 : at + 2] != ["("] or not c.is_word(at):
        return False
    if c.words[at] in (found.name, "operator", *_WITH_PARENTHESES):
        return False
    closing = c.closing(at + 1)
    after = c.words[closing + 1 : closing + 2]
    return c.words[at + 2] not in ("*", "&") and after not in (["("], ["->"], [","], ["="])


def _macro(c: Cursor, found: CppClass, at: int) -> int:
    """Read a use of a macro, with its body or its semicolon; return the index after it."""
    closing = c.closing(at + 1)
    if c.words[at] in MACROS and closing < len(c):
        made = TABLE.read("BODY", c, at, closing + 1)
        if made is not None:
            parts = (made.row, made.values, made.span, made.spans)
            found.macro = Macro(*parts, name=c.words[at], word=c.span(at))
    after = closing + 1
    if c.words[after : after + 1] == ["{"]:
        after = c.closing(after) + 1
    return after + (c.words[after : after + 1] == [";"])


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


def _typed(
    c: Cursor, found: CppClass, at: int, end: int, access: str
) -> tuple[int, str, list[str]]:
    """Read a declaration that begins with `class`, `struct`, `union` or `enum`."""
    stop = at
    while stop < end and c.words[stop] not in (";", "{", "(", "=", "*", "&"):
        stop += 1
    if c.words[stop : stop + 1] != ["{"]:  # the type is declared elsewhere
        is_forward = stop - at < 3 or c.words[at + 1] in _TYPES or ":" in c.words[at:stop]
        if is_forward and c.words[stop : stop + 1] == [";"]:
            return stop + 1, "other", []
        return _declaration(c, found, at, end, access)
    opening, stop = stop, c.closing(stop) + 1
    if c.words[stop : stop + 1] != [";"]:
        return _declaration(c, found, at, end, access, stop)
    if c.words[at] == "enum" or opening > at + 1:
        return stop + 1, "other", []
    inner = CppClass("", [], found.span, found.span)  # its members are members of this class
    read_body(c, inner, opening + 1, stop - 1, is_struct=True)
    word = c.words[at]
    found.members += [
        replace(one, type=f"{word}{{{one.type}}}", access=access) for one in inner.members
    ]
    return stop + 1, "field", [one.name for one in inner.members]


def _declaration(
    c: Cursor, found: CppClass, at: int, end: int, access: str, after_type: int = 0
) -> tuple[int, str, list[str]]:
    """Read one declaration; return the index after it, its kind and the declared names.

    If the declaration begins with the definition of a type, `after_type` is the index after it.
    """
    paren = equal = brace = colon = -1
    first, index = at, max(at, after_type)
    angle = 0
    kind, names = "other", []

    def data(stop: int) -> None:
        nonlocal kind
        said = _data(c, found, (first, at), (equal, brace, colon), stop, access)
        if said is not None:
            kind = said[0]
            names.append(said[1])

    while index < end:
        word = c.words[index]
        if word == ";" or (word == "," and paren < 0 and not angle):
            if paren >= 0:
                break
            data(index)
            if word == ";":
                return index + 1, kind, names
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
                kind, names = _function(c, found, first, paren, access)
                if names == ["VisitAttrs"]:
                    found.visited = _visited(c, index, c.closing(index))
                return c.closing(index) + 1, kind, names  # the body is the end of the declaration
            brace = index if brace < 0 else brace
            index = c.closing(index)
        index += 1
    if paren >= 0:
        kind, names = _function(c, found, first, paren, access)
    elif index > first and index < end:
        data(index)
    return index + 1, kind, names


def _visited(c: Cursor, first: int, end: int) -> list[Call]:
    """Return the statements of VisitAttrs that visit a member."""
    places = (at for at in range(first, min(end, len(c)) - 2) if c.words[at] == "Visit")
    return [read_call("VISIT", c, at, at + 1) for at in places if c.words[at + 1] == "("]


def _function(
    c: Cursor, found: CppClass, at: int, paren: int, access: str
) -> tuple[str, list[str]]:
    mark = paren + 1
    while c.words[mark + 1 : mark + 2] == ["::"]:
        mark += 2
    if c.words[mark : mark + 1] in (["*"], ["&"], ["&&"]):
        return _pointer(c, found, at, mark + 1, access)
    before = c.words[at:paren]
    if not c.is_word(paren - 1) or "operator" in before or "~" in before:
        return "other", []
    name = before[-1]
    span = c.span(paren - 1)
    params = [c.joined(a, b) for a, b in c.arguments(paren) if c.words[a:b] != ["void"]]
    if name == found.name:
        found.constructors.append(Function(name, "", params, span, access))
        return "constructor", [name]
    end = c.closing(paren)
    made = Function(name, c.joined(at, end + 1), params, span, access)
    made.is_static = "static" in before
    made.returns = _returned(c, at, paren - 1)
    if c.words[end + 1 : end + 2] == ["const"]:
        made.text += "const"
        made.is_const = True
        end += 1
    while c.words[end + 1 : end + 2] in (["noexcept"], ["&"]):
        end += 1
    if c.words[end + 1 : end + 2] == ["->"]:
        made.returns = c.joined(end + 2, _end_of_head(c, end + 2))
        made.text += f"->{made.returns}"
    found.methods.setdefault(name, []).append(made)
    return "method", [name]


def _pointer(c: Cursor, found: CppClass, at: int, name: int, access: str) -> tuple[str, list[str]]:
    """Add a pointer to a function, to a member or to an array: `int (*name)(int)`."""
    while c.words[name : name + 1] in (["*"], ["&"], ["const"]):
        name += 1
    is_function = c.words[name + 1 : name + 2] == ["("]  # it returns a pointer
    if is_function or name >= len(c) or not c.is_word(name) or "static" in c.words[at:name]:
        return "other", []
    end = next((i for i in range(name, len(c)) if c.words[i] in (";", "=", "{")), len(c))
    default = c.joined(end + 1, _until(c, end, len(c))) if c.words[end : end + 1] == ["="] else ""
    type_ = c.joined(at, name) + c.joined(name + 1, end)
    found.members.append(
        Member(
            c.words[name], type_, default, c.span(at, name), access, c.words[end : end + 1] != [";"]
        )
    )
    return "field", [c.words[name]]


def _returned(c: Cursor, at: int, end: int) -> str:
    """Return the result type of a function, without attributes and words such as `inline`."""
    words = []
    while at < end:
        if c.words[at : at + 2] == ["[", "["]:
            at = c.closing(at)
        elif c.words[at] not in _NOT_OF_TYPE:
            words.append(c.words[at])
        at += 1
    return joined(words)


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
) -> tuple[str, str] | None:
    """Add the data member or constant whose declarator ends before the token `end`.

    `start` has two indices: the first token of the declaration, and of the declarator. `marks` has
    the indices of `=`, `{` and `:`. Return the kind and the name; None for other declarations.
    """
    first, own = start
    equal, brace, colon = marks
    stop = min(i for i in (equal, brace, colon, end) if i >= 0)
    at = stop
    while at > own and c.words[at - 1] == "]":
        at = next((i for i in range(own, at) if c.closing(i) == at - 1), own)
    if at - 1 < own or not c.is_word(at - 1) or (own == first and at - first < 2):
        return None
    name, span = c.words[at - 1], c.span(own, at - 1)
    leading = c.words[first:at]
    if leading[0] == "template":
        return None
    if "constexpr" in leading or ("static" in leading and (equal >= 0 or brace >= 0)):
        value, place = "", c.span(at - 1)
        if equal >= 0 and end > equal + 1:
            value, place = c.joined(equal + 1, end), c.span(equal + 1, end - 1)
        elif equal < 0 and 0 <= brace < c.closing(brace) - 1:
            value = c.joined(brace + 1, c.closing(brace))
            place = c.span(brace + 1, c.closing(brace) - 1)
        found.constants[name] = (value, place)
        return "constant", name
    if "static" in leading:
        return None
    while c.words[first] in ("mutable", "inline"):
        first += 1
        span = c.span(first, at - 1) if own <= first else span
    type_ = c.joined(first, at - 1) if own <= first else _shared_type(c, first, own, at - 1)
    default = c.joined(equal + 1, end) if equal >= 0 else ""
    if equal < 0 and brace >= 0:
        default = c.joined(brace + 1, c.closing(brace))
    type_ += c.joined(at, stop)
    if stop == colon:  # a bit field
        type_ += c.joined(colon, min(i for i in (equal, brace, end) if i > colon))
    has_value = equal >= 0 or brace >= 0
    found.members.append(Member(name, type_, default, span, access, has_value))
    return "field", name


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
