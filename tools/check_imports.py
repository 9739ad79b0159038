# SPDX-License-Identifier: Apache-2.0
"""Check the imports of the two Python packages: direction, depth and position.

Imports inside functions are checked, and so are ``import_module`` and ``__import__`` with a literal
that is or begins the name. Imports under ``TYPE_CHECKING`` never run and are not checked.
``tvm_ffi`` must not have an import cycle or more than 12 levels, and an import inside a function
needs an entry in `DEFERRED`. Each part of ``tvm_ffi_schema`` imports only lower parts.
"""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeGuard

PACKAGE = "python/tvm_ffi"
SCHEMA = "schema/tvm_ffi_schema"
MOST_LEVELS = 12

#: Parts of tvm_ffi that other parts must not import at import time: tools and test fixtures.
TOOLS = frozenset(("cpp", "debug", "stub", "schema", "testing"))

#: (Importing module, imported module), without `tvm_ffi.` -> why the import is inside a function.
#: The name of a package also stands for its submodules.
DEFERRED: dict[tuple[str, str], str] = {
    ("__main__", "cpp"): "`--version` does not need the modules for compiling",
    ("__main__", "stub"): "`--version` does not need to read libraries",
    ("__init__", "libinfo"): "only `tvm_ffi.LIB` needs it",
    ("_native", "core"): "the error for an absent extension is raised here",
    ("_native", "_distribution"): "only the error for files of two installations needs it",
    ("_native", "libinfo"): "only the library of test fixtures needs it",
    ("_native", "module"): "only the library of test fixtures needs it",
    ("libinfo", "_distribution"): "libraries are found without the name of the distribution",
    ("libinfo", "_library_error"): "only a message needs it",
    ("_library_error", "_distribution"): "only one of the messages needs it",
    ("libinfo", "module"): "finding files works without the extension",
    ("libinfo", "registry"): "finding files works without the extension",
    ("module", "_display"): "most programs do not display a module",
    ("module", "_nearest"): "only messages need it, and it imports difflib",
    ("module", "_pickle"): "most programs do not pickle a module",
    ("_pickle.definition", "dataclasses.resolve"): "only pickling a class needs it",
    ("_pickle.function", "_values.convert"): "only pickles of functions need it",
    ("registry", "_pickle"): "only classes of programs and notebooks need it",
    ("serialization", "_pickle"): "only pickles of functions and libraries need it",
    ("serialization", "_structural.refused_value"): "only a message needs it",
    ("_pickle", "cpp"): "only libraries that travel by content need the cache",
    ("distributed", "_pickle"): "only shipping a library needs it",
    ("registry", "_nearest"): "only messages need it, and it imports difflib",
    ("module", "_values.property_mask"): "few programs use it, and it imports enum",
    ("_signatures.keywords", "core"): "metadata is read without the extension",
    ("_types.info", "_types.field"): "most programs do not use the fields of a type",
    ("_types.schema.text", "container"): "only schemas in containers need it",
    ("dataclasses._enum.enum_object", "container"): "only enums without attributes need it",
    ("dataclasses.__init__", "dataclasses.field"): "KW_ONLY imports the module of Python",
    ("dataclasses.members", "dataclasses.unknown_field"): "only one error needs it",
    ("dataclasses.gen_abi_cpp", "stub"): "the generator is large, and rarely used",
    ("_optional_torch_c_dlpack", "cpp"): "only the first tensor of PyTorch needs the build",
    ("utils._build_optional_torch_c_dlpack", "cpp"): "finding PyTorch comes first",
    ("utils._build_optional_torch_c_dlpack", "libinfo"): "finding PyTorch comes first",
    ("utils._build_optional_torch_c_dlpack", "utils"): "finding PyTorch comes first",
    ("cpp", "cpp"): "loading a library from the cache does not need the modules for compiling",
    ("cpp", "module"): "building works without the extension",
    ("stub", "_nearest"): "only a warning needs it, and it imports difflib",
    ("stub", "stub.rust_generator"): "only the target rust needs it",
    ("testing", "testing.classes"): "few tests need the classes under their former path",
    ("testing", "testing.enums"): "most tests do not need enums",
}

#: Parts of the schema tool, lowest first; a part may import parts in lower rows.
SCHEMA_LEVELS: list[set[str]] = [
    {"ir", "_version"},
    {"diag", "ty"},
    {"dsl", "files"},
    {"config", "front"},
    {"cache", "cxx", "link"},
    {"back", "check", "run_time"},
    {"build", "weave", "__init__"},
    {"compare"},
    {"commands"},
    {"__main__"},
]


class Import(NamedTuple):
    """An import of one module of a package by another."""

    source: str
    target: str
    path: Path
    line: int
    is_deferred: bool


def modules_of(top: Path) -> dict[str, Path]:
    """Return module name, relative to `top` -> path; the name of a package is ``x.__init__``."""
    paths = sorted(top.rglob("*.py"))
    return {".".join(p.relative_to(top).with_suffix("").parts): p for p in paths}


def imports_of(top: Path) -> list[Import]:
    """Return the imports between the modules of a package."""
    modules = modules_of(top)
    found = []
    for name, path in modules.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node, is_deferred in _statements(tree, False):
            for full in _names(node, name, top.name):
                target = _module(full, modules)
                if target is not None and target != name:
                    found.append(Import(name, target, path, node.lineno, is_deferred))
    return found


