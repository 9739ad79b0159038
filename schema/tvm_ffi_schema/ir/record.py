# SPDX-License-Identifier: Apache-2.0
"""The record that embeds a schema in a library, and the search for records in files.

A record consists of a header like that of an image with another magic number, the type keys as
strings, and the compressed intermediate form. `src/schema_image/definitions.cc` of the runtime
receives the record when a library is loaded. The tool finds a record in any uncompressed file by
the magic number, without loading the file.
"""

from __future__ import annotations

import binascii

from .image_bytes import HEADER

MAGIC = b"\x89TSR\r\n\x1a\n"
VERSION = 1


def schemas_in(data: bytes) -> list[bytes]:
    """Return the compressed schemas of all complete records in a file, without duplicates."""
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
