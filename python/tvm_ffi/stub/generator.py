# SPDX-License-Identifier: Apache-2.0
"""The interface of generators, and their list."""

from __future__ import annotations

from .python_generator import PythonGenerator
from .utils import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path
    from typing import Any, Protocol

    from .consts import MarkerSyntax
    from .file_utils import CodeBlock, FileInfo
    from .utils import FuncInfo, InitConfig, ObjectInfo

    class Generator(Protocol):
        """Fills the blocks of one language. Each run creates a generator."""

        options: Options

        @property
        def name(self) -> str:
            """The name of the generator for the option ``--target``."""

        @property
        def source_exts(self) -> tuple[str, ...]:
            """The suffixes of the generator's files."""

        @property
        def syntax(self) -> MarkerSyntax:
            """The syntax of the generator's markers."""

        @property
        def directive_kinds(self) -> frozenset[str]:
            """The directives that only this generator has."""

        @property
        def api_filename(self) -> str:
            """The name of the file that init mode creates for a prefix."""

        @property
        def init_filename(self) -> str | None:
            """The name of the second file that init mode creates for a prefix, or None."""

        @property
        def separates_blocks(self) -> bool:
            """Whether a blank line precedes an added block."""

        @property
        def writes_functions(self) -> bool:
            """Whether the generator fills ``global`` blocks."""

        def default_ty_map(self) -> dict[str, str]:
            """Return the names of schema types in the language."""

        def is_builtin(self, type_key: str) -> bool:
            """Return whether a type is built in, and must not be generated."""

        def canonical_type_name(self, type_key: str, ty_map: Mapping[str, str]) -> str:
            """Return the full name of a type."""

        def note_directive(self, kind: str, payload: str, lineno: int) -> None:
            """Apply a directive to the whole run; raise ValueError if it is malformed."""

        def prepare(self, files: Collection[FileInfo], ty_map: Mapping[str, str]) -> None:
            """Prepare for the files of the run, before they are filled."""

        def new_imports(self, ty_map: Mapping[str, str], file: FileInfo | None = None) -> Any:
            """Create the imports of a file."""

        def add_directive(self, imports: Any, name: str, payload: str, lineno: int) -> None:
            """Apply a directive to a file."""

        def generate_global_funcs_block(
            self, block: CodeBlock, functions: Sequence[FuncInfo], imports: Any, options: Options
        ) -> None:
            """Fill a ``global`` block."""

        def generate_object_block(
            self, block: CodeBlock, info: ObjectInfo, imports: Any, options: Options
        ) -> None:
            """Fill an ``object`` block; raise ValueError if that is not possible."""

        def generate_import_section_block(
            self, block: CodeBlock, imports: Any, defined: Collection[str]
        ) -> None:
            """Fill an ``import-section``."""

        def generate_all_block(self, block: CodeBlock, names: Collection[str]) -> None:
            """Fill an ``__all__`` block."""

        def generate_export_block(self, block: CodeBlock) -> None:
            """Fill an ``export`` block."""

        def keep_imports(self, file: FileInfo, kept: Collection[CodeBlock], imports: Any) -> None:
            """Keep the existing imports that the unchanged blocks of a file use."""

        def finish_file(self, file: FileInfo, imports: Any) -> None:
            """Complete a file after its blocks are filled."""

        def extra_export_names(self, imports: Any) -> list[str]:
            """Return names to export that are not defined in generated blocks."""

        def check_view(self, lines: Sequence[str]) -> object:
            """Return a value made from a file; ``--check`` compares these values, not lines."""

        def generate_api_file(
            self,
            text: Sequence[str],
            prefix: str,
            infos: Sequence[ObjectInfo],
            ty_map: Mapping[str, str],
            init: InitConfig,
            has_functions: bool,
        ) -> list[str]:
            """Return the lines of the file for a prefix, with missing parts added."""

        def generate_init_file(self, text: Sequence[str], prefix: str) -> list[str]:
            """Return the lines of the second file for a prefix."""

        def finalize_init(self, base: Path, made: Sequence[Path]) -> dict[Path, list[str]]:
            """Return path -> new lines, for other files that must refer to the created files."""


_NAMES = ("python", "rust")


def generator_names() -> list[str]:
    """Return the names of the generators."""
    return list(_NAMES)


def get_generator(name: str, options: Options | None = None) -> Generator:
    """Return a generator.

    Raises
    ------
    ValueError
        If there is no generator with this name.

    """
    if name == "python":
        return PythonGenerator(options or Options())
    if name == "rust":
        from .rust_generator import RustGenerator

        return RustGenerator(options or Options())
    raise ValueError(f"Unknown stubgen generator: {name!r}. Known generators: {', '.join(_NAMES)}")