def _statements(
    tree: ast.AST, is_deferred: bool
) -> Iterator[tuple[ast.Import | ast.ImportFrom | ast.Call, bool]]:
    """Yield the imports that can run, and whether they are inside a function."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)) or _is_import_call(node):
            yield node, is_deferred
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for other in node.orelse:
                yield from _statements(other, is_deferred)
        else:
            is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            yield from _statements(node, is_deferred or is_function)


def _is_import_call(node: ast.AST) -> TypeGuard[ast.Call]:
    function = getattr(node, "func", None)
    name = getattr(function, "attr", None) or getattr(function, "id", None)
    return isinstance(node, ast.Call) and name in ("import_module", "__import__")


def _imported_by_call(node: ast.Call) -> str:
    """Return the literal name, or the packages that begin a formatted name; else the empty text."""
    argument = node.args[0] if node.args else node
    start = argument.values[0] if isinstance(argument, ast.JoinedStr) else argument
    if not isinstance(start, ast.Constant) or not isinstance(start.value, str):
        return ""
    return start.value if start is argument else start.value.rpartition(".")[0]


def _names(
    node: ast.Import | ast.ImportFrom | ast.Call, importer: str, package: str
) -> Iterator[str]:
    """Yield the names of the package that a statement imports, relative to the package."""
    if isinstance(node, ast.Call):
        names = [_imported_by_call(node)]
    elif isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif node.level:
        parts = [package, *importer.split(".")]  # the base of `a.b` and of `a.__init__` is `a`
        base = ".".join([*parts[: len(parts) - node.level], *filter(None, [node.module])])
        names = [f"{base}.{alias.name}" for alias in node.names]
    else:
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    for name in names:
        first, _, rest = name.partition(".")
        if first == package and rest:
            yield rest


def _module(name: str, modules: dict[str, Path]) -> str | None:
    """Return the module that contains a dotted name; the extension `core` counts as a module."""
    parts = name.split(".")
    if parts[0] == "core":
        return "core"
    for end in range(len(parts), 0, -1):
        stem = ".".join(parts[:end])
        for found in (stem, f"{stem}.__init__"):
            if found in modules:
                return found
    return None


# --- tvm_ffi


def check_package(root: Path) -> Iterator[str]:
    """Check the imports of tvm_ffi."""
    imports = imports_of(root / PACKAGE)
    for one in imports:
        where = f"{one.path.relative_to(root)}:{one.line}"
        target = one.target.removesuffix(".__init__")
        if one.is_deferred:
            if not any(_covers(key, (one.source, target)) for key in DEFERRED):
                yield f"{where}: imports {target} inside a function, without a reason in DEFERRED"
        elif target.split(".")[0] in TOOLS and one.source.split(".")[0] not in TOOLS:
            yield f"{where}: imports {target}, a tool, at import time"
    yield from _check_graph(imports)


def _covers(entry: tuple[str, str], pair: tuple[str, str]) -> bool:
    return all(name == key or name.startswith(f"{key}.") for key, name in zip(entry, pair))


def unused_reasons(root: Path) -> list[tuple[str, str]]:
    """Return the entries of `DEFERRED` without a matching import."""
    pairs = [
        (one.source, one.target.removesuffix(".__init__"))
        for one in imports_of(root / PACKAGE)
        if one.is_deferred
    ]
    return [key for key in DEFERRED if not any(_covers(key, pair) for pair in pairs)]


def _check_graph(imports: list[Import]) -> Iterator[str]:
    """Check that there is no cycle; a level is one more than the highest that a module imports."""
    graph: dict[str, set[str]] = {}
    for one in imports:
        graph.setdefault(one.source, set()).add(one.target)
    level: dict[str, int] = {}
    try:
        for name in graphlib.TopologicalSorter(graph).static_order():
            level[name] = 1 + max((level[other] for other in graph.get(name, ())), default=0)
    except graphlib.CycleError as error:
        yield f"{PACKAGE}: import cycle: {' -> '.join(reversed(error.args[1]))}"
        return
    deepest = max(level, key=lambda name: level[name], default="")
    if level and level[deepest] > MOST_LEVELS:
        yield f"{PACKAGE}: {deepest} is on level {level[deepest]}, {MOST_LEVELS} are allowed"


# --- tvm_ffi_schema


def check_schema(root: Path) -> Iterator[str]:
    """Check the direction of the imports of the schema tool."""
    top = root / SCHEMA
    for name, path in modules_of(top).items():
        if _schema_level(name) is None:
            yield f"{path.relative_to(root)}: no level in tools/check_imports.py"
    for one in imports_of(top):
        source, target = (name.split(".")[0] for name in (one.source, one.target))
        own, other = _schema_level(source), _schema_level(target)
        if source != target and own is not None and other is not None and other >= own:
            where = f"{one.path.relative_to(root)}:{one.line}"
            yield f"{where}: {source} imports {target}, which is not lower"


def _schema_level(name: str) -> int | None:
    part = name.split(".")[0]
    return next((at for at, level in enumerate(SCHEMA_LEVELS) if part in level), None)


def problems(root: Path) -> list[str]:
    """Return the errors below ``root``."""
    return [*check_package(root), *check_schema(root)]
