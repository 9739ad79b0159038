# SPDX-License-Identifier: Apache-2.0
"""Combine new generated text with the custom sections of a file.

The combined text is checked: it must contain the bytes of the custom sections of every block, in
the order of the old file, and all text outside of blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from ..back.writer import Anchor, Pieces
from ..diag import Bag
from ..files import tokens
from . import marker
from .guard import Guard
from .markers import LEADERS, Block, Custom, MarkedFile, parse

#: A function that returns the content of a block, or reports an error and returns None.
Emit = Callable[[Block], Pieces | None]
#: A function that returns whether the class or method of a section was removed from the schema.
Gone = Callable[[Block, Custom], bool]


@dataclass
class Policy:
    """The options for hand edits and conflicts.

    With `conflicts`, merge conflicts in custom sections are allowed and kept.
    """

    force: bool = False
    normalize: bool = False
    conflicts: bool = False


@dataclass
class Result:
    """A text with new generated parts.

    `saved` has the texts that `--force` replaces, for the lost-and-found directory. `orphans` has
    the custom sections for which the new text has no anchor.
    """

    text: str
    saved: list[str] = field(default_factory=list)
    orphans: list[Custom] = field(default_factory=list)


class Conservation(Exception):  # noqa: N818 - an internal check that failed
    """Raised if a new text lacks some hand-written text, so that it must not be written."""


def _never_gone(block: Block, custom: Custom) -> bool:
    return False


def weave(
    file: MarkedFile,
    emit: Emit,
    policy: Policy,
    bag: Bag,
    whole: bool = False,
    is_gone: Gone = _never_gone,
) -> Result:
    """Return the text of a file with new content in its blocks.

    A block that must not be replaced is reported and kept.

    Raises
    ------
    Conservation
        If the new text lacks some hand-written text, which is a bug of this program.

    """
    out: list[str] = []
    made = Result("")
    at = 0
    for block in file.blocks:
        out += file.lines[at : block.first]
        at = block.last + 1
        lines = [block.head, *block.body, block.tail]
        pieces = emit(block)
        if pieces is not None:
            filled = _Filler(file, block, policy, bag, is_gone).fill(pieces, made)
            lines = lines if filled is None else filled
        out += lines
    out += file.lines[at:]
    made.text = "".join(out)
    is_generated = whole and not any(block.customs for block in file.blocks)
    if not is_generated and made.text != "".join(file.lines):
        verify(file, made.text, whole, made.orphans)
    return made


def verify(old: MarkedFile, text: str, whole: bool, orphans: Iterable[Custom] = ()) -> None:
    """Check that a new text contains the hand-written text of the old file, except the orphans.

    Raises
    ------
    Conservation
        If some hand-written text is missing.

    """
    new = parse(old.path, text, Bag(), whole)
    if len(new.blocks) != len(old.blocks):
        raise Conservation(f"{old.path}: {len(old.blocks)} blocks became {len(new.blocks)}")
    moved = Counter("".join(custom.lines) for custom in orphans)
    for before, after in zip(old.blocks, new.blocks):
        held = Counter("".join(custom.lines) for custom in before.customs)
        lost = held - Counter("".join(custom.lines) for custom in after.customs) - moved
        moved -= held
        if lost:
            raise Conservation(f"{old.path}: a custom section of {before.name} would be lost")
    if _outside(old) != _outside(new):
        raise Conservation(f"{old.path}: text outside the blocks would change")


def _outside(file: MarkedFile) -> list[str]:
    out: list[str] = []
    at = 0
    for block in file.blocks:
        out += [*file.lines[at : block.first], "\x00"]
        at = block.last + 1
    return out + file.lines[at:]


class _Filler:
    """Computes the new content of one block."""

    def __init__(
        self, file: MarkedFile, block: Block, policy: Policy, bag: Bag, is_gone: Gone
    ) -> None:
        self.file = file
        self.block = block
        self.policy = policy
        self.bag = bag
        self.is_gone = is_gone
        self.eol = self._line_end()

    def _line_end(self) -> str:
        lines = [*self.block.body, self.block.tail]
        crlf = sum(line.endswith("\r\n") for line in lines)
        lone = sum(line.endswith("\n") for line in lines) - crlf
        if crlf and lone:
            self.bag.add("TS112", "CR LF and LF are mixed in this block", self.block.span)
        if not crlf and not lone:
            crlf = sum(line.endswith("\r\n") for line in self.file.lines)
            lone = sum(line.endswith("\n") for line in self.file.lines) - crlf
        return "\r\n" if crlf > lone else "\n"

    def fill(self, pieces: Pieces, made: Result) -> list[str] | None:
        """Return the new lines of the block, or None after an error; add results to `made`."""
        block = self.block
        language = self.file.language
        if self._has_conflict():
            return None
        generated = [piece for piece in pieces if isinstance(piece, str)]
        placed, orphans = self._place([p.name for p in pieces if isinstance(p, Anchor)])
        same = self._is_same_text(generated)
        body = self._body(pieces, placed)
        if same and block.sum is not None and body == block.body:
            # The new body equals the old body, so the checksum need not be computed again.
            return [block.head, *block.body, block.tail]
        new = tokens.stream("\n".join(generated), language)
        old = tokens.stream("".join(block.generated), language)
        if not Guard(self.file, block, self.policy, self.bag).allows(old, new, generated):
            if not self.policy.force:
                return None
            made.saved.append("".join([block.head, *block.body, block.tail]))
        made.orphans += [orphan(block, custom) for custom in orphans]
        keeps = bool(block.body) and not self.policy.normalize and old == new
        if keeps and self._same(body, language):
            body = block.body
        return [block.head, *body, self._tail(tokens.digest(new))]

    def _is_same_text(self, generated: list[str]) -> bool:
        return [line.rstrip("\r\n") for line in self.block.generated] == generated

    def _tail(self, sum_: str) -> str:
        line = self.block.tail
        stripped = line.rstrip("\r\n")
        ending = line[len(stripped) :]
        closing = " -->" if stripped.rstrip().endswith("-->") else ""
        head = stripped[: stripped.index("end") + 3]
        return f"{head} sum={sum_}{closing}{ending}"

    def _has_conflict(self) -> bool:
        """Report merge conflicts in the block; return whether the block must be kept."""
        name = self.block.name or "this file"
        if self.block.conflict is not None:
            self.bag.add(
                "TS110",
                f"the generated text of {name} has an unresolved merge conflict",
                self.block.conflict,
                help="run  tvm-ffi-schema resolve",
            )
            return True
        found = [c for c in self.block.customs if c.conflict is not None]
        for custom in found if not self.policy.conflicts else ():
            report_conflict(custom, self.bag)
        return bool(found) and not self.policy.conflicts

    # --- the new body

    def _body(self, pieces: Pieces, placed: dict[str, list[Custom]]) -> list[str]:
        placed = dict(placed)
        out: list[str] = []
        for piece in pieces:
            if isinstance(piece, str):
                out.append(piece + self.eol)
                continue
            customs = placed.pop(piece.name, [])
            for custom in customs:
                out += self._custom_lines(custom)
            if not customs and piece.stub:
                out += self._stub(piece)
        for customs in placed.values():
            for custom in customs:
                out += self._custom_lines(custom)
        return out

    def _custom_lines(self, custom: Custom) -> list[str]:
        return [custom.begin, *custom.lines, custom.end]

    def _stub(self, anchor: Anchor) -> list[str]:
        opening, closing = LEADERS[self.file.language]
        indent = anchor.stub[0][: len(anchor.stub[0]) - len(anchor.stub[0].lstrip())]
        opening = indent + opening
        lines = [f"{opening}tschema: custom-begin {anchor.name}{closing}", *anchor.stub]
        return [line + self.eol for line in [*lines, f"{opening}tschema: custom-end{closing}"]]

    def _place(self, anchors: list[str]) -> tuple[dict[str, list[Custom]], list[Custom]]:
        """Return anchor -> custom sections, and the sections without an anchor in `anchors`."""
        placed: dict[str, list[Custom]] = {}
        orphans: list[Custom] = []
        for custom in self.block.customs:
            name: str | None = custom.anchor
            if name not in anchors:
                similar = [a for a in anchors if a.endswith(f".{name}")]
                name = similar[0] if len(similar) == 1 else self._fallback(custom, anchors)
            if name is None:
                orphans.append(custom)
                continue
            if name in placed and "method:" in name:  # use the anchor of the next overload
                free = (a for a in anchors if a.startswith(f"{name}#") and a not in placed)
                name = next(free, name)
            placed.setdefault(name, []).append(custom)
        return placed, orphans

    def _fallback(self, custom: Custom, anchors: list[str]) -> str | None:
        """Return another anchor for a section: the end of its class or of the file, or None."""
        owner = custom.anchor.rpartition(".")[0]
        name = f"{owner}.tail" if owner else "tail"
        if name not in anchors and owner:
            return None
        if self.is_gone(self.block, custom):
            return None
        name = name if name in anchors else "the end"
        if custom.anchor != "tail":
            self.bag.add(
                "TS114",
                f"there is no place {custom.anchor!r} any more in {self.block.name or 'this file'}",
                custom.span,
                help="the section now stands at the end of its class",
            )
        return name

    def _same(self, body: list[str], language: str) -> bool:
        """Return whether a new body differs from the old one only in white space."""
        return _shape(body, language) == _shape(self.block.body, language)


def orphan(block: Block, custom: Custom) -> Custom:
    """Return a copy of a section whose begin marker contains the name of the section's class."""
    anchor = custom.anchor
    if "." not in anchor and block.target and not block.target.startswith("@"):
        anchor = f"{block.key}.{anchor}"
    return replace(custom, anchor=anchor, begin=marker.with_anchor(custom.begin, anchor))


def report_conflict(custom: Custom, bag: Bag) -> None:
    """Report a merge conflict in a custom section; the user must resolve the conflict."""
    bag.add(
        "TS110",
        f"the custom section {custom.anchor!r} has an unresolved merge conflict",
        custom.conflict or custom.span,
        help="edit the section and remove the conflict lines, then run  tvm-ffi-schema generate",
    )


def _shape(lines: list[str], language: str) -> list[object]:
    """Return the tokens of the generated parts of a body, and the custom sections between them."""
    out: list[object] = []
    run: list[str] = []
    inside: list[str] | None = None
    for line in lines:
        is_begin = "custom-begin" in line and "tschema:" in line
        if inside is None and is_begin:
            out += [tokens.stream("".join(run), language)]
            run, inside = [], [line]
        elif inside is not None:
            inside.append(line)
            if "custom-end" in line and "tschema:" in line:
                out.append("".join(inside))
                inside = None
        else:
            run.append(line)
    return [*out, tokens.stream("".join(run), language)]
