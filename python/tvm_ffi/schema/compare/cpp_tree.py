# SPDX-License-Identifier: Apache-2.0
"""The engine on tree-sitter's C++ grammar, an optional extra.

The tree says where classes and their declarations begin and end; their tokens are spelled by the
same hand as those of the built-in engine. A body that the grammar stumbled over is read by tokens,
and its class is marked as damaged.
"""

from __future__ import annotations

import bisect
from typing import Any

import tree_sitter
import tree_sitter_cpp

from ..ir import Span
from .cpp_body import read_body
from .cpp_chain import read_chain
from .cpp_facts import CHAINS, CppClass, Member, Sources
from .cpp_neutral import Neutral
from .cpp_scan import Found
from .cpp_tokens import Cursor, normal

_QUERY = """
(class_specifier body: (field_declaration_list)) @class
(struct_specifier body: (field_declaration_list)) @class
(template_function name: (identifier) @chain (#any-of? @chain {chains}))
(template_type name: (type_identifier) @chain (#any-of? @chain {chains}))
(alias_declaration) @alias
(call_expression function: (qualified_identifier) @call (#match? @call "::RegisterReflection$"))
(ERROR) @error
"""
_FUNCTIONS = ("field_declaration", "declaration", "function_definition")
_NOT_A_BASE = ("access_specifier", "virtual", "comment")
_TYPE_DEFINITIONS = ("class_specifier", "struct_specifier", "enum_specifier", "union_specifier")
_WRAPPERS = ("pointer_declarator", "reference_declarator")


class Tree:
    """A parser with its query; one run has one. Not to be shared between threads.

    Raises
    ------
    ValueError
        If the binary interface of the grammar is not that of the library.

    """

    def __init__(self) -> None:
        language = tree_sitter.Language(tree_sitter_cpp.language())
        self._parser = tree_sitter.Parser(language)
        chains = " ".join(f'"{name}"' for name in CHAINS)
        self._query = tree_sitter.Query(language, _QUERY.replace("{chains}", chains))

    def read(self, file: Neutral, into: Sources) -> list[Found]:
        """Add what a file says; return its classes, which have no macros yet."""
        text = file.lines.text
        if not text.isascii():  # one byte for each character keeps the offsets equal
            text = "".join(char if char < "\x80" else "_" for char in text)
        tree = self._parser.parse(text.encode("ascii"))
        found = tree_sitter.QueryCursor(self._query).captures(tree.root_node)
        errors = sorted(node.start_byte for node in found.get("error", ()))
        work = _File(file, errors)
        for node in sorted(found.get("chain", ()), key=lambda n: n.start_byte):
            cursor = Cursor(file.lines, node.start_byte, single=True)
            chain = read_chain(cursor, 0)[0] if cursor.words[1:2] == ["<"] else None
            into.chains += [chain] if chain else []
        for node in found.get("call", ()):
            into.register_calls.add(work.text(node).split("::")[-2])
        for node in sorted(found.get("alias", ()), key=lambda n: n.start_byte):
            name, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
            if name is not None and type_ is not None:
                into.aliases[work.text(name)] = work.text(type_)
        made = (work.class_of(node) for node in found.get("class", ()))
        return [one for one in made if one is not None]


