# SPDX-License-Identifier: Apache-2.0
"""Write libraries and wheels for tests, without a compiler."""

from __future__ import annotations

import struct
import zipfile


def elf_file(undefined=(), weak=(), defined=(), constants=b"", bits=64, order="<"):
    """Return a small shared library with a dynamic symbol table and constants."""
    names = b"\0"
    form = order + ("IBBHQQ" if bits == 64 else "IIIBBH")
    symbols = bytes(struct.calcsize(form))
    groups = ((undefined, 1, 0), (weak, 2, 0), (defined, 1, 1))
    for name, binding, section in [(n, b, s) for group, b, s in groups for n in group]:
        info = binding << 4
        place = len(names)
        names += name.encode() + b"\0"
        row = (place, info, 0, section, 0, 0) if bits == 64 else (place, 0, 0, info, 0, section)
        symbols += struct.pack(form, *row)
    head = struct.calcsize(order + ("16sHHIQQQIHHHHHH" if bits == 64 else "16sHHIIIIIHHHHHH"))
    parts = [(1, 2, constants, 0), (11, 2, symbols, 3), (3, 2, names, 0)]
    table, body = [(0, 0, 0, 0, 0)], b""
    for kind, flags, content, link in parts:
        table.append((kind, flags, head + len(body), len(content), link))
        body += content
    section = order + ("IIQQQQIIQQ" if bits == 64 else "IIIIIIIIII")
    rows = b"".join(struct.pack(section, 0, k, f, 0, o, s, n, 0, 1, 0) for k, f, o, s, n in table)
    ident = b"\x7fELF" + bytes([2 if bits == 64 else 1, 1 if order == "<" else 2, 1]) + bytes(9)
    size = struct.calcsize(section)
    start = head + len(body)
    form = order + ("16sHHIQQQIHHHHHH" if bits == 64 else "16sHHIIIIIHHHHHH")
    return struct.pack(form, ident, 3, 62, 1, 0, 0, start, 0, head, 0, 0, size, 4, 0) + body + rows


def write_wheel(path, members, requires=()):
    lines = [f"Requires-Dist: {one}" for one in requires]
    metadata = "\n".join(["Metadata-Version: 2.1", "Name: client", "Version: 1", *lines, ""])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        archive.writestr("client-1.dist-info/METADATA", metadata)
    return path


def class_record(
    key="demo.Point",
    parent="ffi.Object",
    *,
    size=40,
    alignment=8,
    depth=1,
    slots=0,
    flags=2,
    fields=(("x", 24, 8, 1), ("y", 32, 8, 1)),
    version=(0, 1, 15),
    order="<",
):
    """Return a class record, as our headers write it. ``fields``: (name, offset, size, type)."""
    texts = [key, parent, *(name for name, *_ in fields)]
    tail = b"".join(struct.pack(f"{order}IIi", *place) for _, *place in fields)
    tail += b"".join(text.encode() + b"\0" for text in texts)
    tail += bytes(-len(tail) % 4)
    numbers = (*version, 0, size, alignment, depth, slots, flags, len(fields))
    head = struct.pack(f"{order}I4BIIiIII", 48 + len(tail), *numbers)
    return b"tvm-ffi class 1\0" + head + tail
