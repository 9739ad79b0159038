# SPDX-License-Identifier: Apache-2.0
"""Find the oldest release of the runtime that has everything that a built library needs.

A library needs the C functions and the symbols of ``tvm::ffi`` that it uses and does not define,
and the hooks whose names are among its constants. ``abi_releases.json``, which
``tools/release_symbols.py`` writes, has the first and the last release with each function, symbol
and hook. No library is loaded.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from email.parser import BytesHeaderParser
from typing import NamedTuple

from .. import libinfo
from .._distribution import DISTRIBUTION, PEER, VERSION
from .._input_file import check_input
from . import elf
from .library_files import open_libraries

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterable, Iterator
    from typing import Any

_TABLE = os.path.join(os.path.dirname(__file__), "abi_releases.json")
# Matches the C functions, and the names of `tvm::ffi`: functions, vtables and type information.
# Does not match variables of inline functions (`_ZZN...`), since every library that uses them
# defines them.
_IS_OURS = re.compile(r"TVMFFI|_Z(T[ISV])?NK?3tvm3ffi")
#: Finds the name of a hook that is a complete string constant: a NUL follows, and the preceding
#: byte cannot belong to a name. A plain `__` precedes the lookbehind, because `re` searches
#: faster for a pattern that begins with plain characters.
_HOOK = re.compile(rb"__(?<![0-9A-Za-z_]__)[a-z]+(?:_[a-z]+)*__(?=\0)")
_MOST_SHOWN = 6  # Maximum number of names in a line.
RUNTIME = "TVMFFIFunctionCall"  # A library that defines this symbol contains a runtime.


class Release(NamedTuple):
    """The first and the last release of the peer that have a symbol or hook."""

    first: str
    last: str | None  # None if the newest release has it


class Releases:
    """The contents of ``abi_releases.json``."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.versions: list[str] = table["releases"]
        self.symbols = {name: Release(*entry) for name, entry in table["symbols"].items()}
        self.hooks = {name: Release(*entry) for name, entry in table["hooks"].items()}
        self._place = {version: place for place, version in enumerate(self.versions)}

    def newest_first(self, releases: Iterable[Release]) -> str:
        """Return the version that is the oldest with all given entries; by default, the oldest."""
        return self.versions[max((self._place[r.first] for r in releases), default=0)]

    def oldest_last(self, releases: Iterable[Release]) -> str | None:
        """Return the newest version with all given entries; None if this is the newest release."""
        lasts = [self._place[r.last] for r in releases if r.last is not None]
        return self.versions[min(lasts)] if lasts else None

    def is_before(self, one: str, other: str) -> bool:
        """Return whether a release is older than another release."""
        return self._place[one] < self._place[other]

    def select(self, names: Iterable[str], table: dict[str, Release]) -> dict[str, Release]:
        """Return the entries of a table that have the given names, the newest first."""
        found = sorted(name for name in names if name in table)
        found.sort(key=lambda name: self._place[table[name].first], reverse=True)
        return {name: table[name] for name in found}


def read_releases() -> Releases:
    """Read ``abi_releases.json``."""
    with open(_TABLE, encoding="utf-8") as stream:
        return Releases(json.load(stream))


class Content(NamedTuple):
    """The symbols that the libraries of a file define or need, and the names of hooks in them."""

    libraries: list[str]
    requires: list[str]
    defined: frozenset[str]
    undefined: frozenset[str]
    strings: frozenset[str]


# ---- reading ----


def read(path: str) -> Content:
    """Read a library, or all libraries of a wheel.

    Raise OSError if the file cannot be read. Raise ValueError if the file is neither an ELF library
    nor a zip archive, or is damaged.
    """
    check_input(path)
    is_wheel = zipfile.is_zipfile(path)
    if not is_wheel:
        with open(path, "rb") as stream:
            if stream.read(4) != elf.MAGIC:
                raise ValueError("neither an ELF library nor a wheel")
    libraries: list[str] = []
    defined: set[str] = set()
    undefined: set[str] = set()
    strings: set[str] = set()
    for name, content in open_libraries(path):
        try:
            symbols = elf.read_symbols(content)
            strings |= strings_of(content)
        except ValueError:
            if not is_wheel:
                raise
            continue  # Not ELF, an object file, or a program without dynamic symbols.
        libraries.append(name)
        defined |= symbols.defined
        undefined |= symbols.undefined
    requires = _requirements(path) if is_wheel else []
    return Content(libraries, requires, *map(frozenset, (defined, undefined, strings)))


def _requirements(path: str) -> list[str]:
    """Return the entries ``Requires-Dist`` of a wheel that name the peer."""
    found: list[str] = []
    pattern = re.compile(rf"{re.escape(PEER)}(?![\w.-])", re.IGNORECASE)
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if re.fullmatch(r"[^/]+\.dist-info/METADATA", name):
                metadata = BytesHeaderParser().parsebytes(archive.read(name))
                found = [str(one) for one in metadata.get_all("Requires-Dist", [])]
    return [one for one in found if pattern.match(one.replace("_", "-"))]


