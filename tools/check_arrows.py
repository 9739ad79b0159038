#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that no include and no import goes upward in the house (ARCHITECTURE.md, "arrows").

    python tools/check_arrows.py

Includes are read from the source text; imports are those that run when a Python module is imported,
so not the ones inside functions or under ``TYPE_CHECKING``.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Storeys of include/tvm/ffi by name or folder; a file may include its own storey and those below.
STOREYS: dict[str, int] = {
    **dict.fromkeys(("c_api.h", "c_env_api.h"), 0),
    **dict.fromkeys(
        (
            *("base.h", "base_detail.h", "memory.h", "object.h", "cast.h", "any.h"),
            *("type_traits.h", "error.h", "string.h", "dtype.h", "device.h", "optional.h"),
            *("expected.h", "rvalue_ref.h", "endian.h"),
        ),
        1,
    ),
    **dict.fromkeys(("function.h", "function_detail.h", "big_int.h"), 2),
    **dict.fromkeys(("container/", "enum.h", "reflection/", "tvm_ffi.h"), 3),
    **dict.fromkeys(("extra/", "compat/"), 4),
}

# Old header paths that only include the place where the code lives now.
FORWARDERS = {"extra/c_env_api.h": 0, "extra/base.h": 1}

# Headers that another one completes at its end: the class Error is an object made with make_object,
# and objects and memory throw it. Not counted as cycles.
COMPLETED_BY = {("object.h", "error.h"), ("memory.h", "error.h")}
# The private headers with two users: the two halves of that circle, and what traversals that look
# and those that change have in common.
_TRAVERSALS = {"extra/structural_mutate.h", "extra/structural_visit.h"}
SHARED_PRIVATE = {
    "detail/object_unsafe.h": {"memory.h", "object.h"},
    "detail/def_region.h": _TRAVERSALS,
    "detail/structural_hook.h": _TRAVERSALS,
}

# Rooms of src/: what each may include besides include/ and itself.
SRC_ARROWS: dict[str, set[str]] = {
    "core": set(),
    "text": {"core"},
    "graph": {"core", "text"},
    "module": {"core", "text"},
    "functions": {"core", "text", "graph", "module"},
    "abi": {"core", "text", "graph", "module"},
    "testing": set(),
}

# Floors of python/binding by file or folder, lowest first. type/types.h holds the layouts of the
# Python objects alone, so it stands below the rooms that read them.
BINDING_FLOORS: list[set[str]] = [
    {
        *(
            "compat",
            "named",
            "state",
            "ref",
            "attach",
            "memory_guard",
            "raise",
            "traceback",
            "class_info",
        ),
        *("wrapper", "wrapper_memory", "candidates", "frame", "carried"),
    },
    {"convert"},
    {
        *("call", "callback", "environment", "keywords", "structural", "type", "registry"),
        *("collect", "wrapper_gc"),
    },
    {"container", "class"},
    {"enum"},
    {"module"},
]
LAYOUTS = "type/types.h"
# Bodies that look up once, with the reason.
BINDING_STAIRS = {
    ("carried.cc", "convert/convert.h"): "the exception travels in a box, which is a value",
    ("raise.cc", "convert/convert.h"): "the context of an error is a value like any other",
}

# What of the binding sees the C++ headers: the storage of containers is code, compiled into every
# client, and a second copy of the hash table would be one too many.
CONTAINER_ROOMS = (
    *("container/", "convert/native_value.h", "convert/sequence.cc", "convert/mapping.cc"),
    "convert/array_pool.h",
    *("convert/annotated/", "enum/", "collect/", "wrapper_gc.cc"),
)

