# SPDX-License-Identifier: Apache-2.0
"""Read the dynamic symbols of an ELF file, without loading it."""

from __future__ import annotations

import struct
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterator

    Content = bytes | mmap.mmap

MAGIC = b"\x7fELF"
_SHT_PROGBITS = 1
_SHT_DYNSYM = 11
_SHF_ALLOC = 2
_SHF_EXECINSTR = 4
_SHN_UNDEF = 0
_STB_WEAK = 2
_MOST_SYMBOLS = 1 << 24
_SIZE_OF_IDENT = 16


class Symbols(NamedTuple):
    """The names of a dynamic symbol table."""

    defined: frozenset[str]
    undefined: frozenset[str]  # Without weak references, which no library has to define.


class _Form(NamedTuple):
    """The ``struct`` formats of the file structures, for either 32-bit or 64-bit ELF files."""

    file_header: str  # the members from e_type on
    section: str
    symbol: str
    fields_of_symbol: tuple[int, int, int]  # positions of st_name, st_info, st_shndx


_FORMS = {
    1: _Form("HHIIIIIHHHHHH", "IIIIIIIIII", "IIIBBH", (0, 3, 5)),
    2: _Form("HHIQQQIHHHHHH", "IIQQQQIIQQ", "IBBHQQ", (0, 1, 3)),
}
_ORDERS = {1: "<", 2: ">"}


class _Section(NamedTuple):
    kind: int
    flags: int
    offset: int
    size: int
    link: int


def read_symbols(content: Content) -> Symbols:
    """Return the dynamic symbols of a file.

    Raise ValueError if the file is not an ELF file, is truncated, or has no dynamic symbols.
    """
    try:
        return _read_table(content, *_dynamic_sections(content))
    except struct.error:
        raise ValueError("the ELF file is cut off") from None


def read_symbol_names(content: Content) -> bytes:
    """Return the names of the dynamic symbols, each with a NUL; this is faster than the symbols.

    Raises
    ------
    ValueError
        Under the same conditions as :func:`read_symbols`.

    """
    try:
        _, names, *_ = _dynamic_sections(content)
    except struct.error:
        raise ValueError("the ELF file is cut off") from None
    return content[names.offset : names.offset + names.size]


def read_constants(content: Content) -> Iterator[bytes]:
    """Return the sections of a file that contain constants and variables, and no code.

    Raise ValueError if the file is not an ELF file or is truncated.
    """
    try:
        form, order = _form_of(content)
        sections = _read_sections(content, form, order)
    except struct.error:
        raise ValueError("the ELF file is cut off") from None
    for section in sections:
        kind_of_content = section.flags & (_SHF_ALLOC | _SHF_EXECINSTR)
        if section.kind == _SHT_PROGBITS and kind_of_content == _SHF_ALLOC:
            yield content[section.offset : section.offset + section.size]


def _form_of(content: Content) -> tuple[_Form, str]:
    """Return the ``struct`` formats for a 32-bit or 64-bit file, and the byte order of the file."""
    if content[:4] != MAGIC:
        raise ValueError("not an ELF file")
    if len(content) < _SIZE_OF_IDENT:
        raise ValueError("the ELF file is cut off")
    form, order = _FORMS.get(content[4]), _ORDERS.get(content[5])
    if form is None or order is None:
        raise ValueError(f"an ELF file of unknown class {content[4]} or byte order {content[5]}")
    return form, order


def _dynamic_sections(content: Content) -> tuple[_Section, _Section, _Form, str]:
    """Return the sections with the dynamic symbols and their names, and the form of the file."""
    form, order = _form_of(content)
    sections = _read_sections(content, form, order)
    for section in sections:
        if section.kind == _SHT_DYNSYM:
            if section.link >= len(sections):
                raise ValueError("the dynamic symbols have no names")
            return section, sections[section.link], form, order
    raise ValueError("the ELF file has no dynamic symbols: it is not a library")


def _read_sections(content: Content, form: _Form, order: str) -> list[_Section]:
    header = struct.unpack_from(order + form.file_header, content, _SIZE_OF_IDENT)
    start, size, count = header[5], header[10], header[11]
    pattern = struct.Struct(order + form.section)
    if size < pattern.size:
        return []
    if start + count * size > len(content):
        raise ValueError("the ELF file is cut off")
    found = []
    for i in range(count):
        row = pattern.unpack_from(content, start + i * size)
        found.append(_Section(kind=row[1], flags=row[2], offset=row[4], size=row[5], link=row[6]))
    return found


def _read_table(
    content: Content, table: _Section, names: _Section, form: _Form, order: str
) -> Symbols:
    pattern = struct.Struct(order + form.symbol)
    for section in (table, names):
        if section.offset + section.size > len(content):
            raise ValueError("the ELF file is cut off")
    count = table.size // pattern.size
    if count > _MOST_SYMBOLS:
        raise ValueError(f"the ELF file has {count} symbols, more than any library")
    texts = content[names.offset : names.offset + names.size]
    rows = content[table.offset : table.offset + count * pattern.size]
    place_of_name, place_of_info, place_of_section = form.fields_of_symbol
    defined, undefined = set(), set()
    for row in pattern.iter_unpack(rows):
        start = row[place_of_name]
        name = texts[start : texts.find(b"\0", start)].decode("utf-8", "replace")
        if row[place_of_section] != _SHN_UNDEF:
            defined.add(name)
        elif row[place_of_info] >> 4 != _STB_WEAK:
            undefined.add(name)
    return Symbols(frozenset(defined - {""}), frozenset(undefined - {""}))
