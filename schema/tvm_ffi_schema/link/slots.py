# SPDX-License-Identifier: Apache-2.0
"""Compute child slots: the number of type indices that a class reserves after its own index."""

from __future__ import annotations

from ..diag import Bag
from .program import Class, Foreign, Program


def assign(program: Program, bag: Bag) -> None:
    """Compute the child slots of every class from its subclasses, and check stated numbers."""
    for cls in _children_first(program):
        needed = sum(1 + child.slots for child in cls.children)
        stated = cls.d.child_slots
        if stated.startswith("auto"):
            extra = int(stated[5:] or 0) if stated.startswith("auto+") else 0
            cls.slots = needed + extra
        else:
            cls.slots = int(stated)
            if cls.slots < needed and cls.d.sealed:
                text = (
                    f"{cls.d.name} is sealed with {cls.slots} slots, its subclasses need {needed}"
                )
                bag.add("TS211", text, cls.span, help='write  child_slots = "auto"')
        if cls.final:
            cls.slots = 0
    for cls in program.classes.values():
        _check_parent(cls, bag)
    for foreign in program.foreign.values():
        needed = sum(1 + child.slots for child in foreign.children)
        if foreign.slots > 0 and not foreign.is_runtime and needed > foreign.slots:
            bag.add(
                "TS210",
                f"{foreign.type_key} reserves {foreign.slots} child slots, "
                f"{needed - foreign.slots} fewer than its subclasses here need",
                foreign.span or foreign.children[0].span,
                help="some of them will be checked more slowly; ask its owner for more slots",
            )


def _check_parent(cls: Class, bag: Bag) -> None:
    parent = cls.parent
    if parent.slots > 0 and cls.slots >= parent.slots:
        bag.add(
            "TS213",
            f"{cls.d.name} reserves {cls.slots} child slots, its parent {cls.d.parent} only "
            f"{parent.slots}; a child must reserve fewer",
            cls.span,
        )


def _children_first(program: Program) -> list[Class]:
    order: list[Class] = []
    stack = [c for c in program.classes.values() if isinstance(c.parent, Foreign)]
    while stack:
        cls = stack.pop()
        order.append(cls)
        stack.extend(cls.children)
    return order[::-1]


def must_state(cls: Class) -> bool:
    """Return whether a class must state its child slots, because it inherits a wrong number."""
    if cls.final:
        return False
    if cls.slots:
        return True
    at = cls.parent
    while isinstance(at, Class):
        if at.slots:
            return True
        at = at.parent
    return at.slots != 0
