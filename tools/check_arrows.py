# SPDX-License-Identifier: Apache-2.0
"""Check the direction of includes and of imports in Rust ("Dependencies" in ARCHITECTURE.md).

They are read from the source text. ``tools/check_imports.py`` does the same for Python.
"""

from __future__ import annotations

import graphlib
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

# Levels of the headers and folders of include/tvm/ffi, lowest first. A header may include headers
# of its own level and of lower levels.
HEADER_LEVELS = (
    "c_api.h c_env_api.h extra/c_error.h",
    "base.h base_detail.h memory.h object.h cast.h any.h exception.h type_traits.h error.h string.h"
    " dtype.h dtype_of.h extra/dtype.h device.h optional.h expected.h rvalue_ref.h endian.h",
    "arg_names.h function.h function_detail.h big_int.h",
    "container/ enum.h reflection/ tvm_ffi.h",
    "extra/ compat/",
)

# Former path of a header -> its level. The header at the former path only includes the new header.
FORWARDERS = {"extra/c_env_api.h": 0, "extra/base.h": 1}

# Permitted cycles: (header, header that it includes at its end). The class Error is an object, and
# the code of objects throws errors. The two layouts of maps derive from MapBaseObj, and MapBaseObj
# creates objects of both layouts.
COMPLETED_BY = {
    ("object.h", "exception.h"),
    ("container/map_base.h", "container/dense_map.h"),
    ("container/map_base.h", "container/small_map.h"),
}
# The private headers that two public headers include: the visiting and the mutating traversals
# share these headers.
_TRAVERSALS = {"extra/structural_mutate.h", "extra/structural_visit.h"}
SHARED_PRIVATE = {
    "detail/callback_match.h": _TRAVERSALS,
    "detail/def_region.h": _TRAVERSALS,
    "detail/structural_hook.h": _TRAVERSALS,
}

# Folder of src/ -> the folders that it may include besides include/ and itself.
SRC_INCLUDES: dict[str, set[str]] = {
    "core": set(),
    "text": {"core"},
    "graph": {"core", "text"},
    "module": {"core", "text"},
    "layout": {"core"},
    "schema_image": {"core", "text", "layout"},
    "functions": {"core", "text", "graph", "module", "layout", "schema_image"},
    "abi": {"core", "text", "graph", "module"},
    "testing": set(),
}

# Levels of the files and folders of python/binding, lowest first. type/types.h has only the layouts
# of the Python objects, so it is on the lowest level.
BINDING_LEVELS = (
    "compat named state ref clear_error attach forced_unwind memory_guard raise recursion traceback"
    " class_info utf8 wrapper wrapper_memory candidates frame error_exception error_message"
    " type_text type_attribute keywords borrow call_mark",
    "convert",
    "call callback environment structural type function tensor pickle collect wrapper_gc read_only",
    "registry",
    "container class",
    "enum",
    "module",
)
LAYOUTS = "type/types.h"
# (source, included header of a higher level) -> why the include is permitted.
_IN_WORDS = "a message describes an object in the words of the converters"
BINDING_EXCEPTIONS = {
    ("error_exception.cc", "convert/convert.h"): "the exception is boxed, and the box is a value",
    ("error_message.cc", "convert/schema/converters.h"): _IN_WORDS,
    ("raise.cc", "convert/convert.h"): "the context of an error is a value like any other",
}

# Files of the binding that may include the C++ headers. These headers implement the storage of
# containers and tensors as inline code, and the binding must not have a second hash table.
CXX_HEADER_USERS = (
    "container/ convert/native_value.h convert/sequence.cc convert/mapping.cc convert/array_pool.h"
    " convert/borrowed_tensor.h convert/object.cc convert/schema/ enum/ collect/ wrapper_gc.cc"
    " read_only.cc"
)
# A private header of include/tvm/ffi -> the only file of the binding that may include it.
PRIVATE_HEADER_USERS = {
    "tvm/ffi/detail/c_stack.h": "recursion.h",
    "tvm/ffi/detail/deleter_mark.h": "candidates.h",
    "tvm/ffi/detail/member_name.h": "enum/meta.cc",
}

