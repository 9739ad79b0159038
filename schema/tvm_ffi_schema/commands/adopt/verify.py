# SPDX-License-Identifier: Apache-2.0
"""Check that generated C++ has the same meaning as the original C++ for compilers and callers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...compare.facts import Fact, flat
from ...cxx import values as cpp_value
from ...cxx.cursor import Cursor
from ...cxx.model import CppClass, Statement, last_name
from ...ir import Default
from . import chain as chains
from .tree import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .class_def import Candidate

_RUNTIME = re.compile(r"^(?:::)?(?:(?:tvm|ffi|refl|reflection)::)+")
_REPLACED = ("/RegisterReflection", "/VisitAttrs")
#: Name of a constant that the macros of a class read -> the default in the macros.
_READ = {"_type_mutable": "false", "_type_child_slots_can_overflow": "true"}
#: Facts that the generator may add, and facts that are compared elsewhere or spelled otherwise.
_ADDED = ("entries/doc", "entries/metadata")
_SPELLED = ("constants", "fields/default", "entries/types", "info/key")


def differences(one: Candidate, before: Tree, after: Tree) -> Iterator[str]:
    """Yield the differences in a class, its reference class and its registration."""
    new = after.sources.classes.get(one.found.full)
    ref = after.sources.classes.get(one.ref.full) if one.ref is not None else None
    if new is None or (ref is None and one.ref is not None):
        yield "it cannot be read any more"
        return
    statements = [c for c in after.statements(new) if c.kind == "object" and one.chain is not None]
    if one.chain is not None and len(statements) != 1:
        yield "it would not be registered once"
        return
    here = _facts(one.found, one.ref, [one.chain] if one.chain is not None else [], before)
    there = _facts(new, ref, statements, after)
    names = {*one.found.constants, *_READ, "_type_s_eq_hash_kind"} - {"_type_key"}
    for name in sorted(names - {"_type_child_slots"}):
        here[name] = _constant(one.found, name, before)
        there[name] = _constant(new, name, after)
    here["child slots"], there["child slots"] = slots(one.found, before), slots(new, after)
    for path in dict.fromkeys((*here, *there)):
        was, now = here.get(path), there.get(path)
        is_added = was is None and _what(path) in _ADDED
        if is_added or was == now or (isinstance(was, Default) and _same_default(was, now)):
            continue
        yield f"its {path} would be {now}, and is {was}"


def respelled(one: Candidate, before: Tree, after: Tree) -> str:
    """Return what differs in a registration that the generator writes; empty if nothing does.

    The generator may add arguments, which are descriptions and the names of parameters.
    """
    new = after.sources.classes.get(one.found.full)
    if new is None or one.chain is None or one.by_hand:
        return ""
    statements = [c for c in after.statements(new) if c.kind == "object"]
    if len(statements) != 1:
        return ""
    now = [words(call, new, after) for call in _calls(statements[0], after)]
    calls = _calls(one.chain, before)
    was = [words(call, one.found, before) for call in calls]
    if len(was) != len(now):
        return f"{len(was)} calls would become {len(now)}"
    for call, here, there in zip(calls, was, now):
        for text, word in zip(call, here):
            if here.count(word) > there.count(word):
                return f"the generator would not write {text}"
    return ""


def _calls(statement: Statement, tree: Tree) -> list[list[str]]:
    """Return the word and the arguments of the beginning of a statement, and of each call."""
    lines = tree.files[statement.span.file].lines
    places = [call.word for call in statement.entries]
    out = []
    for at in (statement.offset, *(lines.offset(place.line, place.col) for place in places)):
        c = Cursor(lines, at, single=True)
        opening = c.words.index("(")
        out.append([c.joined(0, opening), *(c.joined(*one) for one in c.arguments(opening))])
    return out


def words(call: list[str], owner: CppClass, tree: Tree) -> list[str]:
    """Return texts with full names of classes, and one spelling of the runtime's namespaces."""
    known, out = tree.sources.classes, []
    for text in call:
        spelled = tree.lookup.tokens(cpp_value.text(text) or text, owner.inside)
        out.append(" ".join(w if w[2:] in known else _RUNTIME.sub("::", w) for w in spelled))
    return out


