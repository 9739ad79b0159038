# SPDX-License-Identifier: Apache-2.0
"""The base class of generators."""

from __future__ import annotations

from . import consts
from .utils import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from typing_extensions import Unpack

    from .consts import MarkerSyntax
    from .file_utils import CodeBlock, FileInfo
    from .utils import FuncInfo, InitConfig, ObjectInfo

    # The text of a file, its prefix, the types to add, the names of types, the options of init
    # mode, and whether there are functions.
    _Parts = tuple[Sequence[str], str, Sequence[ObjectInfo], Mapping[str, str], InitConfig, bool]


class Generator:
    """Fills the blocks of one language. Each run creates a generator."""

    # The name of the generator for the option `--target`, and the suffixes of its files.
    name: str
    source_exts: tuple[str, ...]
    syntax: MarkerSyntax
    # The directives that only this generator has.
    directive_kinds: frozenset[str]
    # The files that init mode creates for a prefix. Some languages have no second file.
    api_filename: str
    init_filename: str | None = None
    # Whether a blank line precedes an added block.
    separates_blocks: bool
    # Whether the generator fills `global` blocks.
    writes_functions: bool

    # Return the names of schema types in the language.
    default_ty_map: Callable[[], dict[str, str]]
    # Return the full name of a type.
    canonical_type_name: Callable[[str, Mapping[str, str]], str]
    # Create the imports of a file.
    new_imports: Callable[[Mapping[str, str], FileInfo | None], Any]
    # Apply a directive, with its name, payload and line number, to a file.
    add_directive: Callable[[Any, str, str, int], None]
    # Fill an `object` block; raise ValueError if that is not possible.
    generate_object_block: Callable[[CodeBlock, ObjectInfo, Any, Options], None]
    # Fill an `import-section`, in a file that defines the given types.
    generate_import_section_block: Callable[[CodeBlock, Any, Collection[str]], None]
    # Return the lines of the file for a prefix, with missing parts added.
    generate_api_file: Callable[[Unpack[_Parts]], list[str]]
    # Return path -> new lines, for other files that must refer to the created files.
    finalize_init: Callable[[Path, Sequence[Path]], dict[Path, list[str]]]

    def __init__(self, options: Options) -> None:
        self.options = options

    def is_builtin(self, type_key: str) -> bool:
        """Return whether the package already has a type, which must not be generated."""
        return type_key in consts.BUILTIN_TYPE_KEYS

    def note_directive(self, kind: str, payload: str, lineno: int) -> None:
        """Apply a directive to the whole run; raise ValueError if it is malformed."""

    def prepare(self, files: Collection[FileInfo], ty_map: Mapping[str, str]) -> None:
        """Prepare for the files of the run, before they are filled."""

    def generate_global_funcs_block(
        self, block: CodeBlock, functions: Sequence[FuncInfo], imports: Any, options: Options
    ) -> None:
        """Fill a ``global`` block."""

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
        return []

    def check_view(self, lines: Sequence[str]) -> object:
        """Return a value made from a file; ``--check`` compares these values, not lines."""
        return tuple(lines)

    def generate_init_file(self, text: Sequence[str], prefix: str) -> list[str]:
        """Return the lines of the second file for a prefix."""
        return list(text)
