# SPDX-License-Identifier: Apache-2.0
"""List the functions that a shared library exports, from its symbol table."""

from __future__ import annotations

import struct
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX = "__tvm_ffi_"
# Symbols with the prefix that are not functions of the module.
_OTHERS = tuple(
    f"{_PREFIX}_{name}"
    for name in ("metadata_", "doc_", "cubin_", "abi_version", "library_ctx", "library_bin")
)
_DYNSYM = 11  # The type of the section with the dynamic symbols.
_UNDEFINED = 0  # The section index of symbols that another library defines.


def exported_functions(path: str) -> list[str]:
    """Return the names of the functions that a library exports, sorted.

    Only ELF files with 64 bits, as on Linux, are read; the list is empty for others.
    """
    names = {
        symbol[len(_PREFIX) :]
        for symbol in _dynamic_symbols(Path(path).read_bytes())
        if symbol.startswith(_PREFIX) and not symbol.startswith(_OTHERS)
    }
    return sorted(names)


def _dynamic_symbols(data: bytes) -> Iterator[str]:
    """Yield the names of the symbols that an ELF file defines."""
    if data[:6] not in (b"\x7fELF\x02\x01", b"\x7fELF\x02\x02"):
        return
    order = "<" if data[5] == 1 else ">"
    try:
        (begin,) = struct.unpack_from(f"{order}Q", data, 40)
        size, count = struct.unpack_from(f"{order}HH", data, 58)
        for i in range(count):
            at = begin + i * size
            (kind,) = struct.unpack_from(f"{order}I", data, at + 4)
            if kind == _DYNSYM:
                yield from _symbols_of_section(data, order, at, begin, size)
    except struct.error:
        return  # The file is truncated.


def _symbols_of_section(
    data: bytes, order: str, at: int, sections: int, section_size: int
) -> Iterator[str]:
    offset, size, link = struct.unpack_from(f"{order}QQI", data, at + 24)
    (entry,) = struct.unpack_from(f"{order}Q", data, at + 56)
    (texts,) = struct.unpack_from(f"{order}Q", data, sections + link * section_size + 24)
    for symbol in range(offset, offset + size, entry or 24):
        name, _, _, section = struct.unpack_from(f"{order}IBBH", data, symbol)
        if section == _UNDEFINED:
            continue
        end = data.find(b"\0", texts + name)
        yield data[texts + name : end].decode("utf-8", "replace")
