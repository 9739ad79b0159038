# SPDX-License-Identifier: Apache-2.0
"""The ``use`` lines of a Rust file, and the stand-ins for ancestors that the crate lacks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field


@dataclass
class RustImports:
    """The names that a file needs."""

    ty_map: Mapping[str, str]
    # Names that the file itself defines.
    local: Collection[str] = ()
    # The path of the module that the file is.
    module: str = ""
    paths: dict[str, str] = field(default_factory=dict)
    stand_ins: dict[str, list[str]] = field(default_factory=dict)

    def local_name(self, type_key: str) -> str:
        """Return nothing: the struct of a type is called after its key."""
        return ""

    def is_written_by_hand(self, name: str) -> bool:
        """Return False: functions are not written."""
        return False

    def use(self, path: str) -> str:
        """Make a path usable, and return what to write: its last part, or all of it when taken."""
        module, _, name = path.rpartition("::")
        if not module:
            return path
        if module == self.module:
            return name
        if name in self.local or self.paths.setdefault(name, path) != path:
            return path
        return name

    def add(self, path: str) -> None:
        """Import a path that a directive names."""
        self.paths[path.rpartition("::")[2]] = path

    def lines(self) -> list[str]:
        """Return the contents of the import section."""
        lines = [f"use {path};" for path in sorted(self.paths.values())]
        for key in sorted(self.stand_ins):
            lines += ["", *self.stand_ins[key]]
        return lines
