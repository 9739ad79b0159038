# SPDX-License-Identifier: Apache-2.0
"""Find the classes that can be adopted, each with its registration and its reference class."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...cxx import values as cpp_value
from ...cxx.model import CppClass, Statement, joined_name, last_name
from ...link.program import RUNTIME
from . import body, class_def, registered, verify
from .class_def import Candidate
from .registered import Registration
from .tree import CppFile, Refused, Tree

#: The names of the object classes of the runtime, and their type keys.
_RUNTIME = {
    f"{space}{obj}": key
    for key, (obj, _, _) in RUNTIME.items()
    for space in ("", "ffi::", "tvm::ffi::")
}
_UNUSABLE = ("_PREDEFINED_TYPE_KEY", "_STATIC")


@dataclass
class Found:
    """The classes to adopt, the refused classes, and the names of classes that have a block."""

    candidates: dict[str, Candidate] = field(default_factory=dict)
    places: dict[str, Registration] = field(default_factory=dict)
    refused: dict[str, Refused] = field(default_factory=dict)
    adopted: list[str] = field(default_factory=list)


def find(tree: Tree, object_macros: frozenset[str]) -> Found:
    """Return the object classes of a tree, in the order of their declarations."""
    out = Found()
    for found in _ordered(tree):
        if tree.has_block(found):
            out.adopted.append(found.full)
            continue
        try:
            one, place = _candidate(found, tree, object_macros)
        except Refused as error:
            out.refused[found.full] = error
            continue
        out.candidates[found.full] = one
        out.places[found.full] = place
    return out


def _ordered(tree: Tree) -> list[CppClass]:
    """Return the object classes in the order of their declarations; included files come first."""
    by_last: dict[str, list[str]] = {}
    for name in tree.files:
        by_last.setdefault(name.rpartition("/")[2], []).append(name)
    order: list[str] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        if name in seen:
            return
        seen.add(name)
        for included in tree.sources.includes.get(name, ()):
            for one in by_last.get(included.rpartition("/")[2], ()):
                if f"/{one}".endswith(f"/{included}"):
                    visit(one)
        order.append(name)

    for name in tree.files:
        visit(name)
    rank = {name: number for number, name in enumerate(order)}
    classes = [c for c in tree.sources.classes.values() if c.declares_object]
    return sorted(classes, key=lambda c: (rank[c.span.file], c.span.line, c.span.col))


def _candidate(
    found: CppClass, tree: Tree, object_macros: frozenset[str]
) -> tuple[Candidate, Registration]:
    _refuse_form(found, tree)
    key = class_def.key_of(found)
    base = class_def.parent_base(found)
    file = tree.file(found)
    words = before_name(found, file)
    if words:
        text = f"{found.name} has {' '.join(words)} before its name, which the schema cannot say"
        raise Refused(text, found.span)
    if file.code(found.first, found.opening)[2:3] == ["final"]:
        text = f"{found.name} is final in C++, which the schema cannot say"
        help_ = "remove the word; the macro with _FINAL tells the runtime, and stays"
        raise Refused(text, found.span, help_)
    if not is_complete(found, file):
        raise Refused(f"{found.name} declares a variable behind its body", found.span)
    one = Candidate(
        found,
        file,
        key,
        _parent_key(found, base, tree),
        body.pieces(found, file, object_macros),
    )
    one.is_classic = found.macro is not None and found.macro.is_classic
    if one.enum_base:
        one.by_hand = "the entries of an enum are yours"
    one.slots = _slots(found, tree)
    one.ref = _reference(found, tree)
    return one, _registration(one, tree)


def before_name(found: CppClass, file: CppFile) -> list[str]:
    """Return the words between `class` and the name of a class, such as an export macro."""
    words = file.code(found.first, found.opening)
    return words[1 : words.index(found.name)]


def is_complete(found: CppClass, file: CppFile) -> bool:
    """Return whether a semicolon follows the closing brace of a class."""
    return file.text.startswith(";", found.closing + 1)


def _refuse_form(found: CppClass, tree: Tree) -> None:
    """Refuse classes with features that the generator cannot write."""
    macro = found.macro
    assert macro is not None
    if found.is_template or found.params:
        raise Refused(f"{found.name} is a template", found.span)
    if found.place.scope in tree.sources.classes:
        raise Refused(f"{found.name} is declared inside of a class", found.span)
    if macro.name.endswith(_UNUSABLE) and not macro.name.endswith(_UNUSABLE[0]):
        raise Refused(f"{found.name} has a type index of its own", macro.word)
    if tree.lookup.find(macro.text("cls"), found.inside) is not found:
        text = f"the macro of {found.name} declares {macro.text('cls')}"
        raise Refused(text, macro.word)


def _parent_key(found: CppClass, base: str, tree: Tree) -> str:
    above = tree.lookup.find(base, found.inside)
    key = _runtime_key(base if above is None else above.full, found, tree)
    if key and (above is None or above.full.startswith("tvm::ffi::")):
        return key
    if above is None:
        text = f"the base {base} of {found.name} is not in the files that were read"
        raise Refused(text, found.base_span, "name the file that declares it, too")
    if not above.declares_object:
        text = f"the base {base} of {found.name} is not an object class"
        raise Refused(text, found.base_span)
    return class_def.key_of(above)


def _runtime_key(base: str, found: CppClass, tree: Tree) -> str:
    """Return the type key of a base that is a class of the runtime; empty for other classes."""
    scope, known = found.place.scope, tree.sources.aliases
    scopes = [scope[: at.start()] for at in re.finditer(r"::|$", scope)]
    if any(joined_name(one, base) in known for one in ("", *scopes)):
        base = tree.lookup.resolved(base, found.inside)
    return _RUNTIME.get(base.removeprefix("::"), "")


def _slots(found: CppClass, tree: Tree) -> int:
    text = verify.slots(found, tree)
    value = cpp_value.value(text)
    if type(value) is not int:
        span = found.constants["_type_child_slots"][1]
        raise Refused(f"the child slots of {found.name} are not a number", span)
    above = tree.lookup.find(found.bases[0], found.inside)
    slots = cpp_value.value(verify.slots(above, tree)) if above is not None else 0
    if type(slots) is int and 0 < slots <= value:
        how = "has" if "_type_child_slots" in found.constants else "inherits"
        text = f"{found.name} {how} {value} child slots, and its parent has only {slots}"
        help_ = "state fewer in the class:  static constexpr uint32_t _type_child_slots = 0;"
        raise Refused(text, found.span, help_)
    return value


def _reference(found: CppClass, tree: Tree) -> CppClass | None:
    refs = tree.references(found)
    if len(refs) > 1:
        names = ", ".join(one.full for one in refs)
        raise Refused(f"{found.name} has several reference classes: {names}", found.span)
    if refs and refs[0].place.scope != found.place.scope:
        text = f"{refs[0].name} is declared in another namespace than {found.name}"
        raise Refused(text, refs[0].span)
    return refs[0] if refs else None


def _registration(one: Candidate, tree: Tree) -> Registration:
    """Return the statement that registers a class; store the registration chain in `one`."""
    found = one.found
    chains = one.statements = tree.statements(found)
    if one.is_classic:
        place = registered.of_node_type(found, tree)
        if place is None or chains:
            text = f"{found.name} has a macro of the classic dialect, and is not registered by it"
            raise Refused(text, found.span)
        return place
    objects = [c for c in chains if c.kind == "object"]
    if len(objects) != 1:
        if not objects:
            text = f"{found.name} is not registered in the files that were read"
            raise Refused(text, found.span, "name the source that registers it, too")
        raise Refused(f"{found.name} is registered {len(objects)} times", found.span)
    _refuse_equality(chains)
    chain = one.chain = objects[0]
    if chain.word != "ObjectDef":
        raise Refused(f"the schema has no word for this use of {chain.word}", chain.span)
    if chain.variable:
        text = f"the registration of {found.name} is kept in the variable {chain.variable}"
        raise Refused(text, chain.span)
    place = registered.of_chain(chain, found, tree)
    one.registration = place.way
    return place


def _refuse_equality(chains: list[Statement]) -> None:
    """Refuse a class that registers SEqual or SHash, which the generator would register again."""
    for chain in chains:
        for entry in chain.entries if chain.kind == "attrs" else ():
            if entry.name in ("__s_equal__", "__s_hash__"):
                name = last_name(entry.text("value"))
                if name not in ("SEqual", "SHash"):
                    continue
                text = f"{entry.name} is registered by hand for {name}"
                help_ = "adopt the class without it: members of these names are registered"
                raise Refused(text, entry.word, help_)
