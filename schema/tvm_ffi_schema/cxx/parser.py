# SPDX-License-Identifier: Apache-2.0
"""Parse a file with tree-sitter: find its classes, statements that register, and aliases.

Only this module imports tree-sitter. Only `read` imports this module, when it reads the first
file. A class whose body has a syntax error is marked as damaged.
"""

from __future__ import annotations

import bisect
from typing import Any

import tree_sitter
import tree_sitter_cpp

from ..ir import Span
from .body import read_body
from .chains import read_statement
from .constructs import TABLE
from .cursor import Cursor, normal
from .macros import Plain
from .model import Alias, Block, CppClass, FileFacts, Use, last_name

_QUERY = """
(class_specifier body: (field_declaration_list)) @class
(struct_specifier body: (field_declaration_list)) @class
(template_function name: (identifier) @chain (#any-of? @chain {chains}))
(template_type name: (type_identifier) @chain (#any-of? @chain {chains}))
(alias_declaration) @alias
(using_declaration) @using
(call_expression function: (qualified_identifier) @call (#match? @call "::RegisterReflection$"))
(ERROR) @error
"""
_NOT_A_BASE = ("access_specifier", "virtual", "comment")
_DEFINITIONS = ("function_definition", "lambda_expression")
_BLOCKS = (
    "compound_statement",
    "declaration_list",
    "field_declaration_list",
    "translation_unit",
)
_BRANCHES = ("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif")


class Parser:
    """A parser with its query. A parser must not be shared between threads.

    Raises
    ------
    ValueError
        If the tree-sitter library does not support the binary interface of the grammar.
    AttributeError
        If the tree-sitter library is older than 0.25.

    """

    def __init__(self) -> None:
        language = tree_sitter.Language(tree_sitter_cpp.language())
        self._parser = tree_sitter.Parser(language)
        chains = " ".join(f'"{name}"' for name in TABLE.firsts("STATEMENT"))
        query = tree_sitter.Query(language, _QUERY.replace("{chains}", chains))
        self._cursor = tree_sitter.QueryCursor(query)

    def read(self, file: Plain) -> FileFacts:
        """Return the facts of a file; `read` resolves the places later."""
        text = file.lines.text
        if not text.isascii():  # use one byte per character, so that offsets stay valid
            text = "".join(char if char < "\x80" else "_" for char in text)
        tree = self._parser.parse(text.encode("ascii"))
        found = self._cursor.captures(tree.root_node)
        work = _File(file, sorted(node.start_byte for node in found.get("error", ())))
        facts = FileFacts()
        for node in sorted(found.get("chain", ()), key=lambda n: n.start_byte):
            made = read_statement(Cursor(file.lines, node.start_byte, single=True))
            if made is not None:
                statement, made.block = work.around(node)
                made.first = statement.start_byte
                facts.statements.append(made)
        for node in found.get("call", ()):
            facts.uses.append(work.call(node))
        for node in sorted(found.get("alias", ()), key=lambda n: n.start_byte):
            name, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
            if name is not None and type_ is not None:
                alias = Alias(work.text(type_), _parameters(node, work))
                facts.aliases.append((node.start_byte, work.text(name), alias))
        for node in found.get("using", ()):
            target = work.text(node.named_children[-1]) if node.named_children else ""
            is_directive = any(child.type == "namespace" for child in node.children)
            above = node.parent.type if node.parent is not None else ""
            if "::" in target and not is_directive and above != "field_declaration_list":
                facts.aliases.append((node.start_byte, last_name(target), Alias(target)))
        classes = (work.class_of(node) for node in found.get("class", ()))
        facts.classes = [one for one in classes if one is not None]
        return facts


def _parameters(node: Any, work: _File) -> tuple[str, ...]:
    """Return the template parameters of a class or an alias."""
    above = node.parent
    if above is None or above.type != "template_declaration":
        return ()
    listed = above.child_by_field_name("parameters")
    names = [work.text(one).rpartition(" ")[2] for one in listed.named_children] if listed else []
    return tuple(names)


class _File:
    """Converts the syntax nodes of one file to facts."""

    def __init__(self, file: Plain, errors: list[int]) -> None:
        self.file = file
        self.source = file.lines.text
        self.errors = errors

    def text(self, node: Any) -> str:
        return normal(self.source[node.start_byte : node.end_byte])

    def span(self, node: Any) -> Span:
        return self.file.lines.span(node.start_byte, node.end_byte)

    def call(self, node: Any) -> Use:
        """Return the call of a qualified name."""
        target = self.text(node).rpartition("::")[0]
        return Use("call", target, self.file.lines.path, node.start_byte, node.end_byte)

    def around(self, node: Any) -> tuple[Any, Block | None]:
        """Return the node of the statement of a node, and the block around the statement."""
        while node.parent is not None and node.parent.type not in (*_BLOCKS, *_BRANCHES):
            node = node.parent
        body = node.parent
        while body is not None and body.type in _BRANCHES:
            body = body.parent
        if body is None or body.type not in ("compound_statement", "initializer_list"):
            return node, None
        at = body
        while at.parent is not None and at.start_byte == body.start_byte:
            at = at.parent
        while at.type not in _DEFINITIONS:
            if at.parent is None or at.parent.type in _BLOCKS:
                break
            at = at.parent
        head = self.source[at.start_byte : body.start_byte]
        return node, Block(normal(head), at.start_byte, body.start_byte, body.end_byte - 1)

    def class_of(self, node: Any) -> CppClass | None:
        """Return the class of a node; None for a template specialisation."""
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        while name is not None and name.type == "qualified_identifier":
            name = name.child_by_field_name("name")
        if name is None or name.type == "template_type":
            return None
        bases, base_span = self._bases(node)
        found = CppClass(self.text(name), bases, self.span(name), base_span or self.span(name))
        found.params = _parameters(node, self)
        first, last = body.start_byte, body.end_byte - 1
        at = bisect.bisect_left(self.errors, first)
        if body.has_error and at < len(self.errors) and self.errors[at] < last:
            found.damaged = True
        found.first, found.opening, found.closing = node.start_byte, first, last
        cursor = Cursor(self.file.bodies, first, last + 1)
        read_body(cursor, found, 1, len(cursor) - 1, node.type == "struct_specifier")
        return found

    def _bases(self, node: Any) -> tuple[list[str], Span | None]:
        clause = next((n for n in node.children if n.type == "base_class_clause"), None)
        if clause is None:
            return [], None
        bases = [n for n in clause.named_children if n.type not in _NOT_A_BASE]
        if not bases:
            return [], None
        span = self.file.lines.span(bases[0].start_byte, bases[-1].end_byte)
        return [self.text(base) for base in bases], span
