# SPDX-License-Identifier: Apache-2.0
"""Weaving: new generated text around the custom sections that are on disk.

What is conserved is checked afterwards on the result: the custom bytes of every block in their
order, and everything outside the blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from ..back.writer import Anchor, Pieces
from ..diag import Bag
from . import tokens
from .guard import Guard
from .markers import Block, Custom, MarkedFile, parse

#: Returns what a block shall hold; None after a report.
Emit = Callable[[Block], Pieces | None]
#: Language -> how a comment begins and ends.
LEADERS = {"cpp": ("// ", ""), "python": ("# ", ""), "cmake": ("# ", "")}
LEADERS["markdown"] = ("<!-- ", " -->")


@dataclass
class Policy:
    """How strict a run is. `known` are the sums of blocks whose markers carry none."""

    guard: str = "sum"
    force: bool = False
    normalize: bool = False
    adopt: bool = False
    known: dict[str, str] = field(default_factory=dict)


@dataclass
class Result:
    """A woven text; `saved` is what `--force` replaces, for the lost-and-found directory."""

    text: str
    saved: list[str] = field(default_factory=list)
    sums: dict[str, str] = field(default_factory=dict)


class Conservation(Exception):  # noqa: N818 - an internal check that failed
    """The woven text lost something; nothing may be written."""


def weave(file: MarkedFile, emit: Emit, policy: Policy, bag: Bag, whole: bool = False) -> Result:
    """Return the text of a file with its blocks filled anew.

    A block that is refused is reported and stays as it is.

    Raises
    ------
    Conservation
        If the result does not hold every byte that it must; a fault of this program.

    """
    out: list[str] = []
    saved: list[str] = []
    sums: dict[str, str] = {}
    at = 0
    for block in file.blocks:
        out += file.lines[at : block.first]
        at = block.last + 1
        lines = [block.head, *block.body, block.tail]
        pieces = emit(block)
        if pieces is not None:
            filled = _Filler(file, block, policy, bag).fill(pieces, saved, sums)
            lines = lines if filled is None else filled
        out += lines
    out += file.lines[at:]
    text = "".join(out)
    if text != "".join(file.lines):
        verify(file, text, whole)
    return Result(text, saved, sums)


def verify(old: MarkedFile, text: str, whole: bool) -> None:
    """Check that a text holds what is not generated of an older one.

    Raises
    ------
    Conservation
        If it does not.

    """
    new = parse(old.path, text, Bag(), whole)
    if len(new.blocks) != len(old.blocks):
        raise Conservation(f"{old.path}: {len(old.blocks)} blocks became {len(new.blocks)}")
    for before, after in zip(old.blocks, new.blocks):
        lost = Counter(c.text() for c in before.customs) - Counter(c.text() for c in after.customs)
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
    """Fills one block."""

    def __init__(self, file: MarkedFile, block: Block, policy: Policy, bag: Bag) -> None:
        self.file = file
        self.block = block
        self.policy = policy
        self.bag = bag
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

    def fill(self, pieces: Pieces, saved: list[str], sums: dict[str, str]) -> list[str] | None:
        """Return the new lines of the block; None when it is refused."""
        block = self.block
        language = self.file.language
        if block.has_conflict:
            self.bag.add("TS110", f"{block.name or 'this file'} has a merge conflict", block.span)
            return None
        generated = [piece for piece in pieces if isinstance(piece, str)]
        same = self._guard() == "sum" and self._is_same_text(generated)
        if same and block.sum is not None and self._body(pieces) == block.body:
            # The same characters have the same tokens.
            sums[f"{self.file.path}#{block.name}"] = block.sum
            return [block.head, *block.body, block.tail]
        new = tokens.stream("\n".join(generated), language)
        old = tokens.stream("".join(block.generated), language)
        if not Guard(self.file, block, self.policy, self.bag).allows(old, new, generated):
            if not self.policy.force:
                return None
            saved.append("".join([block.head, *block.body, block.tail]))
        body = self._body(pieces)
        guard = self._guard()
        keeps = bool(block.body) and not self.policy.normalize and old == new
        if keeps and self._same(body, language):
            body = block.body
        sum_ = tokens.digest(new)
        sums[f"{self.file.path}#{block.name}"] = sum_
        return [block.head, *body, self._tail(sum_ if guard == "sum" else None)]

    def _is_same_text(self, generated: list[str]) -> bool:
        return [line.rstrip("\r\n") for line in self.block.generated] == generated

    def _guard(self) -> str:
        return self.block.options.get("guard", self.policy.guard)

    def _tail(self, sum_: str | None) -> str:
        line = self.block.tail
        stripped = line.rstrip("\r\n")
        ending = line[len(stripped) :]
        closing = " -->" if stripped.rstrip().endswith("-->") else ""
        head = stripped[: stripped.index("end") + 3]
        return head + (f" sum={sum_}" if sum_ else "") + closing + ending

    # --- the new body

    def _body(self, pieces: Pieces) -> list[str]:
        placed = self._place([p.name for p in pieces if isinstance(p, Anchor)])
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
        lines = [f"{opening}tschema: custom-begin {anchor.name}{closing}", *anchor.stub]
        return [line + self.eol for line in [*lines, f"{opening}tschema: custom-end{closing}"]]

    def _place(self, anchors: list[str]) -> dict[str, list[Custom]]:
        """Return the custom sections by the anchor where each goes."""
        placed: dict[str, list[Custom]] = {}
        for custom in self.block.customs:
            name = custom.anchor
            if name not in anchors:
                similar = [a for a in anchors if a.endswith("." + name)]
                name = similar[0] if len(similar) == 1 else self._fallback(custom, anchors)
            if name in placed and "method:" in name:  # one body for each overload
                free = (a for a in anchors if a.startswith(f"{name}#") and a not in placed)
                name = next(free, name)
            placed.setdefault(name, []).append(custom)
        return placed

    def _fallback(self, custom: Custom, anchors: list[str]) -> str:
        owner = custom.anchor.rpartition(".")[0]
        for name in (f"{owner}.tail", "tail"):
            if name in anchors:
                break
        else:
            name = "the end"
        if custom.anchor != "tail":
            self.bag.add(
                "TS114",
                f"there is no place {custom.anchor!r} any more in {self.block.name or 'this file'}",
                custom.span,
                help="the section now stands at the end",
            )
        return name

    def _same(self, body: list[str], language: str) -> bool:
        """Tell whether a new body differs from the one on disk in white space alone."""
        return _shape(body, language) == _shape(self.block.body, language)


def _shape(lines: list[str], language: str) -> list[object]:
    """Return the tokens of the generated runs of a body, with the custom sections between them."""
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
