# SPDX-License-Identifier: Apache-2.0
"""``validate``: compare hand-written C++, or a built library, with the schema."""

from __future__ import annotations

import difflib
import os
import sys

from ..back.cpp_file import FIRST_LINE
from ..compare import edits
from ..compare import validate as rules
from ..cxx import model
from ..cxx import read as reader
from ..diag import Bag, Diagnostic, Edit
from ..files import fsio, source
from ..files.source import SourceFile, shown
from ..ir import Span
from .session import FINDINGS, OK, Session

#: The suffixes of C++ files.
SUFFIXES = (".h", ".hh", ".hpp", ".hxx", ".inl", ".cuh", ".cc", ".cpp", ".cxx", ".cu", ".mm")


def validate(session: Session) -> int:
    """Report differences between C++ and the schema; with --fix, edit the C++ files."""
    if not session.args.fix:
        return _validate(session)
    # Take the lock before reading, so that no other run writes between reading and writing.
    with fsio.reported(session.bag), fsio.lock(session.config.root, session.say):
        return _validate(session)
    session.show()
    return session.status()


def _validate(session: Session) -> int:
    program = session.program(session.args.paths)
    if program is None:
        session.show()
        return session.status()
    before = len(session.bag.items)
    files: dict[str, SourceFile] = {}
    if session.args.cpp or not session.args.lib:
        files = _read(session, session.bag)
        if session.bag.has_errors:  # without an unreadable file, the comparison would be wrong
            session.show()
            return session.status()
        found = model.Sources()
        macros = session.config.export_macros, session.config.object_macros
        try:
            for path, one in session.over(files.items(), len(files), "reading"):
                reader.read(shown(path), one.text, found, *macros)
        except reader.NoParser as error:
            session.bag.add("TS013", str(error), Span("."), help=error.help)
            session.show()
            return session.status()
        rules.run(program, found, session.bag, session.args.strict)
    if session.args.lib:
        from ..compare import library

        for path in session.args.lib:
            library.check(program, path, session.bag)
    if session.args.fix or session.args.fix_dry_run:
        _fix(session, files)
    session.show()
    findings = [d for d in session.bag.items[before:] if d.severity == "error"]
    session.say(f"{len(findings)} difference{'s' * (len(findings) != 1)}")
    return session.status() or (FINDINGS if findings else OK)


def _read(session: Session, bag: Bag) -> dict[str, SourceFile]:
    """Read the named C++ files, or all C++ files below the configured roots."""
    config = session.config
    roots = session.args.cpp or [
        os.path.join(config.root, root)
        for root in (config.cpp_include_root, config.cpp_source_root)
    ]
    files = {}
    named = "" if session.args.cpp else "name the directories of the C++ files with --cpp"
    for path in below(roots, SUFFIXES, bag, help=named):
        found = source.read(path, bag, "TS120", any_bytes=True)
        if found is not None:
            files[path] = found
    return files


def below(roots: list[str], suffixes: tuple[str, ...], bag: Bag, help: str = "") -> list[str]:
    """Return the files in `roots`; for a directory, the files below it with these suffixes.

    A file below several roots is returned once: what it declares would seem to be declared twice.
    """
    paths: list[str] = []
    for root in roots:
        if os.path.isfile(root):
            paths.append(root)
        elif os.path.isdir(root):
            for folder, _, names in sorted(os.walk(root)):
                paths += [os.path.join(folder, n) for n in sorted(names) if n.endswith(suffixes)]
        else:
            bag.add("TS120", f"there is no {shown(root)}", Span(shown(root)), help=help)
    return list({os.path.realpath(path): path for path in reversed(paths)}.values())[::-1]


def _fix(session: Session, files: dict[str, SourceFile]) -> None:
    by_file: dict[str, list[Diagnostic]] = {}
    for item in session.bag.items:
        if item.fix:
            by_file.setdefault(item.fix[0].span.file, []).append(item)
    changes = []
    refused = 0
    for path, one in files.items():
        found = by_file.get(shown(path), [])
        whole = FIRST_LINE in one.text.partition("\n")[0]
        generated = edits.generated_lines(shown(path), one.text, whole) if found else set()
        free = [d for d in found if not any(e.span.line in generated for e in d.fix)]
        refused += len(found) - len(free)
        if not free:
            continue
        text = apply(one.text, [edit for item in free for edit in item.fix])
        try:
            data = one.encode(text)
        except UnicodeEncodeError:
            problem = f"{shown(path)} is not UTF-8 text, and cannot hold what the schema says"
            session.bag.add("TS120", problem, Span(shown(path)))
            continue
        if session.args.fix_dry_run:
            pair = one.text.splitlines(keepends=True), text.splitlines(keepends=True)
            name = shown(path)
            sys.stdout.writelines(difflib.unified_diff(*pair, f"a/{name}", f"b/{name}"))
        else:
            changes.append(fsio.Change(path, one.encode(one.text), data))
    with fsio.reported(session.bag):
        fsio.commit(session.config.root, changes)
        _say_changed(session, len(changes), refused)


def _say_changed(session: Session, count: int, refused: int) -> None:
    if refused:
        session.say(f"{refused} of the places are generated text; run tvm-ffi-schema generate")
    if count:
        session.say(f"changed {count} file{'s' * (count != 1)}; run validate again")


def apply(text: str, edits: list[Edit]) -> str:
    """Apply edits to a text; of edits that overlap, apply only the one that begins last."""
    starts = [0]
    for at, char in enumerate(text):
        if char == "\n":
            starts.append(at + 1)
    starts.append(len(text))  # for an edit that ends at the end of a text without a last newline
    ranges = []
    for edit in edits:
        first = starts[edit.span.line - 1] + edit.span.col - 1
        last = starts[edit.span.end_line - 1] + edit.span.end_col - 1
        ranges.append((first, last, edit.text))
    border = len(text) + 1
    eol = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    for first, last, new in sorted(set(ranges), reverse=True):
        new = new.replace("\n", eol)
        if last <= border:
            text = text[:first] + new + text[last:]
            border = first if first != last else border
    return text
