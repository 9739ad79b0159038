# SPDX-License-Identifier: Apache-2.0
"""Make enums: entries with their values and fields, and entries that other files add."""

from __future__ import annotations

import dataclasses
from typing import Any

from .. import dsl
from ..diag import Bag, near
from ..ir import Doc, EntryDef, EnumDef, FieldDef, Module, ObjectDef, Span
from . import fields as field_rules
from . import settings
from .index import Index
from .raw import RawClass, RawModule


def build(raw: RawClass, base: str, own: list[FieldDef], doc: Doc, bag: Bag) -> EnumDef:
    """Return the enum that a class defines; `base` is "int", "str" or "enum", or empty."""
    kind = base or "object"
    described = {item.name: item.text for item in doc.attributes}
    made = []
    for name, spec, span in raw.entries:
        entry = _entry(raw.name, kind, name, spec, own, span, bag)
        made.append(dataclasses.replace(entry, doc=entry.doc or described.get(name, "")))
    return EnumDef(kind, tuple(made))


def _entry(
    owner: str, kind: str, name: str, spec: Any, own: list[FieldDef], span: Span, bag: Bag
) -> EntryDef:
    known = {one.name: one for one in own}
    values = {}
    given = None if spec.value is dsl.MISSING else spec.value
    given_fields = dict(spec.fields)
    if given is not None and kind in ("enum", "object") and "value" in known:
        given_fields, given = {"value": given, **given_fields}, None
    for field_name, value in given_fields.items():
        plain = settings.literal(value, span, bag, f"entry {name!r}")
        if field_name not in known:
            bag.add(
                "TS036",
                f"{owner}.{name}: {owner} has no field {field_name!r}",
                span,
                help=near(field_name, known),
            )
        elif not field_rules.fits(known[field_name].type, plain):
            wanted = field_rules.describe(known[field_name].type)
            bag.add("TS036", f"{owner}.{name}: {plain!r} is not of type {wanted}", span)
        values[field_name] = plain
    wanted_type = {"int": int, "str": str}.get(kind)
    if given is not None and (wanted_type is None or type(given) is not wanted_type):
        bag.add("TS036", f"{owner}.{name}: {given!r} is not a value of this enum", span)
        given = None
    elif isinstance(given, int) and not -(1 << 63) <= given < 1 << 63:
        bag.add("TS036", f"{owner}.{name}: its value has more than 64 bits", span)
        given = None
    attrs = {
        key: settings.literal(value, span, bag, f"attribute {key!r}")
        for key, value in spec.attrs.items()
    }
    return EntryDef(name, given, values, attrs, doc=spec.doc, span=span)


def extended(
    raws: list[RawModule], modules: tuple[Module, ...], index: Index, bag: Bag
) -> tuple[Module, ...]:
    """Add the entries of `extend` calls in the order of the files; number the entries."""
    objects = {o.type_key: o for m in modules for o in m.objects}
    for raw in raws:
        for call in raw.extends:
            key = index.class_key(raw.path, call.enum, call.span, "an enum")
            target = objects.get(key or "")
            if target is None or target.enum is None:
                if key is not None:
                    bag.add("TS036", f"{key} is not an enum of this set", call.span)
                continue
            more = [
                _entry(target.name, target.enum.base, n, s, list(target.fields), span, bag)
                for n, s, span in call.entries
            ]
            enum = dataclasses.replace(target.enum, entries=(*target.enum.entries, *more))
            objects[target.type_key] = dataclasses.replace(target, enum=enum)
    for key, target in objects.items():
        if target.enum is not None:
            objects[key] = dataclasses.replace(target, enum=_numbered(target, bag))
    return tuple(
        dataclasses.replace(m, objects=tuple(objects[o.type_key] for o in m.objects))
        for m in modules
    )


def _numbered(target: ObjectDef, bag: Bag) -> EnumDef:
    assert target.enum is not None
    entries: list[EntryDef] = []
    seen: dict[Any, str] = {}
    following = 0
    for entry in target.enum.entries:
        value = entry.value
        if target.enum.base == "int":
            value = following if value is None else value
            following = value + 1
        elif target.enum.base == "str" and value is None:
            value = entry.name
        span = entry.span or target.span or Span("")
        if any(entry.name == other.name for other in entries):
            bag.add("TS036", f"{target.name}.{entry.name} is declared twice", span)
            continue
        if value is not None and value in seen:
            text = f"{target.name}.{entry.name} has the value of {seen[value]}"
            bag.add("TS036", text, span, help="give each entry a value of its own")
        seen[value] = entry.name
        entries.append(dataclasses.replace(entry, value=value))
    return dataclasses.replace(target.enum, entries=tuple(entries))
