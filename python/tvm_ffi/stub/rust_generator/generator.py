# SPDX-License-Identifier: Apache-2.0
"""The generator for Rust: blocks, files, and the state of a run."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from tvm_ffi.stub import consts, lib_state
from tvm_ffi.stub.file_utils import CodeBlock, FileInfo
from tvm_ffi.stub.interface import Generator
from tvm_ffi.stub.utils import InitConfig, ObjectInfo, Options

from . import directives, names
from .codegen import ObjectText
from .imports import RustImports, names_of_text
from .plan import Planner
from .types import RUST_TY_MAP, TypeNames


class RustGenerator(Generator):
    """The generator for Rust code that uses the crate ``tvm-ffi``."""

    name = "rust"
    source_exts = (".rs",)
    syntax = consts.RUST_SYNTAX
    directive_kinds = directives.KINDS | {"import-object"}
    api_filename = "mod.rs"
    separates_blocks = True
    writes_functions = False

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._directives = directives.Directives()
        self._files: dict[str, Path] = {}
        self._names = TypeNames({}, self._path_of)
        self._planner: Planner | None = None

    def default_ty_map(self) -> dict[str, str]:
        """Return the Rust paths of schema types."""
        return dict(RUST_TY_MAP)

    def canonical_type_name(self, type_key: str, ty_map: Mapping[str, str]) -> str:
        """Return the full name of a type."""
        return ty_map.get(type_key) or self._path_of(type_key) or type_key

    # ---- before the files are filled ----

    def note_directive(self, kind: str, payload: str, lineno: int) -> None:
        """Apply a directive to all files of the run.

        Raise ValueError if the directive is malformed.
        """
        if kind in directives.KINDS:
            self._directives.take(kind, payload, lineno)
        elif kind == "import-object" and not payload.split(";")[0].strip():
            raise ValueError(f"Invalid `{kind}` directive at line {lineno}. Expected `<path>`")

    def prepare(self, files: Collection[FileInfo], ty_map: Mapping[str, str]) -> None:
        """Record which file defines which type."""
        self._names = TypeNames(ty_map, self._path_of)
        self._planner = None
        self._files = {}
        for file in sorted(files, key=lambda f: f.path):
            for block in file.code_blocks:
                if block.kind == "object":
                    self._files.setdefault(str(block.param), file.path)

    def _path_of(self, type_key: str) -> str | None:
        path = self._files.get(type_key)
        return None if path is None else f"{names.module_path(path)}::{names.leaf(type_key)}"

    # ---- filling the blocks ----

    def new_imports(self, ty_map: Mapping[str, str], file: FileInfo | None = None) -> RustImports:
        """Create the imports of a file.

        Raise ValueError if two types of the file would have the same name.
        """
        if file is None:
            return RustImports(ty_map)
        keys = [str(b.param) for b in file.code_blocks if b.kind == "object"]
        local: dict[str, str] = {}
        for key in dict.fromkeys(keys):
            enums = [e.name for f, e in self._directives.enums.items() if f.startswith(f"{key}.")]
            for name in (names.leaf(key), f"{names.leaf(key)}Obj", *enums):
                if local.setdefault(name, key) != key:
                    raise ValueError(f"`{local[name]}` and `{key}` both define `{name}`")
        written, items = names_of_text(file)
        return RustImports(
            ty_map,
            {*local, *items},
            names.module_path(file.path) if local else "",
            any(block.kind == "import-section" for block in file.code_blocks),
            written,
        )

    def add_directive(self, imports: RustImports, name: str, payload: str, lineno: int) -> None:
        """Apply a directive to one file.

        Raise ValueError if the file does not have an import section.
        """
        if not imports.has_section:
            begin, end = f"{self.syntax.begin} import-section", self.syntax.end
            raise ValueError(
                f"`{name}` directive at line {lineno} needs an import section: "
                f"add the lines `{begin}` and `{end}`, or a `use` line instead of the directive"
            )
        imports.add(payload.split(";")[0].strip())

    def generate_object_block(
        self, block: CodeBlock, info: ObjectInfo, imports: RustImports, options: Options
    ) -> None:
        """Fill an ``object`` block.

        Raise ValueError if the block needs a type that is not available, or a directive does not
        match.
        """
        if self._planner is None:
            self._planner = Planner(self._names, self._directives)
        plan = self._planner.plan(info.type_key)
        if plan.depends:
            needed = ", ".join(f"`{key}`" for key in plan.depends)
            raise ValueError(
                f"`{info.type_key}` (line {block.lineno_start}) depends on {needed}, which this "
                "run does not ask for: add an `object/<key>` block or a `ty-map` directive for each"
            )
        chain = self._planner.chain_members(info.type_key)
        ancestors = (lib_state.object_info_from_type_key(key) for key in plan.ancestors)
        lineage = [*(ancestor for ancestor in ancestors if ancestor is not None), info]
        text = ObjectText(plan, chain, lineage, self._names, self._directives, imports)
        block.fill(text.lines())

    def generate_import_section_block(
        self, block: CodeBlock, imports: RustImports, defined: Collection[str]
    ) -> None:
        """Fill an ``import-section``; leave it unchanged if there are no imports."""
        lines = imports.lines()
        if lines:
            block.fill(lines)

    def check_view(self, lines: Sequence[str]) -> object:
        """Return the value that ``--check`` compares: the definitions, without formatting."""
        kept = (line.strip() for line in lines)
        text = " ".join(line for line in kept if not line.startswith(("//", "use ")))
        text = re.sub(r"\b(?:\w+::)+(?=[A-Z]\w*)", "", text)
        return re.sub(r",?(?=[)}])", "", re.sub(r"\s+", "", text))

    # ---- new files ----

    def generate_api_file(
        self,
        text: Sequence[str],
        prefix: str,
        infos: Sequence[ObjectInfo],
        ty_map: Mapping[str, str],
        init: InitConfig,
        has_functions: bool,
    ) -> list[str]:
        """Return the lines of ``mod.rs``, with missing blocks added."""
        lines = list(text)
        begin, end = self.syntax.begin, self.syntax.end
        if not lines:
            lines += ["#![allow(dead_code, unused_imports)]", ""]
            lines += [f"//! FFI bindings for `{prefix}` (generated by tvm-ffi-stubgen)."]
        if not any(f"{begin} import-section" in line for line in lines):
            lines += ["", f"{begin} import-section", end]
        for info in infos:
            lines += ["", f"{begin} object/{info.type_key}", end]
        return lines

    def finalize_init(self, base: Path, made: Sequence[Path]) -> dict[Path, list[str]]:
        """Return the new lines of the files that declare the new modules.

        In the base directory, ``lib.rs`` or ``main.rs`` declares the modules, if one of these files
        exists. Otherwise, and in other directories, ``mod.rs`` declares the modules.
        """
        changed: dict[Path, list[str]] = {}
        for path in made:
            folder = path.parent
            while folder != base and base in folder.parents:
                parent = _module_file(folder.parent, is_base=folder.parent == base)
                if parent not in changed:
                    known = parent.exists()
                    changed[parent] = parent.read_text("utf-8").splitlines() if known else []
                wanted = re.compile(rf"\s*(pub(\([^)]*\))?\s+)?mod\s+{folder.name}\s*[;{{].*")
                if not any(wanted.fullmatch(line) for line in changed[parent]):
                    changed[parent].append(f"pub mod {names.identifier(folder.name)};")
                folder = folder.parent
        return changed


def _module_file(folder: Path, is_base: bool) -> Path:
    roots = [folder / name for name in ("lib.rs", "main.rs")] if is_base else []
    return next((path for path in roots if path.exists()), folder / "mod.rs")
