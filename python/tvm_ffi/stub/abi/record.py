# SPDX-License-Identifier: Apache-2.0
"""Find the class records in the file of a library.

Each class that ``TVM_FFI_DECLARE_OBJECT_INFO`` and its variants declare leaves a record among the
constants of the library. A record has no pointers, so it is found by its first bytes in files of
every format, also after symbols are stripped. ``tvm/ffi/detail/class_record.h`` declares it.
"""

from __future__ import annotations

import struct

from ... import _abi
from .layout import Field, Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterator

SOURCE = "class record"
MAGIC = b"tvm-ffi class 1\0"
# record_size, version, total_size, alignment, type_depth, child_slots, flags, num_fields
_HEAD = "I4BIIiIII"
_FIELD = "IIi"
_FINAL, _MAY_OVERFLOW, _LOOKS_UP = 1, 2, 4
_LARGEST = 1 << 20  # Bytes of a record; a text that only looks like one has any number here.

_TYPES = {
    value: name[len("TYPE_") :].lower()
    for name, value in vars(_abi).items()
    if name.startswith("TYPE_") and not name.endswith(("_BEGIN", "_END")) and value >= 0
}


def type_name(static_type_index: int) -> str | None:
    """Return the name of the type of a field; None if it does not have a single type index."""
    if static_type_index == _abi.TYPE_ANY:
        return None
    return _TYPES.get(static_type_index, f"type {static_type_index}")


def read_records(content: bytes | mmap.mmap, library: str) -> Iterator[tuple[str, Layout]]:
    """Yield the type key and the layout of each record in a file."""
    start = content.find(MAGIC)
    while start >= 0:
        # The byte order is that of the library; only one gives a size that is possible.
        for order in "<>":
            found = _read(content, start, order, library)
            if found is not None:
                yield found
                break
        start = content.find(MAGIC, start + len(MAGIC))


def _read(
    content: bytes | mmap.mmap, start: int, order: str, library: str
) -> tuple[str, Layout] | None:
    head, field = struct.Struct(order + _HEAD), struct.Struct(order + _FIELD)
    begin = start + len(MAGIC)
    if begin + head.size > len(content):
        return None
    row = head.unpack_from(content, begin)
    size, version = row[0], row[1:4]
    total_size, alignment, depth, child_slots, flags, count = row[5:]
    text = begin + head.size + count * field.size
    if not text - start < size <= min(_LARGEST, len(content) - start):
        return None
    texts = content[text : start + size].split(b"\0")
    if len(texts) < count + 3 or not texts[0]:
        return None
    key, parent, *names = (one.decode("utf-8", "replace") for one in texts[: count + 2])
    places = field.iter_unpack(content[begin + head.size : text])
    fields = [Field(name, at, n, type_name(i)) for name, (at, n, i) in zip(names, places)]
    return key, Layout(
        source=SOURCE,
        library=library,
        size=total_size,
        alignment=alignment,
        parent=parent or None,
        depth=depth,
        child_slots=child_slots,
        may_overflow=bool(flags & _MAY_OVERFLOW),
        final=bool(flags & _FINAL),
        looks_up=bool(flags & _LOOKS_UP),
        fields=tuple(fields) if count else None,
        interface=".".join(map(str, version)),
    )
