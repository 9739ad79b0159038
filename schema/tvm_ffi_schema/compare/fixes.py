# SPDX-License-Identifier: Apache-2.0
"""Helpers for the edits of `validate --fix`: constants, arguments of registrations, includes."""

from __future__ import annotations

from collections.abc import Iterable

from ..cxx.model import Call, CppClass, Sources
from ..diag import Edit
from ..ir import Span
from ..weave import markers


def constant(found: CppClass, type_: str, name: str, value: str) -> list[Edit]:
    """Return the edit that inserts a constant above the macro of a class; empty without a macro."""
    if found.macro is None:
        return []
    at = found.macro.word
    text = f"static constexpr {type_} {name} = {value};\n" + " " * (at.col - 1)
    return [Edit(Span(at.file, at.line, at.col, at.line, at.col), text)]


def flags(entry: Call, extra: Iterable[int], missing: Iterable[str]) -> list[Edit]:
    """Return the edits that remove some arguments of a registration and add others.

    Parameters
    ----------
    entry : Call
        The call that registers a field; ``args[0]`` is the pointer to the member.
    extra : Iterable[int]
        Indices in ``args`` of the arguments to remove.
    missing : Iterable[str]
        Arguments to insert before the description of the field, or at the end.

    """
    if not entry.args or len(entry.arg_spans) != len(entry.args):
        return []
    gone = set(extra)
    edits = []
    for index in sorted(gone):
        before, own = entry.arg_spans[index - 1], entry.arg_spans[index]
        edits.append(Edit(_between(before, own, own), ""))
    kept = [i for i in range(len(entry.args)) if i not in gone]
    last = [i for i in kept if i == 0 or not entry.args[i].startswith('"')][-1]
    text = "".join(f", {one}" for one in missing)
    if text:
        end = entry.arg_spans[last]
        edits.append(
            Edit(Span(end.file, end.end_line, end.end_col, end.end_line, end.end_col), text)
        )
    return edits


def _between(before: Span, own: Span, last: Span) -> Span:
    return Span(own.file, before.end_line, before.end_col, last.end_line, last.end_col)


def sees(file: str, header: str, sources: Sources) -> bool:
    """Return whether a file includes a header, directly or through other known files."""
    paths = {path: "/" + path for path in sources.includes}
    todo, seen = [file], {file}
    while todo:
        for name in sources.includes.get(todo.pop(), ()):
            for path, whole in paths.items():
                if whole.endswith("/" + name) and path not in seen:
                    seen.add(path)
                    todo.append(path)
    return header in seen


def generated_lines(path: str, text: str, whole: bool) -> set[int]:
    """Return the numbers of the generated lines, whose edits a run of `generate` would undo."""
    from ..diag import Bag

    parsed = markers.parse(path, text, Bag(), whole=whole)
    lines: set[int] = set()
    for block in parsed.blocks:
        lines.update(range(block.first + 1, block.last + 2))
        for custom in block.customs:
            lines.difference_update(
                range(custom.span.line, custom.span.line + len(custom.lines) + 2)
            )
    return lines