# Floors of the Python package, lowest first; what is not named stands on the floor of "*".
PACKAGE_FLOORS: list[set[str]] = [
    {"core", "libinfo", "config", "_version", "_native", "utils"},
    {"registry", "error", "_ffi_api"},
    {"*"},
    {"_type_schema"},
    {"dataclasses", "_dunder"},
    {"__init__"},
]
# Floors of the schema tool, lowest first: a part sees those on lower floors, also inside functions.
SCHEMA_FLOORS: list[set[str]] = [
    {"ir", "_version"},
    {"diag", "ty"},
    {"dsl", "files"},
    {"config", "front"},
    {"cache", "link"},
    {"back", "check", "plugins", "run_time"},
    {"build", "weave", "__init__"},
    {"compare"},
    {"commands"},
    {"__main__"},
]

# Rooms outside the front door: they may import anything, nothing inside imports them at once.
OUTSIDE = {"cpp", "debug", "stub", "schema", "testing"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)
Problems = Iterator[str]


def includes(path: Path) -> list[str]:
    """Return what a C or C++ file includes, as written."""
    return INCLUDE.findall(path.read_text(encoding="utf-8", errors="replace"))


def sources(folder: Path, *suffixes: str) -> list[Path]:
    """Return the files below a folder that end with one of the suffixes."""
    return sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix in suffixes)


# --- include/


def storey_of(name: str) -> int | None:
    """Return the storey of a header named relative to include/tvm/ffi."""
    if name in FORWARDERS:
        return FORWARDERS[name]
    return STOREYS.get(name, STOREYS.get(name.partition("/")[0] + "/"))


def check_headers(root: Path) -> Problems:
    """Check storeys, the private headers and cycles of include/tvm/ffi."""
    top = root / "include" / "tvm" / "ffi"
    graph = {
        str(path.relative_to(top)): [
            name[len("tvm/ffi/") :] for name in includes(path) if name.startswith("tvm/ffi/")
        ]
        for path in sources(top, ".h")
    }
    yield from check_header_storeys(graph)
    yield from check_private_headers(graph)
    yield from check_cycles(graph)
    for path in sources(root / "include", ".h"):
        for name in includes(path):
            inside = (root / "include").resolve() in (path.parent / name).resolve().parents
            if name == "Python.h" or (name.startswith(("src/", "python/", "../")) and not inside):
                yield f"{path.relative_to(root)}: includes {name} from outside include/"


def check_header_storeys(graph: dict[str, list[str]]) -> Problems:
    """Check that each header includes its own storey and lower ones."""
    for header, names in sorted(graph.items()):
        private = header.startswith("detail/")
        own = storey_of(header)
        if own is None and not private:
            yield f"include/tvm/ffi/{header}: no storey in tools/check_arrows.py"
        for name in names:
            other = storey_of(name)
            if own is not None and other is not None and other > own:
                yield f"include/tvm/ffi/{header} (storey {own}): includes {name} (storey {other})"


def check_private_headers(graph: dict[str, list[str]]) -> Problems:
    """Check that each file of detail/ serves one public header."""
    users: dict[str, set[str]] = defaultdict(set)
    for header, names in graph.items():
        for name in names:
            if name.startswith("detail/") and not header.startswith("detail/"):
                users[name].add(header)
    for name, those in sorted(users.items()):
        if len(those) > 1 and those != SHARED_PRIVATE.get(name):
            yield f"include/tvm/ffi/{name}: included by {', '.join(sorted(those))}, not by one"


def completes(graph: dict[str, list[str]], header: str, name: str) -> bool:
    """Tell whether this include closes a circle on purpose."""
    private = header.startswith("detail/") and header in graph.get(name, ())
    return private or (header, name) in COMPLETED_BY


def check_cycles(graph: dict[str, list[str]]) -> Problems:
    """Check that no header includes itself by way of others; detail/ is a part of its user."""
    graph = {
        header: [name for name in names if not completes(graph, header, name)]
        for header, names in graph.items()
    }
    done: set[str] = set()
    for start in sorted(graph):
        path: list[str] = []
        stack = [(start, iter(graph.get(start, ())))]
        path.append(start)
        while stack:
            node, rest = stack[-1]
            for name in rest:
                if name in path:
                    yield "include cycle: " + " -> ".join([*path[path.index(name) :], name])
                elif name not in done and name in graph:
                    stack.append((name, iter(graph[name])))
                    path.append(name)
                    break
            else:
                done.add(node)
                stack.pop()
                path.pop()


