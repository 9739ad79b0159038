# SPDX-License-Identifier: Apache-2.0
"""Create files and blocks for new items: init mode, and the directive ``prefix``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from ..cpp.record import write_atomically
from . import consts, lib_state
from .colour import paint
from .file_utils import CodeBlock, FileInfo
from .utils import FuncInfo, Options

# First components of the names that this package registers.
_OWN_PREFIXES = frozenset({"ffi", "testing", "tvm_ffi"})
# The maximum number of prefixes in a message.
_MAX_SHOWN = 8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .generator import Generator


def scaffold_packages(
    options: Options,
    generator: Generator,
    files: Collection[FileInfo],
    functions: Mapping[str, list[FuncInfo]],
    skipped: Collection[str],
    ty_map: Mapping[str, str],
) -> list[Path]:
    """Write the files of init mode, and return the paths of written files.

    For each prefix below the prefix of init mode, write a directory with the files of the target
    language (for Python: ``_ffi_api.py`` and ``__init__.py``). Existing content is kept.
    """
    init = options.init
    if init is None:
        return []
    base = options.files[0] if options.files[0].is_dir() else options.files[0].parent
    keys = lib_state.collect_type_keys()
    blocks = [block for file in files for block in file.code_blocks]
    have_functions = {block.param[0] for block in blocks if block.kind == "global"}
    have_objects = {block.param for block in blocks if block.kind == "object"} | set(skipped)
    touched = []
    for prefix in matching_prefixes(init.prefix, functions):
        new = [
            key
            for key in keys.get(prefix, [])
            if key not in have_objects and not generator.is_builtin(key)
        ]
        with_functions = (
            prefix in functions
            and prefix not in have_functions
            and generator.init_filename is not None
        )
        if not new and not with_functions:
            continue
        folder = base.joinpath(*prefix.split("."))
        api = folder / generator.api_filename
        infos = lib_state.toposort_objects(new)
        _write(
            api,
            generator.generate_api_file(_read(api), prefix, infos, ty_map, init, with_functions),
            options,
        )
        touched.append(api)
        if generator.init_filename is not None:
            package = folder / generator.init_filename
            _write(package, generator.generate_init_file(_read(package), prefix), options)
            touched.append(package)
    for path, lines in generator.finalize_init(base, touched).items():
        _write(path, lines, options)
    return touched


def matching_prefixes(wanted: str, functions: Collection[str]) -> list[str]:
    """Return the sorted prefixes of functions and types, at or below the prefix of init mode."""
    return sorted(p for p in _prefixes(functions) if f"{p}.".startswith(wanted))


def hint_for_prefix(wanted: str, functions: Collection[str]) -> str:
    """Return a hint for a prefix of init mode below which nothing is registered."""
    from .. import _nearest

    known = sorted(p for p in _prefixes(functions) if p.partition(".")[0] not in _OWN_PREFIXES)
    shown = [f"{prefix}." for prefix in known[:_MAX_SHOWN]]
    shown += ["..."] if len(known) > _MAX_SHOWN else []
    otherwise = f"; registered prefixes: {', '.join(shown)}" if shown else ""
    return _nearest.hint(wanted, [f"{prefix}." for prefix in known], otherwise)


def _prefixes(functions: Collection[str]) -> set[str]:
    return {*functions, *lib_state.collect_type_keys()}


def _read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _write(path: Path, lines: list[str], options: Options) -> None:
    if options.dry_run:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, "\n".join(lines) + "\n")


def expand_prefix(
    file: FileInfo, prefix: str, owned: Collection[str], generator: Generator
) -> None:
    """Add blocks for the types directly below a prefix, and remove blocks of unregistered types.

    ``owned`` contains the types that another block defines or that are excluded; these types do not
    get a block.
    """
    registered = lib_state.collect_type_keys().get(prefix, [])
    kept = []
    for block in file.code_blocks:
        if block.kind == "object" and isinstance(block.param, str):
            under = block.param.rpartition(".")[0] == prefix
            if under and block.param not in registered:
                text = f"[Removed] {block.param} from {file.path}"
                print(paint(consts.TERM_YELLOW, text))
                continue
        kept.append(block)
    new = [key for key in registered if key not in owned and not generator.is_builtin(key)]
    file.code_blocks = kept
    has_imports = any(block.kind == "import-section" for block in kept)
    added = [f"object/{info.type_key}" for info in lib_state.toposort_objects(new)]
    if generator.separates_blocks and not has_imports:
        added.insert(0, "import-section")
    for stub in added:
        if generator.separates_blocks:
            file.code_blocks.append(CodeBlock(None, "", 0, 0, [""]))
        file.code_blocks.append(_block(stub, file))


def _block(stub: str, file: FileInfo) -> CodeBlock:
    line = f"{file.syntax.begin} {stub}"
    block = CodeBlock.from_begin_line(len(file.lines) + 1, line, file.syntax)
    block.lines.append(file.syntax.end)
    return block
