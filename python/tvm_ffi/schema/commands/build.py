# SPDX-License-Identifier: Apache-2.0
"""``build``: a library, an object file or an image straight from the schema."""

from __future__ import annotations

import dataclasses
import os
import shutil
import tempfile

from ... import libinfo
from .. import plan, toolchain
from ..ir import Span
from ..passes.program import Program
from ..source import shown
from ..weave import fsio
from .session import OK, USAGE, Session


def build(session: Session) -> int:
    """Generate C++ into a scratch directory, compile it, and put the result in place."""
    args = session.args
    if not args.output.endswith((".so", ".dylib", ".dll", ".o", ".tfs")):
        text = f"{args.output}: the name must end in .so, .dylib, .dll, .o or .tfs"
        session.bag.add("TS603", text, Span(shown(args.output)))
        session.show()
        return USAGE
    program = session.program(args.paths)
    if program is None:
        session.show()
        return session.status()
    if args.output.endswith(".tfs"):
        return _image(session, program)
    with tempfile.TemporaryDirectory(prefix="tschema-") as scratch:
        config = dataclasses.replace(
            session.config,
            root=scratch,
            mode="full",
            outputs=["cpp"],
            cpp_source_root=".",
            cpp_include_root="include",
        )
        made = plan.make(config, program, session.bag, plan.Options())
        if not session.bag.has_errors:
            _compile(session, made, scratch)
        if args.keep_sources:
            shutil.copytree(scratch, args.keep_sources, dirs_exist_ok=True)
    session.show()
    if not session.bag.has_errors:
        session.say(f"wrote {shown(args.output)}")
        return OK
    return session.status()


def _image(session: Session, program: Program) -> int:
    """Write an image, for which no compiler is needed."""
    from ..back import image

    path = session.args.output
    data = image.emit(program, session.bag, session.config.embed_ir)
    if not session.bag.has_errors:
        fsio.write_reported(path, data, session.bag)
    session.show()
    if not session.bag.has_errors:
        session.say(f"wrote {shown(path)}")
    return session.status()


def _compile(session: Session, made: plan.Plan, scratch: str) -> None:
    sources = []
    for output in made.outputs:
        os.makedirs(os.path.dirname(output.path), exist_ok=True)
        with open(output.path, "wb") as stream:
            stream.write(_without_stubs(output.new or b"", bool(session.args.sources)))
        if output.path.endswith((".cc", ".cpp")):
            sources.append(output.path)
    sources += list(session.args.sources or ())
    includes = [
        os.path.join(scratch, "include"),
        libinfo.find_include_path(),
        libinfo.find_dlpack_include_path(),
    ]
    output = os.path.abspath(session.args.output)
    os.makedirs(os.path.dirname(output), exist_ok=True)
    toolchain.build(sources, output, includes, scratch, session.args.debug, session.bag)


def _without_stubs(data: bytes, has_sources: bool) -> bytes:
    """Remove the bodies that only throw when the user brings the real ones."""
    if not has_sources:
        return data
    kept: list[bytes] = []
    inside = False
    for line in data.splitlines(keepends=True):
        if b"tschema: custom-begin" in line and b"method:" in line:
            inside = True
        if not inside:
            kept.append(line)
        if b"tschema: custom-end" in line:
            inside = False
    return b"".join(kept)