# --- src/ and python/binding


def check_runtime(root: Path) -> Problems:
    """Check the rooms of src/ and that none sees Python."""
    top = root / "src"
    for path in sources(top, ".h", ".cc"):
        room = path.relative_to(top).parts[0]
        where = path.relative_to(root)
        if room not in SRC_ARROWS:
            yield f"{where}: room {room!r} has no arrows in tools/check_arrows.py"
            continue
        for name in includes(path):
            target = src_room(name, path, top)
            if name == "Python.h" or "binding/" in name:
                yield f"{where}: includes {name}; the runtime knows nothing of Python"
            elif target is not None and target != room and target not in SRC_ARROWS[room]:
                yield f"{where}: includes {name}; {room} does not see {target}"


def src_room(name: str, path: Path, top: Path) -> str | None:
    """Return the room of src/ that an included name lies in, or None."""
    for base in (path.parent, top):
        target = (base / name).resolve()
        if target.is_file() and top.resolve() in target.parents:
            return target.relative_to(top.resolve()).parts[0]
    return None


def binding_may_include(path: Path, top: Path, name: str) -> bool:
    """Return whether a file of the binding may include this header of include/tvm/ffi."""
    if name in ("tvm/ffi/c_api.h", "tvm/ffi/c_env_api.h"):
        return True
    return str(path.relative_to(top)).startswith(CONTAINER_ROOMS) and "detail/" not in name


def check_binding(root: Path) -> Problems:
    """Check the floors of python/binding, and that only containers see C++ headers."""
    top = root / "python" / "binding"
    for path in sources(top, ".h", ".cc"):
        where = path.relative_to(root)
        own = binding_floor(path.relative_to(top))
        if own is None:
            yield f"{where}: no floor in tools/check_arrows.py"
        for name in includes(path):
            if name.startswith("tvm/ffi/") and not binding_may_include(path, top, name):
                yield f"{where}: includes {name}; the binding sees the C headers alone"
            for base in (path.parent, top):
                target = (base / name).resolve()
                if not target.is_file():
                    continue
                if (root / "src").resolve() in target.parents:
                    yield f"{where}: includes {name} of the runtime's inside"
                elif top.resolve() in target.parents and own is not None:
                    to = target.relative_to(top.resolve())
                    stairs = (path.relative_to(top).as_posix(), to.as_posix())
                    other = binding_floor(to)
                    if other is not None and other > own and stairs not in BINDING_STAIRS:
                        yield f"{where} (floor {own}): includes {name} (floor {other})"
                break


def binding_floor(path: Path) -> int | None:
    """Return the floor of a file named relative to python/binding."""
    if path.as_posix() == LAYOUTS:
        return 0
    name = path.parts[0] if len(path.parts) > 1 else path.stem
    return next((i for i, floor in enumerate(BINDING_FLOORS) if name in floor), None)


# --- python/tvm_ffi


def check_package(root: Path) -> Problems:
    """Check the floors of the Python package."""
    top = root / "python" / "tvm_ffi"
    for path in sources(top, ".py"):
        parts = path.relative_to(top).with_suffix("").parts
        own = parts[0]
        if own in OUTSIDE:
            continue
        for line, name in imported(path, parts):
            where = f"{path.relative_to(root)}:{line}"
            if name in OUTSIDE:
                yield f"{where}: imports {name}, which hangs outside the front door"
            elif package_floor(name) > package_floor(own):
                yield f"{where}: {own} imports {name}, which stands higher"


