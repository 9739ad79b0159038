# SPDX-License-Identifier: Apache-2.0
"""Write the text of functions: signatures, documentation, calls."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence

from .names import is_snake_case

_WIDTH = 100
# clippy complains about functions with more parameters.
_MOST_PARAMETERS = 7
# Markdown reads a line with this indentation as code.
_LEAST_CODE_INDENT = 4
SPACE = "    "


def bracketed(indent: str, head: str, items: Sequence[str], tail: str, braces: str) -> list[str]:
    """Write items between brackets, on one line if they fit, otherwise one per line."""
    pad = " " if braces == "{}" and items else ""
    line = f"{indent}{head}{braces[0]}{pad}{', '.join(items)}{pad}{braces[1]}{tail}"
    if len(line) <= _WIDTH:
        return [line]
    inner = [f"{indent}{SPACE}{item}," for item in items]
    return [f"{indent}{head}{braces[0]}", *inner, f"{indent}{braces[1]}{tail}"]


def signature(
    visibility: str,
    name: str,
    parameters: Sequence[tuple[str, str]],
    result: str = "Self",
    is_method: bool = False,
) -> list[str]:
    """Write the first lines of a function."""
    lines = bracketed(
        SPACE,
        f"{visibility} fn {name}",
        [*(["&self"] if is_method else []), *(f"{p}: {text}" for p, text in parameters)],
        f" -> {result} {{",
        "()",
    )
    allowed = [*_allowed(visibility, name, [p for p, _ in parameters], is_method)]
    return [f"{SPACE}#[allow({', '.join(allowed)})]", *lines] if allowed else lines


def _allowed(
    visibility: str, name: str, parameters: Sequence[str], is_method: bool
) -> Iterator[str]:
    """Return the lints of the compiler and of clippy that the names of a function violate."""
    if not all(map(is_snake_case, (name, *parameters))):
        yield "non_snake_case"
    if name == "new" and not parameters and visibility == "pub":
        yield "clippy::new_without_default"
    if name in ("cmp", "default"):
        yield "clippy::should_implement_trait"
    if len(parameters) + is_method > _MOST_PARAMETERS:
        yield "clippy::too_many_arguments"
    if is_method and name.startswith(("from_", "into_")):
        yield "clippy::wrong_self_convention"


def doc_lines(doc: str | None, indent: str) -> list[str]:
    """Write documentation as a comment.

    ``rustdoc`` runs code blocks as tests. So code blocks get the language ``text``, and no line
    outside of them is indented like code.
    """
    text = inspect.cleandoc(doc or "").strip()
    lines, fence = [], ""
    for line in re.split(r"\r\n|\r|\n", text) if text else []:
        plain = "".join(c if c.isprintable() else " " for c in line).rstrip()
        bare = plain.lstrip()
        mark = re.match(r"```+|~~~+", bare)
        if fence:
            fence = "" if bare == fence else fence
        elif mark is not None:
            fence, plain = mark[0], f"{mark[0]}text"
        else:
            plain = " " * min(len(plain) - len(bare), _LEAST_CODE_INDENT - 1) + bare
        lines.append(f"{indent}/// {plain}".rstrip())
    return lines


def assignment(indent: str, target: str, call: str, arguments: Sequence[str]) -> list[str]:
    """Write ``let target = call(arguments);``."""
    whole = f"{call}({', '.join(arguments)});"
    if len(f"{indent}let {target} = {whole}") <= _WIDTH:
        return [f"{indent}let {target} = {whole}"]
    if len(f"{indent}{SPACE}{whole}") <= _WIDTH:
        return [f"{indent}let {target} =", f"{indent}{SPACE}{whole}"]
    return bracketed(indent, f"let {target} = {call}", arguments, ";", "()")
