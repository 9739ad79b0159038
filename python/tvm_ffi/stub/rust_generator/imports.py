# SPDX-License-Identifier: Apache-2.0
"""The ``use`` lines of a Rust file, and the stand-ins for ancestors that the crate lacks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tvm_ffi.stub.file_utils import FileInfo

_VISIBILITY = r"^(?:pub(?:\([^)]*\))?\s+)?"
_USE = re.compile(rf"{_VISIBILITY}use\s+([^;]+);", re.MULTILINE)
_ITEM = re.compile(
    rf"{_VISIBILITY}(?:unsafe\s+)?(?:struct|enum|union|type|trait|mod|const|static|fn)\s+(\w+)",
    re.MULTILINE,
)


@dataclass
class RustImports:
    """The imports of a file."""

    ty_map: Mapping[str, str]
    # Names that the file itself defines.
    local: Collection[str] = ()
    # The path of the module that the file defines.
    module: str = ""
    # Whether the file has an import section. Otherwise, names are written with their paths.
    has_section: bool = True
    # Name -> path, for the `use` lines that are not generated.
    written: Mapping[str, str] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    stand_ins: dict[str, list[str]] = field(default_factory=dict)

    def local_name(self, type_key: str) -> str:
        """Return an empty string, because the type key alone determines the Rust name of a type."""
        return ""

    def is_written_by_hand(self, name: str) -> bool:
        """Return False, because Rust files do not have generated functions."""
        return False

    def use(self, path: str) -> str:
        """Import a path and return its last part; return the path if it cannot be imported."""
        module, _, name = path.rpartition("::")
        if not module:
            return path
        if module == self.module or self.written.get(name) == path:
            return name
        if not self.has_section or name in self.local or name in self.written:
            return path
        if self.paths.setdefault(name, path) != path:
            return path
        return name

    def prelude(self, path: str) -> str:
        """Return the last part of a path in ``core``; return the path if the file hides the name.

        The prelude of Rust has the name.
        """
        name = path.rpartition("::")[2]
        hidden = name in self.local or name in self.written or name in self.paths
        return f"::core::{path}" if hidden else name

    def add(self, path: str) -> None:
        """Import the path that a directive ``import-object`` names."""
        self.paths[path.rpartition("::")[2]] = path

    def lines(self) -> list[str]:
        """Return the contents of the import section."""
        lines = [f"use {path};" for path in sorted(self.paths.values())]
        for key in sorted(self.stand_ins):
            lines += ["", *self.stand_ins[key]]
        return lines


def names_of_text(file: FileInfo) -> tuple[dict[str, str], set[str]]:
    """Return the imports of a file, as name -> path, and the items that it defines.

    Only lines outside of blocks count, and only those that are not indented: indented lines usually
    belong to an inner module or a function.
    """
    imports: dict[str, str] = {}
    items: set[str] = set()
    for block in file.code_blocks:
        if block.kind is None:
            text = "\n".join(block.lines)
            items.update(_ITEM.findall(text))
            for tree in _USE.findall(text):
                imports.update(_names_of_use(re.sub(r"//.*", "", tree), ""))
    return imports, items


def _names_of_use(tree: str, prefix: str) -> Iterator[tuple[str, str]]:
    """Return name and path of each import in the tree of a ``use`` line."""
    head, brace, rest = tree.partition("{")
    if brace:
        for part in _parts(rest.rpartition("}")[0]):
            yield from _names_of_use(part, prefix + head.strip())
        return
    path, _, alias = tree.partition(" as ")
    full = (prefix + path.strip()).removeprefix("::").removesuffix("::self")
    name = alias.strip() or full.rpartition("::")[2]
    if name not in ("", "_", "*"):
        yield name, full


def _parts(text: str) -> list[str]:
    """Split a list at the commas that are not in inner braces."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts
