# SPDX-License-Identifier: Apache-2.0
"""Find the changes between two schemas, and the rule of evolution that reports each change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir import MethodDef, Span
from ..link import layout
from ..link.equality import effective_kind
from ..link.program import Class, Program
from . import field_changes
from .change import Change

__all__ = ["Change", "compare"]


def compare(old: Program, new: Program) -> Iterator[Change]:
    """Yield the changes that rules report, in the order of the old schema."""
    renamed = {c.d.renamed_from: c for c in new.order if c.d.renamed_from}
    for was in old.order:
        now = new.classes.get(was.type_key) or renamed.get(was.type_key)
        if now is None:
            text = f"{was.type_key} was removed"
            remedy = f'if it was renamed, write  renamed_from = "{was.type_key}"  in the new class'
            yield Change("TYPE_NO_DELETE", was.type_key, text, _top(new), remedy=remedy)
            continue
        if now.type_key != was.type_key:
            text = f"{was.type_key} is now {now.type_key}"
            yield Change("TYPE_SAME_KEY", was.type_key, text, now.span, now)
        yield from _type(was, now)
        yield from _layouts(was, now, old, new)
        yield from field_changes.fields(was, now)
        yield from _methods(was, now)
        yield from _entries(was, now)
        yield from _attributes(was, now)


def _top(program: Program) -> Span:
    modules = program.schema.modules
    return Span(modules[0].path) if modules and modules[0].path else Span(".")


def _type(was: Class, now: Class) -> Iterator[Change]:
    def change(rule: str, text: str) -> Change:
        return Change(rule, now.type_key, f"{now.type_key}: {text}", now.span, now)

    if (was.obj, was.ref) != (now.obj, now.ref):
        yield change("TYPE_SAME_CPP_NAME", f"{was.obj}, {was.ref} are now {now.obj}, {now.ref}")
    if was.namespace != now.namespace:
        yield change("TYPE_SAME_NAMESPACE", f"namespace {was.namespace} is now {now.namespace}")
    headers = [c.header for c in (was, now)]
    if headers[0] != headers[1] and was.namespace == now.namespace:
        yield change("TYPE_SAME_HEADER", f"header {headers[0]} is now {headers[1]}")
    if was.parent.type_key != now.parent.type_key:
        text = f"parent {was.parent.type_key} is now {now.parent.type_key}"
        yield change("TYPE_SAME_PARENT", text)
    for rule, name in (
        ("TYPE_NO_NEW_FINAL", "final"),
        ("TYPE_NO_NEW_SEALED", "sealed"),
        ("TYPE_NO_NEW_ABSTRACT", "abstract"),
    ):
        before, after = (c.final if name == "final" else getattr(c.d, name) for c in (was, now))
        if after and not before:
            yield change(rule, f"is {name} now")
    if was.d.mutable and not now.d.mutable:
        yield change("TYPE_SAME_MUTABILITY", "is not mutable any more")
    kinds = effective_kind(was, {}) or "none", effective_kind(now, {}) or "none"
    if kinds[0] != kinds[1]:
        yield change("TYPE_SAME_EQ_KIND", f"structural equality {kinds[0]} is now {kinds[1]}")
    if was.d.ref and now.d.ref and was.d.ref.nullable != now.d.ref.nullable:
        word = "nullable" if now.d.ref.nullable else "not nullable"
        yield change("REF_SAME_NULLABILITY", f"the reference class is {word} now")


def _layouts(was: Class, now: Class, old: Program, new: Program) -> Iterator[Change]:
    before, after = layout.compute(was, old), layout.compute(now, new)
    if before.opaque or after.opaque:
        return
    if before.size != after.size:
        text = f"{now.type_key}: {before.size} bytes are now {after.size}"
        yield Change("TYPE_SAME_SIZE", now.type_key, text, now.span, now)
    places = {slot.name: slot.offset for slot in after.slots}
    renamed = {f.renamed_from: f.name for f in now.all_fields() if f.renamed_from}
    for slot in before.slots:
        name = slot.name if slot.name in places else renamed.get(slot.name, "")
        if name in places and places[name] != slot.offset:
            text = f"{now.type_key}.{name}: offset {slot.offset} is now {places[name]}"
            yield Change("FIELD_SAME_OFFSET", now.type_key, text, now.span, now)


def _signature(method: MethodDef) -> tuple[Any, ...]:
    kinds = tuple((p.type, p.default) for p in method.params)
    return kinds, method.returns, method.const, method.static, method.cpp_name


def _methods(was: Class, now: Class) -> Iterator[Change]:
    after: dict[str, list[MethodDef]] = {}
    for method in now.d.methods:
        if method.native:
            after.setdefault(method.name, []).append(method)
    for one in was.d.methods:
        if not one.native:
            continue
        others = after.get(one.name)
        name = f"{now.type_key}.{one.name}"
        if others is None:
            new = next((m.name for m in now.d.methods if m.renamed_from == one.name), "")
            text = f"{name} is now {new}" if new else f"{name} was removed"
            yield Change("METHOD_NO_DELETE", now.type_key, text, now.span, now)
        elif _signature(one) not in map(_signature, others):
            text = f"{name} has another signature"
            span = others[0].span or now.span
            yield Change("METHOD_SAME_SIGNATURE", now.type_key, text, span, now)


def _entries(was: Class, now: Class) -> Iterator[Change]:
    if was.d.enum is None:
        return
    after = list(now.d.enum.entries) if now.d.enum else []
    by_name = {e.name: (i, e) for i, e in enumerate(after)}
    for ordinal, entry in enumerate(was.d.enum.entries):
        name = f"{now.type_key}.{entry.name}"
        if entry.name not in by_name:
            text = f"{name} was removed"
            yield Change("ENUM_ENTRY_NO_DELETE", now.type_key, text, now.span, now)
            continue
        position, other = by_name[entry.name]
        span = other.span or now.span
        if (entry.value, entry.fields) != (other.value, other.fields):
            text = f"{name} has another value"
            yield Change("ENUM_ENTRY_SAME_VALUE", now.type_key, text, span, now)
        if position != ordinal:
            text = f"{name} was entry {ordinal} and is {position}"
            yield Change("ENUM_ENTRY_SAME_ORDINAL", now.type_key, text, span, now)
        yield from _compared(f"{name}: attribute", entry.attrs, other.attrs, now, span)


def _attributes(was: Class, now: Class) -> Iterator[Change]:
    before, after = was.d.type_attrs, now.d.type_attrs
    yield from _compared(f"{now.type_key}: type attribute", before, after, now, now.span)


def _compared(
    what: str, before: dict[str, Any], after: dict[str, Any], now: Class, span: Span
) -> Iterator[Change]:
    for name, value in before.items():
        if name not in after:
            text = f"{what} {name!r} was removed"
            yield Change("ATTR_NO_DELETE", now.type_key, text, span, now)
        elif after[name] != value:
            text = f"{what} {name!r} has another value"
            yield Change("ATTR_SAME_VALUE", now.type_key, text, span, now)
