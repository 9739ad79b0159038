# SPDX-License-Identifier: Apache-2.0
"""The record of a schema inside of a library, and finding it in any file.

A record is the header of an image under another magic, the type keys as strings, and the compressed
intermediate form. `src/schema_image/definitions.cc` of the runtime takes it when a library is
loaded; the tool finds it by its magic in any file that holds it uncompressed, and loads nothing.
"""

from __future__ import annotations

import binascii

from .image_bytes import HEADER

MAGIC = b"\x89TSR\r\n\x1a\n"
VERSION = 1


def schemas_in(data: bytes) -> list[bytes]:
    """Return the compressed schema of each whole record that a file holds, each once."""
    found: dict[bytes, None] = {}
    at = data.find(MAGIC)
    while at >= 0:
        header = data[at : at + HEADER.size]
        if len(header) == HEADER.size:
            _, version, flags, size, crc, count = HEADER.unpack(header)
            body = data[at + HEADER.size : at + size]
            whole = len(body) + HEADER.size == size and count <= len(body)
            if (version, flags) == (VERSION, 0) and whole and binascii.crc32(body) == crc:
                found.setdefault(body[len(body) - count :])
        at = data.find(MAGIC, at + 1)
    return list(found)
