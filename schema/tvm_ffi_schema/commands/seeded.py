# SPDX-License-Identifier: Apache-2.0
"""Generate files in another directory, with the custom sections of the files of the project.

The command `build` uses this module.
"""

from __future__ import annotations

import dataclasses
import os
import shutil

from ..back.cpp_file import FIRST_LINE
from ..config import Config
from ..diag import Bag, Diagnostic
from ..files.source import shown
from ..link.program import Program
from ..weave import plan
from ..weave.output import Output
from ..weave.weave import Policy

_SECTION = b"tschema: custom-begin"
_END = b"tschema: custom-end"


def outputs(config: Config, inside: Config, program: Program, bag: Bag) -> list[Output]:
    """Return the outputs below the root of `inside`, with the custom sections of the project.

    `config` is the configuration of the project; `inside` is the configuration for the other
    directory. Hand edits of generated text are omitted, and so are custom sections of classes that
    are not in `program`.
    """
    roots = _roots(config, inside)
    copied = set()
    for root, name in roots.items() if config.mode == "full" else ():
        copied |= _copied(root, os.path.join(inside.root, name))
    found = Bag()
    options = plan.Options(policy=Policy(force=True))
    made = [o for o in plan.make(inside, program, found, options).outputs if not _is_left(o)]
    for path in copied - {output.path for output in made}:
        os.remove(path)
    places = {shown(os.path.join(inside.root, name)): root for root, name in roots.items()}
    bag.extend(_placed(item, places) for item in found.items if item.id != "TS121")
    return made


def _roots(config: Config, inside: Config) -> dict[str, str]:
    """Return path of an output directory of `config` -> name of the directory in `inside`."""
    return {
        os.path.join(config.root, config.cpp_include_root): inside.cpp_include_root,
        os.path.join(config.root, config.cpp_source_root): inside.cpp_source_root,
        os.path.join(config.root, config.python_root): inside.python_root,
    }


def origin(config: Config, inside: Config, path: str, line: int) -> tuple[str, int] | None:
    """Return (file, line) in the project for a line of a custom section in a generated file.

    Return None if the line is generated, or if the file of the project does not contain the first
    line of the section exactly once.
    """
    for root, name in _roots(config, inside).items() if config.mode == "full" else ():
        folder = os.path.join(inside.root, name) + os.sep
        if path.startswith(folder):
            original = os.path.join(root, path[len(folder) :])
            made, written = _lines(path), _lines(original)
            begin = _begin(made, line)
            places = [at for at, text in enumerate(written) if begin and text == made[begin - 1]]
            return (original, places[0] + 1 + line - begin) if len(places) == 1 else None
    return None


def _lines(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as stream:
            return [line.strip() for line in stream]
    except OSError:
        return []


def _begin(lines: list[bytes], line: int) -> int:
    """Return the number of the line that begins the custom section around `line`; 0 if none."""
    for at in range(min(line, len(lines)), 0, -1):
        if _END in lines[at - 1] and at != line:
            return 0
        if _SECTION in lines[at - 1]:
            return at
    return 0


def _is_left(output: Output) -> bool:
    return output.path.endswith(".orphaned")


def is_generated(path: str, needs: bytes = b"") -> bool:
    """Return whether the tool wrote the whole file, and the file contains the text `needs`."""
    try:
        with open(path, "rb") as stream:
            first = stream.readline(300)
            return FIRST_LINE.encode() in first and needs in stream.read()
    except OSError:
        return False


def _copied(root: str, folder: str) -> set[str]:
    """Copy the generated files that have custom sections to `folder`; return the new paths."""
    made = set()
    for place, _, names in os.walk(root):
        for name in names:
            path = os.path.join(place, name)
            if is_generated(path, _SECTION):
                copy = os.path.join(folder, os.path.relpath(path, root))
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copyfile(path, copy)
                made.add(copy)
    return made


def _placed(item: Diagnostic, places: dict[str, str]) -> Diagnostic:
    """Replace the file of a finding by the original file, if it is a copy of this file."""
    for folder, root in places.items():
        if item.span.file.startswith(folder + os.sep):
            name = shown(root + item.span.file[len(folder) :])
            return dataclasses.replace(item, span=item.span._replace(file=name))
    return item
