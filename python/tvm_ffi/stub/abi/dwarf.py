# SPDX-License-Identifier: Apache-2.0
"""Read the classes that derive from ``tvm::ffi::Object`` from the debug information of a library.

The debug information also has virtual functions, and what older headers did not record. The
package pyelftools reads it; nothing else imports that package.
"""

from __future__ import annotations

import io

from .layout import Field, Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterator
    from typing import Any

SOURCE = "debug information"
HOW_TO_INSTALL = "pip install pyelftools"
_ROOT = "tvm::ffi::Object"
_SCOPES = ("DW_TAG_namespace", "DW_TAG_class_type", "DW_TAG_structure_type", "DW_TAG_union_type")
_CLASSES = ("DW_TAG_class_type", "DW_TAG_structure_type")
#: Tags of types that stand for another type of the same size.
_ALIASES = ("DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type")
_MOST_ALIASES = 100  # Of one type; damaged debug information may have a cycle.
_POINTERS = {
    "DW_TAG_pointer_type": "*",
    "DW_TAG_reference_type": "&",
    "DW_TAG_rvalue_reference_type": "&&",
}
_DW_OP_CONSTU = 0x10
_SECTION = b".debug_info\0"


def has_debug_information(content: bytes | mmap.mmap) -> bool:
    """Return whether the file seems to have debug information; reads no section."""
    return content[:4] == b"\x7fELF" and content.find(_SECTION) >= 0


def read_classes(content: bytes | mmap.mmap, library: str) -> dict[str, Layout]:
    """Return the layouts by the C++ names of the classes.

    Raises
    ------
    ImportError
        If pyelftools is not installed.
    ValueError
        If the debug information is damaged.

    """
    from elftools.elf.elffile import ELFFile

    found: dict[str, Layout] = {}
    try:
        elf = ELFFile(io.BytesIO(content))
        if elf.has_dwarf_info():
            for unit in elf.get_dwarf_info().iter_CUs():
                _Unit(unit, library).read_into(found)
    except Exception as error:  # The package raises any error for damaged data.
        text = f"{type(error).__name__}: {error}"
        raise ValueError(f"the debug information cannot be read ({text})") from error
    return found


