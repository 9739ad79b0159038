# SPDX-License-Identifier: Apache-2.0
"""``import``: write a schema of the types that a library, an image or a module registers."""

from __future__ import annotations

import os
import sys

from ..back import schema_source
from ..compare import registry
from ..files import fsio
from ..files.source import shown
from ..ir import Schema, Span
from ..ir import json as ir_json
from ..ir.names import is_identifier
from .session import OK, Session


def run(session: Session) -> int:
    """Write the schema as a Python file, or in its canonical JSON form."""
    args = session.args
    kind, sources = ("lib", args.lib) if args.lib else ("module", args.module)
    schema = None
    if not session.bag.has_errors:
        stem = _stem(args.output or sources[0], bool(args.module and not args.output))
        schema = registry.read(kind, sources, stem, session.bag)
    if schema is not None and not schema.modules[0].objects:
        text = f"{', '.join(sources)} registers no types"
        session.bag.add("TS005", text, Span(sources[0]))
        schema = None
    if schema is not None:
        _write(session, schema)
    session.show(beside=schema is not None and not args.output)
    return session.status()


def _stem(name: str, is_module: bool) -> str:
    """Return a name for the schema module that is made from the name of a file or Python module."""
    stem = name.rpartition(".")[2] if is_module else os.path.basename(name).partition(".")[0]
    stem = stem.replace("-", "_")
    stem = stem[3:] if stem.startswith("lib") and len(stem) > 3 else stem
    return stem if is_identifier(stem) else "imported"


def _write(session: Session, schema: Schema) -> int:
    path = session.args.output
    if path is not None and path.endswith(".json"):
        text = ir_json.dumps(schema)
    else:
        text = schema_source.emit(schema.modules[0])
    if path is None:
        sys.stdout.write(text)
        return OK
    if fsio.write_reported(path, text.encode(), session.bag):
        session.say(f"wrote {shown(path)}: {len(schema.modules[0].objects)} classes")
    return session.status()
