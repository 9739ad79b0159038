# SPDX-License-Identifier: Apache-2.0
"""``export`` and ``outputs``: print facts about a schema."""

from __future__ import annotations

import sys

from ..files import fsio
from ..files.source import shown
from ..ir import json as ir_json
from ..link.program import Program
from ..weave import plan
from .session import OK, Session


def export(session: Session) -> int:
    """Print a schema: as canonical JSON, as schema source, or as a table of layouts."""
    args = session.args
    program = session.program(args.paths)
    if program is None:
        session.show()
        return session.status()
    text = _text_of(program, args.form)
    if args.output is None:
        session.show(beside=True)
        sys.stdout.write(text)
    else:
        fsio.write_reported(args.output, text.encode(), session.bag)
        session.show()
    return session.status()


def _text_of(program: Program, form: str) -> str:
    if form == "json":
        return ir_json.dumps(program.schema)
    if form == "schema":
        from ..back import schema_source

        modules = program.schema.modules
        return "".join(f"# ---- {m.stem}.py\n{schema_source.emit(m)}" for m in modules)
    return "".join(f"{line}\n" for line in _layouts(program))


def _layouts(program: Program) -> list[str]:
    from ..link import layout

    lines: list[str] = []
    for cls in program.order:
        found = layout.compute(cls, program)
        size = found.opaque or f"{found.size} bytes"
        lines.append(f"{cls.type_key} ({cls.parent.type_key}): {size}")
        lines += [f"  {s.offset:>5} {s.size:>3}  {s.name}: {s.carrier}" for s in found.slots]
    return lines


def outputs(session: Session) -> int:
    """Print the files that `generate` writes."""
    program = session.program(session.args.paths)
    if program is None:
        session.show()
        return session.status()
    made = plan.make(session.config, program, session.bag, plan.Options())
    names = sorted({shown(o.path) for o in made.outputs})
    print((";" if session.args.list == "cmake" else "\n").join(names))
    return OK
