# SPDX-License-Identifier: Apache-2.0
"""What one build consists of."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

# Files that a build directory holds besides objects and what is built.
RESERVED_FILES = frozenset({"build.ninja", "build.record", "cuda.cu", "lock", "main.cpp"})

# Characters that no path in a build file can have.
CANNOT_EXPRESS = frozenset("\0\r\n|")

SHARED_SUFFIX = ".dll" if sys.platform == "win32" else ".so"


class Request:
    """One build: its sources, their flags, and the file that comes of them."""

    __slots__ = (
        *("cflags", "cubins", "cuda_cflags", "functions", "include_paths", "ldflags", "name"),
        *("output", "sources", "texts"),
    )

    def __init__(
        self,
        *,
        name: str,
        output: str,
        # Absolute paths; for sources that are given as text, the names of files in the directory.
        sources: tuple[str, ...],
        # Files of the build directory that are written first, by name.
        texts: Mapping[str, str] | None = None,
        functions: Mapping[str, str] | None = None,
        cubins: Mapping[str, bytes] | None = None,
        cflags: tuple[str, ...] = (),
        cuda_cflags: tuple[str, ...] = (),
        ldflags: tuple[str, ...] = (),
        include_paths: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.output = output
        self.sources = sources
        self.texts = texts or {}
        self.functions = functions or {}
        self.cubins = cubins or {}
        self.cflags = cflags
        self.cuda_cflags = cuda_cflags
        self.ldflags = ldflags
        self.include_paths = include_paths

    @property
    def is_object(self) -> bool:
        """Whether an object file is wanted, not a library."""
        return self.output.endswith((".o", ".obj"))

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of the sources."""
        return frozenset(map(kind_of, self.sources))


def kind_of(source: str) -> str:
    """Return who reads a source: ``c``, ``cpp``, ``cuda`` or ``object``, by its suffix."""
    suffix = os.path.splitext(source)[1].lower()
    return {".c": "c", ".cu": "cuda", ".o": "object", ".obj": "object"}.get(suffix, "cpp")


# ---- checks of what the caller gave ----


def check_name(name: object) -> str:
    """Return the name of a build.

    Raises
    ------
    TypeError
        If it is no string.
    ValueError
        If it is not one component of a path.

    """
    return _check_component("name", name)


def check_output(output: object, name: str) -> str:
    """Return the name of the file that is built; that of a library when none is given.

    Raises
    ------
    TypeError
        If it is no string.
    ValueError
        If it is not one component of a path, or a file that the build itself writes.

    """
    if output is None:
        return name + SHARED_SUFFIX
    checked = _check_component("output", output)
    if checked in RESERVED_FILES or _is_object_of_ours(checked):
        raise ValueError(f"output {checked!r} is a file that the build itself writes")
    return checked


def _is_object_of_ours(name: str) -> bool:
    import re

    return re.fullmatch(r"(c|cpp|cuda)_\d+\.(o|obj)|unified.*\.(o|obj)", name) is not None


def _check_component(what: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a string, got {type(value).__name__}: {value!r}")
    bad = not value or value in (".", "..") or "/" in value or "\\" in value
    if bad or not value.isprintable():
        raise ValueError(
            f"{what} must be one component of a path without control characters, got {value!r}"
        )
    return value


def _items(what: str, values: Any, kind: str) -> list[Any]:
    if isinstance(values, (bytes, bytearray)) or not hasattr(values, "__iter__"):
        got = f"{type(values).__name__}: {values!r}"
        raise TypeError(f"{what} must be a sequence of {kind}, got {got}")
    return list(values)


def strings(what: str, values: Iterable[str] | str | None) -> list[str]:
    """Return a string, or strings, as a list.

    Raises
    ------
    TypeError
        If an element is no string.

    """
    if values is None:
        return []
    if isinstance(values, str):
        return [values]
    result = _items(what, values, "strings")
    for i, value in enumerate(result):
        if not isinstance(value, str):
            raise TypeError(f"{what}[{i}] must be a string, got {type(value).__name__}: {value!r}")
    return result


def flags(what: str, values: Iterable[str] | str | None) -> tuple[str, ...]:
    """Return flags without the space around them, and without empty ones.

    Raises
    ------
    TypeError
        If an element is no string.
    ValueError
        If a flag holds a character that no line of a build file can have.

    """
    found = [flag.strip() for flag in strings(what, values)]
    for i, flag in enumerate(found):
        if not frozenset("\0\r\n").isdisjoint(flag):
            raise ValueError(f"{what}[{i}] holds a line break or NUL: {flag!r}")
    return tuple(filter(None, found))


def paths(what: str, values: Iterable[str | os.PathLike[str]] | str | None) -> tuple[str, ...]:
    """Return paths as absolute ones.

    Raises
    ------
    TypeError
        If an element is no path.
    ValueError
        If a path holds a character that no build file can express.

    """
    if values is None:
        return ()
    single = isinstance(values, (str, os.PathLike))
    given = [values] if single else _items(what, values, "paths")
    result = []
    for i, value in enumerate(given):
        path = os.fspath(value)
        if not isinstance(path, str):
            raise TypeError(f"{what}[{i}] must be a path, got {type(value).__name__}: {value!r}")
        if not CANNOT_EXPRESS.isdisjoint(path):
            raise ValueError(f"{what}[{i}] holds a line break, NUL or '|': {path!r}")
        result.append(os.path.realpath(path))
    return tuple(result)
