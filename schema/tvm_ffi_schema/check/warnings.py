# SPDX-License-Identifier: Apache-2.0
"""Warnings about a correct schema, which comments can suppress."""

from __future__ import annotations

from ..diag import Bag
from ..ir import FieldDef, Span
from ..link.equality import effective_kind
from ..link.program import Class, Program, held_classes
from .suppress import Suppressions


def check(program: Program, dialect: str, bag: Bag) -> None:
    """Add the warnings, then remove all warnings that comments suppress.

    Parameters
    ----------
    program : Program
        The schema.
    dialect : str
        The dialect of modules that state no dialect.
    bag : Bag
        Takes the findings. Warnings of readers in the bag can also be suppressed.

    """
    for cls in program.order:
        _namespace(cls, bag)
        _mutable(cls, bag)
        if (cls.module.dialect or dialect) == "classic":
            _classic(cls, bag)
    _foreign(program, bag)
    if any(item.severity != "error" for item in bag.items):
        suppressions = Suppressions(program)
        bag.items = [
            item
            for item in bag.items
            if item.severity == "error" or not suppressions.covers(item.id, item.span)
        ]


def _foreign(program: Program, bag: Bag) -> None:
    externs = [one for module in program.schema.modules for one in module.externs]
    parents = {one.type_key: one for one in externs if one.parent in program.classes}
    for one in parents.values():
        cls = program.classes[one.parent]
        if cls.d.child_slots == "auto" and not cls.d.sealed and not cls.final:
            text = f"{one.type_key} derives from {cls.d.name}, whose child slots do not count it"
            notes = [(one.span, "declared here")] if one.span else []
            bag.add("TS325", text, cls.span, notes=notes)
    for foreign in program.foreign.values():
        used = foreign.used or foreign.type_key in parents or _is_held(program, foreign.type_key)
        if not foreign.is_runtime and not used and foreign.span is not None:
            text = f"nothing uses the extern {foreign.type_key}"
            bag.add("TS330", text, foreign.span)


def _is_held(program: Program, key: str) -> bool:
    return any(
        key in held_classes(one.type) for cls in program.classes.values() for one in cls.d.fields
    )


def _at(cls: Class, one: FieldDef) -> Span:
    return one.span or cls.span


def _namespace(cls: Class, bag: Bag) -> None:
    last = cls.namespace.rpartition("::")[2]
    head = cls.type_key.partition(".")[0]
    if "." in cls.type_key and last and head != last and head not in cls.namespace.split("::"):
        text = f"type key {cls.type_key!r} is outside the namespace {cls.namespace}"
        bag.add("TS303", text, cls.span)


def _mutable(cls: Class, bag: Bag) -> None:
    kind = effective_kind(cls, {})
    if cls.d.mutable and kind in ("tree", "dag", "const-tree"):
        text = f"{cls.d.name} is mutable, and compared by its content ({kind})"
        bag.add("TS323", text, cls.span)


def _classic(cls: Class, bag: Bag) -> None:
    for one in cls.d.fields:
        if one.structural_eq == "def-simple":
            text = f"field {one.name!r}: 'def-simple' has no classic equivalent"
            bag.add("TS326", text, _at(cls, one))
