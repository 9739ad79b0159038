# SPDX-License-Identifier: Apache-2.0
"""List the loaded libraries that use the runtime, with the release that each was built for."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress

from ... import libinfo
from .. import abi_floor, elf
from ..library_files import open_libraries
from . import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterator

_VERSION = "__tvm_ffi__abi_version"
_WORDS = (b"TVMFFI", b"__tvm_ffi_", b"3tvm3ffi")  # parts of the names of symbols


def releases() -> dict[str, str]:
    """Return the path of each library -> the release, and where it is known from.

    The runtime and the extension of this installation are left out.
    """
    found = {}
    for path in sorted(set(_paths()) - set(_own_paths())):
        with suppress(OSError, ValueError):
            for _, content in open_libraries(path):
                release = _release_of(path, content)
                if release is not None:
                    found[path] = release
    return found


def _paths() -> Iterator[str]:
    """Yield the paths of loaded libraries; on systems other than Linux, those of modules."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as stream:
            for line in stream:
                fields = line.rstrip("\n").split(maxsplit=5)
                if len(fields) == 6 and "x" in fields[1] and os.path.isfile(fields[5]):
                    yield os.path.realpath(fields[5])
    except OSError:
        for module in list(sys.modules.values()):
            path = getattr(module, "__file__", None) or ""
            if path.endswith((".so", ".pyd")):
                yield os.path.realpath(path)


def _own_paths() -> Iterator[str]:
    for find in (libinfo.find_libtvm_ffi, libinfo.find_cython_lib):
        with suppress(RuntimeError, OSError):
            yield os.path.realpath(find())


def _release_of(path: str, content: mmap.mmap) -> str | None:
    """Describe the release that a library was built for; None if it does not use the runtime."""
    is_elf = content[:4] == elf.MAGIC
    names = elf.read_symbol_names(content) if is_elf else content
    if all(names.find(word) < 0 for word in _WORDS):
        return None
    versions = {layout.interface for _, layout in record.read_records(content, path)}
    if versions:
        return f"{', '.join(sorted(filter(None, versions)))} (class records)"
    version = _exported_version(path)
    if version is not None:
        return f"{version} (exported version)"
    return _floor(path) if is_elf else "not known"


def _exported_version(path: str) -> str | None:
    """Return the version that a library exports; None if it does not."""
    with suppress(OSError, ValueError):
        library = ctypes.CDLL(path, mode=getattr(os, "RTLD_NOLOAD", 0) | ctypes.DEFAULT_MODE)
        return ".".join(map(str, (ctypes.c_uint32 * 3).in_dll(library, _VERSION)))
    return None


def _floor(path: str) -> str:
    """Return which releases have what a library needs."""
    found = abi_floor.examine(path, abi_floor.read(path), abi_floor.read_releases(), None)
    oldest, newest = found["oldest_release"], found["newest_release"]
    if oldest is None:
        return "not known"
    until = f" to {newest}" if newest else " or newer"
    return f"{oldest}{until} (needed symbols)"
