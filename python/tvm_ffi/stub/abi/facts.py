# SPDX-License-Identifier: Apache-2.0
"""Collect what is known about a library, a wheel, a folder, or this installation."""

from __future__ import annotations

import re
from typing import NamedTuple

from ... import core, libinfo
from ..._distribution import DISTRIBUTION, VERSION
from .. import abi_floor, elf
from ..inventory import registered_names
from ..library_files import open_libraries
from . import dwarf, record
from .layout import BREAKING, Change, Field, Layout, compare

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterable
    from typing import Any

INSTALLED = "installed"
_EXPORT = "__tvm_ffi_"
_EXPORT_TEXT = re.compile(rb"__tvm_ffi_([A-Za-z0-9_]+)(?=\0)")
# Exported names that are not functions of the library's author.
_RESERVED = ("__tvm_ffi__", "__tvm_ffi_main", "__tvm_ffi_thread_is_attached")


class Facts(NamedTuple):
    """The classes, functions and symbols of a file."""

    path: str
    libraries: list[str]
    records: dict[str, Layout]  # by type key
    cxx_classes: dict[str, Layout]  # by C++ name
    functions: frozenset[str]
    defined: frozenset[str]  # symbols of the runtime
    needed: frozenset[str]
    oldest_release: str | None  # that has what the libraries need
    conflicts: list[Change]
    notes: list[str]

    @property
    def has_runtime(self) -> bool:
        """Whether the file contains a runtime, as the package itself does."""
        return abi_floor.RUNTIME in self.defined

    @property
    def interfaces(self) -> list[str]:
        """The versions of the headers that the libraries were built with."""
        return sorted({one.interface for one in self.records.values() if one.interface})

    def as_json(self) -> dict[str, Any]:
        """Return the facts as plain data."""
        return {
            "file": self.path,
            "libraries": self.libraries,
            "interfaces": self.interfaces,
            "oldest_release": self.oldest_release,
            "classes": {key: one.as_json() for key, one in sorted(self.records.items())},
            "cxx_classes": {key: one.as_json() for key, one in sorted(self.cxx_classes.items())},
            "functions": sorted(self.functions),
            "conflicts": [change._asdict() for change in self.conflicts],
            "notes": self.notes,
        }


def read(path: str) -> Facts:
    """Read a library, the libraries of a wheel or a folder, or ``installed``.

    Raises
    ------
    OSError
        If a file cannot be read.
    ValueError
        If the file is neither a library nor a wheel, is damaged, or says nothing.

    """
    if path == INSTALLED:
        return _of_installation()
    collected = _Collected()
    for name, content in open_libraries(path):
        collected.add(name, content)
    found = collected.facts(path)
    if not (found.records or found.cxx_classes or found.functions or found.defined):
        hint = f" ({'; '.join(found.notes)})" if found.notes else ""
        raise ValueError(
            "no class records, no debug information and no exported functions of tvm-ffi are in "
            f"it{hint}"
        )
    return found


class _Collected:
    """The facts of the libraries that were read so far."""

    def __init__(self) -> None:
        self.libraries: list[str] = []
        self.records: dict[str, Layout] = {}
        self.cxx_classes: dict[str, Layout] = {}
        self.functions: set[str] = set()
        self.defined: set[str] = set()
        self.undefined: set[str] = set()
        self.strings: set[str] = set()
        self.conflicts: list[Change] = []
        self.notes: list[str] = []

    def add(self, name: str, content: mmap.mmap) -> None:
        """Add one library."""
        self.libraries.append(name)
        for key, layout in record.read_records(content, name):
            self._add_layout(self.records, key, layout)
        if content[:4] != elf.MAGIC:
            self.functions.update(_functions(found.decode() for found in _texts(content)))
            return
        try:
            symbols = elf.read_symbols(content)
        except ValueError:
            pass  # A file with only debug information, or an object file.
        else:
            self.functions.update(_functions(symbols.defined))
            self.defined |= abi_floor.symbols_of(symbols.defined)
            self.undefined |= abi_floor.symbols_of(symbols.undefined)
            self.strings |= abi_floor.strings_of(content)
        if dwarf.has_debug_information(content):
            self._add_debug_information(name, content)

    def _add_debug_information(self, name: str, content: mmap.mmap) -> None:
        try:
            classes = dwarf.read_classes(content, name)
        except ImportError:
            self.notes.append(
                f"{name} has debug information, which also has virtual functions; to read it, "
                f"{dwarf.HOW_TO_INSTALL}"
            )
        except ValueError as error:
            self.notes.append(f"{name}: {error}")
        else:
            for key, layout in classes.items():
                self._add_layout(self.cxx_classes, key, layout)

    def _add_layout(self, table: dict[str, Layout], key: str, layout: Layout) -> None:
        known = table.setdefault(key, layout)
        if known is layout:
            return
        self.conflicts += [
            change._replace(text=f"{change.text} ({known.library} -> {layout.library})")
            for change in compare(key, known, layout)
            if change.kind == BREAKING and change not in self.conflicts
        ]
        # A record with fields says more than one without, as `looks_up` records may be.
        if known.fields is None or (known.looks_up and not layout.looks_up):
            table[key] = layout if layout.fields is not None else known

    def facts(self, path: str) -> Facts:
        """Return everything."""
        content = abi_floor.Content(
            self.libraries, [], *map(frozenset, (self.defined, self.undefined, self.strings))
        )
        floor = abi_floor.examine(path, content, abi_floor.read_releases(), None)
        return Facts(
            path,
            self.libraries,
            self.records,
            self.cxx_classes,
            frozenset(self.functions),
            frozenset(self.defined),
            frozenset(self.undefined - self.defined),
            floor["oldest_release"],
            list(dict.fromkeys(self.conflicts)),
            self.notes,
        )


def _texts(content: mmap.mmap) -> Iterable[bytes]:
    """Return the names of exports among the texts of a file that is not an ELF file."""
    return (match[0] for match in _EXPORT_TEXT.finditer(content))


def _functions(names: Iterable[str]) -> Iterable[str]:
    return (
        name[len(_EXPORT) :]
        for name in names
        if name.startswith(_EXPORT) and not name.startswith(_RESERVED)
    )


def _of_installation() -> Facts:
    """Describe this installation by its type table, which knows each class exactly."""
    content = abi_floor.read_installation()
    libraries = content.libraries if content is not None else []
    return Facts(
        f"{DISTRIBUTION} {VERSION} ({libinfo.find_libtvm_ffi()})",
        libraries,
        dict(_registered()),
        {},
        frozenset(),
        content.defined if content is not None else frozenset({abi_floor.RUNTIME}),
        frozenset(),
        None,
        [],
        [],
    )


def _registered() -> Iterable[tuple[str, Layout]]:
    describe: Any = core._describe_type
    for key in sorted(registered_names()[0]):
        index: Any = core._object_type_key_to_index(key)
        _, ancestors, size, fields, _, _ = describe(index)
        if size <= 0:
            continue
        parent = describe(ancestors[-1])[0] if ancestors else None
        own = [
            Field(name, offset, extent, record.type_name(static_type_index))
            for name, _, extent, _, offset, static_type_index, *_ in fields
        ]
        is_final = core._lookup_type_attr(index, "__ffi_type_final__")
        yield (
            key,
            Layout(
                source=record.SOURCE,
                library=INSTALLED,
                size=size,
                parent=parent,
                depth=len(ancestors),
                final=None if is_final is None else bool(is_final),
                fields=tuple(own) or None,
            ),
        )
