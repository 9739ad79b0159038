# SPDX-License-Identifier: Apache-2.0
"""Merge two versions of a file with generated text, section by section, with `git merge-file`.

Generated text comes from one side, since a later run generates it again from the merged schema. The
custom sections with one anchor are merged as one text, and so is the text outside of blocks. If
both sides changed the same lines, the merged file contains a conflict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from ..diag import Bag, Diagnostic
from ..files import tokens
from . import conflicts, history, marker
from .markers import CLASS_HEAD, Block, Custom, MarkedFile, parse, split

#: Begins the lines that stand for blocks and for the ends of sections while texts are merged.
_MARK = "\1"
_BETWEEN = f"{_MARK}\n"
_Blocks = dict[str, Block]


@dataclass
class Sides:
    """The two versions to merge, and their common ancestor `base`; None if it is not known."""

    ours: str
    theirs: str
    base: str | None = None


@dataclass
class Merged:
    """A merged text, and the blocks of both sides whose checksum is wrong.

    If the merge failed, `fault` is the reason.
    """

    text: str = ""
    unverified: list[Block] = field(default_factory=list)
    fault: Diagnostic | None = None


def of_conflict(text: str) -> Sides:
    """Return the two sides of a text with conflicts, and the base if the conflicts contain it."""
    lines = split(text)
    found = conflicts.regions(lines)
    ours, theirs = ("".join(conflicts.side(lines, found, s)) for s in ("ours", "theirs"))
    has_base = bool(found) and all(conflicts.BASE in one.sides for one in found)
    base = "".join(conflicts.side(lines, found, conflicts.BASE)) if has_base else None
    return Sides(ours, theirs, base)


def merge(
    path: str,
    sides: Sides,
    whole: bool,
    follow: Callable[[list[MarkedFile]], object] = lambda files: None,
) -> Merged:
    """Merge two versions of a file, which must not contain conflicts.

    `follow` gives blocks and anchors of older versions their present names.
    """
    made = Merged()
    files: list[MarkedFile] = []
    for text in (sides.ours, sides.theirs, sides.base or ""):
        bag = Bag()
        files.append(parse(path, text, bag, whole and bool(text)))
        found = next((d for d in bag.items if d.severity == "error"), None)
        if found is not None and len(files) == 3:  # the sides are whole, but the base is not
            return merge(path, Sides(sides.ours, sides.theirs), whole, follow)
        if found is not None:
            return Merged(fault=found)
        follow(files[-1:])
    _qualify(files)
    ours, theirs, base = map(_named, files)
    made.unverified = unverified([*files[0].blocks, *files[1].blocks], files[0].language)
    ours, theirs = _kept_apart(ours, base, theirs), _kept_apart(theirs, base, ours)
    filled = {
        key: _block(base.get(key), ours.get(key), theirs.get(key)) for key in {**ours, **theirs}
    }
    outside = [_outside(*pair) for pair in zip(files, (ours, theirs, base))]
    rest = _united(split(history.merge_file(outside[0], outside[2], outside[1])))
    made.text = "".join(filled.get(line, line) for line in rest)
    return made


def unverified(blocks: Iterable[Block], language: str) -> list[Block]:
    """Return the blocks whose generated text does not match the checksum."""
    return [b for b in blocks if b.generated and not is_verified(b, language)]


def is_verified(block: Block, language: str) -> bool:
    """Return whether the checksum of a block matches its generated text."""
    return block.sum == tokens.digest(tokens.stream("".join(block.generated), language))


# --- blocks


def _named(file: MarkedFile) -> _Blocks:
    """Return key -> block. In all versions of a file, a block has the same key."""
    found: _Blocks = {}
    for block in file.blocks:
        number = 0
        while f"{_MARK}{block.name}#{number}\n" in found:
            number += 1
        found[f"{_MARK}{block.name}#{number}\n"] = block
    return found


def _kept_apart(side: _Blocks, base: _Blocks, other: _Blocks) -> _Blocks:
    """Return the blocks of `side` by key, some of them under a new key.

    A block gets a new key if the other side has removed it, and this side has changed its custom
    sections. Under the old key, the merge would remove the block; under a new key, it is kept.
    """
    out: _Blocks = {}
    for key, block in side.items():
        was = [custom.lines for custom in base[key].customs] if key in base else []
        is_changed = [custom.lines for custom in block.customs] != was
        out[f"{_MARK}{key}" if key not in other and is_changed else key] = block
    return out


def _outside(file: MarkedFile, blocks: _Blocks) -> str:
    """Return the text outside of blocks, with the key of each block at its place."""
    out: list[str] = []
    at = 0
    for key, block in blocks.items():
        out += [*file.lines[at : block.first], key]
        at = block.last + 1
    return "".join(out + file.lines[at:])


def _united(lines: list[str]) -> list[str]:
    """Replace conflicts in which both sides only have blocks by the blocks of both sides."""
    for region in reversed(conflicts.regions(lines)):
        ours, theirs = region.sides[conflicts.OURS], region.sides[conflicts.THEIRS]
        if all(line[:1] == _MARK or not line.strip() for line in [*ours, *theirs]):
            both = [*ours, *(line for line in theirs if line not in ours)]
            lines[region.first : region.last + 1] = both
    return lines


def _block(base: Block | None, ours: Block | None, theirs: Block | None) -> str:
    """Return the text of a block of `ours` after merging its custom sections."""
    shown = ours or theirs
    assert shown is not None
    if ours is None or theirs is None:  # only one side has the block
        return "".join([shown.head, *shown.body, shown.tail])
    was, mine, other = _groups(base), _groups(ours), _groups(theirs)
    every = ((a, _sections(was.get(a), mine.get(a), other.get(a))) for a in {**mine, **other})
    changed = {anchor: sections for anchor, sections in every if sections is not mine.get(anchor)}
    out = [ours.head]
    at = 0
    for custom in ours.customs:
        out += ours.body[at : custom.first]
        out += [one.text() for one in changed.get(custom.anchor, [custom])]
        if custom.anchor in changed:
            changed[custom.anchor] = []
        at = custom.last + 1
    out += ours.body[at:]
    for anchor, sections in changed.items():  # only `theirs` has sections with this anchor
        for one in sections:
            out.append(replace(one, begin=marker.with_anchor(one.begin, anchor)).text())
    return "".join([*out, ours.tail])


# --- custom sections


def _qualify(files: list[MarkedFile]) -> None:
    """Add the namespaces to anchors if a file has classes with equal names in two namespaces."""
    blocks = [block for file in files for block in file.blocks]
    shared: set[str] = set()
    for block in blocks:
        heads = (CLASS_HEAD.match(line) for line in block.generated if line.startswith("class"))
        count = Counter(head[1] for head in heads if head is not None)
        shared.update(name for name in count if count[name] > 1)
    for custom in (custom for block in blocks for custom in block.customs) if shared else ():
        owner, _, place = custom.anchor.rpartition(".")
        if owner in shared and custom.scope:
            custom.anchor = f"{custom.scope}::{owner}.{place}"


def _groups(block: Block | None) -> dict[str, list[Custom]]:
    """Return anchor -> custom sections."""
    found: dict[str, list[Custom]] = {}
    for custom in block.customs if block is not None else ():
        found.setdefault(custom.anchor, []).append(custom)
    return found


def _sections(
    was: list[Custom] | None, ours: list[Custom] | None, theirs: list[Custom] | None
) -> list[Custom]:
    """Merge the sections with one anchor; None stands for no section."""
    base, mine, other = map(_lines, (was, ours, theirs))
    if mine == other or other == base:
        return ours or []
    if mine == base:
        return theirs or []
    lines = split(history.merge_file(*("".join(one or ()) for one in (mine, base, other))))
    if any(_BETWEEN in side for one in conflicts.regions(lines) for side in one.sides.values()):
        lines = [line for line in lines if line != _BETWEEN]
    out: list[Custom] = [replace((ours or theirs or [])[0], lines=[])]
    for line in lines:
        if line == _BETWEEN:
            out.append(replace(out[0], lines=[]))
        else:
            out[-1].lines.append(line)
    return out


def _lines(sections: list[Custom] | None) -> list[str] | None:
    if sections is None:
        return None
    return [line for one in sections for line in (*one.lines, _BETWEEN)][:-1]
