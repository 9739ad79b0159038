# SPDX-License-Identifier: Apache-2.0
"""The guard of generated text: report hand edits that a run would overwrite."""

from __future__ import annotations

from collections import Counter

from ..diag import Bag
from ..files import tokens
from ..ir import Span
from .marked import Block, MarkedFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .weave import Policy


class Guard:
    """Checks one block. With `policy.force`, reports nothing: the caller saves replaced text."""

    def __init__(self, file: MarkedFile, block: Block, policy: Policy, bag: Bag) -> None:
        self.file = file
        self.block = block
        self.policy = policy
        self.bag = bag

    def allows(self, old: list[str], new: list[str], generated: list[str]) -> bool:
        """Return whether a block may be replaced; report the reason if it may not.

        `old` has the tokens of the block, `new` the tokens of the new text, and `generated` the
        lines of the new text.
        """
        if old == new or not old:
            return True
        if self.block.sum is not None:
            if tokens.digest(old) == self.block.sum:
                return True
            if not self.policy.force:
                self._report_edit(generated)
            return False
        if not self._leftover(generated):
            return True
        if self.policy.force:
            return False
        self.bag.add(
            "TS109",
            f"the block of {self.block.name} holds code that is in no custom section",
            self.block.span,
            notes=[(self._leftover_span(generated), "this line would be lost")],
            help="put it between  // tschema: custom-begin  and  // tschema: custom-end, "
            "or run  tvm-ffi-schema resolve --adopt-edits",
        )
        return False

    def _leftover(self, generated: list[str]) -> list[tuple[int, str]]:
        """Return (index in the file, line) for each line of the block that is not generated."""
        language = self.file.language
        have = Counter(tuple(tokens.stream(line, language)) for line in generated)
        out = []
        sections = {n for c in self.block.customs for n in range(c.first, c.last + 1)}
        first = self.block.first + 1
        for number, line in enumerate(self.block.body, first):
            words = tuple(tokens.stream(line, language))
            if number - first in sections or not words:
                continue
            if have[words] > 0:
                have[words] -= 1
            else:
                out.append((number, line))
        return out

    def _leftover_span(self, generated: list[str]) -> Span:
        number, line = (self._leftover(generated) or [(self.block.first, "")])[0]
        text = line.rstrip("\r\n")
        start = len(text) - len(text.lstrip()) + 1
        return Span(self.file.path, number + 1, start, number + 1, max(len(text), start) + 1)

    def _report_edit(self, generated: list[str]) -> None:
        left = self._leftover(generated)
        notes = [
            (
                Span(self.file.path, number + 1, 1, number + 1, len(line.rstrip()) + 1),
                "not generated",
            )
            for number, line in left[:3]
        ]
        self.bag.add(
            "TS108",
            f"the generated text of {self.block.name or 'this file'} differs from its checksum",
            self.block.span,
            notes=notes,
            help="run  tvm-ffi-schema resolve  to make merged text again and to see hand edits",
        )
