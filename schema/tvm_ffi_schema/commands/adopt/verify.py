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
from .tree import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .class_def import Candidate

_RUNTIME = re.compile(r"^(?:::)?(?:(?:tvm|ffi|refl|reflection)::)+")
_REPLACED = ("/RegisterReflection", "/VisitAttrs")
#: Name of a constant that the macros of a class read -> the default in the macros.
_READ = {"_type_mutable": "false", "_type_child_slots_can_overflow": "true"}
#: Facts that are compared elsewhere or spelled otherwise.
_SPELLED = ("constants", "fields/default", "info/key")


def differences(one: Candidate, before: Tree, after: Tree) -> Iterator[str]:
    """Yield the differences in a class and its reference class."""
    new = after.sources.classes.get(one.found.full)
    ref = after.sources.classes.get(one.ref.full) if one.ref is not None else None
    if new is None or (ref is None and one.ref is not None):
        yield "it cannot be read any more"
        return
    statements = [c for c in after.statements(new) if c.kind == "object" and one.chain is not None]
    if one.chain is not None and len(statements) != 1:
        yield "it would not be registered once"
        return
    here, there = _facts(one.found, one.ref, before), _facts(new, ref, after)
    names = {*one.found.constants, *_READ, "_type_s_eq_hash_kind"} - {"_type_key"}
    for name in sorted(names - {"_type_child_slots"}):
        here[name] = _constant(one.found, name, before)
        there[name] = _constant(new, name, after)
    here["child slots"], there["child slots"] = slots(one.found, before), slots(new, after)
    for path in dict.fromkeys((*here, *there)):
        was, now = here.get(path), there.get(path)
        if was != now:
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
    was, now = _calls(one.chain, before), _calls(statements[0], after)
    if len(was) != len(now):
        return f"{len(was)} calls would become {len(now)}"
    for call, made in zip(was, now):
        left = [*zip(words(made, new, after), made)]
        for word, text in zip(words(call, one.found, before), call):
            found = next((pair for pair in left if pair[0] == word), None)
            if found is None:
                return f"the generator would not write {text}"
            left.remove(found)
        for _, text in left:
            if cpp_value.text(text) is None and '{{"arg_names"' not in text:
                return f"the generator would also write {text}"
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


def _facts(found: CppClass, ref: CppClass | None, tree: Tree) -> dict[str, Any]:
    """Return path -> what must be equal before and after."""
    facts = flat(found, ref, [])
    return {path: _plain(path, fact, found, ref, tree) for path, fact in facts.items()}


def _what(path: str) -> str:
    """Return a path without the name of the member or method that it is about."""
    parts = path.split("/")
    if parts[0] in ("fields", "methods", "visits", "constants"):
        del parts[1]
    return "/".join(parts)


def _plain(path: str, fact: Fact, found: CppClass, ref: CppClass | None, tree: Tree) -> Any:
    """Return a fact without places, and names without their namespaces."""
    what, value = _what(path), fact.value
    owner = ref if ref is not None and what.startswith("ref") else found
    if what in ("fields", "visits", "ref"):
        return True
    if what in ("bases", "ref/bases"):
        return [_named(base, owner, tree) for base in value]
    if what == "fields/type":
        return _named(value, found, tree)
    if what in ("constructors", "ref/constructors"):
        return [one.params for one in value]
    if what == "methods":
        return None if path.endswith(_REPLACED) else sorted(one.text for one in value)
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
