# SPDX-License-Identifier: Apache-2.0
"""Find the statement that registers a class; a generated block replaces the statement."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...cxx.model import CppClass, Place, Statement
from ...ir import Span
from .tree import CppFile, Refused, Tree

INIT_BLOCK = "TVM_FFI_STATIC_INIT_BLOCK()"
_DEFINITION = re.compile(r"void (?P<owner>[\w:]+)::RegisterReflection\(\)")
_DIRECTIVE = re.compile(r"^[ \t]*#", re.MULTILINE)


@dataclass
class Registration:
    """The statement that registers a class, text[first:end].

    `way` is the setting `registration`; it is empty for the macro of a node type. With `needs_refl`
    the functions around the statement lack the namespace that the generator uses.
    """

    file: CppFile
    first: int
    end: int
    way: str = ""
    needs_refl: bool = False


def of_chain(chain: Statement, found: CppClass, tree: Tree) -> Registration:
    """Return the statement of a registration chain.

    Raises
    ------
    Refused
        If the chain is only a part of a statement, or is neither in an init block nor in
        `RegisterReflection`, or if directives are between its calls.

    """
    file, block = tree.files[chain.span.file], chain.block
    if chain.stop is None or file.text[chain.first : chain.offset].strip() != chain.prefix:
        text = f"the registration of {found.name} is not a statement of its own"
        raise Refused(text, chain.span)
    end = file.lines.offset(chain.stop.end_line, chain.stop.end_col)
    made = Registration(file, chain.first, end)
    match = _DEFINITION.fullmatch(block.head) if block is not None else None
    first = chain.first
    if block is not None and chain.owner == found.full:
        made.way, first, end = "inline", block.opening + 1, block.closing
        rest = file.code(first, chain.first) + file.code(made.end, end)
        if any(one.split()[:1] not in (["namespace"], ["using"]) for one in _statements(rest)):
            text = f"RegisterReflection of {found.name} does more than to register the class"
            raise Refused(text, chain.span)
    elif chain.owner:
        raise Refused(f"{found.name} is registered inside of {chain.owner}", chain.span)
    elif match is not None and tree.lookup.find(match["owner"], chain.place) is found:
        made.way = "member"
    elif block is None or block.head != INIT_BLOCK:
        text = f"{found.name} is not registered by a statement of a {INIT_BLOCK[:-2]}"
        raise Refused(text, chain.span)
    else:
        made.way = "init-block"
    _check_scope(chain.place, found, chain.span)
    if _DIRECTIVE.search(file.text, first, end):
        text = f"the registration of {found.name} has directives of the preprocessor"
        raise Refused(text, chain.span)
    before = file.code(block.opening, chain.first) if block is not None else []
    made.needs_refl = ["namespace", "refl"] not in [before[n : n + 2] for n in range(len(before))]
    return made


def _statements(words: list[str]) -> list[str]:
    return [one for one in " ".join(words).split(";") if one.split()]


def of_node_type(found: CppClass, tree: Tree) -> Registration | None:
    """Return the use of TVM_REGISTER_NODE_TYPE for a class; None if there is no use.

    Raises
    ------
    Refused
        If there are several uses, or if the use is in another namespace than the class.

    """
    uses = tree.node_types(found)
    if not uses:
        return None
    use, file = uses[0], tree.files[uses[0].path]
    span = file.lines.span(use.first, use.last)
    if len(uses) > 1:
        raise Refused(f"{found.name} is registered twice", span)
    _check_scope(use.place, found, span)
    return Registration(file, use.first, use.last)


def _check_scope(place: Place, found: CppClass, span: Span) -> None:
    """Refuse a class that is registered in another namespace than its own."""
    if place.scope not in (found.place.scope, found.full):
        text = f"{found.name} is registered in the namespace {place.scope or '(global)'}, "
        raise Refused(f"{text}and declared in {found.place.scope or '(global)'}", span)
