# SPDX-License-Identifier: Apache-2.0
"""The command ``tvm-ffi-stubgen``: options, the stages of a run, the exit status.

The exit status is 0 for success; 1 if ``--check`` found stale files, there were no arguments, or a
library or module could not be loaded; 2 if a file failed or the options are invalid.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import os
import re
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .._distribution import VERSION_TEXT
from .._input_file import check_input
from .._overwrite import check_replaceable
from . import consts, inventory, layout, lib_state, pyi, scaffold, watched
from .colour import paint
from .file_utils import CodeBlock, FileInfo, collect_files, misspelled_markers, syntax_for
from .generator import generator_names, get_generator
from .utils import FuncInfo, InitConfig, ObjectInfo, Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .generator import Generator

# The maximum number of exported functions that a message lists.
_MOST_LISTED = 10

# ---- options ----


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tvm-ffi-stubgen",
        description="Write the types of registered functions and objects into source files.",
    )
    parser.add_argument("--version", action="version", version=VERSION_TEXT)
    add = parser.add_argument
    add("--imports", default="", help="Python modules to import first, separated by semicolons")
    add("--dlls", default="", help="shared libraries to load first, separated by semicolons")
    add("--init-pypkg", default="", help="init mode: the package that has the library")
    add("--init-lib", default="", help="init mode: the name of the library")
    add("--init-prefix", default="", help="init mode: the prefix of the names to write files for")
    add("--indent", type=int, default=4, help="indentation below `if TYPE_CHECKING:` (4)")
    add("--target", default="python", choices=generator_names(), help="what to write (python)")
    add("--verbose", action="store_true", help="show what changes")
    add("--dry-run", action="store_true", help="write nothing")
    add("--check", action="store_true", help="write nothing, and fail when a file is stale")
    add("--pyi", action="store_true", help="write a .pyi file beside each .py file instead")
    add("--coverage-out", type=Path, help="write a report on layouts to this file")
    add("PATH", nargs="*", type=Path, help="files and directories")
    return parser


def _options(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> Options:
    given = parser.parse_args(arguments)
    init = (given.init_pypkg, given.init_lib, given.init_prefix)
    if any(init) and not all(init):
        parser.error("--init-pypkg, --init-lib, and --init-prefix must be provided together")
    if given.check and any(init):
        parser.error("--check cannot be combined with --init-* flags")
    if given.pyi and given.target != "python":
        parser.error("--pyi is for the target python")
    if given.indent < 0:
        parser.error("--indent must not be negative")
    prefix = given.init_prefix.rstrip(".") + "."
    return Options(
        imports=_split(given.imports),
        dlls=_split(given.dlls),
        init=InitConfig(given.init_pypkg, given.init_lib, prefix) if all(init) else None,
        indent=given.indent,
        files=given.PATH,
        target=given.target,
        verbose=given.verbose,
        dry_run=given.dry_run,
        check=given.check,
        coverage_out=given.coverage_out,
        pyi=given.pyi,
    )


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


# ---- the stages ----


@dataclass
class _Run:
    """The state of a run."""

    options: Options
    generator: Generator
    functions: dict[str, list[FuncInfo]] = field(default_factory=dict)
    ty_map: dict[str, str] = field(default_factory=dict)
    skipped: set[str] = field(default_factory=set)
    prefixes: dict[Path, list[str]] = field(default_factory=dict)
    files: dict[Path, FileInfo] = field(default_factory=dict)
    failed: set[Path] = field(default_factory=set)
    stale: list[Path] = field(default_factory=list)

    def fail(self, path: Path) -> None:
        """Record that a file failed with the exception that is being handled."""
        self.failed.add(path)
        for text in _messages(path, self.options.verbose):
            print(paint(consts.TERM_RED, f"[Failed] {text}"))


def _messages(path: Path, verbose: bool) -> list[str]:
    """Return texts about the exception that is being handled, one for each line of its message."""
    error = sys.exc_info()[1]
    file = f'File "{path}"'
    if verbose:
        return [f"{file}: {traceback.format_exc()}"]
    if isinstance(error, UnicodeDecodeError):
        return [f"{file}: not UTF-8 text: {error.reason} at byte {error.start}"]
    if isinstance(error, OSError):
        named = error.filename or path
        return [f'File "{named}": {error.strerror or error}']
    name = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    return [f"{file}{_line_of(text)}: {name}{text}" for text in str(error).splitlines() or [""]]


def _line_of(message: str) -> str:
    """Return ``, line N`` for a message that names line N."""
    match = re.search(r"\bline (\d+)", message)
    return f", line {match[1]}" if match else ""


class _LoadError(Exception):
    """A library or module of the command line cannot be loaded."""


def _load(options: Options) -> tuple[list[ctypes.CDLL], list[str]]:
    """Load libraries and modules; also return the paths of libraries that register nothing."""
    importlib.import_module("tvm_ffi")
    libraries = []
    silent = []
    for path in options.dlls:
        before = inventory.registered_names()
        try:
            check_input(path)
            libraries.append(ctypes.CDLL(path))
        except OSError as error:
            hint = _hint_for_missing(path)
            raise _LoadError(f"cannot load library {path}: {error}{hint}") from error
        if options.verbose or inventory.registered_names() == before:
            silent.append(path)
    for name in options.imports:
        try:
            importlib.import_module(name)
        except ImportError as error:
            raise _LoadError(f"cannot import module {name}: {error}") from error
    return libraries, silent


def _hint_for_missing(path: str) -> str:
    """Return a hint about a file in the current directory, which the loader does not search."""
    if os.path.dirname(path) or not os.path.exists(path):
        return ""
    return (
        "; a name without a directory is searched in the system's directories: "
        f"for the file in the working directory pass ./{path}"
    )


def _module_name(path: str) -> str:
    """Return the name of a library in the marker of a ``module`` block: for `libx.so`, `x`."""
    return os.path.basename(path).partition(".")[0].removeprefix("lib")


def _tell_exports(run: _Run, path: str, prog: str) -> None:
    """Report the functions that a library exports, unless a file has a block for them."""
    name = _module_name(path)
    blocks = (block for file in run.files.values() for block in file.code_blocks)
    names = inventory.exported_names(path)
    if not names or any(b.kind == "module" and b.param == name for b in blocks):
        return
    listed = ", ".join(names[:_MOST_LISTED])
    if len(names) > _MOST_LISTED:
        listed += f" and {len(names) - _MOST_LISTED} more"
    print(
        f"{prog}: note: no file has the block `module/{name}` for what {path} exports: {listed}. "
        "The block belongs in a class that derives from tvm_ffi.Module. "
        f"To see the signatures of the exports: tvm-ffi-inspect {path}",
        file=sys.stderr,
    )


def _read_files(run: _Run, paths: Sequence[Path]) -> None:
    """Parse files, and apply the directives for the whole run."""
    for path in paths:
        if path in run.files or path in run.failed:
            continue
        try:
            file = FileInfo.from_file(path)
            for line in misspelled_markers(path):
                _warn(path, line, f"markers begin with `{syntax_for(path).prefix}`")
            if file is None:
                continue
            _take_directives(run, file)
            run.files[path] = file
        except (ValueError, OSError):
            run.fail(path)


def _warn(path: Path, line: int, text: str) -> None:
    print(paint(consts.TERM_YELLOW, f'[Warning] File "{path}", line {line}: {text}'))


def _take_directives(run: _Run, file: FileInfo) -> None:
    allowed = consts.PIPELINE_DIRECTIVE_KINDS | run.generator.directive_kinds
    for block in file.code_blocks:
        if not block.is_directive:
            continue
        name, payload = str(block.kind).partition("/")[2], str(block.param)
        if name not in allowed:
            near = _nearest_hint(name, [*allowed, "begin", "end", "skip-file"])
            raise ValueError(f"Unknown directive `{name}` at line {block.lineno_start}{near}")
        if name == "ty-map":
            source, arrow, target = (part.strip() for part in payload.partition("->"))
            if not (source and arrow and target):
                raise ValueError(
                    f"Invalid ty_map format at line {block.lineno_start}. Example: `A.B -> C.D`"
                )
            run.ty_map[source] = target
        elif name == "skip":
            run.skipped.add(payload)
        elif name == "prefix":
            run.prefixes.setdefault(file.path, []).append(payload.rstrip("."))
        else:
            run.generator.note_directive(name, payload, block.lineno_start)


def _check_init_prefix(run: _Run, prog: str) -> None:
    """Warn that init mode writes nothing, if nothing below its prefix is registered."""
    init = run.options.init
    if init is None or scaffold.matching_prefixes(init.prefix, run.functions):
        return
    print(
        f"{prog}: warning: no file was written for --init-prefix {init.prefix}: "
        f"no function with a type and no type `{init.prefix}*` is registered"
        f"{scaffold.hint_for_prefix(init.prefix, run.functions)}",
        file=sys.stderr,
    )


def _expand_prefixes(run: _Run) -> None:
    owned = set(run.skipped)
    for file in run.files.values():
        owned.update(str(b.param) for b in file.code_blocks if b.kind == "object")
    claimed: dict[str, Path] = {}
    for path in sorted(run.prefixes):
        if path not in run.files:
            continue
        prefixes = run.prefixes[path]
        try:
            if len(prefixes) > 1:
                raise ValueError("more than one `prefix` directive in one file")
            if prefixes[0] in claimed:
                raise ValueError(f"`{claimed[prefixes[0]]}` has the prefix `{prefixes[0]}` already")
            claimed[prefixes[0]] = path
            scaffold.expand_prefix(run.files[path], prefixes[0], owned, run.generator)
        except ValueError:
            run.fail(path)


def _not_registered(run: _Run, block: CodeBlock) -> str:
    """Return the error for an ``object`` block whose type is not registered."""
    place = f"`object/{block.param}` (line {block.lineno_start}): the type is "
    hint = _hint_for_key(str(block.param))
    if not block.is_filled and hint:
        return f"{place}not registered{_hint_to_load(run.options)}{hint}"
    return f"{place}no longer registered; delete the block{_hint_to_load(run.options)}{hint}"


def _not_loaded(options: Options, block: CodeBlock) -> str:
    """Return the error for a ``module`` block whose library is not given."""
    hint = _nearest_hint(str(block.param), [_module_name(path) for path in options.dlls])
    place = f"`module/{block.param}` (line {block.lineno_start})"
    return f"{place}: no library of this name is given with --dlls{hint}"


def _fill(run: _Run, file: FileInfo) -> list[str]:
    """Fill the blocks of a file; return the errors despite which the file can be written.

    Raise ValueError if no function of a filled ``global`` block is registered. In this case, the
    block would keep its old content, but the new import section would lack the imports of this
    content.
    """
    imports = run.generator.new_imports(run.ty_map, file)
    names: list[str] = []
    complaints: list[str] = []
    defined: set[str] = set()
    blocks = file.code_blocks
    kept: list[CodeBlock] = []
    unusable: list[str] = []
    for block in blocks:
        if block.kind == "directive/import-object":
            payload = str(block.param)
            run.generator.add_directive(imports, "import-object", payload, block.lineno_start)
    for block in (b for b in blocks if b.kind == "global"):
        functions = [
            f
            for f in run.functions.get(block.param[0], [])
            if not imports.is_written_by_hand(f.schema.name.rpartition(".")[2])
        ]
        if not functions and block.is_filled:
            kept.append(block)
            if run.generator.writes_functions:
                unusable += _fault_of_functions(block)
        if not functions:
            _warn_of_no_functions(run, file.path, block)
        run.generator.generate_global_funcs_block(block, functions, imports, run.options)
        names += [f.schema.name.rpartition(".")[2] for f in functions]
    for block in (b for b in blocks if b.kind == "object"):
        key = str(block.param)
        info = lib_state.object_info_from_type_key(key)
        if info is None:
            complaints.append(_not_registered(run, block))
            if block.is_filled:
                kept.append(block)
                names.append(imports.local_name(key) or key.rpartition(".")[2])
            continue
        run.generator.generate_object_block(block, info, imports, run.options)
        full_name = run.generator.canonical_type_name(key, run.ty_map)
        defined.add(full_name)
        names.append(imports.local_name(key) or full_name.rpartition(".")[2])
    for block in (b for b in blocks if b.kind == "module" and run.generator.writes_functions):
        paths = [p for p in run.options.dlls if _module_name(p) == block.param]
        if paths:
            module = ObjectInfo(str(block.param), methods=inventory.exported_functions(paths[0]))
            run.generator.generate_object_block(block, module, imports, run.options)
        else:
            complaints.append(_not_loaded(run.options, block))
            kept += [block] if block.is_filled else []
    if unusable:
        raise ValueError("\n".join([*unusable, *complaints]))
    run.generator.keep_imports(file, kept, imports)
    names += run.generator.extra_export_names(imports)
    _fill_ends(run.generator, file, imports, defined, names)
    run.generator.finish_file(file, imports)
    return complaints


def _nearest_hint(name: str, known: Sequence[str]) -> str:
    from .. import _nearest

    return _nearest.hint(name, known)


def _hint_for_key(key: str) -> str:
    """Return a hint with the registered type keys that resemble a key."""
    known = [one for keys in lib_state.collect_type_keys().values() for one in keys]
    last = key.rpartition(".")[2].lower()
    same = [one for one in known if one.rpartition(".")[2].lower() == last]
    if same:
        return "; did you mean " + " or ".join(f"`object/{one}`" for one in same[:_MOST_LISTED])
    return _nearest_hint(key, known)


def _warn_of_no_functions(run: _Run, path: Path, block: CodeBlock) -> None:
    """Warn that a ``global`` block stays empty, because no function below its prefix exists."""
    prefix = block.param[0]
    if block.is_filled or not run.generator.writes_functions or lib_state.has_functions(prefix):
        return
    near = _nearest_hint(prefix, list(run.functions))
    hint = _hint_to_load(run.options)
    text = f"`global/{prefix}`: no function `{prefix}.*` is registered{hint}{near}"
    _warn(path, block.lineno_start, text)


def _fault_of_functions(block: CodeBlock) -> list[str]:
    """Return an error for a filled ``global`` block if none of its functions is registered."""
    prefix = block.param[0]
    if lib_state.has_functions(prefix):
        return []
    return [
        f"`global/{prefix}` (line {block.lineno_start}): no function `{prefix}.*` is registered: "
        "pass --dlls or --imports to load what registers them, or delete the block"
    ]


def _hint_to_load(options: Options) -> str:
    if options.dlls or options.imports:
        return ""
    return ", or pass --dlls or --imports to load what registers it"


def _fill_ends(
    generator: Generator, file: FileInfo, imports: Any, defined: set[str], names: Sequence[str]
) -> None:
    """Fill the ``export``, ``import-section`` and ``__all__`` blocks, after the other blocks."""
    first: dict[str | None, CodeBlock] = {}
    for block in file.code_blocks:
        first.setdefault(block.kind, block)
        if block.kind == "export":
            generator.generate_export_block(block)
    if "import-section" in first:
        generator.generate_import_section_block(first["import-section"], imports, defined)
    if "__all__" in first:
        generator.generate_all_block(first["__all__"], names)


def _process(run: _Run, path: Path) -> None:
    file = run.files[path]
    options = run.options
    try:
        complaints = _fill(run, file)
        if options.pyi and path.suffix == ".py":
            file = _stub_of(file)
        before = run.generator.check_view(file.lines)
        changed = file.update(options.verbose, options.dry_run or options.check)
        if changed and options.check and run.generator.check_view(file.new_lines()) != before:
            run.stale.append(path)
            print(paint(consts.TERM_YELLOW, f"[Stale] {path}"))
        if complaints:
            raise ValueError("\n".join(complaints))
    except Exception:  # An invalid file does not prevent the processing of other files.
        run.fail(path)


def _is_library(path: Path) -> bool:
    return path.is_file() and re.search(r"\.(so|dylib|dll)(\.|$)", path.name) is not None


def _stub_of(file: FileInfo) -> FileInfo:
    """Return the stub file for a file whose blocks are filled."""
    path = file.path.with_suffix(".pyi")
    check_replaceable(path, "a stub file of this command", pyi.is_generated)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    new = pyi.render_pyi("\n".join(file.new_lines()) + "\n").splitlines()
    block = CodeBlock(None, "", 1, len(new), new)
    return FileInfo(path, tuple(text.splitlines()), [block], file.syntax)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status.

    Raise SystemExit with status 2 if the arguments are invalid; with status 1, after printing the
    help, if no arguments are given.
    """
    parser = _parser()
    options = _options(parser, arguments)
    if not options.files and options.coverage_out is None:
        parser.print_help()
        parser.exit(1)
    generator = get_generator(options.target, options)
    wants_files = options.init is not None and options.files and not options.dry_run
    if wants_files and not options.files[0].exists():
        options.files[0].mkdir(parents=True)
    for path in options.files:
        if _is_library(path):
            parser.error(f"{path} is a library, not a source file: pass it with --dlls {path}")
    try:
        paths = collect_files(options.files, generator.source_exts)
    except FileNotFoundError as error:
        parser.error(str(error))
    if options.coverage_out is not None:
        try:
            check_replaceable(
                options.coverage_out, "a report on layouts", layout.is_coverage_report
            )
        except OSError as error:
            parser.error(f"--coverage-out {options.coverage_out}: {error.strerror}")
    try:
        libraries, silent = _load(options)
    except _LoadError as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 1
    if options.coverage_out is not None:
        try:
            layout.write_coverage_report(options.coverage_out)
        except OSError as error:
            parser.error(f"--coverage-out {options.coverage_out}: {error.strerror}")
        if not options.files:
            return 0
    run = _Run(options, generator, lib_state.collect_global_funcs())
    _read_files(run, paths)
    for library in silent:
        _tell_exports(run, library, parser.prog)
    files = list(run.files.values())
    if not files and not run.failed and options.init is None:
        print(f"{parser.prog}: note: none of the files has a marker of this command")
    _check_init_prefix(run, parser.prog)
    made = scaffold.scaffold_packages(
        options, generator, files, run.functions, run.skipped, run.ty_map
    )
    for path in made:
        run.files.pop(path, None)
    _read_files(run, [path for path in made if path.exists()])
    _expand_prefixes(run)
    generator.prepare(list(run.files.values()), run.ty_map)
    for path in sorted(set(run.files) - run.failed):
        _process(run, path)
    del libraries  # Keep the libraries loaded until here.
    if run.failed:
        return 2
    return 1 if run.stale else 0


def __main__() -> int:  # noqa: N807 - published name
    """Run the command on the arguments of the process, and return its exit status."""
    return watched.run(main, "tvm-ffi-stubgen")


if __name__ == "__main__":
    sys.exit(__main__())
