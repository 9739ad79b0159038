# SPDX-License-Identifier: Apache-2.0
"""Pretty-printers for gdb: ``source .../tvm_ffi/debug/gdb_printers.py``."""

from __future__ import annotations

import os
import re
import sys

import gdb
import gdb.printing

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import values
finally:
    del sys.path[0]


class _Memory:
    """The memory of the debugged process or core file."""

    def __init__(self):
        self._sections = None

    def read(self, address, size):
        return gdb.selected_inferior().read_memory(address, size).tobytes()

    def type_info(self, index):
        """Return the address of the info of a type, or 0 if it is unknown."""
        if self._sections is None:
            listed = gdb.execute("info files", to_string=True)
            starts = re.findall(rf"(0x\w+) - 0x\w+ is {values.TYPES_SECTION}\b", listed)
            self._sections = [int(start, 16) for start in starts]
        # A program may contain several copies of the library.
        infos = (values.type_info(self, section, index) for section in self._sections)
        return next(filter(None, infos), 0)


_memory = _Memory()
_reader = values.Reader(_memory)


def _forget(_event):
    _memory._sections = None


gdb.events.exited.connect(_forget)
gdb.events.new_objfile.connect(_forget)


class _ObjectPrinter:
    """Prints an object, given its address."""

    def __init__(self, address, text=None):
        self._address = address
        self._text = text

    def to_string(self):
        try:
            return self._text or _reader.summary(self._address)
        except (gdb.error, gdb.MemoryError, OverflowError) as error:
            return f"<cannot be read: {error}>"

    def children(self):
        if self._text is not None:
            return
        try:
            is_map = self._kind() == "map"
            for label, text in _reader.items(self._address):
                if is_map:
                    yield label, label
                yield label, text
        except (gdb.error, gdb.MemoryError, OverflowError) as error:
            yield "<error>", str(error)

    def display_hint(self):
        return {"array": "array", "map": "map"}.get(self._kind())

    def _kind(self):
        try:
            return "value" if self._text is not None else _reader.kind(self._address)
        except (gdb.error, gdb.MemoryError, OverflowError):
            return "value"


def _any_printer(value):
    """Return a printer for a value with the layout of ``TVMFFIAny``."""
    try:
        address = int(value.address)
        held = _reader.any_object(address)
        if held and _reader.kind(held) != "value":
            return _ObjectPrinter(held)
        return _ObjectPrinter(0, _reader.any_text(address))
    except (gdb.error, gdb.MemoryError, OverflowError, TypeError) as error:
        return _ObjectPrinter(0, f"<cannot be read: {error}>")


def _reference_printer(value):
    """Return a printer for a reference: an object pointer, or a value with the layout of `Any`."""
    is_error = value.type.strip_typedefs().tag == values.ERROR
    if value.type.sizeof == values.ANY_SIZE and not is_error:
        return _any_printer(value)
    try:
        return _ObjectPrinter(_reader.pointer(int(value.address) + 8 * is_error))
    except (gdb.error, gdb.MemoryError, TypeError) as error:
        return _ObjectPrinter(0, f"<cannot be read: {error}>")


_VALUES = {"TVMFFIAny"} | {f"tvm::ffi::{n}" for n in ("Any", "AnyView", "String", "Bytes")}
_REFERENCES = ("tvm::ffi::Optional<", "tvm::ffi::ObjectPtr<", "tvm::ffi::Arc<")
_VARIANT = "tvm::ffi::Variant<"


class _Printers(gdb.printing.PrettyPrinter):
    """Chooses a printer by the type of a value."""

    def __init__(self):
        super().__init__("tvm-ffi")
        self._known = {}

    def __call__(self, value):
        kind = value.type.strip_typedefs().unqualified()
        if kind.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION) or kind.tag is None:
            return None
        if kind.tag not in self._known:
            self._known[kind.tag] = self._choose(kind)
        maker = self._known[kind.tag]
        return None if maker is None or value.address is None else maker(value)

    def _choose(self, kind):
        if kind.tag in _VALUES or kind.tag.startswith(_VARIANT):
            return _any_printer
        if (
            kind.tag.startswith(_REFERENCES)
            or kind.tag == values.ERROR
            or (kind.sizeof == 8 and _is_reference(kind))
        ):
            return _reference_printer
        return None


def _is_reference(kind):
    """Return whether a class is ``ObjectRef`` or derives from it."""
    for _ in range(32):
        if kind.tag == "tvm::ffi::ObjectRef":
            return True
        bases = [f.type.strip_typedefs() for f in kind.fields() if f.is_base_class]
        if not bases:
            return False
        kind = bases[0]
    return False


gdb.printing.register_pretty_printer(None, _Printers(), replace=True)
