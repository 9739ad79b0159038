# SPDX-License-Identifier: Apache-2.0
"""Lint: style and safety of a schema that is correct."""

from __future__ import annotations

import re
from typing import Any

from ..diag import Bag
from ..ir import FieldDef, Span
from .equality import effective_kind
from .program import Class, Program

_SNAKE = re.compile(r"[a-z_][a-z0-9_]*\Z")


def run(program: Program, bag: Bag, options: dict[str, Any], dialect: str = "modern") -> None:
    """Report what the selected rules find; suppressions that suppress nothing are reported too."""
    found = Bag()
    for cls in program.order:
        _names(cls, found)
        _documentation(cls, found)
        _safety(cls, found)
        _classic(cls, found, cls.module.dialect or dialect)
    for foreign in program.foreign.values():
        used = foreign.used or _is_held(program, foreign.type_key)
        if not foreign.is_runtime and not used and foreign.span is not None:
            text = f"nothing uses the extern {foreign.type_key}"
            found.add("TS330", text, foreign.span)
    _filtered(program, found, bag, options)


def _filtered(program: Program, found: Bag, bag: Bag, options: dict[str, Any]) -> None:
    select = options.get("select", ["ALL"])
    ignore = options.get("ignore", [])
    spent: set[tuple[str, str]] = set()
    for item in found.items:
        cls = _class_at(program, item.span)
        if cls is not None and item.id in cls.d.allow:
            spent.add((cls.type_key, item.id))
        elif item.id not in ignore and ("ALL" in select or item.id in select):
            bag.items.append(item)
    for cls in program.order:
        for rule in cls.d.allow:
            if rule.startswith("TS") and (cls.type_key, rule) not in spent:
                bag.add("TS331", f"nothing here raises {rule}", cls.span)


def _class_at(program: Program, span: Span) -> Class | None:
    """Return the class that a place lies in: the last one that begins before it in that file."""
    best = None
    for cls in program.order:
        if cls.span.file == span.file and cls.span.line <= span.line:
            best = cls if best is None or cls.span.line > best.span.line else best
    return best


def _is_held(program: Program, key: str) -> bool:
    from .program import held_classes

    return any(
        key in held_classes(one.type) for cls in program.classes.values() for one in cls.d.fields
    )


def _at(cls: Class, one: FieldDef) -> Span:
    return one.span or cls.span


def _names(cls: Class, bag: Bag) -> None:
    if not cls.obj.endswith(("Node", "Obj")):
        bag.add("TS301", f"object class {cls.obj} does not end in Node or Obj", cls.span)
    for one in cls.d.fields:
        if not _SNAKE.match(one.name) and not one.mixin:
            bag.add("TS302", f"field {one.name!r} is not in lower case", _at(cls, one))
    last = cls.namespace.rpartition("::")[2]
    head = cls.type_key.partition(".")[0]
    if "." in cls.type_key and last and head != last and head not in cls.namespace.split("::"):
        text = f"type key {cls.type_key!r} is outside the namespace {cls.namespace}"
        bag.add("TS303", text, cls.span)


def _documentation(cls: Class, bag: Bag) -> None:
    if not cls.d.doc.summary:
        bag.add("TS310", f"{cls.d.name} has no summary", cls.span)
    for one in cls.d.fields:
        if not one.doc and one.reflect and not one.mixin:
            bag.add("TS312", f"field {one.name!r} is not described", _at(cls, one))


def _safety(cls: Class, bag: Bag) -> None:
    for one in cls.d.fields:
        if one.type.origin == "Any":
            bag.add("TS321", f"field {one.name!r} takes anything", _at(cls, one))
    if bool(cls.d.s_equal) != bool(cls.d.s_hash):
        given, missing = ("s_equal", "s_hash") if cls.d.s_equal else ("s_hash", "s_equal")
        bag.add("TS324", f"{cls.d.name} names {given}, but no {missing}", cls.span)
    kind = effective_kind(cls, {})
    if cls.d.mutable and kind in ("tree", "dag", "const-tree"):
        text = f"{cls.d.name} is mutable, and compared by its content ({kind})"
        bag.add("TS323", text, cls.span)


def _classic(cls: Class, bag: Bag, dialect: str) -> None:
    if dialect != "classic":
        return
    for one in cls.d.fields:
        if one.structural_eq == "def-simple":
            text = f"field {one.name!r}: 'def-simple' has no classic equivalent"
            bag.add("TS326", text, _at(cls, one))
