# SPDX-License-Identifier: Apache-2.0
"""Find the statements that register a class; a generated block replaces these statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...cxx.model import Block, CppClass, Place, Statement
from ...files import tokens
from ...ir import Span
from .tree import CppFile, Refused, Tree

INIT_BLOCK = "TVM_FFI_STATIC_INIT_BLOCK"
_MEMBER = "RegisterReflection"
_DEFINITION = re.compile(rf"void (?P<owner>[\w:]+)::{_MEMBER}\(\)")
_DIRECTIVE = re.compile(r"^[ \t]*#", re.MULTILINE)


@dataclass
class Registration:
    """A statement, text[first:end], and the init block that contains it, if any.

    `definition` is the body of `RegisterReflection`, if it is defined behind the class.
    """

    file: CppFile
    first: int
    end: int
    block: Block | None = None
    definition: Block | None = None

    @property
    def comments(self) -> str:
        """Return the texts that are replaced, which may contain comments."""
        text, body = self.file.text[self.first : self.end], self.definition
        return text + (self.file.text[body.first : body.closing] if body is not None else "")


def of_chain(
    chain: Statement, found: CppClass, tree: Tree, is_member: bool = False
) -> Registration:
    """Return the statement of a chain in an init block, or in a member of the class.

    Raises
    ------
    Refused
        If the chain is not in an init block in the namespace of the class, or is only a part of a
        statement.

    """
    file = tree.files[chain.span.file]
    if chain.stop is None or file.text[chain.first : chain.offset].strip() != chain.prefix:
        text = f"the registration of {found.name} is not a statement of its own"
        raise Refused(text, chain.span)
    if not chain.owner:
        _check_scope(chain.place, found, chain.span)
    end = file.lines.offset(chain.stop.end_line, chain.stop.end_col)
    made = Registration(file, chain.first, end, chain.block)
    return made if is_member else _in_block(made, found)


def around(file: CppFile, block: Block, inner: Iterable[Registration]) -> tuple[list[str], bool]:
    """Return the other statements in a block, and whether a comment is between them."""
    at = block.opening + 1
    texts = []
    for one in sorted(inner, key=lambda r: r.first):
        texts.append(file.text[at : one.first])
        at = one.end
    texts.append(file.text[at : block.closing])
    words = [word for text in texts for word, _ in tokens.code(text, 0, len(text))]
    statements = [one for one in " ".join(words).split(";") if one.split()]
    acts = [one for one in statements if one.split()[0] not in ("namespace", "using")]
    return acts, any("//" in text or "/*" in text for text in texts)


def is_in_member(chain: Statement, found: CppClass, tree: Tree) -> bool:
    """Return whether a chain is in `RegisterReflection`, in the class or behind it."""
    head = chain.block.head if chain.block is not None else ""
    match = _DEFINITION.fullmatch(head)
    if chain.owner or match is None:
        return chain.owner == found.full
    return tree.lookup.find(match["owner"], chain.place) is found


def of_member(chain: Statement, found: CppClass, tree: Tree) -> Registration:
    """Return the call of `RegisterReflection` in an init block.

    Raises
    ------
    Refused
        If there is not exactly one call, if it is outside of an init block, or if the function has
        more statements.

    """
    made = of_chain(chain, found, tree, is_member=True)
    assert made.block is not None
    _refuse_directive(made, made.block, f"{_MEMBER} of {found.name}")
    if around(made.file, made.block, [made])[0]:
        text = f"{_MEMBER} of {found.name} does more than to register the class"
        raise Refused(text, chain.span)
    calls = tree.uses(found, "call")
    if len(calls) != 1:
        count = "nothing calls" if not calls else f"{len(calls)} statements call"
        raise Refused(f"{count} {found.name}::{_MEMBER}()", found.methods[_MEMBER][-1].span)
    call, file = calls[0], tree.files[calls[0].path]
    _check_scope(call.place, found, file.lines.span(call.first, call.last))
    body = made.block if not chain.owner else None
    if body is not None and made.file is not file:
        text = f"{found.name}::{_MEMBER}() is not called in the file that defines it"
        raise Refused(text, chain.span)
    return _in_block(Registration(file, call.first, call.last, call.block, body), found)


def of_node_type(found: CppClass, tree: Tree) -> Registration | None:
    """Return the use of TVM_REGISTER_NODE_TYPE for a class; None if there is no use.

    Raises
    ------
    Refused
        If there are several uses, or if the use is in another namespace than the class.

    """
    uses = tree.uses(found, "node_type")
    if not uses:
        return None
    use, file = uses[0], tree.files[uses[0].path]
    span = file.lines.span(use.first, use.last)
    if len(uses) > 1:
        raise Refused(f"{found.name} is registered twice", span)
    _check_scope(use.place, found, span)
    return Registration(file, use.first, use.last)


def later(
    places: Mapping[str, Registration], refused: dict[str, Refused], tree: Tree
) -> dict[str, bool]:
    """Return full name -> whether a class must be registered behind its present init block.

    These are the classes with a base that stays in the block, since a base is registered first.
    `places` has the registrations to replace, bases first. Add a class to `refused` if a class that
    stays in the block derives from it.
    """
    blocks = {full: _block(one.file.name, one.block) for full, one in places.items()}
    stays: dict[str, tuple[str, int]] = {}
    derived: dict[str, list[CppClass]] = {}
    for found in tree.sources.classes.values():
        if found.full in blocks or not found.declares_object:
            continue
        uses = tree.uses(found, "call")
        statements = [one for one in tree.statements(found) if one.kind == "object"]
        for path, block in [(one.path, one.block) for one in uses] or [
            (one.span.file, one.block) for one in statements
        ]:
            stays[found.full] = _block(path, block)
        for base in found.bases:
            above = tree.lookup.find(base, found.inside)
            if above is not None:
                derived.setdefault(above.full, []).append(found)
    out: dict[str, bool] = {}
    for full in places:
        found = tree.sources.classes[full]
        above = tree.lookup.find(found.bases[0], found.inside)
        base = above.full if above is not None else ""
        same = blocks[full] in (stays.get(base), blocks.get(base))
        out[full] = same and (base in stays or out.get(base, False))
        for one in derived.get(full, ()) if out[full] else ():
            if stays.get(one.full) == blocks[full]:
                text = f"{found.name} would be registered behind {one.name}, which derives from it"
                refused[full] = Refused(text, found.span, "register it in an init block of its own")
    return out


def _block(path: str, block: Block | None) -> tuple[str, int]:
    return path, block.first if block is not None else -1


def _check_scope(place: Place, found: CppClass, span: Span) -> None:
    """Refuse a class that is registered in another namespace than its own."""
    if place.scope != found.place.scope:
        text = f"{found.name} is registered in the namespace {place.scope or '(global)'}, "
        raise Refused(f"{text}and declared in {found.place.scope or '(global)'}", span)


def _in_block(made: Registration, found: CppClass) -> Registration:
    """Refuse a statement that is not directly in an init block, or in one with directives."""
    block, file = made.block, made.file
    if block is None or block.head != f"{INIT_BLOCK}()":
        text = f"{found.name} is not registered by a statement of a {INIT_BLOCK}"
        raise Refused(text, file.lines.span(made.first, made.end))
    _refuse_directive(made, block, f"the {INIT_BLOCK} of {found.name}")
    return made


def _refuse_directive(made: Registration, block: Block, what: str) -> None:
    if _DIRECTIVE.search(made.file.text, block.opening + 1, block.closing):
        span = made.file.lines.span(made.first, made.end)
        text = f"{what} has directives of the preprocessor"
        raise Refused(text, span, "register the class in one of its own")
