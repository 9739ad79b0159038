# SPDX-License-Identifier: Apache-2.0
"""Lint: check the style and the safety of a correct schema."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..diag import Bag
from ..ir import FieldDef, Span
from ..link.equality import effective_kind
from ..link.program import Class, Program
from .suppress import Suppressions

#: Rules that run only if `select` names them, since every class of a new schema violates them.
OPT_IN = frozenset(["TS310", "TS312"])
_SNAKE = re.compile(r"[a-z_][a-z0-9_]*\Z")


def run(
    program: Program,
    bag: Bag,
    options: dict[str, Any],
    dialect: str = "modern",
    others: Iterable[str] = (),
) -> None:
    """Report the findings of the selected rules, and unused suppressions.

    Parameters
    ----------
    program : Program
        The schema.
    bag : Bag
        Takes the findings. Warnings of readers in the bag are also selected and suppressed.
    options : dict[str, Any]
        ``select`` and ``ignore``: ids, or beginnings of ids. By default, ``select`` has all rules
        except `OPT_IN`.
    dialect : str
        The dialect of modules that state no dialect.
    others : Iterable[str]
        Rules that other commands check; suppressions of these rules are not reported as unused.

    """
    found = Bag()
    for cls in program.order:
        _names(cls, found)
        _documentation(cls, found)
        _safety(cls, found)
        _classic(cls, found, cls.module.dialect or dialect)
    _foreign(program, found)
    early = [item for item in bag.items if item.severity != "error"]
    bag.items = [item for item in bag.items if item.severity == "error"]
    suppressions = Suppressions(program)
    found.items = [d for d in early + found.items if not suppressions.covers(d.id, d.span)]
    suppressions.report(found, set(others))
    bag.items += [item for item in found.items if _is_selected(item.id, options)]


def _is_selected(name: str, options: dict[str, Any]) -> bool:
    if name.startswith(tuple(options.get("ignore", []))):
        return False
    if "select" not in options:
        return name not in OPT_IN
    return "ALL" in options["select"] or name.startswith(tuple(options["select"]))


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
    from ..link.program import held_classes

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
