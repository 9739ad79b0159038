# SPDX-License-Identifier: Apache-2.0
"""``build``: make a library, an object file, an archive or an image from a schema."""

from __future__ import annotations

import dataclasses
import functools
import os
import shutil
import tempfile
from typing import Any

from ..build import toolchain
from ..config import Config
from ..files import fsio, runtime
from ..files.source import shown
from ..ir import Span
from ..link.program import Program
from . import seeded
from .session import Session

_LIBRARIES = (".so", ".dylib", ".dll", ".o", ".a")
#: Text that identifies a generated method body that only throws.
_STUB = b' is not implemented";'
_SUFFIXES = (*_LIBRARIES, ".tfs")


def build(session: Session) -> int:
    """Build in a scratch directory; write the output file only after the build succeeded."""
    args = session.args
    _check_arguments(session)
    program = session.program(args.paths)
    if program is None or session.bag.has_errors:
        session.show()
        return session.status()
    if args.output.endswith(".tfs"):
        return _image(session, program)
    with tempfile.TemporaryDirectory(prefix="tschema-") as scratch:
        built = _make(session, program, os.path.realpath(scratch))
        if built is not None:
            _place(session, args.output, built)
    session.show()
    if not session.bag.has_errors:
        session.say(f"wrote {shown(args.output)}")
    return session.status()


def _place(session: Session, path: str, built: str) -> None:
    """Copy the file `built` to the output path; write the complete file or nothing."""
    with open(built, "rb") as stream:
        data = stream.read()
    if fsio.write_reported(path, data, session.bag):
        os.chmod(path, os.stat(built).st_mode & 0o777)


# --- arguments


def _check_arguments(session: Session) -> None:
    args = session.args
    where = Span(shown(args.output))
    if not args.output.endswith(_SUFFIXES):
        text = f"{args.output}: the name must end in {', '.join(_SUFFIXES[:-1])} or .tfs"
        session.bag.add("TS610", text, where, help="for a library, name the output .so")
        return
    _check_output(session, args.output)
    if args.output.endswith(".tfs") and args.sources:
        text = f"{args.output} is an image, which holds no code; --sources is for libraries"
        session.bag.add("TS610", text, where, help="name the output .so")
    for path in args.sources or ():
        if path.endswith((".py", ".json")):
            text = f"{path} is a schema file, no C++ source"
            help_ = "write schema files before --sources"
            session.bag.add("TS611", text, Span(shown(path)), help=help_)
        elif not os.path.isfile(path):
            session.bag.add("TS611", f"there is no file {path!r}", Span(shown(path)))
        elif seeded.is_generated(path):
            text = f"{shown(path)} is generated, and made again with its custom sections"
            help_ = "leave it out; --sources is for C++ that the tool has not written"
            session.bag.add("TS611", text, Span(shown(path)), help=help_)


def _check_output(session: Session, output: str) -> None:
    """Report an output path to which the command cannot write."""
    where = Span(shown(output))
    folder = os.path.dirname(os.path.abspath(output))
    if os.path.isdir(output):
        text = f"cannot write {shown(output)}: it is a directory"
        session.bag.add("TS118", text, where)
        return
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        text = f"cannot write {shown(output)}: {shown(folder)} is not a writable directory"
        session.bag.add("TS118", text, where)


# --- building


def _image(session: Session, program: Program) -> int:
    """Write an image, which needs no compiler."""
    from ..back import image

    path = session.args.output
    data = image.emit(program, session.bag, session.config.embed_ir)
    if not session.bag.has_errors:
        fsio.write_reported(path, data, session.bag)
    session.show()
    if not session.bag.has_errors:
        session.say(f"wrote {shown(path)}")
    return session.status()