# Levels of the modules of the crate tvm-ffi. A module may import modules of lower levels. Modules
# of one level do not import one another, except those of RUST_CIRCLE: an error is an object, an
# object is a value, and conversions of values return errors.
RUST_LEVELS = (
    "derive reentrant similar_name",
    "any error object panics type_traits",
    "big_int device match_any_internal stack string type_attr",
    "dtype function_internal optional shared_lock",
    "function rvalue_ref variant",
    "collections static_init",
    "reflection",
    "extra",
)
RUST_CIRCLE = set(RUST_LEVELS[1].split())
# A macro -> the module that its expansion uses. The other macros are expanded by other crates, or
# by modules that may import what they use; `macros` has no level for this reason.
RUST_MACROS = {"cached_global_func": "function"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)
Problems = Iterator[str]


def includes(path: Path) -> list[str]:
    """Return the names in the includes of a C or C++ file."""
    return INCLUDE.findall(path.read_text(encoding="utf-8", errors="replace"))


def sources(folder: Path, *suffixes: str) -> list[Path]:
    """Return the files below a folder that end with one of the suffixes."""
    return sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix in suffixes)


# --- include/


def level_in(levels: Sequence[str], *names: str) -> int | None:
    """Return the number of the level that has the first of these names, else the next, or None."""
    of = {word: i for i, level in enumerate(levels) for word in level.split()}
    return next((of[name] for name in names if name in of), None)


def header_level(name: str) -> int | None:
    """Return the level of a header by its name relative to include/tvm/ffi."""
    folder = name.partition("/")[0] + "/"
    return FORWARDERS.get(name, level_in(HEADER_LEVELS, name, folder))


def check_headers(root: Path) -> Problems:
    """Check levels, private headers and cycles of include/tvm/ffi."""
    top = root / "include" / "tvm" / "ffi"
    graph = {
        str(path.relative_to(top)): [
            name[len("tvm/ffi/") :] for name in includes(path) if name.startswith("tvm/ffi/")
        ]
        for path in sources(top, ".h")
    }
    yield from check_header_levels(graph)
    yield from check_private_headers(graph)
    yield from check_cycles(graph)
    for path in sources(root / "include", ".h"):
        for name in includes(path):
            inside = (root / "include").resolve() in (path.parent / name).resolve().parents
            if name == "Python.h" or (name.startswith(("src/", "python/", "../")) and not inside):
                yield f"{path.relative_to(root)}: includes {name} from outside include/"


def check_header_levels(graph: dict[str, list[str]]) -> Problems:
    """Check that each header includes only headers of its own level and of lower levels."""
    for header, names in sorted(graph.items()):
        private = header.startswith("detail/")
        own = header_level(header)
        if own is None and not private:
            yield f"include/tvm/ffi/{header}: no level in tools/check_arrows.py"
        for name in names:
            other = header_level(name)
            if own is not None and other is not None and other > own:
                yield f"include/tvm/ffi/{header} (level {own}): includes {name} (level {other})"


def check_private_headers(graph: dict[str, list[str]]) -> Problems:
    """Check that only one public header includes each file of detail/."""
    users: dict[str, set[str]] = defaultdict(set)
    for header, names in graph.items():
        for name in names:
            if name.startswith("detail/") and not header.startswith("detail/"):
                users[name].add(header)
    for name, those in sorted(users.items()):
        if len(those) > 1 and those != SHARED_PRIVATE.get(name):
            yield f"include/tvm/ffi/{name}: included by {', '.join(sorted(those))}, not by one"


def completes(graph: dict[str, list[str]], header: str, name: str) -> bool:
    """Return whether the include of ``name`` in ``header`` closes a permitted cycle."""
    private = header.startswith("detail/") and header in graph.get(name, ())
    return private or (header, name) in COMPLETED_BY


def check_cycles(graph: dict[str, list[str]]) -> Problems:
    """Check that there is no include cycle; a file of detail/ counts as a part of its includer."""
    order = graphlib.TopologicalSorter(
        {
            header: [name for name in names if not completes(graph, header, name)]
            for header, names in graph.items()
        }
    )
    try:
        order.prepare()
    except graphlib.CycleError as error:
        yield "include cycle: " + " -> ".join(reversed(error.args[1]))


# --- src/ and python/binding


def check_runtime(root: Path) -> Problems:
    """Check the folders of src/, and that they do not include Python headers."""
    top = root / "src"
    for path in sources(top, ".h", ".cc"):
        folder = path.relative_to(top).parts[0]
        where = path.relative_to(root)
        if folder not in SRC_INCLUDES:
            yield f"{where}: no entry for folder {folder!r} in tools/check_arrows.py"
            continue
        for name in includes(path):
            target = src_folder(name, path, top)
            if name == "Python.h" or "binding/" in name:
                yield f"{where}: includes {name}; the runtime must not depend on Python"
            elif target is not None and target != folder and target not in SRC_INCLUDES[folder]:
                yield f"{where}: includes {name}; {folder} must not include {target}"


