# SPDX-License-Identifier: Apache-2.0
"""Check the blocks of all marked files: one block for each class, in the namespace of the class."""

from __future__ import annotations

import os
import re

from ..config import Config
from ..diag import Bag
from ..files import source, tokens
from ..files.paths import relative
from ..ir import Span
from ..link.program import Class
from .block_texts import Blocks
from .markers import Block, MarkedFile

#: The suffixes of source files, in which a marker with the name of a class stands for definitions.
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".cu", ".mm")
_DEFINITIONS = ("ctor", "methods", "reflection")
#: Stands for a block in the text whose namespaces are found.
_BLOCK = "tschema_block"
#: The beginning of a namespace.
_NAMED = re.compile(r"(?m)^[ \t]*(inline[ \t]+)?namespace[ \t]+[\w:]+[ \t]*\{")
#: A macro on a line of its own, which may open a namespace.
_OPENS = re.compile(r"(?m)^[A-Z][A-Z0-9_]*(\([^()\n]*\))?[ \t]*$")


class Targets:
    """Checks the blocks of the files of one run. `files` maps paths to parsed files."""

    def __init__(
        self, config: Config, blocks: Blocks, files: dict[str, MarkedFile], bag: Bag
    ) -> None:
        self.config = config
        self.blocks = blocks
        self.files = files
        self.bag = bag
        #: Object class -> the place of its block: the path relative to the root, and the line.
        self.places: dict[str, str] = {}
        #: (name, part) -> the block.
        self.claimed: dict[tuple[str, str], Span] = {}

    def choose_parts(self) -> None:
        """Choose the part of each block in a source file whose marker has only a class name.

        If a header has the class, the block has its definitions; otherwise it has the class.
        """
        headers: set[str] = set()
        plain: list[tuple[Block, Class]] = []
        for path, file in self.files.items():
            for block in file.blocks if file.language == "cpp" else ():
                cls = self.blocks.class_of(block)
                if cls is not None and block.part in ("", "all", "obj"):
                    if path.endswith(_SOURCES) and not block.part:
                        plain.append((block, cls))
                    else:
                        headers.add(cls.marker)
        for block, cls in plain:
            if cls.marker in headers and block.key == cls.marker:
                block.part = "source"

    def check(self, owned: set[str], last: dict[str, str]) -> None:
        """Report blocks that occur twice or in a wrong namespace, and classes without a block.

        `owned` has the real paths of files that the tool owns, `last` the `places` of the last run.
        """
        seen = self.claimed
        for path, file in self.files.items():
            self._check_namespaces(file)
            for block in file.blocks:
                for key in self._claims(block, file):
                    if key in seen:
                        notes = [(seen[key], "the first one is here")]
                        text = f"a second block for {block.name}"
                        help_ = self._help(path, block)
                        self.bag.add("TS105", text, block.span, notes=notes, help=help_)
                    elif key[1] == "obj":
                        root = os.path.abspath(self.config.root)
                        name = relative(os.path.abspath(path), root)
                        self.places[key[0]] = f"{name}:{block.span.line}"
                    seen.setdefault(key, block.span)
        has_cpp = "cpp" in self.config.outputs
        for cls in self.blocks.program.classes.values() if has_cpp else ():
            header = os.path.join(self.config.root, self.config.cpp_include_root, cls.header)
            if (cls.marker, "obj") not in seen and os.path.realpath(header) not in owned:
                self._report_absent(cls, last.get(cls.marker, ""))

    def _help(self, path: str, block: Block) -> str:
        cls = self.blocks.class_of(block)
        if cls is None or block.part or not path.endswith(_SOURCES):
            return ""
        return f"the definitions of {cls.d.name} stand in a block  // tschema: {cls.marker}"

    def _claims(self, block: Block, file: MarkedFile) -> list[tuple[str, str]]:
        """Return the (name, part) pairs that no other block may have."""
        name = block.key
        if file.language != "cpp" or block.target.startswith("@"):
            return [(f"{file.path}:{name}", block.part)]
        if block.part == "source":
            return [(name, part) for part in _DEFINITIONS]
        if block.part == "statements":
            return [(name, "reflection")]
        cls = self.blocks.class_of(block)
        if block.part == "all":
            return [(cls.marker, "obj"), (cls.ref_marker, "ref")] if cls else []
        is_ref = cls is not None and name != cls.marker
        return [(name, block.part or ("ref" if is_ref else "obj"))]

    def _report_absent(self, cls: Class, place: str) -> None:
        """Report a class without a block; `place` is the place of its block in the last run."""
        file, _, line = place.rpartition(":")
        path = os.path.join(self.config.root, file)
        if place and not os.path.exists(path):
            text = f"the block of {cls.obj} was at {source.shown(path)}:{line}; that file is gone"
            help_ = "restore the file, or name its new place with `inplace` or --inplace"
            self.bag.add("TS113", text, cls.span, severity="error", help=help_)
            return
        help_ = f"write  // tschema: {cls.marker}  and  // tschema: end, or use --insert"
        if any(file.language == "cpp" for file in self.files.values()):
            self.bag.add("TS113", f"{cls.d.name} has no block in any file", cls.span, help=help_)
        elif not self.bag.has_errors and not any(file.blocks for file in self.files.values()):
            header = os.path.join(self.config.root, self.config.cpp_include_root, cls.header)
            text = f"no file has a block for {cls.obj}; {source.shown(header)} is not there"
            self.bag.add("TS113", text, cls.span, severity="error", help=help_)

    def _check_namespaces(self, file: MarkedFile) -> None:
        """Report blocks of classes in another namespace than that of the class."""
        found = namespaces(file) if file.language == "cpp" else None
        for block, names in zip(file.blocks, found or ()):
            cls = self.blocks.class_of(block)
            if cls is None or not cls.namespace:
                continue
            if not names:
                self._check_global(file, block, cls)
            # A macro may open the outer namespaces, so the inner ones may be all that is found.
            elif not f"::{cls.namespace}".endswith("".join(f"::{name}" for name in names)):
                text = f"no class {'::'.join([*names, cls.obj])} in the schema"
                help_ = f"move the block into the namespace {cls.namespace}"
                self.bag.add("TS104", text, block.span, help=help_)

    def _check_global(self, file: MarkedFile, block: Block, cls: Class) -> None:
        """Report a block at global scope if the file or the marker names a namespace.

        Another file may include a file without namespaces inside of a namespace. Definitions in a
        source file may use the namespace.
        """
        before = "".join(file.lines[: block.first])
        is_source = file.path.endswith(_SOURCES)
        if _OPENS.search(before) or (is_source and f"using namespace {cls.namespace};" in before):
            return
        if not _NAMED.search("".join(file.lines)) and (is_source or "::" not in block.target):
            return
        text = f"the block of {cls.obj} is at global scope, its class is in {cls.namespace}"
        help_ = f"write  namespace {cls.namespace} {{  before the block, and  }}  after it"
        self.bag.add("TS104", text, block.span, help=help_)


def namespaces(file: MarkedFile) -> list[list[str]] | None:
    """Return the named namespaces around each block; None if the braces do not match.

    Braces of alternative branches of `#if` may not match.
    """
    at = 0
    parts: list[str] = []
    for block in file.blocks:
        parts += [*file.lines[at : block.first], f"{_BLOCK}\n"]
        at = block.last + 1
    text = "".join([*parts, *file.lines[at:]])
    found: list[list[str]] = []
    open_: list[str] = []
    head: list[str] | None = None  # the words after `namespace`
    for word, _ in tokens.code(text, 0, len(text)):
        if word == "namespace":
            head = []
        elif word == _BLOCK:
            found.append([name for names in open_ for name in names.split("::") if name])
        elif word == "{":
            open_.append("".join(head or ()))
            head = None
        elif word == "}":
            if not open_:
                return None
            open_.pop()
        elif word in (";", "="):
            head = None
        elif head is not None:
            head.append(word)
    return None if open_ else found
