# SPDX-License-Identifier: Apache-2.0
"""The edits of `lint --fix`. Each edit replaces the text of one node of the syntax tree.

A finding has an edit if there is only one way to correct it. A mutable default becomes a factory, a
field whose name is a keyword gets another name in C++, and unused externs and suppressions are
removed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..diag import Diagnostic, Edit
from ..front.raw import Places
from ..ir import Span


def edits(
    file: str, text: str, found: Iterable[Diagnostic]
) -> Iterator[tuple[Diagnostic, list[Edit]]]:
    """Yield (finding, edits) for the findings of a file that can be fixed.

    Parameters
    ----------
    file : str
        The file as findings name it.
    text : str
        The source text. If the text is not valid Python, nothing is yielded.
    found : Iterable[Diagnostic]
        Findings in the file.

    """
    if "\r" in text.replace("\r\n", ""):
        # `ast` counts a CR without LF as the end of a line, but some functions used here do not.
        # Line numbers would differ, so make no edits.
        return
    try:
        made = _File(file, text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for item in found:
        one = list(item.fix) or made.edit(item)
        if one:
            yield item, one


class _File:
    """One schema file, with functions that find statements and make edits."""

    def __init__(self, file: str, text: str) -> None:
        self.places = Places(file, text)
        self.text = text
        self.tree = ast.parse(text)
        self.imported = False

    def edit(self, item: Diagnostic) -> list[Edit]:
        """Return the edits for a finding; an empty list if there are none."""
        if item.id == "TS330":
            return self._without_extern(item)
        if item.id not in ("TS320", "TS322"):
            return []
        statement = self._field_at(item.span)
        if statement is None:
            return []
        made = self._factory(statement) if item.id == "TS320" else self._renamed(statement)
        return [*made, *self._import()] if made else []

    def _field_at(self, span: Span) -> ast.AnnAssign | None:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                last = node.end_lineno or node.lineno
                if node.lineno <= span.line <= last and self._is_at(node, span):
                    return node
        return None

    def _is_at(self, node: ast.AnnAssign, span: Span) -> bool:
        nodes = [node.target] if node.value is None else [node.target, node.value]
        return any(self.places.of(one) == span for one in nodes)

    def _without_extern(self, item: Diagnostic) -> list[Edit]:
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and self.places.of(node.targets[0]) == item.span:
                last = node.end_lineno or node.lineno
                line = self.places.lines[last - 1]
                alone = sum(n.lineno == node.lineno for n in self.tree.body) == 1
                if alone and not line.encode()[node.end_col_offset or 0 :].strip():
                    return [Edit(Span(item.span.file, node.lineno, 1, last + 1, 1), "")]
        return []

    def _factory(self, node: ast.AnnAssign) -> list[Edit]:
        """Return the edit of a default ``[]`` to ``field(default_factory=lambda: [])``."""
        value = node.value
        if isinstance(value, ast.Call):  # the value has the form  field(default=[])
            for keyword in value.keywords:
                if keyword.arg == "default":
                    inner = self._source(keyword.value)
                    return [Edit(self.places.of(keyword), f"default_factory=lambda: {inner}")]
            return []
        if value is None:
            return []
        text = f"field(default_factory=lambda: {self._source(value)})"
        return [Edit(self.places.of(value), text)]

    def _renamed(self, node: ast.AnnAssign) -> list[Edit]:
        """Return the edits of ``default: int`` to ``default_: int = field(name="default")``."""
        assert isinstance(node.target, ast.Name)
        name = node.target.id
        made = [Edit(self.places.of(node.target), f"{name}_")]
        value, option = node.value, f'name="{name}"'
        if value is None:
            end = self.places.of(node)
            at = Span(end.file, end.end_line, end.end_col, end.end_line, end.end_col)
            return [*made, Edit(at, f" = field({option})")]
        if isinstance(value, ast.Call) and _last_name(value.func) == "field":
            if any(keyword.arg in ("name", None) for keyword in value.keywords):
                return []
            end = self.places.of(value)
            at = Span(end.file, end.end_line, end.end_col - 1, end.end_line, end.end_col - 1)
            return [*made, Edit(at, f", {option}" if value.args or value.keywords else option)]
        text = f"field(default={self._source(value)}, {option})"
        return [*made, Edit(self.places.of(value), text)]

    def _source(self, node: ast.expr) -> str:
        """Return the source text of an expression."""
        return ast.get_source_segment(self.text, node) or ast.unparse(node)

    def _import(self) -> list[Edit]:
        """Return the edit that imports `field`; empty if the file already imports `field`."""
        if self.imported:
            return []
        self.imported = True
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom):
                names = [alias.asname or alias.name for alias in node.names]
                if "field" in names:
                    return []
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module in _PACKAGES:
                end = self.places.of(node.names[-1])
                at = Span(end.file, end.end_line, end.end_col, end.end_line, end.end_col)
                return [Edit(at, ", field")]
        first = self._first_line()
        return [Edit(Span(self.places.file, first, 1, first, 1), _IMPORT)]

    def _first_line(self) -> int:
        """Return the number of the first line before which an import can be inserted."""
        for node in self.tree.body:
            is_doc = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
            if not (is_doc or is_future):
                decorators = getattr(node, "decorator_list", ())
                return int(min([node.lineno, *(d.lineno for d in decorators)]))
        return 1


_PACKAGES = ("tvm_ffi.schema", "tvm_ffi_schema")
_IMPORT = f"from {_PACKAGES[0]} import field\n"


def _last_name(node: ast.expr) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))
