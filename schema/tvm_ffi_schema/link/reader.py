# SPDX-License-Identifier: Apache-2.0
"""Read schemas from files; the configuration chooses the reader of each file."""

from __future__ import annotations

import dataclasses
import os

from ..diag import Bag, near
from ..files import source
from ..files.paths import relative
from ..front import assemble, binary, schema_files
from ..ir import Schema, Span
from . import places, slots
from .linker import link
from .program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..cache.slices import Slices


def read(
    paths: list[str],
    bag: Bag,
    frontend: str = "static",
    namespace: str = "",
    slices: Slices | None = None,
) -> Schema:
    """Return the schema of a set of files.

    JSON files, images and libraries contain a schema in the intermediate form. With `slices`, the
    modules of unchanged files come from the cache.
    """
    python = [path for path in paths if not path.endswith(binary.SUFFIXES)]
    python = [*dict.fromkeys(python)]
    if slices is not None and python == paths and frontend != "import" and not bag.has_errors:
        return slices.read(paths, bag, namespace)
    raws = schema_files.read_files(python, bag, frontend)
    modules = list(assemble.assemble(raws, bag, namespace).modules)
    for path in paths:
        if path.endswith(binary.SUFFIXES):
            modules += binary.read(path, bag)
    return Schema(tuple(modules))


def relative_to(root: str, schema: Schema) -> Schema:
    """Return a schema in which the paths of modules are relative to a root."""
    modules = []
    for module in schema.modules:
        path = module.path
        if path:
            seen = relative(path, root)
            path = os.path.basename(path) if seen.startswith("..") else seen
        modules.append(dataclasses.replace(module, path=path))
    return Schema(tuple(modules))


def linked(schema: Schema, bag: Bag) -> Program:
    """Run the passes that every backend needs."""
    places.check(schema, bag)
    program = link(schema, bag)
    slots.assign(program, bag)
    return program


def module_file(name: str) -> str:
    """Return the file of a dotted module name below the working directory, or an empty text.

    The function imports nothing.
    """
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return ""
    for root in ("", "python", "src"):
        stem = os.path.join(root, *parts)
        for path in (f"{stem}.py", os.path.join(stem, "__init__.py")):
            if os.path.isfile(path):
                return path
    return ""


def expand(paths: list[str], bag: Bag) -> list[str]:
    """Return the schema files that arguments name.

    An argument is a file, a directory with all files below it, or the dotted name of a module.
    """
    found: list[str] = []
    for path in map(source.near, paths):
        if os.path.isdir(path):
            for folder, _, names in sorted(os.walk(path)):
                found += [os.path.join(folder, n) for n in sorted(names) if n.endswith(".py")]
        elif os.path.exists(path):
            found.append(path)
        elif module_file(path):
            found.append(module_file(path))
        else:
            place = Span(source.shown(path))
            bag.add("TS005", f"there is no file {path!r}", place, help=_near_file(path))
    return found


def _near_file(path: str) -> str:
    """Return the help for a path that does not exist."""
    folder, name = os.path.split(path)
    try:
        known = os.listdir(folder or ".")
    except OSError:
        return f"there is no directory {folder!r}"
    return near(name, (other for other in known if other.endswith(".py")))
