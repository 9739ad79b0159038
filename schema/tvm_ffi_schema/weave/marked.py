# SPDX-License-Identifier: Apache-2.0
"""Records for a marked file: blocks, and custom sections in blocks."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..files.source import SourceFile
from ..ir import Span


@dataclass
class Custom:
    """A custom section; `begin` and `end` are its markers, `lines` the lines between them.

    `first` and `last` are the indices of the markers in the body of the block. `conflict` is the
    place of the first merge conflict in the section. `scope` is the namespace that the generated
    lines before the section open.
    """

    begin: str
    anchor: str
    span: Span
    lines: list[str] = field(default_factory=list)
    end: str = ""
    first: int = 0
    last: int = 0
    conflict: Span | None = None
    scope: str = ""

    def text(self) -> str:
        """Return the section with its markers."""
        return self.begin + "".join(self.lines) + self.end


@dataclass
class Block:
    """A block; `generated` has the lines of the block outside of custom sections.

    `conflict` is the place of the first merge conflict in the generated lines. `is_documented`
    means that a Doxygen comment is directly above the block, so that the block has none. `key` is
    the name that the class of the block has in records: its `marker` or `ref_marker`.
    """

    head: str
    target: str
    part: str
    options: dict[str, str]
    span: Span
    first: int
    generated: list[str] = field(default_factory=list)
    customs: list[Custom] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    tail: str = ""
    sum: str | None = None
    last: int = 0
    conflict: Span | None = None
    is_documented: bool = False
    key: str = ""

    def __post_init__(self) -> None:
        self.key = self.target.rpartition("::")[2]

    @property
    def has_conflict(self) -> bool:
        """Return whether a merge conflict is anywhere between the markers."""
        return self.conflict is not None or any(c.conflict is not None for c in self.customs)

    @property
    def name(self) -> str:
        """Return the target and the part, in the form that the marker contains."""
        return f"{self.target}.{self.part}" if self.part else self.target


class MarkedFile:
    """The lines of a file, and the blocks in these lines; `found` is the file on disk."""

    found: SourceFile | None = None

    def __init__(self, path: str, lines: list[str], blocks: list[Block], language: str) -> None:
        self.path = path
        self.lines = lines
        self.blocks = blocks
        self.language = language