def package_floor(name: str) -> int:
    """Return the floor of a module or package directly below tvm_ffi."""
    common = next(i for i, floor in enumerate(PACKAGE_FLOORS) if "*" in floor)
    return next((i for i, floor in enumerate(PACKAGE_FLOORS) if name in floor), common)


def imported(path: Path, parts: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yield (line, module below tvm_ffi) for each import that runs when the module is imported."""
    package = parts[:-1] if parts[-1] != "__init__" or len(parts) > 1 else ()
    for node in running_statements(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            for alias in node.names:
                names = alias.name.split(".")
                if names[0] == "tvm_ffi" and len(names) > 1:
                    yield node.lineno, names[1]
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, name) for name in from_names(node, package, path))


def from_names(node: ast.ImportFrom, package: tuple[str, ...], path: Path) -> Iterator[str]:
    """Yield the modules below tvm_ffi that a ``from`` import names."""
    if node.level:
        base = list(package[: len(package) - (node.level - 1)]) if node.level > 1 else list(package)
        full = base + (node.module.split(".") if node.module else [])
    else:
        full = (node.module or "").split(".")
        if full[0] != "tvm_ffi":
            return
        full = full[1:]
    if full:
        yield full[0]
        return
    # `from . import a, b`: those that are modules; other names belong to the package itself.
    top = next(p for p in path.parents if p.name == "tvm_ffi")
    for alias in node.names:
        if (top / f"{alias.name}.py").exists() or (top / alias.name).is_dir():
            yield alias.name
        elif alias.name == "core":
            yield "core"


# --- schema/tvm_ffi_schema


def check_schema_tool(root: Path) -> Problems:
    """Check the floors of the schema tool; imports inside of functions count."""
    top = root / "schema" / "tvm_ffi_schema"
    for path in sources(top, ".py"):
        parts = path.relative_to(top).with_suffix("").parts
        own = schema_floor(parts[0])
        if own is None:
            yield f"{path.relative_to(root)}: no floor in tools/check_arrows.py"
            continue
        package = parts[:-1]
        for node in imports_at_any_time(ast.parse(path.read_text(encoding="utf-8"))):
            for name in schema_parts(node, package, top):
                other = schema_floor(name)
                if other is None or (other >= own and name != parts[0]):
                    where = f"{path.relative_to(root)}:{node.lineno}"
                    yield f"{where}: {parts[0]} imports {name}, which does not stand lower"


def imports_at_any_time(tree: ast.AST) -> Iterator[ast.ImportFrom]:
    """Yield the ``from`` imports that run, when a module is imported or later."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ImportFrom):
            yield node
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
            yield from imports_at_any_time(node)


def schema_floor(part: str) -> int | None:
    """Return the floor of a module or package directly below tvm_ffi_schema."""
    return next((i for i, floor in enumerate(SCHEMA_FLOORS) if part in floor), None)


def schema_parts(node: ast.ImportFrom, package: tuple[str, ...], top: Path) -> Iterator[str]:
    """Yield the parts of the schema tool that a ``from`` import names."""
    if node.level > len(package) + 1 or not node.level:
        return
    full = [*package[: len(package) - (node.level - 1)], *(node.module or "").split(".")]
    if full[0]:
        yield full[0]
        return
    for alias in node.names:
        if (top / f"{alias.name}.py").exists() or (top / alias.name).is_dir():
            yield alias.name


def running_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run at import, into if, try, with and class bodies."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            yield from running_statements(node.orelse)
            continue
        yield node
        for name in ("body", "orelse", "finalbody"):
            yield from running_statements(getattr(node, name, []))
        for handler in getattr(node, "handlers", []):
            yield from running_statements(handler.body)


def problems(root: Path) -> list[str]:
    """Return every upward include or import below ``root``."""
    return [
        *check_headers(root),
        *check_runtime(root),
        *check_binding(root),
        *check_package(root),
        *check_schema_tool(root),
    ]


def main() -> int:
    """Print what goes upward."""
    found = problems(ROOT)
    for text in found:
        print(text, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
