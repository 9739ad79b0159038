# SPDX-License-Identifier: Apache-2.0
"""The decorators of schema files and `extend`, whose calls are recorded if a file is run."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, overload

from .fields import EntrySpec, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**metadata: Any) -> Callable[[Any], Any]:
        """Return a function that returns its argument; only type checkers use the metadata."""
        return lambda decorator: decorator


T = TypeVar("T")


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


def _record(kind: str, target: Any, options: dict[str, Any]) -> None:
    """Record the target of a decorator; the schema file is two frames up the stack."""
    if _recorders:
        frame = sys._getframe(2)
        file = os.path.abspath(frame.f_code.co_filename)
        _recorders[-1].append(Record(kind, target, options, file, frame.f_lineno))


class MethodMark:
    """A function with the decorator `method`."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        self.static = isinstance(function, (staticmethod, classmethod))
        self.function = function.__func__ if self.static else function
        self.options = options


@overload
def method(function: Callable[..., T], /) -> Callable[..., T]: ...


@overload
def method(
    *, const: bool = True, cpp: str = "", renamed_from: str = "", short: bool = False
) -> Callable[[T], T]: ...


def method(
    function: Any = None,
    /,
    *,
    const: bool = True,
    cpp: str = "",
    renamed_from: str = "",
    short: bool = False,
) -> Any:
    """Mark a method as native: the schema declares the method, and C++ defines it.

    `renamed_from` is the former name of the method; a hand-written body for that name is kept.
    With `short`, calls from Python keep the GIL: the method is short and never blocks.

    Raises
    ------
    TypeError
        If an option has a wrong type.

    """
    texts = (cpp, renamed_from)
    if {type(const), type(short)} != {bool} or not all(isinstance(one, str) for one in texts):
        raise TypeError("method(): const and short are bools, cpp and renamed_from are texts")
    options = {"const": const, "cpp_name": cpp, "renamed_from": renamed_from, "short": short}
    if function is None:
        return lambda f: MethodMark(f, options)
    return MethodMark(function, options)


@overload
def declare(cls: type[T], /) -> type[T]: ...


@overload
def declare() -> Callable[[type[T]], type[T]]: ...


def declare(cls: Any = None, /) -> Any:
    """Declare a class of objects.

    Raises
    ------
    TypeError
        If the decorator is not applied to a class.

    """
    if cls is None:
        return declare
    if not isinstance(cls, type):
        raise TypeError(f"@declare goes before a class, not before {cls!r}")
    _record("declare", cls, {})
    return cls


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def mixin(cls: type[T], /) -> type[T]:
    """Declare fields that several classes share; the mixin is not registered as a type."""
    _record("mixin", cls, {})
    return cls


def extend(enum: Any, **entries: Any) -> None:
    """Add entries to an enum that another file declares.

    Raises
    ------
    TypeError
        If a value is not a result of `entry` or `auto`.

    """
    for name, value in entries.items():
        if not isinstance(value, EntrySpec):
            raise TypeError(f"extend(): {name} must be entry(...) or auto(), not {value!r}")
    _record("extend", enum, dict(entries))