class _File:
    """One file: from nodes to facts."""

    def __init__(self, file: Neutral, errors: list[int]) -> None:
        self.file = file
        self.source = file.lines.text
        self.errors = errors

    def text(self, node: Any) -> str:
        return normal(self.source[node.start_byte : node.end_byte])

    def part(self, first: int, last: int) -> str:
        return normal(self.source[first:last])

    def span(self, node: Any) -> Span:
        return self.file.lines.span(node.start_byte, node.end_byte)

    def class_of(self, node: Any) -> Found | None:
        """Return a class; None for a specialisation."""
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        while name is not None and name.type == "qualified_identifier":
            name = name.child_by_field_name("name")
        if name is None or name.type == "template_type":
            return None
        bases, base_span = self._bases(node)
        found = CppClass(self.text(name), bases, self.span(name), base_span or self.span(name))
        first, last = body.start_byte, body.end_byte - 1
        at = bisect.bisect_left(self.errors, first)
        if body.has_error and at < len(self.errors) and self.errors[at] < last:
            found.damaged = True
        if body.has_error:
            cursor = Cursor(self.file.lines, first, last + 1)
            read_body(cursor, found, 1, len(cursor) - 1, node.type == "struct_specifier")
        else:
            access = "public" if node.type == "struct_specifier" else "private"
            self._body(found, body, access)
        return first, last, found

    def _bases(self, node: Any) -> tuple[list[str], Span | None]:
        clause = next((n for n in node.children if n.type == "base_class_clause"), None)
        if clause is None:
            return [], None
        bases = [n for n in clause.named_children if n.type not in _NOT_A_BASE]
        if not bases:
            return [], None
        span = self.file.lines.span(bases[0].start_byte, clause.end_byte)
        return [self.text(base) for base in bases], span

    def _body(self, found: CppClass, body: Any, access: str) -> str:
        """Read the declarations of a body, or of a conditional part of one."""
        for node in body.named_children:
            kind = node.type
            if kind == "access_specifier":
                access = self.text(node)
            elif kind in _FUNCTIONS:
                self._declaration(found, node, node.start_byte, access)
            elif kind == "template_declaration":
                inner = node.named_children[-1]
                if inner.type in _FUNCTIONS:
                    self._declaration(found, inner, node.start_byte, access, template=True)
            elif kind.startswith("preproc_if") or kind in ("preproc_else", "preproc_elif"):
                access = self._body(found, node, access)
        return access

    def _declaration(
        self, found: CppClass, node: Any, start: int, access: str, template: bool = False
    ) -> None:
        function = _function(node.child_by_field_name("declarator"))
        if function is not None:
            self._function(found, function, start)
            return
        if node.type != "field_declaration" or template:
            return
        type_ = node.child_by_field_name("type")
        if type_ is None or type_.type in _TYPE_DEFINITIONS:
            return
        words = [self.text(n) for n in node.children if n.end_byte <= type_.start_byte]
        declarators = node.children_by_field_name("declarator")
        for at, one in enumerate(declarators):
            end = node.end_byte
            if at + 1 < len(declarators):
                end = declarators[at + 1].start_byte
            self._data(found, node, one, words, (at, end), access)

    def _data(
        self,
        found: CppClass,
        node: Any,
        declarator: Any,
        words: list[str],
        place: tuple[int, int],
        access: str,
    ) -> None:
        """Add one declarator; `place` has its number and where it ends."""
        number, limit = place
        name = declarator
        while name is not None and name.type not in ("field_identifier", "identifier"):
            name = name.child_by_field_name("declarator") or _last_child(name)
        if name is None:
            return
        value = None
        after = declarator.next_sibling
        while after is not None and after.start_byte < limit and after.type != ",":
            if after.is_named and after.type not in ("bitfield_clause", "comment"):
                value = after
                break
            after = after.next_sibling
        default = self.text(value) if value is not None else ""
        if (
            value is not None
            and value.type == "initializer_list"
            and value.prev_sibling.type != "="
        ):
            default = self.part(value.start_byte + 1, value.end_byte - 1)
        elif value is None:
            default = ""
        has_equal = value is not None and value.prev_sibling.type == "="
        named = self.text(name)
        if "constexpr" in words or ("static" in words and has_equal):
            end = self.span(value) if has_equal else self.span(name)
            found.constants[named] = (default if has_equal else "", end)
            return
        if "static" in words:
            return
        type_ = node.child_by_field_name("type")
        leading = [
            n
            for n in node.children
            if n.end_byte <= type_.start_byte and self.text(n) not in ("mutable", "inline")
        ]
        begin = leading[0].start_byte if leading else type_.start_byte
        first_declarator = node.child_by_field_name("declarator")
        head = self.part(begin, first_declarator.start_byte)
        pointer = self.part(declarator.start_byte, name.start_byte)
        array = self.part(name.end_byte, declarator.end_byte)
        span = self.file.lines.span(begin if number == 0 else declarator.start_byte, name.end_byte)
        found.members.append(Member(named, head + pointer + array, default, span, access))

    def _function(self, found: CppClass, function: Any, start: int) -> None:
        declarator = function.child_by_field_name("declarator")
        params = function.child_by_field_name("parameters")
        if declarator.type not in ("field_identifier", "identifier") or params is None:
            return
        name, span = self.text(declarator), self.span(declarator)
        if name == found.name:
            inner = [n for n in params.named_children if n.type != "comment"]
            found.constructors.append(([self.text(n) for n in inner], span))
            return
        if name == "RegisterReflection":
            found.has_register = True
        text = self.part(start, params.end_byte)
        after = params.next_sibling
        if after is not None and after.type == "type_qualifier" and self.text(after) == "const":
            text += "const"
        found.methods[name] = (text, span)
        found.overloads.setdefault(name, []).append(text)


def _function(declarator: Any) -> Any:
    """Return the function that a declarator declares; None for a member."""
    while declarator is not None and declarator.type in _WRAPPERS:
        declarator = _last_child(declarator)
    return (
        declarator if declarator is not None and declarator.type == "function_declarator" else None
    )


def _last_child(node: Any) -> Any:
    named = node.named_children
    return named[-1] if named else None
