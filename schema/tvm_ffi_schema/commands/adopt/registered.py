# SPDX-License-Identifier: Apache-2.0
"""Find the statements that register a class; a generated block replaces these statements."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...cxx.constructs import NODE_TYPE_MACRO
from ...cxx.model import CppClass, Statement
from ...cxx.scopes import Scopes
from .tree import CppFile, Refused, Tree

_INIT_BLOCK = "TVM_FFI_STATIC_INIT_BLOCK"
_MEMBER = "RegisterReflection"
_DIRECTIVE = re.compile(r"^[ \t]*#", re.MULTILINE)


@dataclass
class Registration:
    """Token indices: `first` and `last` of a statement, and the position of its init block.

    The block begins at the token `at`. `opening` and `closing` are its braces; they are -1 if the
    statement is not in a block.
    """

    file: CppFile
    first: int
    last: int
    at: int
    opening: int = -1
    closing: int = -1


def of_chain(chain: Statement, found: CppClass, tree: Tree) -> Registration:
    """Return the statement of a chain in an init block.

    Raises
    ------
    Refused
        If the chain is not in an init block in the namespace of the class, or is only a part of a
        statement.

    """
    file = tree.files[chain.span.file]
    first = file.token(chain.span.line, chain.span.col)
    while first and file.cursor.words[first - 1] not in (";", "{", "}"):
        first -= 1
    start = file.offset(first)
    if chain.stop is None or file.text[start : chain.offset].strip() != chain.prefix:
        text = f"the registration of {found.name} is not a statement of its own"
        raise Refused(text, chain.span)
    last = file.token(chain.stop.line, chain.stop.col)
    if chain.place.scope != found.place.scope:
        text = f"{found.name} is registered in the namespace {chain.place.scope or '(global)'}, "
        raise Refused(f"{text}and declared in {found.place.scope or '(global)'}", chain.span)
    return _in_block(file, first, last, found)


def of_member(found: CppClass, tree: Tree) -> Registration:
    """Return the call of `RegisterReflection` in an init block.

    Raises
    ------
    Refused
        If there is not exactly one call, or if it is outside of an init block.

    """
    pattern = re.compile(rf"((?:::)?(?:\w+::)*{found.name})::{_MEMBER}\s*\(\s*\)\s*;")
    calls = []
    for file in tree.files.values():
        for match in pattern.finditer(file.text) if _MEMBER in file.text else ():
            first = file.token(*file.cursor.lines.place(match.start()))
            is_code = first < len(file.cursor) and file.offset(first) == match.start()
            place = Scopes(file.text).at(match.start())
            if is_code and tree.lookup.find(match[1], place) is found:
                calls.append((file, first, match.end(), place.scope))
    if len(calls) != 1:
        count = "nothing calls" if not calls else f"{len(calls)} statements call"
        span = found.methods[_MEMBER][-1].span if _MEMBER in found.methods else found.span
        raise Refused(f"{count} {found.name}::{_MEMBER}()", span)
    file, first, end, scope = calls[0]
    last = first
    while file.end(last) < end:
        last += 1
    if scope != found.place.scope:
        text = f"{found.name}::{_MEMBER}() is called in another namespace than its own"
        raise Refused(text, file.cursor.span(first, last))
    return _in_block(file, first, last, found)


def of_node_type(found: CppClass, tree: Tree) -> Registration | None:
    """Return the use of TVM_REGISTER_NODE_TYPE for a class; None if there is no use.

    Raises
    ------
    Refused
        If there are several uses, or if the use is in another namespace than the class.

    """
    uses = []
    for file in tree.files.values():
        words = file.cursor.words
        for first, word in enumerate(words):
            if word != NODE_TYPE_MACRO or words[first + 1 : first + 2] != ["("]:
                continue
            closing = file.cursor.closing(first + 1)
            name = file.cursor.joined(first + 2, closing)
            place = Scopes(file.text).at(file.offset(first))
            if tree.lookup.find(name, place) is found:
                last = closing + (words[closing + 1 : closing + 2] == [";"])
                uses.append((Registration(file, first, last, first), place.scope))
    if not uses:
        return None
    made, scope = uses[0]
    if len(uses) > 1 or scope != found.place.scope:
        text = f"{found.name} is registered twice, or in another namespace than its own"
        raise Refused(text, made.file.cursor.span(made.first, made.last))
    return made


def _in_block(file: CppFile, first: int, last: int, found: CppClass) -> Registration:
    """Return a statement together with the init block that contains it."""
    words = file.cursor.words
    for at, word in enumerate(words[:first]):
        is_block = word == _INIT_BLOCK and words[at + 1 : at + 4] == ["(", ")", "{"]
        closing = file.cursor.closing(at + 3) if is_block else -1
        if closing < last:
            continue
        if words[at + 4 : first].count("{") != words[at + 4 : first].count("}"):
            break
        inside = file.text[file.end(at + 3) : file.offset(closing)]
        if _DIRECTIVE.search(inside):
            text = f"the {_INIT_BLOCK} of {found.name} has directives of the preprocessor"
            raise Refused(
                text, file.cursor.span(first, last), "register the class in one of its own"
            )
        return Registration(file, first, last, at, at + 3, closing)
    text = f"{found.name} is not registered by a statement of a {_INIT_BLOCK}"
    raise Refused(text, file.cursor.span(first, last))
