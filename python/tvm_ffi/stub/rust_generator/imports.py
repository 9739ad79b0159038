# SPDX-License-Identifier: Apache-2.0
"""The ``use`` lines of a Rust file, and the stand-ins for ancestors that the crate lacks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field


@dataclass
class RustImports:
    """The imports of a file."""

    ty_map: Mapping[str, str]
    # Names that the file itself defines.
    local: Collection[str] = ()
    # The path of the module that the file defines.
    module: str = ""
    paths: dict[str, str] = field(default_factory=dict)
    stand_ins: dict[str, list[str]] = field(default_factory=dict)

    def local_name(self, type_key: str) -> str:
        """Return an empty string, because the type key alone determines the Rust name of a type."""
        return ""

    def is_written_by_hand(self, name: str) -> bool:
        """Return False, because Rust files do not have generated functions."""
        return False

    def use(self, path: str) -> str:
        """Import a path and return its last part; return the path if the last part is in use."""
        module, _, name = path.rpartition("::")
        if not module:
            return path
        if module == self.module:
            return name
        if name in self.local or self.paths.setdefault(name, path) != path:
            return path
        return name

    def add(self, path: str) -> None:
        """Import the path that a directive ``import-object`` names."""
        self.paths[path.rpartition("::")[2]] = path

    def lines(self) -> list[str]:
        """Return the contents of the import section."""
        lines = [f"use {path};" for path in sorted(self.paths.values())]
        for key in sorted(self.stand_ins):
            lines += ["", *self.stand_ins[key]]
        return lines
