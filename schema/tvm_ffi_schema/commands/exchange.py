# SPDX-License-Identifier: Apache-2.0
"""``export``, ``stats``, ``outputs``, ``explain`` and ``version``: facts out of a schema."""

from __future__ import annotations

import os
import sys

from .. import _version, ir_json, plan, rules
from ..diag import Bag, near
from ..ir import Span
from ..passes import slots
from ..source import shown
from ..weave import fsio, staged
from .session import OK, USAGE, Session


def export(session: Session) -> int:
    """Write the schema in its canonical JSON form, or the JSON Schema of that form."""
    if session.args.json_schema:
        from .. import ir_schema

        text = ir_schema.dumps()
    else:
        program = session.program(session.args.paths)
        if program is None or session.args.output is None:
            session.show(beside=program is not None)
            if program is not None:
                sys.stdout.write(ir_json.dumps(program.schema))
            return session.status()
        text = ir_json.dumps(program.schema)
    if session.args.output is None:
        sys.stdout.write(text)
        return OK
    path = session.args.output
    if staged.is_special(path):
        fsio.write_reported(path, text.encode(), session.bag)
        session.show()
        return session.status()
    old = None
    if os.path.exists(path):
        with open(path, "rb") as stream:
            old = stream.read()
    try:
        with fsio.lock(session.config.root):
            fsio.commit(session.config.root, [fsio.Change(path, old, text.encode())])
    except fsio.WriteError as error:
        session.bag.add(error.rule, str(error), Span(shown(path)))
    session.show()
    return session.status()


def stats(session: Session) -> int:
    """Print, for each class, its slots and the kind of type check that it gets."""
    program = session.program(session.args.paths)
    session.show(beside=program is not None)
    if program is None:
        return session.status()
    for cls in program.order:
        kind = slots.check_kind(cls)
        print(f"{cls.type_key:<32} slots {cls.slots:>4}  {len(cls.d.fields):>3} fields  {kind}")
    session.say(f"{len(program.order)} classes")
    return OK


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


def explain(session: Session) -> int:
    """Print the text of a rule."""
    name = session.args.rule.upper()
    if name not in rules.RULES:
        from .. import plugins

        plugins.load(Bag())
    if rules.find(name) is None:
        hint = near(name, [*rules.RULES, *rules.PLUGGED])
        print(f"tvm-ffi-schema: no rule {name!r}; {hint}", file=sys.stderr)
        return USAGE
    sys.stdout.write(rules.explain(name))
    return OK


def version(session: Session) -> int:
    """Print the version."""
    print(f"tvm-ffi-schema {_version.__version__}")
    return OK
