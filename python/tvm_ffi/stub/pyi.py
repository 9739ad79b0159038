# SPDX-License-Identifier: Apache-2.0
"""Write complete stub files from modules with filled blocks."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

_HEAD = "# Written by tvm-ffi-stubgen --pyi; changes are lost."
# Functions whose calls type checkers interpret, so that a stub file must keep the calls.
_KNOWN_CALLS = frozenset(
    {"NamedTuple", "NewType", "ParamSpec", "TypeVar", "auto", "entry", "namedtuple"}
)


def is_generated(content: bytes) -> bool:
    """Return whether the content of a file was returned by ``render_pyi``."""
    return content.startswith(_HEAD.encode())


def render_pyi(source: str) -> str:
    """Return the stub file of a module.

    Signatures, classes, annotations and imports are kept; bodies, defaults, docstrings and values
    are removed. The body of ``if TYPE_CHECKING:`` moves to module level. Assignments without an
    annotation get the type ``Any`` unless they define an alias or a variant of an enum.

    Raise SyntaxError if the source is not valid Python.
    """
    stripper = _Stripper()
    body = stripper.statements(ast.parse(source).body)
    if stripper.needs_any:
        body.insert(0, ast.parse("from typing import Any").body[0])
    body.sort(key=lambda statement: not _is_future(statement))
    module = ast.fix_missing_locations(ast.Module(body=body, type_ignores=[]))
    text = ast.unparse(module)
    for name in stripper.without_variants:
        pattern = rf"^( *class {name}\(.*:)$"
        text = re.sub(pattern, r"\1  # type: ignore[misc]", text, flags=re.MULTILINE)
    return f"{_HEAD}\n{text}\n"


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


class _Stripper:
    """Removes the parts of statements that matter only at run time."""

    def __init__(self) -> None:
        self.needs_any = False
        # Whether the current statements are in the body of an IntEnum or StrEnum.
        self.in_payload_enum = False
        # The names of IntEnum and StrEnum classes without variants. mypy reports such classes in a
        # stub file.
        self.without_variants: list[str] = []

    def statements(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in body:
            result += self._statement(statement)
        return result

    def _statement(self, statement: ast.stmt) -> list[ast.stmt]:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            return [statement]
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return [_without_body(statement)]
        if isinstance(statement, ast.ClassDef):
            outer, self.in_payload_enum = self.in_payload_enum, _is_payload_enum(statement)
            statement.body = self.statements(statement.body) or [_ellipsis_statement()]
            if self.in_payload_enum and not any(isinstance(s, ast.Assign) for s in statement.body):
                self.without_variants.append(statement.name)
            self.in_payload_enum = outer
            return [statement]
        if isinstance(statement, ast.AnnAssign):
            if self.in_payload_enum and "ClassVar" in ast.unparse(statement.annotation):
                # Type checkers require that variants with payloads have no annotation.
                return [ast.Assign([statement.target], ast.Constant(...), lineno=0)]
            statement.value = None
            return [statement]
        if isinstance(statement, ast.Assign):
            return self._assignment(statement)
        if isinstance(statement, ast.If):
            if _is_type_checking(statement.test):
                return self.statements(statement.body)
            statement.body = self.statements(statement.body)
            statement.orelse = self.statements(statement.orelse)
            # Keep conditions on versions and platforms, because type checkers evaluate them.
            return [statement] if statement.body and _mentions_sys(statement.test) else []
        if isinstance(statement, ast.Try):
            return self.statements(statement.body)
        return []

    def _assignment(self, statement: ast.Assign) -> list[ast.stmt]:
        targets = [t for t in statement.targets if isinstance(t, ast.Name)]
        value = statement.value
        known = isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2]
        is_alias = isinstance(value, (ast.Name, ast.Attribute, ast.Subscript))
        is_alias |= self.in_payload_enum and isinstance(value, (ast.Constant, ast.UnaryOp))
        names = [target.id for target in targets]
        if is_alias or known in _KNOWN_CALLS or "__all__" in names or "__slots__" in names:
            return [statement]
        result: list[ast.stmt] = []
        for target in targets:
            if target.id == "TYPE_CHECKING":
                continue
            self.needs_any = True
            any_type = ast.Name("Any", ast.Load())
            result.append(ast.AnnAssign(target, any_type, None, 1))
        return result


def _is_payload_enum(statement: ast.ClassDef) -> bool:
    return any(ast.unparse(base).endswith(("IntEnum", "StrEnum")) for base in statement.bases)


def _ellipsis_statement() -> ast.stmt:
    return ast.Expr(ast.Constant(...))


def _without_body(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
) -> ast.FunctionDef | ast.AsyncFunctionDef:
    function.body = [_ellipsis_statement()]
    arguments = function.args
    arguments.defaults = [ast.Constant(...) for _ in arguments.defaults]
    arguments.kw_defaults = [d and ast.Constant(...) for d in arguments.kw_defaults]
    return function


def _is_type_checking(test: ast.expr) -> bool:
    return ast.unparse(test).rpartition(".")[2] == "TYPE_CHECKING"


def _mentions_sys(test: ast.expr) -> bool:
    return "sys." in ast.unparse(test)
