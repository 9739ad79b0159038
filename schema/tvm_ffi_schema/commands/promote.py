# SPDX-License-Identifier: Apache-2.0
"""``promote``: write C++ for classes that are defined in Python; the Python file is unchanged."""

from __future__ import annotations

import dataclasses
import os

from ..diag import near
from ..files import fsio
from ..files.source import shown
from ..ir import Schema, Span
from ..link import layout, reader
from ..link.program import Program, held_classes
from ..weave import plan
from .session import OK, Session


def promote(session: Session) -> int:
    """Write a header and a source for the classes of a file; print the differences to Python."""
    args = session.args
    program = _program(session, *_target(args.file))
    if program is None:
        session.show()
        return session.status()
    config = dataclasses.replace(
        session.config,
        root=args.cpp,
        mode="full",
        outputs=["cpp"],
        cpp_include_root="include",
        cpp_source_root="src",
    )
    made = plan.make(config, program, session.bag, plan.Options())
    if not session.bag.has_errors:
        with fsio.reported(session.bag), fsio.lock(args.cpp, session.say):
            fsio.commit(args.cpp, made.changes())
    session.show()
    if session.bag.has_errors:
        return session.status()
    for change in made.changes():
        print(f"wrote {shown(change.path)}")
    for line in report(program):
        print(line)
    return OK


def _target(text: str) -> tuple[str, str]:
    """Return (file or module, class name); the class name may be empty."""
    name, colon, cls = text.rpartition(":")
    is_class = colon and cls.isidentifier() and not os.path.exists(text)
    return (name, cls) if is_class else (text, "")


def _program(session: Session, source: str, name: str) -> Program | None:
    """Read the class `name` and the classes that it needs, or all classes if `name` is empty.

    Return None if an error was reported.
    """
    program = session.program([source])
    if program is None or not name:
        return program
    schema = _alone(session, program.schema, name)
    return None if schema is None else reader.linked(schema, session.bag)


def _alone(session: Session, schema: Schema, name: str) -> Schema | None:
    """Return a schema with one class and all classes that the class needs."""
    classes = {one.type_key: one for module in schema.modules for one in module.objects}
    todo = [key for key, one in classes.items() if name in (one.name, key.rpartition(".")[2])]
    if not todo:
        known = [key.rpartition(".")[2] for key in classes]
        session.bag.add("TS027", f"there is no class {name!r}", _TOP, help=near(name, known))
        return None
    kept: set[str] = set()
    while todo:
        key = todo.pop()
        if key in classes and key not in kept:
            kept.add(key)
            types = [one.type for one in classes[key].fields]
            todo += [
                classes[key].parent,
                *(used for type_ in types for used in held_classes(type_)),
            ]
    modules = [
        dataclasses.replace(m, objects=tuple(o for o in m.objects if o.type_key in kept))
        for m in schema.modules
    ]
    return Schema(tuple(modules))


_TOP = Span(".")


def report(program: Program) -> list[str]:
    """Return the differences between the classes in C++ and in Python, one per line.

    Some methods remain in Python, and some fields get another offset: a class that is defined in
    Python stores optional and union fields in 16 bytes, but C++ stores an optional object in 8.
    """
    lines = []
    for cls in program.order:
        for method in cls.d.methods:
            if not method.native:
                lines.append(f"{cls.type_key}.{method.name} stays in Python")
        for name in sorted(cls.refused):
            lines.append(f"{cls.type_key}.{name} has the default None, which its type refuses")
        places = {slot.name: slot for slot in layout.compute(cls, program).slots}
        for slot in layout.compute(cls, program, in_python=True).slots:
            now = places.get(slot.name)
            if now is not None and (now.offset, now.size) != (slot.offset, slot.size):
                lines.append(
                    f"{cls.type_key}.{slot.name} moves from {slot.offset} ({slot.size} bytes) "
                    f"to {now.offset} ({now.size})"
                )
    return lines