def _make(session: Session, program: Program, scratch: str) -> str | None:
    """Build a file; return its path, or None after an error."""
    args = session.args
    tree = os.path.join(scratch, "tree")
    inside = _inside(session, tree)
    sources = _generate(session, program, inside)
    built = os.path.join(scratch, os.path.basename(args.output))
    done = not session.bag.has_errors and _compile(session, sources, inside, scratch, built)
    kept = not args.keep_sources or _keep(session, tree)
    return built if done and kept else None


def _inside(session: Session, tree: str) -> Config:
    """Return the configuration for generating files in the directory `tree`."""
    return dataclasses.replace(
        session.config,
        root=tree,
        mode="full",
        outputs=["cpp", "ir"],
        cpp_source_root="src",
        cpp_include_root="include",
        export="TVM_FFI_DLL_EXPORT",
    )


def _generate(session: Session, program: Program, inside: Config) -> list[str]:
    """Write the generated files; return the C++ sources."""
    sources = []
    for output in seeded.outputs(session.config, inside, program, session.bag):
        os.makedirs(os.path.dirname(output.path), exist_ok=True)
        with open(output.path, "wb") as stream:
            data = (output.old if output.new is None else output.new) or b""
            stream.write(_without_stubs(data, bool(session.args.sources)))
        if output.path.endswith((".cc", ".cpp")):
            sources.append(output.path)
    return sorted(sources)


def _compile(
    session: Session, sources: list[str], inside: Config, scratch: str, built: str
) -> bool:
    args, tree = session.args, inside.root
    libinfo = runtime.module("libinfo", "compiling", Span(shown(args.output)), session.bag)
    if libinfo is None:
        return False
    own = [os.path.abspath(path) for path in args.sources or ()]
    headers_of_runtime = [libinfo.find_include_path(), libinfo.find_dlpack_include_path()]
    # Sources may include headers of the project for classes that are not generated. The compiler
    # searches the generated headers first.
    headers = os.path.abspath(os.path.join(session.config.root, session.config.cpp_include_root))
    prefixes = {os.path.dirname(path): "." for path in own if os.path.dirname(path) != os.sep}
    prefixes.update({headers: "include", scratch: ".", tree: "."})
    prefixes.update(dict.fromkeys(headers_of_runtime, "tvm_ffi/include"))
    return toolchain.build(
        toolchain.Work(
            sources=[*sources, *own],
            output=built,
            shown=shown(args.output),
            scratch=scratch,
            includes=[os.path.join(tree, "include"), *dict.fromkeys(headers_of_runtime), headers],
            prefixes=prefixes,
            debug=args.debug,
            jobs=args.jobs or 0,
            verbose=args.verbose,
            origin=functools.partial(seeded.origin, session.config, inside),
            runtime=_library(libinfo) if own and built.endswith(".so") else "",
        ),
        session.bag,
    )


def _library(libinfo: Any) -> str:
    """Return the path of the runtime library; empty if the library is not found."""
    try:
        return str(libinfo.find_libtvm_ffi())
    except (RuntimeError, OSError):
        return ""


def _keep(session: Session, tree: str) -> bool:
    folder = session.args.keep_sources
    try:
        shutil.copytree(tree, folder, dirs_exist_ok=True)
    except OSError as error:  # `shutil.Error` is an OSError, too
        reason = error.strerror or str(error)
        text = f"cannot write {shown(folder)}: {reason}"
        session.bag.add("TS118", text, Span(shown(folder)))
        return False
    return True


def _without_stubs(data: bytes, has_sources: bool) -> bytes:
    """Remove generated method bodies that only throw, if the user passes sources with bodies."""
    if not has_sources:
        return data
    kept: list[bytes] = []
    section: list[bytes] = []
    for line in data.splitlines(keepends=True):
        is_first = b"tschema: custom-begin" in line and b"method:" in line
        if not (section or is_first):
            kept.append(line)
            continue
        section.append(line)
        if b"tschema: custom-end" in line:
            kept += [] if _STUB in b"".join(section) else section
            section = []
    return b"".join([*kept, *section])
