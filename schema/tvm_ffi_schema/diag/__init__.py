# SPDX-License-Identifier: Apache-2.0
"""The records of findings, and the bag that collects findings."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..ir import Span
from . import rules


@dataclass(frozen=True)
class Edit:
    """An edit that a command can make: replace the text of a range by `text`."""

    span: Span
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """A finding at a place. `notes` contains other places, each with an explanation."""

    id: str
    message: str
    span: Span
    severity: str
    label: str = ""
    notes: tuple[tuple[Span, str], ...] = ()
    help: str = ""
    fix: tuple[Edit, ...] = field(default=(), compare=False)


class Bag:
    """Collects the findings of one run. A bag must not be shared between threads."""

    def __init__(self) -> None:
        self.items: list[Diagnostic] = []
        #: The files with errors.
        self.failed: set[str] = set()
        self._known: set[Diagnostic] = set()

    def add(
        self,
        rule: str,
        message: str,
        span: Span,
        *,
        severity: str | None = None,
        label: str = "",
        notes: Iterable[tuple[Span, str]] = (),
        help: str = "",
        fix: Iterable[Edit] = (),
    ) -> None:
        """Add a finding, unless the bag already contains it.

        If `severity` is None, the finding has the severity of the rule.
        """
        made = Diagnostic(
            rule,
            message,
            span,
            severity or rules.RULES[rule].severity,
            label,
            tuple(notes),
            help,
            tuple(fix),
        )
        self.extend([made])

    def extend(self, found: Iterable[Diagnostic]) -> None:
        """Add the findings that the bag does not contain yet."""
        for item in found:
            if item not in self._known:
                self._known.add(item)
                self.items.append(item)
                if item.severity == "error":
                    self.failed.add(item.span.file)

    @property
    def has_errors(self) -> bool:
        """Return whether any finding is an error."""
        return bool(self.failed)

    def of_block(self, block: str) -> list[Diagnostic]:
        """Return the errors whose id begins with `block`, for example `TS1`."""
        return [d for d in self.items if d.severity == "error" and d.id.startswith(block)]

    def sorted(self) -> list[Diagnostic]:
        """Return the findings, sorted by file, place and id."""
        return sorted(
            self.items, key=lambda d: (d.span.file, d.span.line, d.span.col, d.id, d.message)
        )


def near(name: str, known: Iterable[str]) -> str:
    """Return `did you mean 'x'?` for the nearest known name, or an empty text."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"did you mean {found[0]!r}?" if found else ""
