# SPDX-License-Identifier: Apache-2.0
"""Run Python files: schema files with ``frontend = "import"``, and prototypes.

A failure is reported once, in the file that causes it.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import dsl
from ..diag import Bag
from ..files import source
from ..ir import Span
from .known import import_of
from .raw import files_run

if TYPE_CHECKING:
    from .schema_files import File


@dataclass
class Failure:
    """A file that failed while it ran, and the file with the statement that failed."""

    path: str
    culprit: str
    text: str
    line: int
    help: str


def run(files: list[File], bag: Bag) -> list[File]:
    """Run schema files and read them; report files that fail, and return the others.

    Two threads must not call this function at the same time, since it changes `sys.path` and
    `sys.modules`.
    """
    made: list[tuple[File, Any]] = []
    failed = []
    with _importing(), dsl.recording() as records:
        for file in files:
            module, failure = run_file(file.path)
            if failure is not None:
                failed.append(failure)
            else:
                made.append((file, module))
        report(failed, bag)
    own: dict[str, list[dsl.Record]] = {}
    by_path = {os.path.abspath(file.path): file for file, _ in made}
    for record in records:
        own.setdefault(record.file, []).append(record)
        if record.kind != "extend" and record.file in by_path:
            record.target.__tschema_file__ = by_path[record.file].places.file
    for file, module in made:
        file.env.update(vars(module))
        file.collect(own.get(os.path.abspath(file.path), []), module.__name__)
    return [file for file, _ in made]


def run_file(path: str) -> tuple[Any, Failure | None]:
    """Import a file; return the module (None if that fails), and the failure."""
    directory, name = _dotted(path)
    _make_findable(directory, name)
    try:
        return importlib.import_module(name), None
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return None, _failure(error, path)


def _dotted(path: str) -> tuple[str, str]:
    """Return the directory for `sys.path` and the module name with which Python imports a file."""
    directory, name = os.path.split(os.path.abspath(path))
    parts = [] if name == "__init__.py" else [os.path.splitext(name)[0]]
    while os.path.exists(os.path.join(directory, "__init__.py")):
        directory, package = os.path.split(directory)
        parts.insert(0, package)
    return directory, ".".join(parts)


@contextlib.contextmanager
def _importing() -> Iterator[None]:
    """Restore `sys.modules` and `sys.path` after the block."""
    modules, path = dict(sys.modules), list(sys.path)
    try:
        yield
    finally:
        for name in [n for n in sys.modules if n not in modules]:
            file = getattr(sys.modules[name], "__file__", None)
            if isinstance(file, str):
                files_run.add(os.path.abspath(file))
            if _is_schema_file(sys.modules[name]):
                del sys.modules[name]
        sys.modules.update(modules)
        sys.path[:] = path


def _is_schema_file(module: Any) -> bool:
    return any(
        isinstance(value, (dsl.ModuleSpec, dsl.ExternSpec, dsl.Trait))
        or (isinstance(value, type) and issubclass(value, dsl.Object))
        for value in list(vars(module).values())
        if module.__name__.partition(".")[0] != "tvm_ffi"
    )


def _make_findable(directory: str, name: str) -> None:
    """Make an import find `name` in `directory`, even if another module of this name is loaded."""
    top = name.partition(".")[0]
    for key in list(sys.modules):
        if key == top or key.startswith(top + "."):
            file = getattr(sys.modules[key], "__file__", None) or ""
            if not os.path.abspath(file).startswith(directory + os.sep):
                del sys.modules[key]
    if directory not in sys.path[:1]:
        sys.path.insert(0, directory)
    importlib.invalidate_caches()


# ---- failures


def report(failures: list[Failure], bag: Bag) -> None:
    """Report each failure for the file that causes it, not for the files that import that file."""
    failed = {one.path for one in failures}
    failed |= {os.path.abspath(item.span.file) for item in bag.items if item.severity == "error"}
    chosen = [one for one in failures if one.culprit == one.path or one.culprit not in failed]
    if not chosen and not bag.has_errors:  # the failed files form an import cycle
        chosen = failures[:1]
    for one in chosen:
        bag.add("TS004", one.text, Span(source.shown(one.path), one.line), help=one.help)


def _failure(error: BaseException, path: str) -> Failure:
    """Return the failure for an error that was raised while a file ran."""
    text = f"{type(error).__name__}: {error}".rstrip(": ")
    help_ = import_of((error.name if isinstance(error, NameError) else "") or "")
    if isinstance(error, ImportError) and "partially initialized" in text:
        help_ = "put the import under TYPE_CHECKING in one of the files"
    here = os.path.abspath(path)
    frames = traceback.extract_tb(error.__traceback__)
    files = [os.path.abspath(one.filename) for one in frames]
    line = next((f.lineno for f, name in [*zip(frames, files)][::-1] if name == here), 1)
    if isinstance(error, SyntaxError) and error.filename:
        files.append(os.path.abspath(error.filename))
    culprit = [here, *(one for one in files if os.path.isfile(one))][-1]
    return Failure(here, culprit, f"running this file failed: {text}", line or 1, help_)
