# SPDX-License-Identifier: Apache-2.0
"""The layout of a class as one binary expects it, and the differences between two layouts."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

#: Kinds of change. Code that was built against the former library...
BREAKING = "breaking"  # reads wrong memory, or fails
COMPATIBLE = "compatible"  # works
SOURCE_ONLY = "source only"  # works, but does not compile, or has other names in Python


class Field(NamedTuple):
    """A field of a class. The offset counts from the header of the object."""

    name: str
    offset: int
    size: int
    type: str | None  # None if the source does not say it

    @property
    def end(self) -> int:
        """The offset of the first byte behind the field."""
        return self.offset + self.size

    def text(self) -> str:
        """Return the name, and the type if it is known."""
        return self.name if self.type is None else f"{self.name}: {self.type}"


class Layout(NamedTuple):
    """What one binary expects of a class; None stands for what the source does not say."""

    source: str
    library: str
    size: int
    alignment: int | None = None
    parent: str | None = None
    depth: int | None = None
    child_slots: int | None = None
    may_overflow: bool | None = None
    final: bool | None = None
    looks_up: bool = False  # The binary does not register the class.
    fields: tuple[Field, ...] | None = None
    virtual: dict[int, str] | None = None  # Slot -> function.
    interface: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the layout as plain data."""
        found = self._asdict()
        if self.fields is not None:
            found["fields"] = [field._asdict() for field in self.fields]
        if self.virtual is not None:
            found["virtual"] = [[slot, name] for slot, name in sorted(self.virtual.items())]
        return found


class Change(NamedTuple):
    """One difference: its kind, the rule, the class or function, and a description."""

    kind: str
    rule: str
    subject: str
    text: str


def compare(key: str, old: Layout, new: Layout) -> Iterator[Change]:
    """Yield the differences of two layouts of the class ``key``."""
    for rule, name, before, after in (
        ("size", "size", old.size, new.size),
        ("alignment", "alignment", old.alignment, new.alignment),
        ("parent", "parent", old.parent, new.parent),
        ("depth", "number of ancestors", old.depth, new.depth),
        ("child-slots", "reserved type indices for subclasses", old.child_slots, new.child_slots),
        ("child-slots", "overflow of these indices", old.may_overflow, new.may_overflow),
    ):
        if before != after and before is not None and after is not None:
            yield Change(BREAKING, rule, key, f"{name}: {before} -> {after}")
    if old.final is False and new.final is True:
        yield Change(BREAKING, "final-added", key, "is final now; its subclasses are refused")
    if old.final is True and new.final is False:
        yield Change(COMPATIBLE, "final-removed", key, "is not final any more")
    if old.fields is not None and new.fields is not None:
        same_source, same_size = old.source == new.source, old.size == new.size
        yield from _compare_fields(key, old.fields, new.fields, same_source, same_size)
    if old.virtual is not None and new.virtual is not None:
        # Objects of subclasses that were built before do not have an added slot.
        added = COMPATIBLE if old.final else BREAKING
        yield from _compare_virtual(key, old.virtual, new.virtual, added)


def _compare_fields(
    key: str, old: tuple[Field, ...], new: tuple[Field, ...], same_source: bool, same_size: bool
) -> Iterator[Change]:
    """Yield the differences of the fields; types are compared if both are from one source."""
    after = {field.name: field for field in new}
    before = {field.name for field in old}
    added = {(field.offset, field.size): field for field in new if field.name not in before}
    is_same_place = True
    for field in old:
        other = after.get(field.name)
        if other is None:
            other = added.get((field.offset, field.size))
            if other is None or (same_source and other.type != field.type):
                text = f"{field.text()} at {field.offset} is removed"
                yield Change(BREAKING, "field-removed", key, text)
                is_same_place = False
                continue
            del added[field.offset, field.size]
            text = f"{field.name} at {field.offset} is named {other.name}"
            yield Change(SOURCE_ONLY, "field-renamed", key, text)
        if other.offset != field.offset:
            text = f"{field.name}: offset {field.offset} -> {other.offset}"
            yield Change(BREAKING, "field-moved", key, text)
        if other.size != field.size:
            text = f"{field.name} at {field.offset}: {field.size} -> {other.size} bytes"
            yield Change(BREAKING, "field-resized", key, text)
        if same_source and other.type != field.type:
            text = f"{field.name} at {field.offset}: {field.type} -> {other.type}"
            yield Change(BREAKING, "field-type", key, text)
        is_same_place = is_same_place and other[1:3] == field[1:3]
    fits = is_same_place and same_size
    for field in added.values():
        fits_here = fits and not any(
            field.offset < other.end and other.offset < field.end for other in old
        )
        kind = COMPATIBLE if fits_here else BREAKING
        note = ", in place of padding" if fits_here else ""
        text = f"{field.text()} is added at {field.offset}{note}"
        yield Change(kind, "field-added", key, text)


def _compare_virtual(
    key: str, old: dict[int, str], new: dict[int, str], kind_of_added: str
) -> Iterator[Change]:
    for slot in sorted(old.keys() | new.keys()):
        before, after = old.get(slot), new.get(slot)
        if before is None:
            text = f"virtual function {after} is added in slot {slot}"
            yield Change(kind_of_added, "virtual-added", key, text)
        elif before != after:
            text = f"virtual function in slot {slot}: {before} -> {after or 'none'}"
            yield Change(BREAKING, "virtual-changed", key, text)
