# SPDX-License-Identifier: Apache-2.0
"""Read methods that are written in Python: their text, and the imports that the text needs."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from typing import Any

#: Modules from which a binding must not import names.
_OWN = ("__future__", "tvm_ffi.schema", "tvm_ffi_schema")


def text_of(node: Any, lines: list[str]) -> str:
    """Return the definition of a function with its decorators, without indentation."""
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    return textwrap.dedent("\n".join(lines[first - 1 : node.end_lineno]))


def imports_of(node: ast.AST, tree: ast.Module | None) -> tuple[str, ...]:
    """Return the import lines that define the names in a definition, sorted."""
    used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    used |= _names_in_texts(node)
    found = _import_lines(tree) if tree is not None else {}
    return tuple(sorted({found[name] for name in used if name in found}))


def _names_in_texts(node: ast.AST) -> set[str]:
    """Return the names in annotations that are string literals."""
    found: set[str] = set()
    for one in ast.walk(node):
        for hint in (getattr(one, "annotation", None), getattr(one, "returns", None)):
            if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
                try:
                    inner = ast.parse(hint.value, mode="eval")
                except (SyntaxError, ValueError):
                    continue
                found |= {part.id for part in ast.walk(inner) if isinstance(part, ast.Name)}
    return found


def _import_lines(tree: ast.Module) -> dict[str, str]:
    """Return name -> import line, for the imports of a module."""
    found: dict[str, str] = {}
    for node in _imports(tree):
        for alias in node.names:
            name = alias.asname or alias.name
            suffix = f" as {alias.asname}" if alias.asname else ""
            if isinstance(node, ast.Import):
                found[name.partition(".")[0]] = f"import {alias.name}{suffix}"
            elif node.module not in _OWN:
                source = "." * node.level + (node.module or "")
                found[name] = f"from {source} import {alias.name}{suffix}"
    return found


def _imports(tree: ast.Module) -> Iterator[Any]:
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif isinstance(node, ast.If):
            yield from (one for one in node.body if isinstance(one, (ast.Import, ast.ImportFrom)))