def _facts(
    found: CppClass, ref: CppClass | None, statements: list[Statement], tree: Tree
) -> dict[str, Any]:
    """Return path -> what must be equal before and after."""
    facts = flat(found, ref, statements)
    made = {path: _plain(path, fact, found, ref, tree) for path, fact in facts.items()}
    words = [(path, fact.value) for path, fact in facts.items() if _what(path) == "entries/word"]
    made["order of fields"] = [path for path, word in words if word in ("ro", "rw")]
    made["order of methods"] = [path for path, word in words if word not in ("ro", "rw")]
    return made


def _what(path: str) -> str:
    """Return a path without the name of the member, entry or method that it is about."""
    parts = path.split("/")
    if parts[0] in ("fields", "entries", "methods", "visits", "constants"):
        del parts[1]
    return "/".join(parts)


def _plain(path: str, fact: Fact, found: CppClass, ref: CppClass | None, tree: Tree) -> Any:
    """Return a fact without places, and names without their namespaces."""
    what, value = _what(path), fact.value
    owner = ref if ref is not None and what.startswith("ref") else found
    if what in ("fields", "entries", "visits", "twice", "registration", "ref"):
        return True
    if what in ("bases", "ref/bases"):
        return [_named(base, owner, tree) for base in value]
    if what == "fields/type":
        return _named(value, found, tree)
    if what in ("constructors", "ref/constructors"):
        return [one.params for one in value]
    if what == "methods":
        return None if path.endswith(_REPLACED) else sorted(one.text for one in value)
    if what == "entries/member":
        return last_name(value[0].text("member"))
    if what in ("entries/flags", "registration/flags"):
        return sorted(value)
    if what == "entries/default":
        return chains.default(value)
    if what == "entries/doc":
        return value.split()
    if what == "ref/macro":
        return value.name
    if what in _SPELLED:
        return None
    return last_name(value.removeprefix("this->")) if isinstance(value, str) else value


def _named(text: str, owner: CppClass, tree: Tree) -> str:
    known, words = tree.sources.classes, tree.lookup.tokens(text, owner.inside)
    return " ".join(w if w.removeprefix("::") in known else last_name(w) for w in words)


def _constant(one: CppClass, name: str, tree: Tree) -> str:
    """Return the value of an own or inherited constant; otherwise the default in the macros."""
    known = tree.constants.setdefault(name, {})
    below: list[str] = []
    at: CppClass | None = one
    while at is not None and at.full not in known:
        below.append(at.full)
        known[at.full] = ""  # ends the search if the class derives from itself
        if name in at.constants:
            text = at.constants[name][0]
            value = cpp_value.value(text)
            known[at.full] = last_name(text) if value is None else str(value)
            break
        at = next((b for b in (tree.lookup.find(x, at.inside) for x in at.bases) if b), None)
    usual = str(cpp_value.value(_READ[name])) if name in _READ else ""
    result = known[at.full] if at is not None else usual
    known.update(dict.fromkeys(below, result))
    return result


def slots(one: CppClass, tree: Tree) -> str:
    """Return the number of child slots that a class states or inherits."""
    return (
        "0"
        if one.macro is not None and one.macro.is_final
        else _constant(one, "_type_child_slots", tree) or "0"
    )


def _same_default(one: Default | None, other: Default | None) -> bool:
    if one is None or other is None:
        return one is other
    if one.kind == "cpp" and other.kind == "cpp":
        return str(other.value) == str(one.value) or str(other.value).endswith(f"({one.value})")
    same_kind = type(one.value) is type(other.value) or {type(one.value), type(other.value)} == {
        int,
        float,
    }
    return one.kind == other.kind and same_kind and one.value == other.value
