# SPDX-License-Identifier: Apache-2.0
"""clang-format on what was generated, and on nothing else: ``format = "clang-format"``."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Optional

from ..diag import Bag
from ..ir import Span
from . import tokens
from .markers import Block, MarkedFile, parse


def formatted(old: MarkedFile, text: str, bag: Bag, whole: bool) -> str:
    """Return a woven text with the generated lines of its new blocks formatted.

    A block of which nothing but white space could have changed is left as it stands on disk, so a
    formatter of another version is no reason to write it again.
    """
    new = parse(old.path, text, Bag(), whole)
    before = [block.body for block in old.blocks]
    out: list[str] = []
    at = 0
    for number, block in enumerate(new.blocks):
        out += [*new.lines[at : block.first], block.head]
        at = block.last
        is_old = number < len(before) and block.body == before[number]
        body = None if is_old else _body(new, block, bag)
        out += block.body if body is None else [body]
    made = "".join([*out, *new.lines[at:]])
    return made if _is_the_same(new, parse(old.path, made, Bag(), whole)) else text


def _body(file: MarkedFile, block: Block, bag: Bag) -> Optional[str]:
    """Return the formatted body of a block; a comment stands for each custom section meanwhile."""
    pieces: list[str] = []
    customs: list[str] = []
    inside = False
    for line in block.body:
        is_mark = "tschema:" in line and "custom-" in line
        if is_mark and not inside:
            pieces.append(f"// tschema-section-{len(customs)}\n")
            customs.append("")
            inside = True
        if inside:
            customs[-1] += line
            inside = not (is_mark and "custom-end" in line)
        else:
            pieces.append(line)
    made = _run(file.path, "".join(pieces), bag)
    if made is None:
        return None
    for number, custom in enumerate(customs):
        mark = re.compile(rf"^[ \t]*// tschema-section-{number}\r?\n", re.MULTILINE)
        made = mark.sub(lambda _, text=custom: text, made)  # type: ignore[misc]
    return made


def _run(path: str, text: str, bag: Bag) -> Optional[str]:
    program = shutil.which("clang-format")
    if program is None:
        bag.add(
            "TS013",
            'format = "clang-format" needs the program clang-format',
            Span(path),
            help='pip install clang-format, or write format = "builtin"',
        )
        return None
    command = [program, f"--assume-filename={path}"]
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, check=False, timeout=60
        )
        return done.stdout.decode() if done.returncode == 0 else None
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return None


def _is_the_same(one: MarkedFile, other: MarkedFile) -> bool:
    """Tell whether two texts have the same blocks, custom sections and words."""
    if len(one.blocks) != len(other.blocks):
        return False
    for left, right in zip(one.blocks, other.blocks):
        if [c.text() for c in left.customs] != [c.text() for c in right.customs]:
            return False
        streams = (tokens.stream("".join(b.generated), one.language) for b in (left, right))
        if len({tuple(stream) for stream in streams}) != 1:
            return False
    return _outside(one) == _outside(other)


def _outside(file: MarkedFile) -> list[str]:
    out: list[str] = []
    at = 0
    for block in file.blocks:
        out += file.lines[at : block.first]
        at = block.last + 1
    return out + file.lines[at:]
