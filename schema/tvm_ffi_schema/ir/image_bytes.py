# SPDX-License-Identifier: Apache-2.0
"""Write the bytes of a schema image: header, strings, numbers, types and values.

``src/schema_image/image.h`` of the runtime, which reads images, describes the format.
"""

from __future__ import annotations

import binascii
import struct
from typing import Any

from . import Default, TypeRef

MAGIC = b"\x89TFS\r\n\x1a\n"
VERSION = 1
HEADER = struct.Struct("<8sIIQII")

#: The kinds of types (`TypeRef.origin`), in the order of their numbers in an image.
KINDS = (
    *("bool", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t"),
    *("uint64_t", "float", "double", "String", "Bytes", "DataType", "Device", "Any", "Handle"),
    *("Tensor", "Shape", "Module", "Function", "Array", "List", "Map", "Dict", "Tuple"),
    *("Optional", "Union", "ObjectRef", "class"),
)
_NUMBERS = {name: number for number, name in enumerate(KINDS)}
_COUNTED = ("Tuple", "Union")
_CODED = ("cpp", "entry")


class ImageError(ValueError):
    """A value or type that an image cannot hold."""


class ImageBytes:
    """Builds the bytes of an image; each string is stored once."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._strings: dict[bytes, int] = {}

    def u8(self, value: int) -> None:
        """Append one byte."""
        self._parts.append(struct.pack("<B", value))

    def u32(self, value: int) -> None:
        """Append a number of four bytes."""
        self._parts.append(struct.pack("<I", value))

    def text(self, value: str | bytes) -> None:
        """Store a string or bytes, if not stored yet, and append the index of the stored string."""
        data = value.encode("utf-8") if isinstance(value, str) else value
        self.u32(self._strings.setdefault(data, len(self._strings)))

    def type(self, type_: TypeRef, is_nullable: dict[str, bool]) -> None:
        """Append a type.

        `is_nullable` maps type keys to whether references to the type may be null. References to
        types with other keys may be null.
        """
        if type_.cpp is not None:
            if type_.cpp.as_type is None:
                raise ImageError(f"{type_.cpp.text} is a type of C++ alone")
            self.type(type_.cpp.as_type, is_nullable)
            return
        self.u8(_NUMBERS[type_.origin])
        if type_.origin == "class":
            self.text(type_.name)
            self.u8(is_nullable.get(type_.name, True))
            return
        if type_.origin == "Function":
            return
        if type_.origin in _COUNTED:
            self.u32(len(type_.args))
        for arg in type_.args:
            self.type(arg, is_nullable)

    def default(self, default: Default) -> None:
        """Append the default of a field."""
        self.value({f"${default.kind}": default.value} if default.kind in _CODED else default.value)

    def value(self, value: Any) -> None:
        """Append a literal, an entry of an enum or a C++ expression."""
        if isinstance(value, dict) and set(value) == {"$entry"}:
            self.u8(9)
            self.text(value["$entry"][0])
            self.text(value["$entry"][1])
        elif isinstance(value, dict) and set(value) == {"$cpp"}:
            self.u8(10)
            self.text(str(value["$cpp"]))
        elif value is None or isinstance(value, bool):
            self.u8(0 if value is None else 1 + value)
        elif isinstance(value, int):
            if not -(1 << 63) <= value < 1 << 63:
                raise ImageError(f"{value} has more than 64 bits")
            self._parts.append(struct.pack("<Bq", 3, value))
        elif isinstance(value, float):
            self._parts.append(struct.pack("<Bd", 4, value))
        elif isinstance(value, (str, bytes)):
            self.u8(5 if isinstance(value, str) else 6)
            self.text(value)
        else:
            self._container(value)

    def _container(self, value: Any) -> None:
        if isinstance(value, dict):
            self.u8(8)
            self.u32(len(value))
            for key, item in value.items():
                self.value(key)
                self.value(item)
            return
        if not isinstance(value, (list, tuple)):
            raise ImageError(f"{value!r} is not a literal")
        self.u8(7)
        self.u32(len(value))
        for item in value:
            self.value(item)

    def finish(self, ir: bytes) -> bytes:
        """Return the whole image."""
        strings = [struct.pack("<I", len(self._strings))]
        for data in self._strings:
            strings += [struct.pack("<I", len(data)), data]
        body = b"".join([*strings, *self._parts, ir])
        size = HEADER.size + len(body)
        return HEADER.pack(MAGIC, VERSION, 0, size, binascii.crc32(body), len(ir)) + body


def embedded_ir(data: bytes) -> bytes:
    """Return the compressed schema in an image; empty if the image has no schema.

    Raises
    ------
    ImageError
        If the bytes are not an image, or are not complete.

    """
    if data[: len(MAGIC)] != MAGIC or len(data) < HEADER.size:
        raise ImageError("this is not a schema image")
    _, version, _, size, crc, count = HEADER.unpack_from(data)
    if version != VERSION:
        raise ImageError(f"its format has version {version}, this tool reads version {VERSION}")
    if size != len(data):
        raise ImageError(f"it should have {size} bytes, but has {len(data)}")
    if binascii.crc32(data[HEADER.size :]) != crc:
        raise ImageError("its content has changed since it was written (the checksum differs)")
    return data[len(data) - count :] if count else b""
