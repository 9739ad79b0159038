# SPDX-License-Identifier: Apache-2.0
"""Write the methods whose bodies are Python code, for bindings and stubs."""

from __future__ import annotations

import ast
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator

from ..ir import MethodDef
from ..link.program import Class
from .python_type import PythonNames, python_name

_NAME = re.compile(r"[A-Za-z_]\w*")


def code(cls: Class, method: MethodDef, names: PythonNames) -> list[str]:
    """Return the Python definition of a method, with the binding's names of schema classes."""
    known = _classes(cls, names)
    text = _renamed(method.python_code, known, names)
    for line in method.python_imports:
        if _bound(line) not in known:
            names.lines.add(line)
    return [f"    {line}" if line else "" for line in text.splitlines()]


def declaration(cls: Class, method: MethodDef, names: PythonNames) -> list[str]:
    """Return the signature of a method, for a stub."""
    try:
        node = ast.parse(textwrap.dedent("\n".join(code(cls, method, names)))).body[0]
    except SyntaxError:  # a schema in JSON may contain any text
        return []
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    node.body = [ast.Expr(ast.Constant(...))]
    lines = ast.unparse(node).splitlines()
    if lines[-1].strip() == "...":
        lines[-2:] = [f"{lines[-2]} ..."]
    return [f"    {line}" for line in lines]


def _classes(cls: Class, names: PythonNames) -> dict[str, str]:
    """Return class name -> type key; for equal names, prefer the class in the file of `cls`."""
    known: dict[str, str] = {}
    for one in names.program.order:
        if one.module is not cls.module:
            known.update(dict.fromkeys((one.d.name, python_name(one)), one.type_key))
    for one in names.program.of_module(cls.module):
        known.update(dict.fromkeys((one.d.name, python_name(one)), one.type_key))
    return known


def _bound(line: str) -> str:
    return line.rpartition(" import ")[2].rpartition(" as ")[2]


def _renamed(text: str, known: dict[str, str], names: PythonNames) -> str:
    """Replace the schema name of each class in a definition by the name in the binding."""
    lines = text.splitlines(keepends=True)
    for row, first, last, new in sorted(_edits(text, known, names), reverse=True):
        lines[row] = lines[row][:first] + new + lines[row][last:]
    return "".join(lines)


def _edits(
    text: str, known: dict[str, str], names: PythonNames
) -> Iterator[tuple[int, int, int, str]]:
    """Yield (line, first column, last column, new text) for each name of a class in a text."""
    before = ""
    quoted = _annotations(text)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            row, first = token.start[0] - 1, token.start[1]
            if token.type == tokenize.NAME and token.string in known and before != ".":
                name = names.class_name(known[token.string], at_run_time=True)
                yield row, first, first + len(token.string), name
            elif token.start in quoted:
                inner = _NAME.sub(
                    lambda m: names.class_name(known[m[0]]) if m[0] in known else m[0],
                    token.string,
                )
                yield row, first, first + len(token.string), inner
            before = token.string
    except (tokenize.TokenError, SyntaxError):
        return


def _annotations(text: str) -> set[tuple[int, int]]:
    """Return (line, column) of each string literal in an annotation."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return set()
    found = set()
    for node in ast.walk(tree):
        for hint in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            for part in ast.walk(hint) if isinstance(hint, ast.expr) else ():
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    found.add((part.lineno, part.col_offset))
    return found
