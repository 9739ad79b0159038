# SPDX-License-Identifier: Apache-2.0
"""Parse markers: comments that begin and end generated blocks, and custom sections in blocks.

::

    // tschema: IntImmNode                 a block; also Name.part, or @group selector
    // tschema: custom-begin [anchor]      a custom section, which is kept byte for byte
    // tschema: custom-end
    // tschema: end [sum=xxxxxxxx]
    // tschema: off  ...  // tschema: on   markers between these two are ignored
"""

from __future__ import annotations

import bisect
import itertools
import re

from ..diag import Bag
from ..files import tokens
from ..ir import Span
from . import conflicts, marker
from .marked import Block, Custom, MarkedFile

__all__ = ["CLASS_HEAD", "LEADERS", "Block", "Custom", "MarkedFile", "parse", "split"]

_MARKER = re.compile(r"^(?://|#|<!--)\s*tschema:\s*(.*?)\s*(?:-->)?\s*$")
_LOOSE = re.compile(
    r"^(?://|#|<!--|/\*+!?)\s*t?(?:schema|chema|shema|scheme)\b\s*:?", re.IGNORECASE
)
CLASS_HEAD = re.compile(r"class\s+(?:\[\[.*\]\]\s+)?(?:\w+\s+)?(\w+)\s*:\s*public\b")
#: Language -> the characters that begin and end a comment.
LEADERS = {"cpp": ("// ", ""), "python": ("# ", ""), "cmake": ("# ", "")}
LEADERS["rust"] = ("// ", "")
LEADERS["markdown"] = ("<!-- ", " -->")
_SUM = re.compile(r"^sum=([0-9a-f]{8})$")


def parse(path: str, text: str, bag: Bag, whole: bool = False) -> MarkedFile:
    """Find the blocks of a text; report every error at its place.

    With `whole`, the text is a generated file: one block from the first line to the end marker. If
    a merge conflict in the text contains markers, the returned file has no blocks.
    """
    language = tokens.language_of(path)
    lines = split(text)
    if not whole and "schema" not in text and "shema" not in text and "chema" not in text:
        return MarkedFile(path, lines, [], language)
    found = conflicts.regions(lines) if conflicts.has_any(text) else []
    crossing = next((one for one in found if one.has_marker), None)
    if crossing is not None:
        bag.add(
            "TS110",
            "generated text has an unresolved merge conflict",
            _line_span(path, lines, crossing.first),
            help="run  tvm-ffi-schema resolve",
        )
        return MarkedFile(path, lines, [], language)
    parser = _Parser(path, text, lines, language, bag)
    if conflicts.has_any(text):
        parser.conflicts = conflicts.lines_of(lines, found)
    if whole:
        parser.block = Block("", "", "", {}, Span(path), 0)
        parser.owners = True
    return parser.run()


def split(text: str) -> list[str]:
    """Split a text into lines at LF, CR LF and CR, but not at other characters."""
    if "\r" not in text:
        lines = [line + "\n" for line in text.split("\n")]
        last = lines.pop()[:-1]
        return [*lines, last] if last else lines
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)


def _line_span(path: str, lines: list[str], number: int) -> Span:
    line = lines[number].rstrip("\r\n")
    start = len(line) - len(line.lstrip()) + 1
    return Span(path, number + 1, start, number + 1, len(line) + 1)


