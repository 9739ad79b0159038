# SPDX-License-Identifier: Apache-2.0
"""Find the class and the method of each custom section, and the names that sections define."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..back.python_type import python_name
from ..back.writer import CppOptions
from ..config import Config
from ..diag import Bag
from ..files import tokens
from ..link import equality
from ..link.program import Class, Program
from . import marker, markers
from .targets import namespaces

#: Matches the type key and the class name in a generated header.
_DECLARED = re.compile(r'DECLARE_OBJECT_INFO\w*\(\s*"([^"]+)",\s*(\w+),')
_SUFFIXES = ("Node", "Obj")


class Owners:
    """Finds the class and the method of a custom section; understands former names."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._classes: dict[str, Class] = {}
        self._by_key = {cls.type_key: cls for cls in program.classes.values()}
        #: Former name of a class -> its present name.
        self._former: dict[str, str] = {}
        for cls in program.classes.values():
            names = (cls.obj, cls.ref, cls.marker, cls.ref_marker, python_name(cls))
            self._classes |= {name: cls for name in names if name}
        for cls in program.classes.values():
            if cls.d.renamed_from:
                self._by_key.setdefault(cls.d.renamed_from, cls)
                self._note(cls.d.renamed_from.rpartition(".")[2], cls)
        self._methods_follow = any(
            method.renamed_from for cls in program.classes.values() for method in cls.d.methods
        )

    def _note(self, reference: str, cls: Class) -> None:
        names = {reference: python_name(cls)}
        names |= {reference + suffix: cls.marker for suffix in _SUFFIXES}
        for former, name in names.items():
            if former not in self._classes:
                self._former.setdefault(former, name)

    def follow(self, files: Iterable[markers.MarkedFile]) -> None:
        """Update blocks and anchors of classes and methods that were renamed since the last run."""
        files = list(files)
        for file in files if self._program.shared else ():
            self._qualify(file)
        for file in files:
            for block in file.blocks:
                self._learn(block)
        if self._former:
            present = {block.target for file in files for block in file.blocks}
            for file in files:
                for block in file.blocks:
                    self._follow_class(block, present)
        if self._former or self._methods_follow:
            for file in files:
                for block in file.blocks:
                    for custom in block.customs:
                        self._follow_section(block, custom)

    def _qualify(self, file: markers.MarkedFile) -> None:
        """Find the classes of blocks and sections whose names several classes have."""
        scopes = namespaces(file) if file.language == "cpp" else None
        for block, names in zip(file.blocks, scopes or [[]] * len(file.blocks)):
            scope = "::".join(names)
            block.key = self._program.marker_of(block.target, scope)
            for custom in block.customs:
                owner, _, place = custom.anchor.rpartition(".")
                owner = owner and self._program.marker_of(owner, custom.scope or scope)
                custom.anchor = f"{owner}.{place}" if owner else place

    def _learn(self, block: markers.Block) -> None:
        """Record former names of classes, which old generated text contains with the type keys."""
        for key, name in _DECLARED.findall("".join(block.generated)):
            cls = self._by_key.get(key)
            if cls is not None and name not in self._classes:
                reference = next((name[: -len(s)] for s in _SUFFIXES if name.endswith(s)), "")
                self._former.setdefault(name, cls.marker)
                if reference:
                    self._note(reference, cls)

    def _follow_class(self, block: markers.Block, present: set[str]) -> None:
        scope, _, name = block.target.rpartition("::")
        new = self._former.get(name)
        if new is None or name in self._classes or new in present:
            return
        target = f"{scope}::{new}" if scope and "::" not in new else new
        head, mark, rest = block.head.partition("tschema:")
        block.head = head + mark + rest.replace(block.target, target, 1)
        block.target = target
        block.key = self._program.marker_of(target, "")

    def _follow_section(self, block: markers.Block, custom: markers.Custom) -> None:
        owner, _, place = custom.anchor.rpartition(".")
        new_owner = owner if owner in self._classes else self._former.get(owner, owner)
        new_place = self._place(self._class_of(new_owner, block), place)
        if (owner, place) == (new_owner, new_place):
            return
        custom.anchor = f"{new_owner}.{new_place}" if new_owner else new_place
        if place.startswith("method:"):
            old, new = _definition(owner, place), _definition(new_owner, new_place)
            text = re.sub(rf"\b{re.escape(old)}(?=\s*\()", new, "".join(custom.lines), count=1)
            custom.lines = text.splitlines(keepends=True)
        written = custom.begin.partition("custom-begin")[2].replace("-->", "").strip()
        if written:  # a section without an anchor belongs to the class around it
            custom.begin = marker.with_anchor(
                custom.begin, custom.anchor if "." in written else new_place
            )

    def _place(self, cls: Class | None, place: str) -> str:
        kind, _, rest = place.partition(":")
        if cls is None or kind != "method":
            return place
        name, hash_, number = rest.partition("#")
        if any(method.name == name for method in cls.native):
            return place
        new = next((m.name for m in cls.d.methods if m.renamed_from == name), name)
        return f"method:{new}{hash_}{number}"

    def _class_of(self, owner: str, block: markers.Block) -> Class | None:
        return self._classes.get(owner or block.key)

    def is_gone(self, block: markers.Block, custom: markers.Custom) -> bool:
        """Return whether the class or the method of a section was removed from the schema."""
        owner, _, place = custom.anchor.rpartition(".")
        cls = self._class_of(owner, block)
        if cls is None:
            return bool(owner)
        name = place.removeprefix("method:").partition("#")[0]
        is_method = place.startswith("method:")
        return is_method and not any(m.name == name and m.native for m in cls.d.methods)