def strings_of(content: bytes | mmap.mmap) -> frozenset[str]:
    """Return the constants of a library that have the form of a hook's name."""
    return frozenset(
        match.decode("ascii")
        for section in elf.read_constants(content)
        for match in _HOOK.findall(section)
    )


def symbols_of(names: Iterable[str]) -> set[str]:
    """Return the names that belong to the runtime."""
    return {name for name in names if _IS_OURS.match(name)}


def read_installation() -> Content | None:
    """Read the runtime and the extension of this installation; None if they are not ELF files."""
    try:
        runtime, extension = read(libinfo.find_libtvm_ffi()), read(libinfo.find_cython_lib())
    except (OSError, RuntimeError, ValueError):
        return None
    return runtime._replace(strings=runtime.strings | extension.strings)


# ---- comparing ----


def examine(
    path: str, content: Content, releases: Releases, ours: Content | None
) -> dict[str, Any]:
    """Describe the needs of the libraries of a file, as plain data."""
    needed = symbols_of(content.undefined) - content.defined
    symbols = releases.select(needed, releases.symbols)
    hooks = releases.select(content.strings, releases.hooks)
    unknown = sorted(needed - set(symbols))
    everything = [*symbols.values(), *hooks.values()]
    oldest, newest = releases.newest_first(everything), releases.oldest_last(everything)
    is_known = bool(content.libraries) and bool(everything) and not unknown
    contradictory = newest is not None and releases.is_before(newest, oldest)
    missing = None
    if ours is not None:
        missing = sorted(needed - ours.defined) + sorted(set(hooks) - ours.strings)
    return {
        "file": path,
        "libraries": content.libraries,
        "requires": content.requires,
        "has_runtime": RUNTIME in content.defined,
        "symbols": {name: list(release) for name, release in symbols.items()},
        "hooks": {name: list(release) for name, release in hooks.items()},
        "unknown": unknown,
        "oldest_for_symbols": releases.newest_first(symbols.values()) if symbols else None,
        "oldest_for_hooks": releases.newest_first(hooks.values()) if hooks else None,
        "oldest_release": oldest if is_known and not contradictory else None,
        "newest_release": newest,
        "known_releases": [releases.versions[0], releases.versions[-1]],
        "installation": f"{DISTRIBUTION} {VERSION}",
        "missing_here": missing,
    }


def floor_of(paths: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Describe the needs of each file.

    Raise OSError or ValueError as :func:`read` does; the message names the file.
    """
    releases, ours = read_releases(), read_installation()
    for path in paths:
        try:
            content = read(path)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
        yield examine(path, content, releases, ours)


# ---- as text ----


def as_text(found: dict[str, Any]) -> str:
    """Return a description as text for a terminal."""
    is_used = found["symbols"] or found["hooks"] or found["unknown"]
    rows = [
        ("libraries", _libraries(found)),
        ("requires", "; ".join(found["requires"])),
        ("symbols", _needed(found, "symbols")),
        ("hooks", _needed(found, "hooks")),
        ("in no release", ", ".join(found["unknown"])),
        ("oldest release", _oldest(found)),
        ("newest release", found["newest_release"] or ""),
        (found["installation"], _here(found) if is_used else ""),
    ]
    width = max(len(name) for name, text in rows if text)
    lines = [found["file"], *(f"  {name:<{width}}  {text}" for name, text in rows if text)]
    return "\n".join(lines) + "\n"


def _libraries(found: dict[str, Any]) -> str:
    names = found["libraries"]
    shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
    note = "; they contain a runtime" if found["has_runtime"] else ""
    return f"{len(names)}: {shown}{note}" if names else "none"


def _needed(found: dict[str, Any], key: str) -> str:
    """Return a text with the number of needed names, and the names that some releases lack."""
    table = found[key]
    if not table:
        return ""
    shown = [
        f"{name} ({first} to {last})" if last else f"{name} ({first})"
        for name, (first, last) in table.items()
        if last or first != found["known_releases"][0]
    ]
    more = ["..."] if len(shown) > _MOST_SHOWN else []
    listing = ": " * bool(shown) + ", ".join(shown[:_MOST_SHOWN] + more)
    return f"{len(table)}, complete since {found[f'oldest_for_{key}']}{listing}"


def _oldest(found: dict[str, Any]) -> str:
    if found["oldest_release"]:
        return str(found["oldest_release"])
    if found["unknown"]:
        return "not known, since no release has all symbols"
    if not found["symbols"] and not found["hooks"]:
        return "not known, since no library uses the runtime"
    return "none has all of them"


def _here(found: dict[str, Any]) -> str:
    missing = found["missing_here"]
    if missing is None:
        return "not known: its libraries are not ELF files"
    return f"lacks {', '.join(missing)}" if missing else "has all of them"
