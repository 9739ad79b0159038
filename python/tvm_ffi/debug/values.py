# SPDX-License-Identifier: Apache-2.0
"""Read values from memory by the layout of the C ABI, and write them as text.

A *memory* is an object with two methods. ``read(address, size) -> bytes`` raises an exception if
the memory cannot be read. ``type_info(type_index) -> int`` returns the address of a
``TVMFFITypeInfo``, or 0 if it is unknown. Reading terminates for any content of the memory; invalid
content is shown in angle brackets.
"""

from __future__ import annotations

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Protocol

    class Memory(Protocol):
        """The memory from which values are read."""

        def read(self, address: int, size: int) -> bytes:
            """Return bytes; raise an exception if they cannot be read."""

        def type_info(self, index: int) -> int:
            """Return the address of the info of a type, or 0 if it is unknown."""


ANY_SIZE = 16
# `Error` has a pointer to its virtual table in front of the object pointer.
ERROR = "tvm::ffi::Error"
# Maximum nesting of values in one text.
MAX_DEPTH = 5
MAX_ITEMS = 32
MAX_TEXT = 200
# Maximum number of values in one text.
MAX_VALUES = 500
# Maximum number of fields of a type and of dimensions of a tensor.
_MAX_COUNT = 4096

_FIRST_OBJECT = 64
_FIRST_DYNAMIC = 128
_SMALL_LAYOUT = 1 << 63
_NO_ITEM = (1 << 64) - 1
_BLOCK_SLOTS, _BLOCK_SIZE, _ITEM_SIZE = 16, 784, 48
_STATIC_KEYS = {
    64: "Object", 65: "String", 66: "Bytes", 67: "Error", 68: "Function", 69: "Shape",
    70: "Tensor", 71: "Array", 72: "Map", 73: "Module", 74: "OpaquePyObject", 75: "List",
    76: "Dict", 77: "VisitInterrupt", 78: "BigInt",
}  # fmt: skip
_DTYPE_CODES = {0: "int", 1: "uint", 2: "float", 3: "handle", 4: "bfloat", 5: "complex", 6: "bool"}
_DEVICES = {1: "cpu", 2: "cuda", 3: "cuda_host", 4: "opencl", 7: "vulkan", 8: "metal", 10: "rocm"}
_FIELD_INFO_SIZE = 120
# The section of the runtime library that begins with a pointer to the array of types, the size of
# the header of this array, and the offset of the info in its entries (src/core/type_table.cc).
TYPES_SECTION = "tvm_ffi_types"
_ARRAY_HEADER, _INFO_OFFSET = 16, 24


def type_info(memory: Memory, section: int, index: int) -> int:
    """Return the address of the info of a type, or 0 if it is unknown.

    ``section`` is the address of the section ``TYPES_SECTION``.
    """
    array = struct.unpack("<Q", memory.read(section, 8))[0]
    if not 0 <= index < struct.unpack("<i", memory.read(array, 4))[0]:
        return 0
    entry = struct.unpack("<Q", memory.read(array + _ARRAY_HEADER + 8 * index, 8))[0]
    return int(entry + _INFO_OFFSET if entry else 0)


