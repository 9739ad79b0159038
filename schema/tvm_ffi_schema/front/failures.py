# SPDX-License-Identifier: Apache-2.0
"""Report failures of schema files that were run: once per failure, in the file that causes it."""

from __future__ import annotations

import os
import traceback
from dataclasses import asdict, dataclass
from typing import Any

from ..diag import Bag
from ..files import source
from ..ir import Span
from .known import import_of


@dataclass
class Failure:
    """A file that failed while it ran, and the file with the statement that failed."""

    path: str
    culprit: str
    text: str
    span: Span
    help: str


def to_json(one: Failure) -> dict[str, Any]:
    """Return a failure in a form that JSON can represent."""
    return asdict(one)


def from_json(data: dict[str, Any]) -> Failure:
    """Return the failure that `to_json` converted."""
    return Failure(**{**data, "span": Span(**data["span"])})


def report(failures: list[Failure], bag: Bag) -> None:
    """Report each failure for the file that causes it, not for the files that import that file."""
    failed = {one.path for one in failures}
    failed |= {os.path.abspath(item.span.file) for item in bag.items if item.severity == "error"}
    chosen = [one for one in failures if one.culprit == one.path or one.culprit not in failed]
    if not chosen and not bag.has_errors:  # the failed files form an import cycle
        chosen = failures[:1]
    for one in chosen:
        bag.add("TS004", one.text, one.span, help=one.help)


def of_error(error: BaseException, path: str) -> Failure:
    """Return the failure for an error that was raised while a file ran."""
    text = f"{type(error).__name__}: {error}".rstrip(": ")
    name = error.name if isinstance(error, NameError) else ""
    span = _place_of(error, path)
    text = f"running this file failed: {text}"
    help_ = import_of(name or "")
    if isinstance(error, ImportError) and "partially initialized" in text:
        help_ = "put the import under TYPE_CHECKING in one of the files"
    return Failure(os.path.abspath(path), _culprit(error, path), text, span, help_)


def _culprit(error: BaseException, path: str) -> str:
    """Return the file of the failing statement: `path` or a file that it imports."""
    frames = [os.path.abspath(one.filename) for one in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append(os.path.abspath(error.filename))
    own = [one for one in frames if os.path.isfile(one)]
    return own[-1] if own else os.path.abspath(path)


def _place_of(error: BaseException, path: str) -> Span:
    line = 1
    for frame in traceback.extract_tb(error.__traceback__):
        if os.path.abspath(frame.filename) == os.path.abspath(path):
            line = frame.lineno or 1
    return Span(source.shown(path), line)
