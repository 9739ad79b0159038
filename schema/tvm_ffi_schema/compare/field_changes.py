# SPDX-License-Identifier: Apache-2.0
"""Find the changes of fields and of constructors between two schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..front.fields import describe, fits
from ..ir import FieldDef, TypeRef
from ..link.equality import effective_kind
from ..link.program import Class
from .change import Change
from .written import same_default

_DEFAULT = "give it a default"


def fields(was: Class, now: Class) -> Iterator[Change]:
    """Yield the changes of the fields of a class, and of its constructor."""
    after = {f.name: f for f in now.d.fields}
    renamed = {f.renamed_from: f for f in now.d.fields if f.renamed_from}
    matched: dict[str, str] = {}
    for one in was.d.fields:
        other = after.get(one.name) or renamed.get(one.name)
        if other is None:
            other = _moved(one, was, now)
            if other is None:
                remedy = _renaming("if it was renamed", one)
                yield _of(now, "FIELD_NO_DELETE", one.name, "was removed", None, remedy)
                continue
            remedy = _renaming("for stored data", one)
            yield _of(now, "FIELD_SAME_NAME", one.name, f"is now {other.name}", other, remedy)
        else:
            if one.name != other.name:
                yield _of(now, "FIELD_RENAMED", one.name, f"is now {other.name}", other)
            yield from _registered(was, now, one, other)
        matched[one.name] = other.name
        if was.is_writable(one) and not now.is_writable(other) and was.d.mutable == now.d.mutable:
            yield _of(now, "TYPE_SAME_MUTABILITY", other.name, "is not writable any more", other)
        yield from _field(now, one, other)
    order = [matched[f.name] for f in was.d.fields if f.name in matched]
    current = [f.name for f in now.d.fields if f.name in order]
    if order != current:
        text = f"{now.type_key}: the fields are in another order"
        yield Change("FIELD_SAME_ORDER", now.type_key, text, now.span, now)
    fresh = [f for f in now.d.fields if f.name not in matched.values()]
    for one in fresh:
        if one.init and one.default is None:
            text = "is new and has no default"
            yield _of(now, "FIELD_NO_NEW_REQUIRED", one.name, text, one, _DEFAULT)
        if one.structural_eq != "ignore" and one.reflect and effective_kind(now, {}):
            text = "is new and takes part in structural equality"
            remedy = 'leave it out of equality with  structural_eq="ignore"'
            yield _of(now, "FIELD_NEW_IN_STRUCTURE", one.name, text, one, remedy)
    if not _takes_the_same(was, now):
        text = f"{now.type_key}: the constructor has other parameters"
        yield Change("CTOR_SAME_SIGNATURE", now.type_key, text, now.span, now)


def _takes_the_same(was: Class, now: Class) -> bool:
    """Return whether calls of the old constructor are still valid.

    This function ignores the order and the flags of fields, which other rules compare.
    """
    if not was.d.ctor or any(m.name == "__init__" for m in (*was.d.methods, *now.d.methods)):
        return True  # there is no constructor, or the constructor is compared as a method
    if not now.d.ctor:
        return False
    renamed = _renames(was, now)
    known = {renamed.get(f.name, f.name) for f in was.all_fields()}
    gone = {renamed.get(f.name, f.name) for f in was.init_fields()} - {
        f.name for f in now.all_fields()
    }
    fresh = [f.name not in known for f in now.init_fields()]
    required = any(new and f.default is None for new, f in zip(fresh, now.init_fields()))
    return not gone and not required and sorted(fresh) == fresh


def _renames(was: Class, now: Class) -> dict[str, str]:
    """Return old name -> new name, for the renamed fields of a class and its ancestors."""
    found = {f.renamed_from: f.name for f in now.all_fields() if f.renamed_from}
    for before, after in zip((was, *was.ancestors()), (now, *now.ancestors())):
        names = {f.name for f in after.d.fields}
        for one in before.d.fields:
            other = None if one.name in names else _moved(one, before, after)
            if other is not None:
                found.setdefault(one.name, other.name)
    return found


def _registered(was: Class, now: Class, one: FieldDef, other: FieldDef) -> Iterator[Change]:
    """Yield changes of the name under which a field is registered and stored."""
    if not (one.reflect and was.d.visit_attrs):
        if other.reflect and now.d.visit_attrs and other.default is None:
            text = "is in stored data now"
            yield _of(now, "FIELD_NO_NEW_REQUIRED", other.name, text, other, _DEFAULT)
        return
    if not (other.reflect and now.d.visit_attrs):
        yield _of(now, "FIELD_NO_DELETE", other.name, "is not registered any more", other)
        return
    before, after = (f.reflected_name or f.name for f in (one, other))
    if before not in (after, other.renamed_from):
        text = f"is registered as {after}, it was as {before}"
        remedy = f'for stored data, write  renamed_from="{before}"'
        yield _of(now, "FIELD_SAME_NAME", other.name, text, other, remedy)
    elif before != after and one.name == other.name:
        text = f"is registered as {after}, it was as {before}"
        yield _of(now, "FIELD_RENAMED", other.name, text, other)


def _moved(one: FieldDef, was: Class, now: Class) -> FieldDef | None:
    """Return the new field that probably replaces the removed field `one`; otherwise None.

    It has the same index and the same type, and its name is new.
    """
    if len(was.d.fields) != len(now.d.fields):
        return None
    other = now.d.fields[was.d.fields.index(one)]
    known = {f.name for f in was.d.fields}
    return other if other.type == one.type and other.name not in known else None


def _renaming(when: str, one: FieldDef) -> str:
    return f'{when}, write  renamed_from="{one.reflected_name or one.name}"  in the new field'


def _of(
    now: Class, rule: str, name: str, text: str, one: FieldDef | None, remedy: str = ""
) -> Change:
    span = one.span if one is not None and one.span is not None else now.span
    return Change(rule, now.type_key, f"{now.type_key}.{name} {text}", span, now, remedy)


def _field(now: Class, one: FieldDef, other: FieldDef) -> Iterator[Change]:
    if describe(one.type) != describe(other.type):
        wider = is_wider(one.type, other.type)
        rule = "FIELD_WIDENED_TYPE" if wider else "FIELD_SAME_TYPE"
        text = f"has type {describe(other.type)}, it had {describe(one.type)}"
        yield _of(now, rule, other.name, text, other)
    if not same_default(one, other):
        if other.default is None:
            text = "has no default any more"
            yield _of(now, "FIELD_NO_NEW_REQUIRED", other.name, text, other, _DEFAULT)
        elif one.default is not None:
            text = f"defaults to {other.default.value!r}, it did to {one.default.value!r}"
            yield _of(now, "FIELD_SAME_DEFAULT", other.name, text, other)
    pairs: list[tuple[str, Any, Any, str]] = [
        ("FIELD_SAME_STRUCTURAL_FLAG", one.structural_eq, other.structural_eq, "structural_eq"),
        ("FIELD_SAME_STRUCTURAL_FLAG", one.compare, other.compare, "compare"),
        ("FIELD_SAME_STRUCTURAL_FLAG", one.hash, other.hash, "hash"),
        ("FIELD_SAME_STRUCTURAL_FLAG", one.repr, other.repr, "repr"),
        ("FIELD_SAME_INIT", one.init, other.init, "init"),
        ("FIELD_SAME_KW_ONLY", one.kw_only, other.kw_only, "kw_only"),
    ]
    for rule, before, after, name in pairs:
        if before != after:
            text = f"has {name}={after!r}, it had {before!r}"
            yield _of(now, rule, other.name, text, other)


def is_wider(old: TypeRef, new: TypeRef) -> bool:
    """Return whether the new type contains every value of the old type."""
    if new.origin == "Any":
        return True
    if new == old:  # the values of each `Literal` may differ
        is_grown = not new.literals or (bool(old.literals) and {*old.literals} <= {*new.literals})
        return is_grown and all(map(is_wider, old.args, new.args))
    if new.origin == "Optional":
        inner = old.args[0] if old.origin == "Optional" else old
        return inner == new.args[0] or is_wider(inner, new.args[0])
    if new.origin == "Union":
        return old in new.args or (old.origin == "Union" and set(old.args) <= set(new.args))
    bits = {"int8_t": 8, "int16_t": 16, "int32_t": 32, "int64_t": 64}
    if old.origin in bits and new.origin in bits:
        return bits[old.origin] < bits[new.origin]
    return (old.origin, new.origin) == ("float", "double") or (
        old.origin in bits and new.origin == "double" and fits(new, 1)
    )
