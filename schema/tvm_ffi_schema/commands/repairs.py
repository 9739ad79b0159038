# SPDX-License-Identifier: Apache-2.0
"""Repair texts with conflicts or wrong checksums, so that `generate` can update the files."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ..back.cpp_file import is_owned
from ..diag import Bag
from ..files import tokens
from ..files.source import shown
from ..ir import Span
from ..weave import conflicts, history, markers, merge
from ..weave.custom_owners import Owners
from ..weave.markers import LEADERS, Block
from ..weave.output import Output
from ..weave.weave import report_conflict

_CLASS = re.compile(r"class\s+(?:\[\[.*\]\]\s+)?(?:\w+\s+)?(\w+)\s*(?::\s*public\b|[(:])")
_Words = tuple[str, ...]


@dataclass
class Edit:
    """Hand-written lines in a block; `is_change` is set unless they only add whole members."""

    path: str
    name: str
    span: Span
    block: Block
    lines: list[str]
    is_change: bool


@dataclass
class _File:
    """A file with its repaired text; `unverified` has the blocks with a wrong checksum."""

    path: str
    whole: bool
    text: str
    unverified: list[Block] = field(default_factory=list)

    @property
    def language(self) -> str:
        return tokens.language_of(self.path)

    @cached_property
    def versions(self) -> list[Block]:
        """Return the blocks in older versions of the file, except blocks with a wrong checksum."""
        found = []
        for text in history.versions(self.path):
            parsed = markers.parse(self.path, text, Bag(), self.whole)
            found += [b for b in parsed.blocks if not b.sum or merge.is_verified(b, self.language)]
        return found


class Repairs:
    """Repairs texts of files: of the files in `named`, or of all files if `named` is empty."""

    def __init__(self, named: set[str], owners: Owners, bag: Bag) -> None:
        self.named = named
        self.owners = owners
        self.bag = bag
        self.files: dict[str, _File] = {}

    def text(self, path: str, text: str, whole: bool) -> str | None:
        """Return the repaired text of a file with the text `text`; None after an error."""
        real = os.path.realpath(path)
        if self.named and real not in self.named:
            return text
        if real not in self.files:
            made = self._made(path, text, whole)
            if made is None:
                return None
            self.files[real] = _File(path, whole, made.text, made.unverified)
        return self.files[real].text

    def _made(self, path: str, text: str, whole: bool) -> merge.Merged | None:
        name = shown(path)
        parsed = markers.parse(name, text, bag := Bag(), whole)
        found = conflicts.regions(parsed.lines) if conflicts.has_any(text) else []
        is_readable = not bag.has_errors and all(b.conflict is None for b in parsed.blocks)
        if is_readable or not found:
            blocks = [] if bag.has_errors else parsed.blocks
            return merge.Merged(text, merge.unverified(blocks, parsed.language))
        held, stages = merge.of_conflict(text), history.stages(path)
        if stages is not None:
            # Outside of the conflicts, the file mixes text of both sides. Unless the user has
            # edited the file, use the complete versions of both sides that git has stored.
            ours, theirs, base = stages
            by_git = merge.of_conflict(history.merge_file(ours, base or "", theirs))
            is_edited = (held.ours, held.theirs) != (by_git.ours, by_git.theirs)
            held = merge.Sides(held.ours, held.theirs, base) if is_edited else merge.Sides(*stages)
        made = merge.merge(name, held, whole, self.owners.follow)
        if made.fault is None:
            return made
        help_ = "restore both sides, with all markers that each of them has"
        if stages is not None:
            help_ = f"run  git checkout -m -- {name}  to restore the conflict, then resolve again"
        said = f"a side of this conflict is not whole: {made.fault.message}"
        self.bag.add("TS110", said, Span(name, found[0].first + 1), help=help_)
        return None

    # --- edits by hand

    def edits(self, outputs: Iterable[Output]) -> list[Edit]:
        """Return the hand-written lines in blocks.

        Neither this run nor an older version of the file contains these lines as generated text.
        """
        found: list[Edit] = []
        for output in outputs:
            file = self.files.get(os.path.realpath(output.path))
            if file is None or not file.unverified or output.new is None:
                continue
            text = output.new.decode("utf-8", "replace")
            parsed = markers.parse(file.path, text, Bag(), file.whole)
            for block in file.unverified:
                held = (b.generated for b in parsed.blocks if b.name == block.name)
                now = [line for lines in held for line in lines]
                edit = _edit_of(file, block, now)
                found += [edit] if edit is not None else []
        return found

    def adopt(self, edits: list[Edit]) -> None:
        """Put each edit that adds a whole member into a custom section."""
        for edit in edits:
            if edit.is_change:
                continue
            file = self.files[os.path.realpath(edit.path)]
            parsed = markers.parse(file.path, file.text, Bag(), file.whole)
            block = next(b for b in parsed.blocks if b.name == edit.block.name)
            lines = [*parsed.lines]
            lines[block.last : block.last] = _sections(edit, file)
            file.text = "".join(lines)
        for file in self.files.values():
            file.unverified = []


def _edit_of(file: _File, block: Block, now: list[str]) -> Edit | None:
    def words(line: str) -> _Words:
        return tuple(tokens.stream(line, file.language))

    if Counter(map(words, block.generated)) == Counter(map(words, now)):
        return None
    known = set(map(words, now))
    before = now
    for old in file.versions:
        known.update(map(words, old.generated))
        if old.sum is not None and old.sum == block.sum and old.name == block.name:
            before = old.generated
    lines = [line for line in block.generated if words(line) and words(line) not in known]
    if not lines:
        return None
    missing = Counter(map(words, before)) - Counter(map(words, block.generated))
    depth = sum(line.count("{") - line.count("}") for line in lines)
    is_whole = file.language != "cpp" or lines[-1].rstrip().endswith(("}", ";"))
    is_change = bool(any(missing)) or depth != 0 or not is_whole
    span = _place(file, lines[0])
    return Edit(file.path, block.name or "this file", span, block, lines, is_change)


def _place(file: _File, line: str) -> Span:
    """Return the place of the first line of a file that equals `line` without indentation."""
    name = shown(file.path)
    with open(file.path, encoding="utf-8", errors="replace", newline="") as stream:
        for number, one in enumerate(stream, 1):
            if one.strip() == line.strip():
                start = len(one) - len(one.lstrip()) + 1
                return Span(name, number, start, number, len(one.rstrip()) + 1)
    return Span(name)


def _sections(edit: Edit, file: _File) -> Iterator[str]:
    """Yield the text of a custom section for each class that contains lines of an edit."""
    wanted = Counter(edit.lines)
    owner = ""
    groups: dict[str, list[str]] = {}
    for line in edit.block.generated:
        match = _CLASS.match(line) if line.startswith("class") else None
        if match:
            owner = match[1]
        elif line.startswith("};") or (file.language == "python" and line[:1].strip()):
            owner = ""
        if wanted[line] > 0:
            wanted[line] -= 1
            groups.setdefault(owner, []).append(line)
    eol = "\r\n" if edit.lines[0].endswith("\r\n") else "\n"
    opening, closing = LEADERS[file.language]
    for owner, lines in groups.items():
        anchor = f" {owner}.tail" if owner and file.whole else " tail" if file.whole else ""
        yield f"{opening}tschema: custom-begin{anchor}{closing}{eol}"
        yield from lines
        yield f"{opening}tschema: custom-end{closing}{eol}"


# --- remaining conflicts


def report_left(output: Output, bag: Bag) -> None:
    """Report the conflicts that remain in the new text of a file."""
    if output.new is None or b">>>>>>>" not in output.new:
        return
    text = output.new.decode("utf-8", "replace")
    name = shown(output.path)
    parsed = markers.parse(name, text, Bag(), is_owned(text))
    for custom in (c for block in parsed.blocks for c in block.customs):
        if custom.conflict is not None:
            report_conflict(custom, bag)
    for region in conflicts.regions(parsed.lines):
        if not any(block.first <= region.first <= block.last for block in parsed.blocks):
            bag.add(
                "TS110",
                "hand-written text has an unresolved merge conflict",
                Span(name, region.first + 1),
                help="edit it and remove the conflict lines",
            )
