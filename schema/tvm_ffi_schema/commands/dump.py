# SPDX-License-Identifier: Apache-2.0
"""``dump``: what a built file, an image or an IR file says, without loading it."""

from __future__ import annotations

import sys

from .. import ir_json
from ..back import schema_source
from ..passes import layout
from ..passes.program import Program
from .session import Session


def dump(session: Session) -> int:
    """Print the schema: as canonical JSON, as schema source, or as a table of layouts."""
    program = session.program(session.args.paths)
    session.show()
    if program is None:
        return session.status()
    if session.args.form == "json":
        sys.stdout.write(ir_json.dumps(program.schema))
    elif session.args.form == "schema":
        for module in program.schema.modules:
            sys.stdout.write(f"# ---- {module.stem}.py\n{schema_source.emit(module)}")
    else:
        for line in _layouts(program):
            print(line)
    return session.status()


def _layouts(program: Program) -> list[str]:
    lines: list[str] = []
    for cls in program.order:
        found = layout.compute(cls, program)
        size = found.opaque or f"{found.size} bytes"
        lines.append(f"{cls.type_key} ({cls.parent.type_key}): {size}")
        lines += [f"  {s.offset:>5} {s.size:>3}  {s.name}: {s.carrier}" for s in found.slots]
    return lines
