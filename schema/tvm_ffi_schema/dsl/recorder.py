# SPDX-License-Identifier: Apache-2.0
"""Record the calls of decorators, for the reader that runs schema files."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any


class Record:
    """A class with a decorator, or the entries that a call of `extend` adds to a class."""

    def __init__(
        self, kind: str, target: Any, options: dict[str, Any], file: str, line: int
    ) -> None:
        self.kind = kind
        self.file = file
        self.target = target
        self.options = options
        self.line = line


_recorders: list[list[Record]] = []


@contextlib.contextmanager
def recording() -> Iterator[list[Record]]:
    """Record the classes that are decorated inside the `with` block.

    Only one thread at a time may use this context manager.
    """
    records: list[Record] = []
    _recorders.append(records)
    try:
        yield records
    finally:
        _recorders.remove(records)


def record(kind: str, target: Any, options: dict[str, Any]) -> None:
    """Record the target of a decorator; the schema file is two frames up the stack."""
    if _recorders:
        frame = sys._getframe(2)
        file = os.path.abspath(frame.f_code.co_filename)
        _recorders[-1].append(Record(kind, target, options, file, frame.f_lineno))
