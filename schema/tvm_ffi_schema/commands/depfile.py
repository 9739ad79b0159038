# SPDX-License-Identifier: Apache-2.0
"""Write a rule for make that lists the files that a run has read.

A build system runs the tool again when one of these files changes.
"""

from __future__ import annotations

import os
import sys

from ..files import fsio
from .session import Session


def write(session: Session, path: str, target: str) -> None:
    """Write the rule for `target` to the file `path`; report an error if that fails."""
    read = [os.path.abspath(name) for name in session.files]
    if session.config.path:
        read.append(os.path.abspath(session.config.path))
    read += imported_by(session)
    lines = [f"{_escaped(target)}:", *(f"  {_escaped(name)}" for name in dict.fromkeys(read))]
    fsio.write_reported(path, (" \\\n".join(lines) + "\n").encode(), session.bag)


def imported_by(session: Session) -> list[str]:
    """Return the files that schema files imported, except files of installed packages."""
    from ..front.raw import files_run

    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    outside = (sys.prefix, sys.base_prefix, os.path.dirname(os.__file__), package)
    inside = tuple(one + os.sep for one in outside)
    found = [name for name in files_run if not name.startswith(inside)]
    return sorted(name for name in found if os.path.isfile(name))


def _escaped(name: str) -> str:
    for char in "\\ #":
        name = name.replace(char, "\\" + char)
    return name.replace("$", "$$")
