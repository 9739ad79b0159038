# SPDX-License-Identifier: Apache-2.0
"""``promote``: C++ for classes that were defined in Python, whose file stays as it is."""

from __future__ import annotations

import dataclasses
import os

from .. import plan
from ..passes import layout
from ..passes.program import Program
from ..source import shown
from ..weave import fsio
from .session import OK, Session


def promote(session: Session) -> int:
    """Write header and source for the classes of a file, and say what is different afterwards."""
    args = session.args
    program = session.program([args.file])
    if program is None:
        session.show()
        return session.status()
    config = dataclasses.replace(
        session.config,
        root=args.cpp,
        mode="full",
        outputs=["cpp"],
        cpp_include_root="include",
        cpp_source_root=".",
    )
    made = plan.make(config, program, session.bag, plan.Options())
    if not session.bag.has_errors:
        try:
            os.makedirs(args.cpp, exist_ok=True)
            with fsio.lock(args.cpp):
                fsio.commit(args.cpp, made.changes())
        except fsio.WriteError as error:
            from ..ir import Span

            session.bag.add(error.rule, str(error), Span(shown(error.path)))
    session.show()
    if session.bag.has_errors:
        return session.status()
    for change in made.changes():
        print(f"wrote {shown(change.path)}")
    for line in report(program):
        print(line)
    return OK


def report(program: Program) -> list[str]:
    """Return what a promotion changes: methods that stay in Python, fields that move.

    A class that Python defines stores optional and union fields as a value of 16 bytes; in C++ an
    optional of an object takes 8.
    """
    lines = []
    for cls in program.order:
        for method in cls.d.methods:
            if not method.native:
                lines.append(f"{cls.type_key}.{method.name} stays in Python")
        wide = dataclasses.replace(
            cls.d,
            fields=tuple(
                dataclasses.replace(one, storage="any")
                if one.type.origin in ("Optional", "Union") and not one.storage
                else one
                for one in cls.d.fields
            ),
        )
        native = layout.compute(cls, program)
        narrow, cls.d = cls.d, wide
        before = layout.compute(cls, program)
        cls.d = narrow
        places = {slot.name: slot for slot in native.slots}
        for slot in before.slots:
            now = places.get(slot.name)
            if now is not None and (now.offset, now.size) != (slot.offset, slot.size):
                lines.append(
                    f"{cls.type_key}.{slot.name} moves from {slot.offset} ({slot.size} bytes) "
                    f'to {now.offset} ({now.size}); storage="any" keeps it'
                )
    return lines
