# SPDX-License-Identifier: Apache-2.0
"""The validated inputs of a build."""

from __future__ import annotations

import errno
import os
import sys

from .._input_file import check_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

# Files that a build writes beside the objects and the output; an output cannot have these names.
RESERVED_FILES = frozenset({"build.ninja", "build.record", "cuda.cu", "lock", "main.cpp"})

# Characters that a path in a build file cannot contain.
CANNOT_EXPRESS = frozenset("\0\r\n|")

SHARED_SUFFIX = ".dll" if sys.platform == "win32" else ".so"


class Request:
    """One build: its sources, flags and output file."""

    __slots__ = (
        *("cflags", "cubins", "cuda_cflags", "functions", "include_paths", "ldflags", "name"),
        *("output", "sources", "texts"),
    )

    def __init__(
        self,
        *,
        name: str,
        output: str,
        # Absolute paths; for sources given as text, file names in the build directory.
        sources: tuple[str, ...],
        # Files to write into the build directory first: name -> content.
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
        """Whether the output is an object file rather than a library."""
        return self.output.endswith((".o", ".obj"))

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of the sources."""
        return frozenset(map(kind_of, self.sources))


def kind_of(source: str) -> str:
    """Return the kind of a source by its suffix: ``c``, ``cpp``, ``cuda`` or ``object``."""
    suffix = os.path.splitext(source)[1].lower()
    return {".c": "c", ".cu": "cuda", ".o": "object", ".obj": "object"}.get(suffix, "cpp")


# ---- validation of arguments ----


def check_name(name: object) -> str:
    """Validate and return the name of a build.

    Raise TypeError if the name is not a string. Raise ValueError if the name is not one component
    of a path.
    """
    return _check_component("name", name)


def check_output(output: object, name: str) -> str:
    """Validate and return the name of the output file; by default, the name of a library.

    Raise TypeError if the name is not a string. Raise ValueError if the name is not one component
    of a path, or is the name of a file that the build writes.
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
    """Return a string, or a sequence of strings, as a list.

    Raise TypeError if an element is not a string.
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
    """Return flags with surrounding space removed, and without empty ones.

    Raise TypeError if an element is not a string. Raise ValueError if a flag contains a character
    that a build file cannot express.
    """
    found = [flag.strip() for flag in strings(what, values)]
    for i, flag in enumerate(found):
        if not frozenset("\0\r\n").isdisjoint(flag):
            raise ValueError(f"{what}[{i}] contains a line break or NUL: {flag!r}")
    return tuple(filter(None, found))


def check_sources(files: Iterable[str]) -> None:
    """Raise ``OSError`` for the first source file that is missing or is not a regular file."""
    for file in files:
        check_input(file)
        if not os.path.exists(file):
            raise FileNotFoundError(errno.ENOENT, "a source file does not exist", file)


def paths(what: str, values: Iterable[str | os.PathLike[str]] | str | None) -> tuple[str, ...]:
    """Return paths as absolute paths.

    Raise TypeError if an element is not a path. Raise ValueError if a path contains a character
    that a build file cannot express.
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
            raise ValueError(f"{what}[{i}] contains a line break, NUL or '|': {path!r}")
        result.append(os.path.realpath(path))
    return tuple(result)
