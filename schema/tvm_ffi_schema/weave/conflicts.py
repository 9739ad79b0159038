# SPDX-License-Identifier: Apache-2.0
"""Find merge conflicts that a version control system has written into a file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_LINE = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?$")
_MARKER = re.compile(r"^\s*(?://|#|<!--)\s*tschema:")
OURS, BASE, THEIRS = "ours", "base", "theirs"


@dataclass
class Region:
    """One conflict: the indices of its first and last line, and the lines of each side."""

    first: int
    last: int = -1
    sides: dict[str, list[str]] = field(default_factory=lambda: {OURS: [], THEIRS: []})

    @property
    def has_marker(self) -> bool:
        """Return whether a side contains a marker, so that blocks cannot be found reliably."""
        return any(_MARKER.match(line) for side in self.sides.values() for line in side)


def _kind(line: str) -> str:
    bare = line.rstrip("\r\n")
    return bare[0] if bare[:1] in "<=>|" and bare and _LINE.match(bare) else ""


def has_any(text: str) -> bool:
    """Return whether a text may contain a conflict; a quick test before a full search."""
    return "<<<<<<<" in text or ">>>>>>>" in text or "|||||||" in text


def regions(lines: list[str]) -> list[Region]:
    """Return the complete conflicts in a text."""
    found: list[Region] = []
    region: Region | None = None
    side = ""
    for number, line in enumerate(lines):
        kind = _kind(line)
        if kind == "<":
            region, side = Region(number), OURS
        elif region is None:
            continue
        elif kind == "|" and side == OURS:
            side = BASE
            region.sides[BASE] = []
        elif kind == "=" and side in (OURS, BASE):
            side = THEIRS
        elif kind == ">" and side == THEIRS:
            region.last = number
            found.append(region)
            region = None
        else:
            region.sides[side].append(line)
    return found


def lines_of(lines: list[str], found: list[Region]) -> list[int]:
    """Return the indices of all lines of conflicts, including incomplete conflicts.

    The result does not contain lines of equals signs outside of complete conflicts, since such
    lines underline headings.
    """
    inside = [number for one in found for number in range(one.first, one.last + 1)]
    loose = [number for number, line in enumerate(lines) if _kind(line) in ("<", ">", "|")]
    return sorted({*inside, *loose})


def side(lines: list[str], found: list[Region], name: str) -> list[str]:
    """Return the lines of a text with one side of each conflict.

    A conflict without this side contributes no lines.
    """
    out: list[str] = []
    at = 0
    for one in found:
        out += [*lines[at : one.first], *one.sides.get(name, ())]
        at = one.last + 1
    return out + lines[at:]