def _definition(owner: str, place: str) -> str:
    """Return the qualified name in the definition of a method, such as ``AddNode::fold``."""
    name = place.removeprefix("method:").partition("#")[0]
    owner = owner.rpartition("::")[2]
    return f"{owner}::{owner if name == '__init__' else name}"


def orphaned(path: str, held: str, sections: Iterable[str]) -> str:
    """Return the text of the file that saves removed custom sections of `path`.

    The classes or methods of these sections were removed from the schema. `held` is the present
    content of the saving file. Sections that the content already contains are not added again.
    """
    head = f"Custom sections of {path} whose class or method is gone.\n"
    head += "Move what is still needed into the file, then remove this one.\n"
    text = held or head
    for section in sections:
        if section not in text:
            text += "\n" + section
    return text


def of_files(
    files: Iterable[markers.MarkedFile],
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return class -> names that custom sections define, and class -> anchors of the sections."""
    customs: dict[str, set[str]] = {}
    anchors: dict[str, set[str]] = {}
    for parsed in files:
        for block in parsed.blocks:
            for custom in block.customs:
                owner, _, anchor = custom.anchor.rpartition(".")
                owner = owner or block.key
                anchors.setdefault(owner, set()).add(anchor)
                found = tokens.defined_names("".join(custom.lines))
                customs.setdefault(owner, set()).update(found)
    return customs, anchors


def check(classes: Iterable[Class], customs: dict[str, set[str]], bag: Bag) -> None:
    """Report classes with only one of equality and hash in their custom sections."""
    found = {name: frozenset(names) for name, names in customs.items()}
    for cls in classes:
        equality.check(cls, found, bag)


def cpp_options(
    config: Config, customs: dict[str, set[str]], anchors: dict[str, set[str]], dialect: str
) -> CppOptions:
    """Return the options of the C++ backends, from the configuration and custom sections."""
    alias = config.ffi_alias
    return CppOptions(
        ffi=f"{alias}::" if alias else "::tvm::ffi::",
        dialect=dialect,
        customs={name: frozenset(found) for name, found in customs.items()},
        anchors={name: frozenset(found) for name, found in anchors.items()},
        license=config.license,
        is_short=config.mode == "inplace",
        export=config.export,
    )
