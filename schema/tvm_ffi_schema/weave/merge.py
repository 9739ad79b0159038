# SPDX-License-Identifier: Apache-2.0
"""Merge two versions of a file with generated text.

Generated text comes from one side, since a later run generates it again from the merged schema.
Custom sections and the text outside of blocks are merged line by line. If both sides changed the
same lines, the merged file contains a conflict.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from ..diag import Bag, Diagnostic
from ..files import tokens
from . import conflicts, marker
from .markers import Block, Custom, MarkedFile, parse
from .weave import LEADERS

#: The smallest similarity of two sections that count as versions of the same section.
_SIMILAR = 0.6
_Lines = list[str]


@dataclass
class Sides:
    """The two versions to merge, and their common ancestor `base`; None if it is not known."""

    ours: str
    theirs: str
    base: str | None = None


@dataclass
class Unverified:
    """Generated lines that do not match the checksum `sum` of the block with the name `block`."""

    block: str
    sum: str | None
    lines: _Lines


@dataclass
class Merged:
    """A merged text with right checksums; if the merge failed, `fault` is the reason."""

    text: str = ""
    unverified: list[Unverified] = field(default_factory=list)
    fault: Diagnostic | None = None


def of_conflict(text: str) -> Sides:
    """Return the two sides of a text with conflicts, and the base if the conflicts contain it."""
    lines = text.splitlines(keepends=True)
    found = conflicts.regions(lines)
    ours, theirs = ("".join(conflicts.side(lines, found, s)) for s in ("ours", "theirs"))
    has_base = bool(found) and all(conflicts.BASE in one.sides for one in found)
    base = "".join(conflicts.side(lines, found, conflicts.BASE)) if has_base else None
    return Sides(ours, theirs, base)


def merge(path: str, sides: Sides, whole: bool) -> Merged:
    """Merge two versions of a file, which must not contain conflicts."""
    made = Merged()
    files: list[MarkedFile] = []
    for text in (sides.ours, sides.theirs):
        bag = Bag()
        files.append(parse(path, text, bag, whole))
        made.fault = next((d for d in bag.items if d.severity == "error"), None)
        if made.fault is not None:
            return made
    ours, theirs = map(_named, files)
    language = files[0].language
    made.unverified = _unverified([*ours.values(), *theirs.values()], language)
    base: dict[str, Block] = {}
    was: _Lines | None = None
    if sides.base is not None:
        bag = Bag()
        before = parse(path, sides.base, bag, whole)
        if not bag.has_errors:
            base = _named(before)
            was = _outside(before, base)
    ours, theirs = _kept_apart(ours, base, theirs), _kept_apart(theirs, base, ours)
    filled = _blocks(base, ours, theirs, language)
    rest = three_way(was, _outside(files[0], ours), _outside(files[1], theirs), _united)
    made.text = "".join(
        "".join(filled.get(line, [])) if line[:1] == "\0" else line for line in rest
    )
    return made


def _kept_apart(
    side: dict[str, Block], base: dict[str, Block], other: dict[str, Block]
) -> dict[str, Block]:
    """Return the blocks of `side` by key, some of them under a new key.

    A block gets a new key if the other side has removed it, and this side has changed its custom
    sections. Under the old key, the merge would remove the block; under a new key, it is kept.
    """
    out: dict[str, Block] = {}
    for key, block in side.items():
        was = [custom.lines for custom in base[key].customs] if key in base else []
        is_changed = [custom.lines for custom in block.customs] != was
        out[f"\0{key}" if key not in other and is_changed else key] = block
    return out


def verified(file: MarkedFile) -> Merged:
    """Return a file after correcting its checksums, and the generated text of corrected blocks."""
    lines = [*file.lines]
    for block in file.blocks:
        lines[block.last] = _tail(block, file.language)
    return Merged("".join(lines), _unverified(file.blocks, file.language))


def comment(language: str) -> tuple[str, str]:
    """Return the characters that begin and end a comment."""
    return LEADERS[language]


def is_verified(block: Block, language: str) -> bool:
    """Return whether the checksum of a block matches its generated text."""
    return block.sum == tokens.digest(tokens.stream("".join(block.generated), language))


def _unverified(blocks: Iterable[Block], language: str) -> list[Unverified]:
    return [
        Unverified(block.name, block.sum, block.generated)
        for block in blocks
        if block.generated and not is_verified(block, language)
    ]


def _named(file: MarkedFile) -> dict[str, Block]:
    """Return key -> block. In all versions of a file, a block has the same key."""
    found: dict[str, Block] = {}
    for block in file.blocks:
        number = 0
        while f"\0{block.name}#{number}\n" in found:
            number += 1
        found[f"\0{block.name}#{number}\n"] = block
    return found


def _outside(file: MarkedFile, blocks: dict[str, Block]) -> _Lines:
    out: _Lines = []
    at = 0
    for key, block in blocks.items():
        out += [*file.lines[at : block.first], key]
        at = block.last + 1
    return out + file.lines[at:]


def _united(ours: _Lines, theirs: _Lines) -> _Lines:
    """Return the lines of both sides if they contain only blocks; otherwise, return a conflict."""
    if all(line[:1] == "\0" or not line.strip() for line in [*ours, *theirs]):
        return [*ours, *(line for line in theirs if line not in ours)]
    return conflict(ours, theirs)


def _blocks(
    base: dict[str, Block], ours: dict[str, Block], theirs: dict[str, Block], language: str
) -> dict[str, _Lines]:
    out: dict[str, _Lines] = {}
    for key in {**ours, **theirs}:
        mine, other = ours.get(key), theirs.get(key)
        sections = base[key].customs if key in base else []
        shown = mine or other
        assert shown is not None
        if mine is None or other is None:  # only one side has the block
            out[key] = [shown.head, *shown.body, _tail(shown, language)]
        else:
            out[key] = _block(sections, mine, other, language)
    return out


def _tail(block: Block, language: str) -> str:
    """Return the end marker of a block, with the right checksum if it has generated text."""
    sum_ = tokens.digest(tokens.stream("".join(block.generated), language))
    if block.sum is not None:
        return block.tail.replace(f"sum={block.sum}", f"sum={sum_}")
    if not "".join(block.generated).strip():
        return block.tail
    head, end, rest = block.tail.partition("end")
    return f"{head}{end} sum={sum_}{rest}"


def _block(base: list[Custom], ours: Block, theirs: Block, language: str) -> _Lines:
    kept, added = _sections(base, ours.customs, theirs.customs)
    out = [ours.head]
    at = number = 0
    while at < len(ours.body):
        custom = ours.customs[number] if number < len(ours.customs) else None
        if custom is None or ours.body[at] != custom.begin:
            out.append(ours.body[at])
            at += 1
            continue
        found = kept[number]
        out += [found.begin, *found.lines, found.end] if found is not None else []
        at += len(custom.lines) + 2
        number += 1
    for found in added:
        out += [marker.with_anchor(found.begin, found.anchor), *found.lines, found.end]
    return [*out, _tail(ours, language)]


# --- custom sections


def _sections(
    base: list[Custom], ours: list[Custom], theirs: list[Custom]
) -> tuple[list[Custom | None], list[Custom]]:
    """Return `ours` after merging each section, and the sections that only `theirs` contains.

    None in the first list stands for a removed section.
    """
    mine, other = _pairs(base, ours), _pairs(base, theirs)
    kept: list[Custom | None] = list(ours)
    added: list[Custom] = []
    for number, was in enumerate(base):
        o, t = mine.get(number), other.get(number)
        if o is not None and t is None:
            kept[o] = _joined(was, ours[o], None)
        elif o is not None and t is not None:
            kept[o] = _joined(was, ours[o], theirs[t])
        elif t is not None:
            found = _joined(was, None, theirs[t])
            added += [found] if found is not None else []
    fresh = [n for n in range(len(ours)) if n not in mine.values()]
    more = [n for n in range(len(theirs)) if n not in other.values()]
    both = _pairs([ours[n] for n in fresh], [theirs[n] for n in more])
    for number, t in both.items():
        kept[fresh[number]] = _joined(None, ours[fresh[number]], theirs[more[t]])
    added += [theirs[n] for index, n in enumerate(more) if index not in both.values()]
    return kept, added


def _pairs(base: list[Custom], side: list[Custom]) -> dict[int, int]:
    """Return index of a section in `base` -> index of the same section in `side`."""
    found: dict[int, int] = {}
    free = list(range(len(side)))
    tests: list[Callable[[Custom, Custom], bool]] = [
        lambda b, s: b.anchor == s.anchor and b.lines == s.lines,
        lambda b, s: b.anchor == s.anchor and "method:" in b.anchor,
        lambda b, s: b.anchor == s.anchor and _are_similar(b, s),
        _are_similar,
    ]
    for test in tests:
        for number, was in enumerate(base):
            hit = next((s for s in free if number not in found and test(was, side[s])), None)
            if hit is not None:
                found[number] = hit
                free.remove(hit)
    return found


def _are_similar(one: Custom, other: Custom) -> bool:
    return difflib.SequenceMatcher(None, one.lines, other.lines).ratio() >= _SIMILAR


def _joined(base: Custom | None, ours: Custom | None, theirs: Custom | None) -> Custom | None:
    """Merge the versions of a section; return None if the section was removed."""
    was = base.lines if base is not None else None
    mine, other = ([] if one is None else one.lines for one in (ours, theirs))
    shown = ours or theirs
    assert shown is not None
    if (ours is None or theirs is None) and shown.lines == was:
        return None
    if base is not None and ours is not None and theirs is not None and ours.anchor == base.anchor:
        shown = replace(shown, anchor=theirs.anchor, begin=theirs.begin)
    return replace(shown, lines=three_way(was, mine, other, conflict))


# --- lines


def three_way(
    was: _Lines | None, ours: _Lines, theirs: _Lines, judge: Callable[[_Lines, _Lines], _Lines]
) -> _Lines:
    """Merge two versions of some lines; `judge` merges lines that both sides have changed.

    `was` has the lines of the base. If it is None, `judge` is called for every difference.
    """
    base = [ours[n] for n in sorted(_matches(ours, theirs))] if was is None else was
    mine, other = _matches(base, ours), _matches(base, theirs)
    out: _Lines = []
    b = o = t = 0
    for at in [*(n for n in range(len(base)) if n in mine and n in other), len(base)]:
        ends = (mine[at], other[at]) if at < len(base) else (len(ours), len(theirs))
        before, left, right = base[b:at], ours[o : ends[0]], theirs[t : ends[1]]
        if left == right or (right == before and was is not None):
            out += left
        elif left == before and was is not None:
            out += right
        else:
            out += judge(left, right)
        out += base[at : at + 1]
        b, o, t = at + 1, ends[0] + 1, ends[1] + 1
    return out


def _matches(base: _Lines, side: _Lines) -> dict[int, int]:
    found: dict[int, int] = {}
    for match in difflib.SequenceMatcher(None, base, side, autojunk=False).get_matching_blocks():
        found.update((match.a + n, match.b + n) for n in range(match.size))
    return found


def conflict(ours: _Lines, theirs: _Lines) -> _Lines:
    """Return a conflict between lines; put common lines at either end outside of the conflict."""
    head = 0
    while head < min(len(ours), len(theirs)) and ours[head] == theirs[head]:
        head += 1
    tail = 0
    while tail < min(len(ours), len(theirs)) - head and ours[-1 - tail] == theirs[-1 - tail]:
        tail += 1
    left, right = (side[head : len(side) - tail] for side in (ours, theirs))
    eol = "\r\n" if any(line.endswith("\r\n") for line in [*ours, *theirs]) else "\n"
    mine, other = (
        [line if line.endswith("\n") else line + eol for line in part] for part in (left, right)
    )
    marks = [f"{mark}{eol}" for mark in ("<<<<<<< ours", "=======", ">>>>>>> theirs")]
    lines = [marks[0], *mine, marks[1], *other, marks[2]]
    return [*ours[:head], *lines, *(ours[len(ours) - tail :] if tail else [])]
