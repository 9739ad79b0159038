# SPDX-License-Identifier: Apache-2.0
"""What a generator is, and which there are."""

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
        """Fills the blocks of one language. One of them serves one run."""

        options: Options

        @property
        def name(self) -> str:
            """The name that the command knows."""

        @property
        def source_exts(self) -> tuple[str, ...]:
            """Suffixes of its files."""

        @property
        def syntax(self) -> MarkerSyntax:
            """How its markers are written."""

        @property
        def directive_kinds(self) -> frozenset[str]:
            """Its own directives."""

        @property
        def api_filename(self) -> str:
            """The file that init mode makes for a prefix."""

        @property
        def init_filename(self) -> str | None:
            """The file beside it; None where there is none."""

        @property
        def separates_blocks(self) -> bool:
            """Whether an added block has a blank line before it."""

        def default_ty_map(self) -> dict[str, str]:
            """Return where the language has the types of schemas."""

        def is_builtin(self, type_key: str) -> bool:
            """Tell whether nobody writes a type again."""

        def canonical_type_name(self, type_key: str, ty_map: Mapping[str, str]) -> str:
            """Return the full name that a type has."""

        def note_directive(self, kind: str, payload: str, lineno: int) -> None:
            """Take a directive that holds for the run; ValueError when it is malformed."""

        def prepare(self, files: Collection[FileInfo], ty_map: Mapping[str, str]) -> None:
            """Learn the files of the run, before they are filled."""

        def new_imports(self, ty_map: Mapping[str, str], file: FileInfo | None = None) -> Any:
            """Begin the imports of a file."""

        def add_directive(self, imports: Any, name: str, payload: str, lineno: int) -> None:
            """Take a directive that holds for a file."""

        def generate_global_funcs_block(
            self, block: CodeBlock, functions: Sequence[FuncInfo], imports: Any, options: Options
        ) -> None:
            """Fill a ``global`` block."""

        def generate_object_block(
            self, block: CodeBlock, info: ObjectInfo, imports: Any, options: Options
        ) -> None:
            """Fill an ``object`` block; ValueError when it cannot be."""

        def generate_import_section_block(
            self, block: CodeBlock, imports: Any, defined: Collection[str]
        ) -> None:
            """Fill an ``import-section``."""

        def generate_all_block(self, block: CodeBlock, names: Collection[str]) -> None:
            """Fill an ``__all__`` block."""

        def generate_export_block(self, block: CodeBlock) -> None:
            """Fill an ``export`` block."""

        def finish_file(self, file: FileInfo, imports: Any) -> None:
            """Arrange a file whose blocks are filled."""

        def extra_export_names(self, imports: Any) -> list[str]:
            """Return what a file exports besides."""

        def check_view(self, lines: Sequence[str]) -> object:
            """Return what ``--check`` compares."""

        def generate_api_file(
            self,
            text: Sequence[str],
            prefix: str,
            infos: Sequence[ObjectInfo],
            ty_map: Mapping[str, str],
            init: InitConfig,
            has_functions: bool,
        ) -> list[str]:
            """Return the lines of the file of a prefix, with what it lacks."""

        def generate_init_file(self, text: Sequence[str], prefix: str) -> list[str]:
            """Return the lines of the file beside it."""

        def finalize_init(self, base: Path, made: Sequence[Path]) -> dict[Path, list[str]]:
            """Return the new lines of further files, by path."""


_NAMES = ("python", "rust")


def generator_names() -> list[str]:
    """Return the names of the generators."""
    return list(_NAMES)


def get_generator(name: str, options: Options | None = None) -> Generator:
    """Return a generator.

    Raises
    ------
    ValueError
        If there is none of that name.

    """
    if name == "python":
        return PythonGenerator(options or Options())
    if name == "rust":
        from .rust_generator import RustGenerator

        return RustGenerator(options or Options())
    raise ValueError(f"Unknown stubgen generator: {name!r}. Known generators: {', '.join(_NAMES)}")