class _Parser:
    def __init__(self, path: str, text: str, lines: list[str], language: str, bag: Bag) -> None:
        self.path = path
        self.language = language
        self.bag = bag
        self.lines = lines
        self.conflicts: list[int] = []
        self.markers = self._find(text)
        self.blocks: list[Block] = []
        self.block: Block | None = None
        self.custom: Custom | None = None
        self.off: Span | None = None
        self.owners = False
        self.owner = ""
        self.owner_known_to = 0
        self.scopes: list[str] = []

    def _find(self, text: str) -> dict[int, str]:
        """Return line index -> comment, for comments without other text on the line."""
        found: dict[int, str] = {}
        if "chema" not in text and "shema" not in text:
            return found
        last = max(text.rfind("chema"), text.rfind("shema"))
        ends: list[int] = []
        for offset, comment in tokens.line_comments(text, self.language, blocks=True):
            if offset > last:
                break
            if "chema" not in comment and "shema" not in comment:
                continue
            ends = ends or list(itertools.accumulate(map(len, self.lines)))
            number = bisect.bisect_right(ends, offset)
            line = self.lines[number]
            before = line[: offset - (ends[number] - len(line))]
            if before.strip(" \t") or number in found:
                continue
            if comment.rstrip("\r\n") == line.strip(" \t\r\n") or (comment.strip() == line.strip()):
                found[number] = comment.strip()
        return found

    def run(self) -> MarkedFile:
        at = 0
        for number in sorted(self.markers):
            self._plain(at, number)
            at = number + 1
            line = self.lines[number]
            word = self._marker(number)
            if word is None or (self.off is not None and word != "on"):
                self._plain(number, at)
            elif word in ("off", "on"):
                self._switch(number, word, line)
            elif word.split(None, 1)[:1] == ["custom-begin"]:
                self._custom_begin(number, word, line)
            elif word == "custom-end":
                self._custom_end(number, line)
            elif word == "end" or word.startswith("end "):
                self._end(number, word, line)
            elif word.startswith("allow "):
                self._plain(number, at)
            else:
                self._open(number, word, line)
        self._plain(at, len(self.lines))
        self._finish()
        return MarkedFile(self.path, self.lines, self.blocks, self.language)

    def _marker(self, number: int) -> str | None:
        comment = self.markers.get(number)
        if comment is None:
            return None
        match = _MARKER.match(comment)
        if match:
            word = match[1]
            return marker.corrected(word, self._span(number), self.bag) if not self.off else word
        if _LOOSE.match(comment) and self.off is None and not self.custom:
            opening, closing = LEADERS[self.language]
            self.bag.add(
                "TS111",
                "this comment looks like a marker, but is not one",
                self._span(number),
                help=f"markers are written  {opening}tschema: Name{closing}",
            )
        return None

    def _span(self, number: int) -> Span:
        return _line_span(self.path, self.lines, number)

    def _plain(self, first: int, last: int) -> None:
        """Add lines without markers to the open section and block."""
        lines = self.lines[first:last]
        if self.custom is not None:
            self.custom.lines += lines
        if self.block is not None:
            self.block.body += lines
            conflict = next((n for n in self.conflicts if first <= n < last), None)
            if conflict is not None:
                holder = self.custom or self.block
                holder.conflict = holder.conflict or self._span(conflict)
            if self.custom is None:
                self.block.generated += lines

    def _note_owner(self) -> None:
        """Find the class and the namespaces around the next custom section, in the lines before."""
        assert self.block is not None
        for line in self.block.generated[self.owner_known_to :]:
            match = CLASS_HEAD.match(line) if line.startswith("class") else None
            if match:
                self.owner = match[1]
            elif line.startswith("};"):
                self.owner = ""
            elif line.startswith("namespace ") and line.rstrip().endswith("{"):
                self.scopes.append(line.split()[1])
            elif line.startswith("}") and "// namespace" in line:
                del self.scopes[-1:]
        self.owner_known_to = len(self.block.generated)

    def _switch(self, number: int, word: str, line: str) -> None:
        if word == "off":
            if self.block is not None:
                text = "'off' inside a block has no effect"
                self.bag.add("TS107", text, self._span(number))
            else:
                self.off = self._span(number)
        elif self.off is None:
            self.bag.add("TS102", "'on' without 'off'", self._span(number))
        else:
            self.off = None
        self._plain(number, number + 1)

    def _custom_begin(self, number: int, word: str, line: str) -> None:
        span = self._span(number)
        anchor = word[len("custom-begin") :].strip()
        if self.block is None:
            self.bag.add("TS102", "a custom section outside a block", span)
            return
        if self.custom is not None:
            notes = [(self.custom.span, "the first one begins here")]
            self.bag.add("TS103", "a custom section inside a custom section", span, notes=notes)
            self._plain(number, number + 1)
            return
        marker.check_anchor(anchor, span, self.bag)
        anchor = anchor or "tail"
        if self.owners:
            self._note_owner()
        if self.owners and self.owner and "." not in anchor and not anchor.startswith("method:"):
            anchor = f"{self.owner}.{anchor}"
        scope = "::".join(self.scopes)
        self.custom = Custom(line, anchor, span, first=len(self.block.body), scope=scope)
        self.block.body.append(line)

    def _custom_end(self, number: int, line: str) -> None:
        if self.custom is None:
            self.bag.add("TS102", "custom-end without custom-begin", self._span(number))
            self._plain(number, number + 1)
            return
        self.custom.end = line
        if self.block is not None:
            self.custom.last = len(self.block.body)
            self.block.customs.append(self.custom)
            self.block.body.append(line)
        self.custom = None

    def _end(self, number: int, word: str, line: str) -> None:
        span = self._span(number)
        if self.block is None:
            self.bag.add("TS102", "end without a block", span)
            return
        if self.custom is not None:
            self.bag.add(
                "TS106",
                "the block ends inside a custom section",
                span,
                notes=[(self.custom.span, "the custom section begins here")],
            )
            self.custom = None
        rest = word[3:].strip()
        match = _SUM.match(rest)
        if rest and not match:
            self.bag.add("TS107", f"unknown option {rest!r}", span, help="only sum=xxxxxxxx")
        self.block.sum = match[1] if match else None
        self.block.tail, self.block.last = line, number
        self.blocks.append(self.block)
        self.block = None

    def _open(self, number: int, word: str, line: str) -> None:
        span = self._span(number)
        if self.block is not None:
            inside = "a custom section" if self.custom else f"the block of {self.block.name}"
            self.bag.add(
                "TS103",
                f"a block inside {inside}",
                span,
                notes=[(self.block.span, "this one is not closed")],
            )
            self._plain(number, number + 1)
            return
        target, part, options = marker.read_target(word, span, self.bag)
        self.block = Block(line, target, part, options, span, number)
        self.block.is_documented = self.language == "cpp" and self._is_documented(number)

    def _is_documented(self, number: int) -> bool:
        """Return whether a Doxygen comment ends directly above a line."""
        above = self.lines[number - 1].strip() if number else ""
        if not above.endswith("*/"):
            return above.startswith(("///", "//!"))
        first = number - 1
        while first and "/*" not in self.lines[first]:
            first -= 1
        return self.lines[first].lstrip().startswith(("/**", "/*!"))

    def _finish(self) -> None:
        if self.block is None:
            return
        if self.owners:
            self.bag.add(
                "TS101",
                "this generated file has no end marker",
                self.block.span,
                help="restore its last line, or remove the file and generate it again",
            )
            return
        later = [n for n in self.markers if n > self.block.first]
        self.bag.add(
            "TS101",
            f"the block of {self.block.name} has no end",
            self.block.span,
            notes=[(self._span(later[0]), "the next marker is here")] if later else [],
            help="write  // tschema: end  after it",
        )
