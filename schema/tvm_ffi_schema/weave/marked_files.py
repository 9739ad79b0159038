# SPDX-License-Identifier: Apache-2.0
"""Find files of the user with generated blocks, and check the blocks."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable

from ..back import cpp_file
from ..config import Config
from ..diag import Bag
from ..files import source
from ..link.program import Program, header_name
from . import markers
from .block_texts import Blocks
from .output import ORPHANED
from .weave import orphan


class MarkedFiles:
    """The files of one run that may contain blocks.

    `owned` has the real paths of files that the tool owns as a whole. `removed` maps each file to
    the custom sections of blocks that were removed from the file.
    """

    def __init__(self, config: Config, program: Program, blocks: Blocks, bag: Bag) -> None:
        self.config = config
        self.program = program
        self.blocks = blocks
        self.bag = bag
        self.owned: set[str] = set()
        self.removed: dict[str, list[markers.Custom]] = {}

    def paths(self, more: Iterable[str]) -> list[str]:
        """Return the existing files that classes, the configuration and `more` name."""
        config = self.config
        found: dict[str, None] = {}
        for module in self.program.schema.modules:
            for name in cpp_file.of_files(self.program, module) or [header_name(module)]:
                found.setdefault(os.path.join(config.root, config.cpp_include_root, name))
            name = cpp_file.source_name(module, config.cpp_source_root)
            found.setdefault(os.path.join(config.root, name))
        for name in self._bindings():
            found.setdefault(os.path.join(config.root, config.python_root, name))
        for pattern in config.inplace:
            for path in sorted(glob.glob(os.path.join(config.root, pattern), recursive=True)):
                found.setdefault(path)
        for path in more:
            found.setdefault(path)
        seen: set[str] = set()
        out = []
        for path in found:
            real = os.path.realpath(path)
            if os.path.isfile(path) and real not in seen and not path.endswith(ORPHANED):
                seen.add(real)
                out.append(path)
        return out

    def _bindings(self) -> list[str]:
        """Return the files of the Python outputs of the schema, below the Python root."""
        wanted = {"python", "pyi"} & set(self.config.outputs)
        if not wanted:
            return []
        from ..back import python_binding

        modules = self.program.schema.modules
        return [n for m in modules for n in python_binding.file_names(self.program, m, wanted)]

    def edited(self, path: str, text: str, prune: bool, insert: bool) -> str:
        """Return a text after the edits for the options --prune and --insert."""
        if prune:
            text = self._pruned(path, text)
        if insert:
            text = self._inserted(path, text)
        return text

    def _pruned(self, path: str, text: str) -> str:
        parsed = markers.parse(source.shown(path), text, Bag())
        lines = list(parsed.lines)
        for block in reversed(parsed.blocks):
            is_known = self.blocks.class_of(block) is not None or block.key in self.program.shared
            if is_known or block.target.startswith("@"):
                continue
            sections = [orphan(block, custom) for custom in block.customs]
            self.removed.setdefault(path, [])[:0] = sections
            del lines[block.first : block.last + 1]
        return "".join(lines)

    def _inserted(self, path: str, text: str) -> str:
        for module in self.program.schema.modules:
            for name, classes in cpp_file.of_files(self.program, module).items():
                full = os.path.join(self.config.root, self.config.cpp_include_root, name)
                if os.path.realpath(full) == os.path.realpath(path):
                    names = [n for c in classes for n in (c.marker, c.ref_marker) if n]
                    text = _insert(text, [n for n in names if not _has_block(text, n)])
        return text


def _has_block(text: str, name: str) -> bool:
    *outer, last = name.split("::")
    before = "" if outer else r"(?:\w+::)*"
    for part in outer:
        before = f"(?:{before}{part}::)?"
    pattern = rf"tschema:\s*{before}{last}(?:\.(?:obj|ref|all))?\s*(?:-->)?\s*$"
    return bool(re.search(pattern, text, re.MULTILINE))


def _insert(text: str, names: list[str]) -> str:
    """Add empty blocks at the end of the last namespace, or of the file."""
    if not names:
        return text
    lines = text.splitlines(keepends=True)
    at = len(lines)
    for number in range(len(lines) - 1, -1, -1):
        stripped = lines[number].strip()
        if stripped.startswith("}") and "namespace" in stripped:
            at = number
        elif stripped and not stripped.startswith(("#endif", "//")):
            break
    eol = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    new = [f"// tschema: {name}{eol}// tschema: end{eol}{eol}" for name in names]
    return "".join([*lines[:at], *new, *lines[at:]])
