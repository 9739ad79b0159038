# SPDX-License-Identifier: Apache-2.0
"""``adopt``: write a schema for hand-written C++, and insert markers into the C++ files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from ...config import Config
from ...cxx.model import last_name
from ...cxx.read import NoParser
from ...files import fsio, source
from ...files.paths import relative
from ...files.source import SourceFile, shown
from ...ir import Module, Span
from ..session import Session
from ..validate import SUFFIXES, below
from .adoption import Adoption, Stuck

_CONFIG = """\
# The files below are yours; `tvm-ffi-schema generate` writes between the markers in them.
mode = "inplace"
sources = ["{source}"]
inplace = [
{files}]
"""
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl", ".cuh")
#: The default path of the schema file, relative to the root of the project.
_OUTPUT = "schema/adopted.py"


def run(session: Session) -> int:
    """Write the schema and the C++ files with markers; after an error, write no file."""
    if session.args.dry_run:
        _adopt(session)
    else:
        # Take the lock before reading, so that no other run writes between reading and writing.
        with fsio.reported(session.bag), fsio.lock(session.config.root, session.say):
            _adopt(session)
    session.show()
    return session.status()


def _adopt(session: Session) -> None:
    files = _read(session)
    output = session.args.output or _usual_output(session)
    _check_project(session, [*files, output])
    if not output.endswith(".py"):
        text = f"-o takes a Python file, found {output!r}"
        session.bag.add("TS011", text, Span("."), help="write for example  -o schema/ir.py")
    known = _known(session, output)
    if session.bag.has_errors:
        return
    _choose_roots(session.config, files)
    try:
        work = Adoption(files, session.config, output, known)
        work.run()
    except NoParser as error:
        session.bag.add("TS013", str(error), Span("."), help=error.help)
        return
    except Stuck as error:
        session.bag.add("TS441", str(error), Span(shown(output)))
        return
    _report_refused(session, work)
    if not work.found.candidates:
        _nothing(session, work, len(files))
        return
    changes = _changes(session, work, output)
    if not session.status():
        _write(session, work, changes)


def _usual_output(session: Session) -> str:
    """Return the schema file of the project; the default path if there is not exactly one."""
    files = session.config.files()
    only = files[0] if len(files) == 1 and files[0].endswith(".py") else _OUTPUT
    return only if files[:1] == [only] else os.path.join(session.config.root, only)


def _read(session: Session) -> dict[str, SourceFile]:
    """Read the named C++ files, and the C++ files in the named directories."""
    files: dict[str, SourceFile] = {}
    seen: set[str] = set()
    for path in below(session.args.paths, SUFFIXES, session.bag):
        path = source.near(path)
        if os.path.realpath(path) in seen:
            continue
        seen.add(os.path.realpath(path))
        found = source.read(path, session.bag, "TS120")
        if found is not None:
            files[path] = found
    if not seen and not session.bag.has_errors:
        text = f"there is no C++ file in {', '.join(session.args.paths)}"
        session.bag.add("TS441", text, Span(shown(session.args.paths[0])))
    return files


def _check_project(session: Session, paths: list[str]) -> None:
    """Report files outside of the project, which the configuration cannot name."""
    root = os.path.realpath(session.config.root)
    for path in paths:
        if not os.path.realpath(path).startswith(root + os.sep):
            text = f"{shown(path)} is outside of the project, which is {root}"
            help_ = "run the command in a directory that holds the C++ files and the schema"
            session.bag.add("TS011", text, Span(shown(path)), help=help_)


def _known(session: Session, output: str) -> list[Module]:
    """Return the existing modules of the schema; report why no class can be added to them."""
    config = session.config
    if config.path and config.mode != "inplace":
        text = "adopted classes are generated in place, and the mode of this project is full"
        session.bag.add("TS011", text, config.place("mode"), help='write  mode = "inplace"')
    files = config.files()
    if files and not config.path and not session.bag.has_errors:
        text = f"{shown(files[0])} is a schema file of whole generated files already"
        help_ = 'write  mode = "inplace"  into tschema.toml, or move the schema file away'
        session.bag.add("TS011", text, Span(shown(files[0])), help=help_)
    if os.path.exists(output) and not any(
        os.path.realpath(output) == os.path.realpath(path) for path in files
    ):
        text = f"{shown(output)} is there already, and is not a schema file of this project"
        session.bag.add("TS011", text, Span(shown(output)), help="name another file with -o")
    if not files or session.bag.has_errors:
        return []
    program = session.program([])
    return list(program.schema.modules) if program is not None else []


def _report_refused(session: Session, work: Adoption) -> None:
    families: dict[str, list[str]] = {}
    for full, error in work.found.refused.items():
        families.setdefault(error.family or full, []).append(last_name(full))
    for full, error in work.found.refused.items():
        group = families.pop(error.family or full, [])
        if group:
            text = str(error)
            if group[1:]:
                text += f"; so do {', '.join(group[1:9])}"
                text += f" and {len(group) - 9} more classes" if group[9:] else ""
            session.bag.add("TS440", text, error.span, help=error.help)


def _nothing(session: Session, work: Adoption, count: int) -> None:
    """Print the reason why no class is adopted."""
    adopted = len(work.found.adopted)
    if adopted and not work.found.refused:
        session.say(f"nothing to adopt: {_classes(adopted)} adopted already")
    elif adopted or work.found.refused:
        left = len(work.found.refused)
        text = f"no class can be adopted: {_classes(left)} left alone"
        text += f", {_classes(adopted)} adopted already" if adopted else ""
        if adopted:
            session.say(text)
        else:
            session.bag.add("TS441", text, Span(shown(session.args.paths[0])))
    else:
        text = f"there is no object class in {count} C++ file{'s' * (count != 1)}"
        help_ = "an object class has a macro such as TVM_FFI_DECLARE_OBJECT_INFO in its body"
        session.bag.add("TS441", text, Span(shown(session.args.paths[0])), help=help_)


def _classes(count: int) -> str:
    return f"{count} class is" if count == 1 else f"{count} classes are"


def _choose_roots(config: Config, files: Iterable[str]) -> None:
    """If there is no configuration file, set the roots to common directories of the files."""
    if config.path:
        return
    names = [_from_root(config.root, path) for path in files]
    for key, is_header in (("cpp_include_root", True), ("cpp_source_root", False)):
        usual = f"{getattr(config, key)}/"
        own = [name for name in names if name.endswith(_HEADERS) == is_header]
        if own and not all(name.startswith(usual) for name in own):
            common = os.path.commonpath([os.path.dirname(name) or "." for name in own])
            setattr(config, key, common.replace(os.sep, "/") or ".")


def _changes(session: Session, work: Adoption, output: str) -> list[fsio.Change]:
    """Return the files to write with their changes; report files that `generate` would skip."""
    config = session.config
    changes = [fsio.Change(one.path, one.old, one.new) for one in work.outputs if one.new]
    old_schema = None
    if os.path.exists(output):
        with open(output, "rb") as stream:
            old_schema = stream.read()
    changes.insert(0, fsio.Change(output, old_schema, work.schema_text.encode()))
    names = [_from_root(config.root, change.path) for change in changes[1:]]
    if not config.path:
        listed = "".join(f'    "{name}",\n' for name in sorted(names))
        text = _CONFIG.format(source=_from_root(config.root, output), files=listed)
        for key in ("cpp_include_root", "cpp_source_root", "ffi_alias"):
            if getattr(config, key) != getattr(Config(), key):
                text += f'{key} = "{getattr(config, key)}"\n'
        changes.append(fsio.Change(os.path.join(config.root, "tschema.toml"), None, text.encode()))
        return changes
    _check_named(session, "inplace", config.inplace, names)
    _check_named(session, "sources", config.sources, [_from_root(config.root, output)])
    return changes


def _check_named(session: Session, key: str, patterns: list[str], names: list[str]) -> None:
    """Report files that no pattern of a configuration key matches; `generate` would skip them."""
    config = session.config
    missing = [name for name in names if not any(_matches(name, one) for one in patterns)]
    if missing:
        text = f"{key} does not name {', '.join(missing)}"
        listed = ", ".join(f'"{name}"' for name in [*patterns, *missing])
        session.bag.add("TS011", text, config.place(key), help=f"write  {key} = [{listed}]")


def _matches(name: str, pattern: str) -> bool:
    """Return whether `glob` will find a file by a pattern once the file exists."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", os.path.normpath(pattern).replace(os.sep, "/"))
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.fullmatch("".join(words.get(one, re.escape(one)) for one in parts), name) is not None


def _from_root(root: str, path: str) -> str:
    return relative(os.path.realpath(path), os.path.realpath(root))


def _write(session: Session, work: Adoption, changes: list[fsio.Change]) -> None:
    is_dry = session.args.dry_run
    if not is_dry:
        session.show_text()  # before writing, because findings show excerpts of the old files
        fsio.commit(session.config.root, changes)
    for one in work.found.candidates.values():
        session.tell(f"adopted  {one.key} ({one.found.full})")
    for one in work.found.candidates.values():
        if one.by_hand:
            session.say(f"kept     the registration of {one.found.full}: {one.by_hand}")
    for name in work.left_references:
        session.say(f"kept     {name}, a reference class that the generator would write otherwise")
    for change in changes:
        line = f"{'created' if change.old is None else 'changed':<8} {shown(change.path)}"
        if is_dry:
            print(line)
        else:
            session.say(line)
    count, left = len(work.found.candidates), len(work.found.refused)
    verb = "would be adopted" if is_dry else "adopted"
    text = f"{count} class{'es' * (count != 1)} {verb}"
    text += f", {_classes(left)} left alone" if left else ""
    session.say(text if is_dry else f"{text}; compile, and run  tvm-ffi-schema validate")
