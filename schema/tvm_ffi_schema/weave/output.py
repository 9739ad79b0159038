# SPDX-License-Identifier: Apache-2.0
"""The files that a run generates (a `Plan`), each with its old and its new content."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field

from ..files import fsio, source

#: The suffix of a file that saves custom sections whose class or method was removed.
ORPHANED = ".orphaned"


@dataclass
class Output:
    """One file of a plan.

    `old` is None if the file does not exist, and `new` is None if the file is not changed.
    """

    path: str
    old: bytes | None
    new: bytes | None
    saved: list[str] = field(default_factory=list)

    @property
    def status(self) -> str:
        """Return `created`, `changed` or `unchanged`."""
        if self.new is None or self.new == self.old:
            return "unchanged"
        return "created" if self.old is None else "changed"

    def diff(self) -> str:
        """Return a unified diff from the old to the new content."""
        if self.new is None:
            return ""
        old = (self.old or b"").decode("utf-8", "replace").splitlines(keepends=True)
        new = self.new.decode("utf-8", "replace").splitlines(keepends=True)
        name = source.shown(self.path)
        return "".join(difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"))


@dataclass
class Plan:
    """All outputs of a run.

    `blocks` maps classes to the places of their marked blocks. `orphans` has the paths of generated
    files without a source. `rendered` has (name, key, paths) of the outputs that the run has
    rendered, for the cache.
    """

    outputs: list[Output] = field(default_factory=list)
    blocks: dict[str, str] = field(default_factory=dict)
    orphans: list[str] = field(default_factory=list)
    rendered: list[tuple[str, bytes, list[str]]] = field(default_factory=list)

    def changes(self) -> list[fsio.Change]:
        """Return the changes to write."""
        return [
            fsio.Change(o.path, o.old, o.new)
            for o in self.outputs
            if o.new is not None and o.new != o.old
        ]
