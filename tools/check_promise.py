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

TOP = Path("include") / "tvm" / "ffi"

_COMMENT_OR_TEXT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_NAMESPACE = re.compile(r"^(?:inline )?namespace ?([\w:]*)$")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_PRIVATE_MACRO = re.compile(r"^TVM_FFI_DETAIL_\w+$|^TVM_FFI_\w+_$")
_FORWARD = re.compile(r"^(?:template ?<.*> ?)?(?:class|struct) [A-Za-z_]\w*;$")


def without_text(source: str) -> str:
    """Return the source with comments, preprocessor lines and the contents of literals removed."""

    def blank(match: re.Match[str]) -> str:
        kept = "" if match.group().startswith("/") else '""'
        return kept + "\n" * match.group().count("\n")

    source = _COMMENT_OR_TEXT.sub(blank, source)
    return _DIRECTIVE.sub(lambda match: "\n" * match.group().count("\n"), source)


def declarations(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield (line, namespace, head) of each declaration at namespace scope.

    The head of a declaration ends with its ``;`` or the brace that opens its body.
    """
    text = without_text(source)
    scopes: list[str] = []
    head, head_line, line = "", 1, 1
    position = 0
    while position < len(text):
        char = text[position]
        if char == "\n":
            line += 1
        if char == "}":
            head = ""
            if scopes:
                scopes.pop()
        elif char in "{;":
            plain = " ".join(head.split())
            namespace = _NAMESPACE.match(plain)
            if char == "{" and (namespace or plain == 'extern ""'):
                scopes.append(namespace.group(1) if namespace else "")
            elif plain:
                yield head_line, "::".join(name for name in scopes if name), plain + char
            if char == "{" and not (namespace or plain == 'extern ""'):
                end = end_of_block(text, position)
                line += text.count("\n", position, end)
                position = end
                # The text after the block, as in `struct A {} a;`, counts as a new declaration.
            head = ""
        else:
            if not head.strip():
                head, head_line = "", line
            head += char
        position += 1


def end_of_block(text: str, start: int) -> int:
    """Return the position of the brace that closes the brace at ``start``."""
    depth = 0
    for position in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return position
    return len(text)


def is_private(path: Path) -> bool:
    """Return whether users may not include this header."""
    return "detail" in path.parts or path.name.endswith("_detail.h")


def check_header(name: str, source: str) -> Iterator[str]:
    """Yield a message for each declaration outside of ``detail``, and for each public macro."""
    for line, namespace, head in declarations(source):
        if "detail" in namespace.split("::") or _FORWARD.match(head):
            continue
        where = namespace or "the global namespace"
        yield f"{TOP.as_posix()}/{name}:{line}: declares `{head[:-1]}` in {where}, not in `detail`"
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
