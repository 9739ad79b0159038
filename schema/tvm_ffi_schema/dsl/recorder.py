# SPDX-License-Identifier: Apache-2.0
"""Records of the calls of decorators, for the reader that runs a schema file."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any


class Record:
    """A class that a decorator was applied to, or the entries that `extend` adds to a class."""

    def __init__(
        self, kind: str, target: Any, options: dict[str, Any], module: str, line: int
    ) -> None:
        self.kind = kind
        self.module = module
        self.target = target
        self.options = options
        self.line = line


_recorders: list[list[Record]] = []


@contextlib.contextmanager
def recording() -> Iterator[list[Record]]:
    """Collect the classes that decorators are applied to inside the block. One thread at a time."""
    records: list[Record] = []
    _recorders.append(records)
    try:
        yield records
    finally:
        _recorders.remove(records)


def record(kind: str, target: Any, options: dict[str, Any], depth: int = 2) -> None:
    """Record the target of a decorator; `depth` frames up is the schema file."""
    if _recorders:
        frame = sys._getframe(depth)
        module = frame.f_globals.get("__name__", "")
        _recorders[-1].append(Record(kind, target, options, module, frame.f_lineno))


def is_recording() -> bool:
    """Return whether a reader runs the schema file, in contrast to a program that imports it."""
    return bool(_recorders)