def src_folder(name: str, path: Path, top: Path) -> str | None:
    """Return the folder of src/ that contains an included file, or None."""
    for base in (path.parent, top):
        target = (base / name).resolve()
        if target.is_file() and top.resolve() in target.parents:
            return target.relative_to(top.resolve()).parts[0]
    return None


def binding_may_include(path: Path, top: Path, name: str) -> bool:
    """Return whether a file of the binding may include this header of include/tvm/ffi."""
    if name.startswith("tvm/ffi/") and header_level(name.removeprefix("tvm/ffi/")) == 0:
        return True
    user = path.relative_to(top).as_posix()
    if "detail/" in name:
        return PRIVATE_HEADER_USERS.get(name) == user
    return user.startswith(tuple(CXX_HEADER_USERS.split()))


def check_binding(root: Path) -> Problems:
    """Check the levels of python/binding, and which of its files include C++ headers."""
    top = root / "python" / "binding"
    for path in sources(top, ".h", ".cc"):
        where = path.relative_to(root)
        own = binding_level(path.relative_to(top))
        if own is None:
            yield f"{where}: no level in tools/check_arrows.py"
        for name in includes(path):
            if name.startswith("tvm/ffi/") and not binding_may_include(path, top, name):
                yield f"{where}: includes {name}; the binding may include only the C headers"
            for base in (path.parent, top):
                target = (base / name).resolve()
                if not target.is_file():
                    continue
                if (root / "src").resolve() in target.parents:
                    yield f"{where}: includes {name}, which is private to the runtime"
                elif top.resolve() in target.parents and own is not None:
                    to = target.relative_to(top.resolve())
                    pair = (path.relative_to(top).as_posix(), to.as_posix())
                    other = binding_level(to)
                    if other is not None and other > own and pair not in BINDING_EXCEPTIONS:
                        yield f"{where} (level {own}): includes {name} (level {other})"
                break


def binding_level(path: Path) -> int | None:
    """Return the level of a file by its path relative to python/binding."""
    if path.as_posix() == LAYOUTS:
        return 0
    name = path.parts[0] if len(path.parts) > 1 else path.stem
    return level_in(BINDING_LEVELS, name)


# --- rust/


def rust_imports(path: Path, top: Path) -> set[str]:
    """Return the modules at the root of the crate that a file names."""
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    text = text.partition("#[cfg(test)]\nmod ")[0]
    names = re.findall(r"(?<!\$)\bcrate::(\w+)\b(?!\w*!)", text)
    names += [RUST_MACROS[n] for n in re.findall(r"\bcrate::(\w+)!", text) if n in RUST_MACROS]
    for group in re.findall(r"\bcrate::\{([^}]*)\}", text):
        names += re.findall(r"\w+", group)
    depth = len(path.relative_to(top).parts)
    names += re.findall(rf"(?<!::)\b(?:super::){{{depth}}}(?!super)(\w+)", text)
    root = (top / "lib.rs").read_text(encoding="utf-8")
    exports = {
        name: module
        for module, names in re.findall(r"pub use (\w+)::([^;]*);", root)
        for name in re.findall(r"\w+", names)
    }
    return {exports.get(name, name) for name in names}


def check_rust(root: Path) -> Problems:
    """Check the levels of the modules of the crate tvm-ffi."""
    top = root / "rust" / "tvm-ffi" / "src"
    levels = {module: i for i, part in enumerate(RUST_LEVELS) for module in part.split()}
    for path in sources(top, ".rs"):
        where = path.relative_to(root)
        module = path.relative_to(top).parts[0].removesuffix(".rs")
        if module in ("lib", "macros"):
            continue
        if module not in levels:
            yield f"{where}: no level in tools/check_arrows.py"
            continue
        for name in sorted(rust_imports(path, top) & levels.keys() - {module}):
            is_circle = {module, name} <= RUST_CIRCLE
            if levels[name] >= levels[module] and not is_circle:
                yield f"{where} (level {levels[module]}): imports {name} (level {levels[name]})"


def problems(root: Path) -> list[str]:
    """Return every include and import below ``root`` that violates a rule."""
    return [
        *check_headers(root),
        *check_runtime(root),
        *check_binding(root),
        *check_rust(root),
    ]
