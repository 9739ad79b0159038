# SPDX-License-Identifier: Apache-2.0
"""Run clang-format on the generated lines of a file, and only on these."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from ..diag import Bag
from ..files import tokens
from ..files.source import shown
from ..ir import Span
from .markers import MarkedFile, parse
from .weave import Conservation, verify

_OFF, _ON = "// clang-format off: tschema", "// clang-format on: tschema"


def find() -> str | None:
    """Return the path of clang-format: beside the Python interpreter, or else from `PATH`."""
    beside = os.path.join(os.path.dirname(sys.executable), "clang-format")
    return beside if os.access(beside, os.X_OK) else shutil.which("clang-format")


def formatted(path: str, text: str, bag: Bag, whole: bool = False) -> str:
    """Return a text with its generated lines formatted in the style for the path of the file.

    If clang-format would change other lines, or more than white space, the text is returned
    unchanged. A program that is missing or fails is reported.
    """
    program = find()
    if program is None:
        text_ = "clang-format is not installed"
        bag.add("TS013", text_, Span(shown(path)), help="pip install clang-format")
        return text
    before = parse(shown(path), text, Bag(), whole)
    guarded = _guarded(before)
    command = [program, f"--assume-filename={os.path.abspath(path)}", "--fallback-style=Google"]
    try:
        data = guarded.encode("utf-8", "surrogatepass")
        done = subprocess.run(command, input=data, capture_output=True, check=False)
    except OSError as error:
        bag.add("TS013", f"clang-format cannot be run: {error.strerror}", Span(shown(path)))
        return text
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0] or "no reason"
        bag.add("TS013", f"clang-format failed: {words}", Span(shown(path)))
        return text
    lines = done.stdout.decode("utf-8", "surrogatepass").splitlines(keepends=True)
    made = "".join(line for line in lines if line.strip() not in (_OFF, _ON))
    return made if _is_same(before, made, whole) else text


def _is_same(before: MarkedFile, made: str, whole: bool) -> bool:
    """Return whether a formatted text differs only in white space of generated lines."""
    try:
        verify(before, made, whole)
    except Conservation:
        return False
    after = parse(before.path, made, Bag(), whole)
    return all(
        tokens.stream("".join(old.generated), "cpp") == tokens.stream("".join(new.generated), "cpp")
        for old, new in zip(before.blocks, after.blocks)
    )


def _guarded(file: MarkedFile) -> str:
    """Return the text of a file with clang-format switched off outside of generated lines."""
    eol = "\r\n" if any(line.endswith("\r\n") for line in file.lines[:1]) else "\n"
    off, on = _OFF + eol, _ON + eol
    out = [off]
    at = 0
    for block in file.blocks:
        first = block.last - len(block.body)
        out += [*file.lines[at:first], on]
        for line in block.body:
            marks = "tschema:" in line
            if marks and "custom-begin" in line:
                out.append(off)
            out.append(line)
            if marks and "custom-end" in line:
                out.append(on)
        out.append(off)
        at = block.last
    return "".join([*out, *file.lines[at:]])
