# SPDX-License-Identifier: Apache-2.0
"""Compute the content of each block of a marked file."""

from __future__ import annotations

import dataclasses
import fnmatch
import os

from ..back import (
    cpp_definitions,
    cpp_file,
    cpp_namespace,
    cpp_object,
    cpp_ref,
    cpp_registration,
    cpp_source,
    cpp_width,
)
from ..back.writer import Anchor, CppOptions, Pieces
from ..config import Config
from ..diag import Bag, near
from ..files import tokens
from ..ir import Module
from ..link.program import Class, Program
from . import markers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..back.python_type import PythonNames


def _in_dialect(made: CppOptions, dialect: str) -> CppOptions:
    """Return options with another dialect; an empty text keeps the dialect."""
    return dataclasses.replace(made, dialect=dialect, spellers={}) if dialect else made


def _without_last_line(pieces: Pieces) -> Pieces:
    return pieces[:-1] if pieces and pieces[-1] == "" else pieces


class Blocks:
    """Computes the content of the blocks of one program.

    `claimed` has the (class, part) pairs that have separate blocks. A block for a group of classes
    omits these parts.
    """

    def __init__(self, config: Config, program: Program, bag: Bag, only: str = "") -> None:
        self.config = config
        self.program = program
        self.bag = bag
        self.only = only
        self.objects = {c.marker: c for c in program.classes.values()}
        self.refs = {c.ref_marker: c for c in program.classes.values() if c.ref}
        self.claimed: set[tuple[str, str]] = set()
        #: Path -> names in the markers of the blocks in the file.
        self.targets: dict[str, set[str]] = {}

    def class_of(self, block: markers.Block) -> Class | None:
        """Return the class that the target of a block names."""
        return self.objects.get(block.key) or self.refs.get(block.key)

    def emit(self, path: str, block: markers.Block, made: CppOptions) -> Pieces | None:
        """Return the content of a block; report an unknown target."""
        language = tokens.language_of(path)
        is_cpp = language not in ("python", "markdown")
        dialect = block.options.get("dialect", "")
        if is_cpp and block.target.startswith("@"):
            return cpp_width.fitted(self._group(path, block, _in_dialect(made, dialect)))
        if language == "python" and block.target == "@includes":
            return self._imports(path)
        cls = self.class_of(block)
        if not is_cpp and (block.target.startswith("@") or (cls is not None and block.part)):
            text = f"a {language} file has no block {block.name}"
            self.bag.add("TS107", text, block.span, help="write the name of a class")
            return None
        if cls is None:
            self._unknown(block, block.key)
            return None
        if self.only and not fnmatch.fnmatch(cls.type_key, self.only):
            return None
        if language == "markdown":
            from ..back import docs
            from ..back.docs_facts import used_by

            return [*docs.section(self.program, cls, used_by(self.program).get(cls.type_key, []))]
        if language == "python":
            from ..back import python_binding

            return python_binding.one_class(cls, self._python_names(path))
        made = _in_dialect(made, dialect or cls.module.dialect)
        return cpp_width.fitted(self._part(cls, block, made))

    def _python_names(self, path: str) -> PythonNames:
        """Return the names in a Python file, which is a module below the Python root."""
        from ..back.python_type import PythonNames

        root = os.path.join(self.config.root, self.config.python_root)
        name = os.path.splitext(os.path.relpath(path, root))[0].replace(os.sep, ".")
        name = name.removesuffix(".__init__")
        return PythonNames(self.program, os.path.basename(name) if name[:2] == ".." else name)

    def _imports(self, path: str) -> Pieces:
        """Return the imports for the bindings in a Python file."""
        from ..back import python_binding

        names = self._python_names(path)
        for cls in self.program.order:
            if {cls.marker, cls.ref_marker} & self.targets.get(path, set()):
                python_binding.one_class(cls, names)
        return [*python_binding.import_lines(names, names.module)]

    def _unknown(self, block: markers.Block, name: str) -> None:
        several = self.program.shared.get(name)
        if several:
            text = f"{name} means several classes: {', '.join(sorted(several))}"
            self.bag.add("TS104", text, block.span, help="write the namespace before the name")
            return
        renamed = [
            c.obj
            for c in self.program.classes.values()
            if c.d.renamed_from and c.d.renamed_from.rpartition(".")[2] == name.removesuffix("Node")
        ]
        hint = f"it is now called {renamed[0]!r}, which has a block: use --prune" if renamed else ""
        self.bag.add(
            "TS104",
            f"no class {name!r} in the schema",
            block.span,
            help=hint or near(name, [*self.objects, *self.refs]) or "remove it with --prune",
        )

    def _part(self, cls: Class, block: markers.Block, made: CppOptions) -> Pieces:
        name, part = block.key, block.part
        spelled = cpp_file.names_for(self.program, made, cls)
        if not part:
            part = "ref" if name in self.refs and name not in self.objects else "obj"
        if part == "forward":
            return [*cpp_namespace.forward([cls])]
        if part == "ctor":
            return [
                *cpp_definitions.constructors(cls, spelled),
                *cpp_definitions.enum_accessors(cls, spelled),
            ]
        if part == "methods":
            return cpp_definitions.methods(cls, spelled)
        if part == "reflection":
            return cpp_registration.registration([cls], spelled)
        if part == "statements":
            return [*cpp_source.statements(cls, spelled), Anchor("registration")]
        if part == "source":
            return _without_last_line(cpp_file.bodies(self.program, [cls], made))
        out: Pieces = []
        if part in ("obj", "all"):
            out += cpp_object.emit(cls, spelled, block.is_documented)
        if part == "all" and cls.ref:
            out.append("")
        if part in ("ref", "all") and cls.ref:
            more = cpp_ref.emit(cls, spelled, part == "ref" and block.is_documented)
            out += more if part == "ref" else [p for p in more if isinstance(p, str)]
        return out

    def _group(self, path: str, block: markers.Block, made: CppOptions) -> Pieces:
        classes = self._classes_of(path)
        if block.part:
            classes = [c for c in classes if fnmatch.fnmatch(c.type_key, block.part)]
        if not classes:
            return []
        module = classes[0].module
        if "dialect" not in block.options:
            made = _in_dialect(made, module.dialect)
        if block.target == "@includes":
            lines = cpp_file.includes(self.program, module, classes, made.dialect)
            held = cpp_file.held_by_pointer(self.program, classes, made)
            return [*lines, *cpp_namespace.pointer_declarations(self.program, held)]
        if block.target == "@forward":
            return [*cpp_namespace.forward(classes)]
        if block.target == "@enum-entries":
            return [
                line
                for c in classes
                for line in cpp_definitions.enum_accessors(
                    c, cpp_file.names_for(self.program, made, c)
                )
            ]
        free = [c for c in classes if (c.marker, "reflection") not in self.claimed]
        return _without_last_line(cpp_file.bodies(self.program, free, made))

    def _classes_of(self, path: str) -> list[Class]:
        """Return the classes that belong to a source or header file."""
        real = os.path.realpath(path)
        stem = os.path.splitext(os.path.basename(path))[0]
        by_stem: list[Module] = []
        for module in self.program.schema.modules:
            include_root = self.config.cpp_include_root
            headers = cpp_file.of_files(self.program, module)
            names = [os.path.join(include_root, name) for name in headers]
            names.append(cpp_file.source_name(module, self.config.cpp_source_root))
            if real in (os.path.realpath(os.path.join(self.config.root, n)) for n in names):
                return self.program.of_module(module)
            if module.stem == stem:
                by_stem.append(module)
        if by_stem:
            return self.program.of_module(by_stem[0])
        return list(self.program.order)
