# SPDX-License-Identifier: Apache-2.0
"""The namespaces of generated C++ files, and the declarations outside of any namespace."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..link.program import Class, Program
from .writer import CppOptions


def by_namespace(classes: list[Class]) -> list[tuple[str, list[Class]]]:
    """Return (namespace, classes) for each run of consecutive classes in one namespace."""
    groups: list[tuple[str, list[Class]]] = []
    for cls in classes:
        if groups and groups[-1][0] == cls.namespace:
            groups[-1][1].append(cls)
        else:
            groups.append((cls.namespace, [cls]))
    return groups


def opened(namespace: str) -> list[str]:
    """Return the lines that open a namespace."""
    return ["", *(f"namespace {part} {{" for part in namespace.split("::") if part), ""]


def alias(namespace: str, options: CppOptions) -> list[str]:
    """Return the alias of the runtime's namespace if the code in `namespace` needs the alias."""
    name = options.ffi[: -len("::")]
    if name == "::tvm::ffi" or namespace.split("::")[0] == "tvm":
        return []
    return [f"namespace {name} = ::tvm::ffi;", ""]


def closed(namespace: str) -> list[str]:
    """Return the lines that close a namespace."""
    return [f"}}  // namespace {part}" for part in reversed(namespace.split("::")) if part]


def forward(classes: Iterable[Class]) -> list[str]:
    """Return forward declarations of classes."""
    out = []
    for cls in classes:
        out.append(f"class {cls.obj};")
        if cls.ref:
            out.append(f"class {cls.ref};")
    return out


def pointer_declarations(program: Program, classes: list[Class]) -> list[str]:
    """Return declarations that tell the runtime that incomplete classes are object classes."""
    if not classes:
        return []
    out: list[str] = []
    for namespace, group in by_namespace(classes):
        out += [*opened(namespace), *forward(group), "", *closed(namespace)]
    out += opened("tvm::ffi")
    for cls in classes:
        name = f"::{cls.namespace}::{cls.obj}" if cls.namespace else f"::{cls.obj}"
        lines = ["template <>", f"inline constexpr bool is_object_subclass_v<{name}> = true;"]
        if cls.header in program.circles:  # another header may contain the same declaration
            guard = re.sub(r"\W+", "_", f"TSCHEMA_OBJECT{name}_")
            lines = [f"#ifndef {guard}", f"#define {guard}", *lines, "#endif"]
        out += lines
    return [*out, "", *closed("tvm::ffi")]
