# SPDX-License-Identifier: Apache-2.0
"""What the decorators see, for the reader that runs a schema file."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any


class Record:
    """A class that a decorator has seen, or the entries that `extend` adds to one."""

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
    """Collect what decorators see inside the block, in order. One thread at a time."""
    records: list[Record] = []
    _recorders.append(records)
    try:
        yield records
    finally:
        _recorders.remove(records)


def record(kind: str, target: Any, options: dict[str, Any], depth: int = 2) -> None:
    """Note what a decorator was put before; `depth` frames up is the schema file."""
    if _recorders:
        frame = sys._getframe(depth)
        module = frame.f_globals.get("__name__", "")
        _recorders[-1].append(Record(kind, target, options, module, frame.f_lineno))


def is_recording() -> bool:
    """Return whether a schema file is being read, as opposed to used."""
    return bool(_recorders)