class Reader:
    """Reads the values of one memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._left = MAX_VALUES

    # ---- complete values ----

    def pointer(self, address: int) -> int:
        """Return the pointer at an address."""
        return int(self._unpack("<Q", address)[0])

    def any_text(self, address: int, depth: int = 0) -> str:
        """Write the value of a ``TVMFFIAny``."""
        self._left = MAX_VALUES if depth == 0 else self._left - 1
        if self._left < 0:
            return "..."
        index, length = self._unpack("<iI", address)
        return self._value(index, length, address + 8, depth)

    def any_object(self, address: int) -> int:
        """Return the address of the object in a ``TVMFFIAny``, or 0 if it is not an object."""
        index, payload = self._unpack("<i4xQ", address)
        return payload if index >= _FIRST_OBJECT else 0

    def object_text(self, address: int, depth: int = 0) -> str:
        """Write an object with its contents."""
        if depth == 0:
            self._left = MAX_VALUES
        if address == 0:
            return "None"
        index = self._unpack("<8xi", address)[0]
        if index < _FIRST_OBJECT or address % 8:
            return f"<no object at {address:#x}>"
        if index in (65, 66):
            data, size = self._unpack("<24xQQ", address)
            return self._text(data, size, "b" if index == 66 else "")
        if depth >= MAX_DEPTH:
            return f"{self.type_key(index)}(...)"
        return self._content(index, address, depth)

    def summary(self, address: int) -> str:
        """Write an object without its contents."""
        index = self._unpack("<8xi", address)[0] if address else 0
        if index in (71, 75):
            return f"{self.type_key(index)} of {self._unpack('<24x8xq', address)[0]}"
        if index in (72, 76):
            return f"{self.type_key(index)} of {self._unpack('<24x8xQ', address)[0]}"
        if index >= _FIRST_DYNAMIC:
            return f"{self.type_key(index)} at {address:#x}"
        return self.object_text(address)

    def items(self, address: int) -> Iterator[tuple[str, str]]:
        """Yield the items of an object as pairs (label or key, text)."""
        self._left = MAX_VALUES
        for item in self._nested(address, 0):
            yield item
            self._left = MAX_VALUES

    def kind(self, address: int) -> str:
        """Return how to display an object: as ``array``, ``map``, ``object`` or ``value``."""
        index = self._unpack("<8xi", address)[0] if address else 0
        if index >= _FIRST_DYNAMIC:
            return "object"
        return {71: "array", 75: "array", 72: "map", 76: "map"}.get(index, "value")

    def type_key(self, index: int) -> str:
        """Return the type key of an object type; omit the prefix of types of this package."""
        if index in _STATIC_KEYS:
            return _STATIC_KEYS[index]
        info = self._info(index)
        if info == 0:
            return f"<type {index}>"
        data, size = self._unpack("<8xQQ", info)
        return self._bytes(data, size).decode("utf-8", "replace")

    # ---- the kinds of values ----

    def _value(self, index: int, length: int, payload: int, depth: int) -> str:
        if index >= _FIRST_OBJECT:
            return self.object_text(self._unpack("<Q", payload)[0], depth)
        if index == 0:
            return "None"
        if index == 1:
            return str(self._unpack("<q", payload)[0])
        if index == 2:
            return "True" if self._unpack("<q", payload)[0] else "False"
        if index == 3:
            return repr(self._unpack("<d", payload)[0])
        if index == 5:
            return self._dtype(payload)
        if index == 6:
            return self._device(payload)
        if index in (11, 12) and length <= 7:
            return self._text(payload, length, "b" if index == 12 else "")
        address = self._unpack("<Q", payload)[0]
        if index == 8:
            return self._c_text(address)
        if index == 9:
            data, size = self._unpack("<QQ", address)
            return self._text(data, size, "b")
        if index == 10:
            return f"move of {self.object_text(self._unpack('<Q', address)[0], depth)}"
        if index == 13:
            return "<unchanged>"
        names = {4: "void*", 7: "DLTensor*", -1: "any"}
        return f"{names.get(index, f'<type {index}>')} {address:#x}"

    def _content(self, index: int, address: int, depth: int) -> str:
        key = self.type_key(index)
        if index in (71, 75):
            return f"[{self._joined(text for _, text in self._nested(address, depth))}]"
        if index in (72, 76):
            pairs = (f"{label}: {text}" for label, text in self._nested(address, depth))
            return f"{{{self._joined(pairs)}}}"
        if index == 67:
            kind = self._plain(*self._unpack("<24xQQ", address))
            return f"{kind}: {self._plain(*self._unpack('<40xQQ', address))}"
        if index == 69:
            return f"Shape({self._numbers(*self._unpack('<24xQQ', address))})"
        if index == 70:
            return self._tensor(address)
        if index >= _FIRST_DYNAMIC:
            fields = (f"{name}={text}" for name, text in self._nested(address, depth))
            return f"{key}({self._joined(fields)})"
        return f"{key} at {address:#x}"

    def _nested(self, address: int, depth: int) -> Iterator[tuple[str, str]]:
        index = self._unpack("<8xi", address)[0] if address else 0
        if index in (71, 75):
            data, size = self._unpack("<24xQq", address)
            for i in range(max(size, 0)):
                yield f"[{i}]", self.any_text(data + i * ANY_SIZE, depth + 1)
        elif index >= _FIRST_DYNAMIC:
            yield from self._fields(index, address, depth + 1)
        elif index in (72, 76):
            for key in self._keys(address):
                yield self.any_text(key, depth + 1), self.any_text(key + ANY_SIZE, depth + 1)

    def _keys(self, address: int) -> Iterator[int]:
        """Yield the addresses of the keys of a map in order; each value follows its key."""
        data, size, slots = self._unpack("<24xQQQ", address)
        if slots & _SMALL_LAYOUT:
            for i in range(size):
                yield data + i * 2 * ANY_SIZE
            return
        place = self._unpack("<64xQ", address)[0] if size else _NO_ITEM
        for _ in range(size):
            if place >= slots:
                return
            block = data + place // _BLOCK_SLOTS * _BLOCK_SIZE
            item = block + _BLOCK_SLOTS + place % _BLOCK_SLOTS * _ITEM_SIZE
            yield item
            place = self._unpack("<40xQ", item)[0]

    def _fields(self, index: int, address: int, depth: int) -> Iterator[tuple[str, str]]:
        """Yield name and text of the fields of an object, inherited fields first."""
        info = self._info(index)
        if info == 0:
            return
        type_depth, ancestors = self._unpack("<4xi16xQ", info)
        infos = [self._unpack("<Q", ancestors + 8 * i)[0] for i in range(min(type_depth, 64))]
        for level in (*infos, info):
            count, fields = self._unpack("<40xi4xQ", level)
            for i in range(min(max(count, 0), _MAX_COUNT)):
                field = fields + i * _FIELD_INFO_SIZE
                name = self._plain(*self._unpack("<QQ", field))
                size, offset, static_index = self._unpack("<56xq8xq32xi", field)
                yield name, self._field(address + offset, size, static_index, depth)

    def _field(self, address: int, size: int, static_index: int, depth: int) -> str:
        if size == ANY_SIZE and static_index in (-1, 65, 66, 11, 12):
            return self.any_text(address, depth)
        if static_index in (1, 2) and size in (1, 2, 4, 8):
            number = int.from_bytes(self._memory.read(address, size), "little", signed=True)
            return str(number) if static_index == 1 else str(bool(number))
        if static_index == 3 and size in (4, 8):
            return repr(self._unpack("<f" if size == 4 else "<d", address)[0])
        if static_index == 5:
            return self._dtype(address)
        if static_index == 6:
            return self._device(address)
        if static_index >= _FIRST_OBJECT and size == 8:
            return self.object_text(self._unpack("<Q", address)[0], depth)
        return f"<{size} bytes>"

    def _tensor(self, address: int) -> str:
        ndim, shape = self._unpack("<40xi4xQ", address)
        texts = self._numbers(shape, ndim) if 0 <= ndim <= _MAX_COUNT else "?"
        return f"Tensor({texts}) {self._dtype(address + 44)} {self._device(address + 32)}"

    def _dtype(self, address: int) -> str:
        code, bits, lanes = self._unpack("<BBh", address)
        name = _DTYPE_CODES.get(code, f"custom[{code}]")
        text = name if code == 6 and bits == 8 else f"{name}{bits}"
        return text if lanes == 1 else f"{text}x{lanes}"

    def _device(self, address: int) -> str:
        kind, number = self._unpack("<ii", address)
        return f"{_DEVICES.get(kind, f'device[{kind}]')}:{number}"

    # ---- memory ----

    def _info(self, index: int) -> int:
        return self._memory.type_info(index) if index >= _FIRST_DYNAMIC else 0

    def _unpack(self, form: str, address: int) -> tuple[Any, ...]:
        return struct.unpack(form, self._memory.read(address, struct.calcsize(form)))

    def _bytes(self, address: int, size: int) -> bytes:
        return bytes(self._memory.read(address, min(size, MAX_TEXT))) if size else b""

    def _text(self, address: int, size: int, prefix: str) -> str:
        raw = self._bytes(address, size)
        text = repr(raw)[1:] if prefix else _quoted(raw.decode("utf-8", "replace"))
        return f"{prefix}{text}{'...' if size > MAX_TEXT else ''}"

    def _plain(self, address: int, size: int) -> str:
        return self._bytes(address, size).decode("utf-8", "replace")

    def _c_text(self, address: int) -> str:
        """Write a null-terminated text, read in pieces up to the limit."""
        raw = b""
        while len(raw) < MAX_TEXT and b"\0" not in raw:
            # Read up to the next multiple of 16. This piece lies within one page, so all of it can
            # be read if its first byte can be read.
            raw += bytes(self._memory.read(address + len(raw), 16 - (address + len(raw)) % 16))
        return _quoted(raw.partition(b"\0")[0].decode("utf-8", "replace"))

    def _numbers(self, address: int, count: int) -> str:
        shown = min(count, MAX_ITEMS)
        texts = [str(n) for n in self._unpack(f"<{shown}q", address)] if shown else []
        return ", ".join(texts + (["..."] if shown < count else []))

    @staticmethod
    def _joined(texts: Iterable[str]) -> str:
        kept: list[str] = []
        for text in texts:
            if len(kept) == MAX_ITEMS:
                kept.append("...")
                break
            kept.append(text)
        return ", ".join(kept)


def _quoted(text: str) -> str:
    plain = repr(text)[1:-1].replace("\\'", "'")
    return '"' + plain.replace('"', '\\"') + '"'
