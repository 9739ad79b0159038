# SPDX-License-Identifier: Apache-2.0
"""Doxygen comments from docstrings."""

from __future__ import annotations

import textwrap

from ..ir import Doc, MethodDef
from .writer import WIDTH


def comment(paragraphs: list[str], indent: str = "") -> list[str]:
    """Return paragraphs and Doxygen commands as one comment; a short comment is on one line."""
    paragraphs = [_safe(p) for p in paragraphs if p]
    if not paragraphs:
        return []
    single = f"{indent}/*! {paragraphs[0]} */"
    if len(paragraphs) == 1 and "\n" not in paragraphs[0] and len(single) <= WIDTH:
        return [single]
    lines = [f"{indent}/*!"]
    for number, paragraph in enumerate(paragraphs):
        if number and not paragraph.startswith("\\"):
            lines.append(f"{indent} *")
        for line in _wrapped(paragraph, WIDTH - len(indent) - 3):
            lines.append(f"{indent} * {line}".rstrip())
    return [*lines, f"{indent} */"]


def _safe(text: str) -> str:
    return text.replace("*/", "* /").replace("/*", "/ *").strip("\n")


def _wrapped(paragraph: str, width: int) -> list[str]:
    if paragraph.startswith("\\code"):
        return paragraph.splitlines()
    lines = []
    for line in paragraph.splitlines():
        if len(line) <= width and line.isprintable() and not line.isspace():
            lines.append(line.rstrip(" "))  # fast path: `textwrap.wrap` would give the same line
        else:
            lines.extend(textwrap.wrap(line, width, break_long_words=False) or [""])
    return lines


def of_class(doc: Doc, deprecated: str = "") -> list[str]:
    """Return the paragraphs of the comment on a class."""
    found = [f"\\brief {doc.summary}"] if doc.summary else []
    if doc.text:
        found.append(doc.text)
    if doc.notes:
        found.append(f"\\note {doc.notes}")
    if doc.examples:
        found.append(f"\\code\n{doc.examples}\n\\endcode")
    if deprecated or doc.deprecated:
        found.append(f"\\deprecated {deprecated or doc.deprecated}")
    found.extend(f"\\sa {name}" for name in doc.see_also)
    return found


def of_method(method: MethodDef) -> list[str]:
    """Return the paragraphs of the comment on a method."""
    found = of_class(method.doc)
    found.extend(f"\\param {item.name} {item.text}".rstrip() for item in method.doc.params)
    if method.doc.returns:
        found.append(f"\\return {method.doc.returns}")
    found.extend(f"\\throws {item.name} {item.text}".rstrip() for item in method.doc.raises)
    return found