class _Unit:
    """The types of one compilation unit, by the offsets of their entries."""

    def __init__(self, unit: Any, library: str) -> None:
        self.library = library
        self.address_size: int = unit["address_size"]
        self.names: dict[int, str] = {}
        self.classes: list[Any] = []
        self._layouts: dict[int, Layout | None] = {}
        self._headers: dict[int, int | None] = {}
        self._collect(unit.get_top_DIE(), "")

    def _collect(self, scope: Any, prefix: str) -> None:
        for entry in scope.iter_children():
            if entry.tag == "DW_TAG_subprogram":
                continue
            name = _text(entry, "DW_AT_name") or "(anonymous)"
            self.names[entry.offset] = prefix + name
            if entry.tag in _CLASSES and "DW_AT_byte_size" in entry.attributes:
                self.classes.append(entry)
            if entry.tag in _SCOPES and entry.has_children:
                self._collect(entry, f"{prefix}{name}::")

    def read_into(self, found: dict[str, Layout]) -> None:
        """Add the classes of the unit that are not yet known."""
        for entry in self.classes:
            name = self.names[entry.offset]
            if name != _ROOT and name not in found:
                layout = self._layout(entry)
                if layout is not None:
                    found[name] = layout

    def _layout(self, entry: Any) -> Layout | None:
        """Return the layout of a class; None if the class does not derive from Object."""
        if entry.offset in self._layouts:
            return self._layouts[entry.offset]
        self._layouts[entry.offset] = None
        header = self._header(entry)
        if header is None or self.names[entry.offset] == _ROOT:
            return None
        children = list(entry.iter_children())
        constants = {
            _text(child, "DW_AT_name"): child.attributes["DW_AT_const_value"].value
            for child in children
            if "DW_AT_const_value" in child.attributes
        }
        parent = self._parent(entry)
        inherited = None if parent is None else self._layout(parent)
        virtual = dict(inherited.virtual or {}) if inherited is not None else {}
        virtual.update(filter(None, map(self._slot, children)))
        # A class that does not say whether it is final has the value of Object.
        final = constants.get("_type_final", 0 if "_type_depth" in constants else None)
        self._layouts[entry.offset] = made = Layout(
            source=SOURCE,
            library=self.library,
            size=entry.attributes["DW_AT_byte_size"].value - header,
            parent=None if parent is None else self._name(parent),
            depth=constants.get("_type_depth"),
            child_slots=constants.get("_type_child_slots"),
            final=None if final is None else bool(final),
            fields=tuple(self._fields(children, header)),
            virtual=virtual,
        )
        return made

    def _header(self, entry: Any) -> int | None:
        """Return the offset of the base Object, whose member is the header of the object."""
        if self._name(entry) == _ROOT:
            return 0
        if entry.offset not in self._headers:
            self._headers[entry.offset] = None
            for base, offset in self._bases(entry):
                inner = self._header(base)
                if inner is not None:
                    self._headers[entry.offset] = offset + inner
                    break
        return self._headers[entry.offset]

    def _bases(self, entry: Any) -> Iterator[tuple[Any, int]]:
        for child in entry.iter_children():
            if child.tag == "DW_TAG_inheritance":
                offset = child.attributes.get("DW_AT_data_member_location")
                # The offset of a virtual base is an expression.
                if offset is not None and isinstance(offset.value, int):
                    yield self._strip(_type_of(child)), offset.value

    def _parent(self, entry: Any) -> Any:
        """Return the base of a class that derives from Object."""
        bases = (base for base, _ in self._bases(entry))
        return next((base for base in bases if self._header(base) is not None), None)

    def _fields(self, children: list[Any], header: int) -> Iterator[Field]:
        for child in children:
            place = child.attributes.get("DW_AT_data_member_location")
            if child.tag != "DW_TAG_member" or "DW_AT_artificial" in child.attributes:
                continue
            if place is None and "DW_AT_data_bit_offset" in child.attributes:
                offset = child.attributes["DW_AT_data_bit_offset"].value // 8
            elif place is not None and isinstance(place.value, int):
                offset = place.value
            else:
                continue  # A static member.
            kind = _type_of(child)
            name = _text(child, "DW_AT_name") or "(anonymous)"
            if not name.startswith("_vptr"):
                yield Field(name, offset - header, self._size(kind), self._name(kind))

    def _slot(self, entry: Any) -> tuple[int, str] | None:
        """Return the slot and the text of a virtual function; None for other entries."""
        place = entry.attributes.get("DW_AT_vtable_elem_location")
        if entry.tag != "DW_TAG_subprogram" or place is None or place.value[0] != _DW_OP_CONSTU:
            return None
        slot = sum((byte & 0x7F) << (7 * i) for i, byte in enumerate(place.value[1:]))
        parameters = [
            self._name(_type_of(child))
            for child in entry.iter_children()
            if child.tag == "DW_TAG_formal_parameter" and "DW_AT_artificial" not in child.attributes
        ]
        name = _text(entry, "DW_AT_name")
        if name.startswith("~"):  # Each class has its own name for this function.
            return slot, "destructor"
        return slot, f"{name}({', '.join(parameters)})"

    def _strip(self, entry: Any) -> Any:
        """Return the type without the aliases and qualifiers around it."""
        for _ in range(_MOST_ALIASES):
            if entry is None or entry.tag not in _ALIASES:
                return entry
            entry = _type_of(entry)
        raise ValueError("a type is an alias of itself")

    def _name(self, entry: Any) -> str:
        entry = self._strip(entry)
        if entry is None:
            return "void"
        if entry.tag in _POINTERS:
            return f"{self._name(_type_of(entry))}{_POINTERS[entry.tag]}"
        if entry.tag == "DW_TAG_array_type":
            return f"{self._name(_type_of(entry))}[{self._length(entry)}]"
        if entry.tag == "DW_TAG_subroutine_type":
            return "function"
        return self.names.get(entry.offset) or _text(entry, "DW_AT_name") or "?"

    def _size(self, entry: Any) -> int:
        entry = self._strip(entry)
        if entry is None:
            return 0
        size = entry.attributes.get("DW_AT_byte_size")
        if size is not None and isinstance(size.value, int):
            return int(size.value)
        if entry.tag == "DW_TAG_array_type":
            return self._size(_type_of(entry)) * self._length(entry)
        return self.address_size if entry.tag in _POINTERS else 0

    def _length(self, entry: Any) -> int:
        length = 1
        for child in entry.iter_children():
            bound = child.attributes.get("DW_AT_upper_bound")
            count = child.attributes.get("DW_AT_count")
            if count is not None and isinstance(count.value, int):
                length *= count.value
            elif bound is not None and isinstance(bound.value, int):
                length *= bound.value + 1
        return length


def _type_of(entry: Any) -> Any:
    if "DW_AT_type" not in entry.attributes:
        return None
    return entry.get_DIE_from_attribute("DW_AT_type")


def _text(entry: Any, name: str) -> str:
    attribute = entry.attributes.get(name)
    if attribute is None:
        return ""
    value = attribute.value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
