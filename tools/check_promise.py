# SPDX-License-Identifier: Apache-2.0
"""Check that the private headers of include/tvm/ffi do not declare public names.

A private header lies in ``detail/`` or is named ``*_detail.h``. Users may not include a private
header, so it must not define a public type. It may contain declarations inside a namespace
``detail``, and forward declarations of classes that a public header defines. The names of its
macros begin with ``TVM_FFI_DETAIL_`` or end with ``_``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import tree_sitter
import tree_sitter_cpp

TOP = Path("include") / "tvm" / "ffi"

_CPP = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))
#: Match what is not a declaration for the parser: a directive, and a line that is a macro call.
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|^TVM_FFI_\w+\(.*\)$", re.MULTILINE)
#: An attribute before the type of a function, which the parser takes for the type.
_ATTRIBUTE = re.compile(r"\bTVM_FFI_(?:NO_INLINE|INLINE|COLD_CODE)\b")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_PRIVATE_MACRO = re.compile(r"^TVM_FFI_DETAIL_\w+$|^TVM_FFI_\w+_$")
_FORWARD = re.compile(r"^(?:template ?<.*> ?)?(?:class|struct) [A-Za-z_]\w*;?$")


def declarations(
    scope: tree_sitter.Node, namespace: tuple[str, ...] = ()
) -> Iterator[tuple[int, tuple[str, ...], str]]:
    """Yield (line, namespace, text before the body) of each declaration except forward ones."""
    for node in scope.named_children:
        body = node.child_by_field_name("body")
        if node.type in ("namespace_definition", "linkage_specification") and body is not None:
            name = node.child_by_field_name("name")
            inner = (*namespace, _text(name)) if name is not None else namespace
            yield from declarations(body if body.type == "declaration_list" else node, inner)
        elif node.type != "comment":
            declared = node.named_children[-1] if node.type == "template_declaration" else node
            body = declared.child_by_field_name("body")
            head = _text(node).partition(_text(body))[0] if body else _text(node)
            if body or not _FORWARD.match(head):
                yield node.start_point[0] + 1, namespace, head.rstrip("; ")


def _text(node: tree_sitter.Node) -> str:
    return " ".join((node.text or b"").decode().split())


def is_private(path: Path) -> bool:
    """Return whether users may not include this header."""
    return "detail" in path.parts or path.name.endswith("_detail.h")


def check_header(name: str, source: str) -> Iterator[str]:
    """Yield a message for each declaration outside of ``detail``, and for each public macro."""
    plain = _DIRECTIVE.sub(lambda match: "\n" * match[0].count("\n"), source)
    plain = _ATTRIBUTE.sub("", plain)
    for line, namespace, head in declarations(_CPP.parse(plain.encode()).root_node):
        if "detail" not in "::".join(namespace).split("::"):
            where = f"{'::'.join(namespace) or 'the global namespace'}, not in `detail`"
            yield f"{TOP.as_posix()}/{name}:{line}: declares `{head}` in {where}"
    for match in _MACRO.finditer(source):
        if not _PRIVATE_MACRO.match(match.group(1)):
            line = source.count("\n", 0, match.start()) + 1
            yield f"{TOP.as_posix()}/{name}:{line}: defines the public macro {match.group(1)}"


def problems(root: Path) -> list[str]:
    """Return a message for each public declaration in a private header."""
    top = root / TOP
    return [
        problem
        for path in sorted(top.rglob("*.h"))
        if is_private(path.relative_to(top))
        for problem in check_header(
            path.relative_to(top).as_posix(), path.read_text(encoding="utf-8")
        )
    ]
