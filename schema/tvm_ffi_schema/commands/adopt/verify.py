# SPDX-License-Identifier: Apache-2.0
"""Check that generated C++ has the same meaning as the original C++ for compilers and callers."""

from __future__ import annotations

from collections.abc import Iterator

from ...cxx import values as cpp_value
from ...cxx.model import CppClass, Statement, last_name
from ...ir import Default
from . import chain as chains
from .tree import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .class_def import Candidate

_REPLACED = ("RegisterReflection", "VisitAttrs")
#: Name of a constant that the macros of a class read -> the default in the macros.
_READ = {"_type_mutable": "false", "_type_child_slots_can_overflow": "true"}


def of_class(old: CppClass, new: CppClass, before: Tree, after: Tree) -> Iterator[str]:
    """Yield the differences between two versions of a class."""
    for name, get in (("bases", _bases), ("members", _members)):
        was, now = get(old, before), get(new, after)
        if was != now:
            yield f"its {name} would be {now}, and are {was}"
    if _public(old) != _public(new):
        gone = sorted(set(_public(old)) ^ set(_public(new)))
        yield f"its methods would differ: {', '.join(gone) or 'their signatures'}"
    if [f.params for f in old.constructors] != [f.params for f in new.constructors]:
        yield "its constructors would differ"
    names = {*old.constants, *_READ, "_type_s_eq_hash_kind"} - {"_type_key", "_type_child_slots"}
    for name in sorted(names):
        if _constant(old, name, before) != _constant(new, name, after):
            yield f"{name} would be {_constant(new, name, after) or 'not stated'}"
    if old.visited is not None or new.visited is not None:
        was, now = _visited(old), _visited(new)
        if was != now:
            yield f"VisitAttrs would visit {', '.join(now)}, and visits {', '.join(was)}"
    if old.macro is not None and (new.macro is None or old.macro.name != new.macro.name):
        yes = old.declares_object and new.macro is not None and _final(old) == _final(new)
        if not yes:
            yield f"the macro {old.macro.name} would be replaced"


def _final(one: CppClass) -> bool:
    return one.macro is not None and one.macro.is_final


def _bases(one: CppClass, tree: Tree) -> list[str]:
    return [last_name("".join(tree.lookup.tokens(base, one.inside))) for base in one.bases]


def _members(one: CppClass, tree: Tree) -> list[str]:
    return [f"{_type(m.type, one, tree)} {m.name} ({m.access})" for m in one.members]


def _type(text: str, one: CppClass, tree: Tree) -> str:
    return " ".join(last_name(word) for word in tree.lookup.tokens(text, one.inside))


def _public(one: CppClass) -> dict[str, list[str]]:
    return {k: sorted(f.text for f in v) for k, v in one.methods.items() if k not in _REPLACED}


def _visited(one: CppClass) -> list[str]:
    found = one.visited or []
    return [f"{e.name} ({''.join(e.args).replace('this->', '').lstrip('&')})" for e in found]


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
    return "0" if _final(one) else _constant(one, "_type_child_slots", tree) or "0"


def of_chain(old: Statement, new: Statement) -> Iterator[str]:
    """Yield the differences between two registrations."""
    fields, methods = chains.read(old)
    new_fields, new_methods = chains.read(new)
    was = [(m.name, m.member, m.static, m.init is None) for m in methods]
    now = [(m.name, m.member, m.static, m.init is None) for m in new_methods]
    if was != now:
        yield f"its methods would be registered as {now}, and are as {was}"
    for method, again in zip(methods, new_methods):
        if method.named and last_name(method.named) != last_name(again.named):
            yield f"the parameters of {method.name!r} would have other names"
    if [f.name for f in fields] != [f.name for f in new_fields]:
        yield "other fields would be registered"
        return
    for one, other in zip(fields, new_fields):
        same = (one.member, one.writable) == (other.member, other.writable)
        if not same or one.options != other.options:
            yield f"{one.name!r} would be registered with other flags"
        if not _same_default(one.default, other.default):
            yield f"{one.name!r} would be registered with another default"
        if one.doc and one.doc.split() != other.doc.split():
            yield f"{one.name!r} would be described in other words"
    if old.arguments != new.arguments and last_name(old.arguments) != last_name(new.arguments):
        yield "its registration would begin in another way"


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


def differences(one: Candidate, before: Tree, after: Tree) -> Iterator[str]:
    """Yield the differences in a class, its reference class and its registration."""
    new = after.sources.classes.get(one.found.full)
    if new is None:
        yield "it cannot be read any more"
        return
    yield from of_class(one.found, new, before, after)
    if slots(one.found, before) != slots(new, after):
        yield "it would have another number of child slots"
    if one.ref is not None:
        ref = after.sources.classes.get(one.ref.full)
        if ref is None:
            yield f"{one.ref.name} cannot be read any more"
        else:
            yield from of_class(one.ref, ref, before, after)
    if one.chain is not None:
        chains = [c for c in after.statements(new) if c.kind == "object"]
        if len(chains) != 1:
            yield "it would not be registered once"
        else:
            yield from of_chain(one.chain, chains[0])
