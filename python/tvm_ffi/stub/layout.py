# SPDX-License-Identifier: Apache-2.0
"""Check whether the reflected fields determine the layout of a type, and report the result.

The fields determine the layout if the own fields, sorted by offset, have the positions that a
compiler would choose after the parent, and the object ends after the last field.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .. import _abi, core
from ..cpp.record import write_atomically
from .lib_state import object_types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HEADER_SIZE = 24
_HEADER_ALIGNMENT = 8


def align_up(position: int, alignment: int) -> int:
    """Round a position up to a multiple of an alignment."""
    return -(-position // alignment) * alignment


@dataclass(frozen=True)
class ByteRange:
    """The bytes from ``start`` to ``end``, exclusive."""

    start: int
    end: int

    def __str__(self) -> str:
        return f"[{self.start}, {self.end})"


@dataclass(frozen=True)
class FieldBytes:
    """The name, the offset and the size of a field, both in bytes, and whether others assign it."""

    name: str
    offset: int
    size: int
    alignment: int
    is_writable: bool = False


@dataclass(frozen=True)
class TypeBytes:
    """The layout of a type. The total size is None if the type has not registered one."""

    type_key: str
    parent: str | None = None
    total_size: int | None = None
    is_final: bool | None = None
    fields: tuple[FieldBytes, ...] = ()
    # A field whose size is unknown.
    unknown_field: str | None = None


@dataclass
class Verdict:
    """Whether the fields determine a layout: ``complete``, or ``opaque`` with a reason."""

    verdict: str
    reason: str | None = None
    detail: str = ""
    own_bytes: ByteRange | None = None
    uncovered: list[ByteRange] = field(default_factory=list)
    padding: list[ByteRange] = field(default_factory=list)
    alignment: int = _HEADER_ALIGNMENT

    @property
    def is_complete(self) -> bool:
        """Whether the fields determine the layout."""
        return self.verdict == "complete"


def classify(
    types: Mapping[str, TypeBytes],
    vetoes: Mapping[str, str | tuple[str, str]] | None = None,
) -> dict[str, Verdict]:
    """Return the verdict on each type.

    ``types`` has the types by key, including all ancestors of each type; raise KeyError if one is
    missing. ``vetoes`` maps a type key to the reason, optionally with a detail, for an ``opaque``
    verdict on the type.
    """
    found: dict[str, Verdict] = {}
    for key in types:
        for ancestor in (*_ancestors(types, key), key):
            if ancestor not in found:
                found[ancestor] = _judge(types[ancestor], found, (vetoes or {}).get(ancestor))
    return {key: found[key] for key in types}


def _ancestors(types: Mapping[str, TypeBytes], key: str) -> list[str]:
    """Return the keys of the ancestors, root first."""
    chain: list[str] = []
    parent = types[key].parent
    while parent is not None:
        if parent not in types:
            raise KeyError(f"Ancestor {parent!r} is not among the types to classify")
        chain.insert(0, parent)
        parent = types[parent].parent
    return chain


def _judge(
    entry: TypeBytes, found: Mapping[str, Verdict], veto: str | tuple[str, str] | None
) -> Verdict:
    if entry.parent is None:
        own = ByteRange(_HEADER_SIZE, _HEADER_SIZE)
        detail = f"object header [0, {_HEADER_SIZE}): owned by the C ABI"
        return Verdict("complete", None, detail, own)
    if isinstance(veto, tuple) and veto[0] == "no-mirror":
        return Verdict("opaque", *veto)
    if entry.total_size is None:
        detail = "no metadata of its own: total_size is unknown"
        return Verdict("opaque", "layout-unknown", detail)
    if entry.unknown_field is not None:
        detail = f"field {entry.unknown_field!r} has no size or alignment"
        return Verdict("opaque", "layout-unknown", detail)
    parent = found[entry.parent]
    if not parent.is_complete or parent.own_bytes is None:
        detail = f"parent {entry.parent!r} is opaque ({parent.reason})"
        return Verdict("opaque", "parent-opaque", detail)
    verdict = _lay_out(entry, parent.own_bytes.end, parent.alignment)
    if verdict.is_complete and veto is not None:
        verdict.verdict = "opaque"
        verdict.reason, verdict.detail = (veto, "") if isinstance(veto, str) else veto
    return verdict


def _lay_out(entry: TypeBytes, start: int, alignment: int) -> Verdict:
    """Compare the positions of the own fields with the positions that a compiler would choose."""
    end = entry.total_size or 0
    verdict = Verdict("complete", own_bytes=ByteRange(start, end), alignment=alignment)
    position = start
    for f in sorted(entry.fields, key=lambda f: (f.offset, f.size)):
        if f.offset < position:
            text = f"[{f.offset}, {f.offset + f.size})"
            detail = f"field {f.name!r} at {text} starts before byte {position}"
            return Verdict("opaque", "field-overlap", detail, verdict.own_bytes)
        _gap(verdict, position, f.offset, align_up(position, f.alignment))
        position = f.offset + f.size
        verdict.alignment = max(verdict.alignment, f.alignment)
    if position > end:
        detail = f"fields end at byte {position}, behind the object's {end}"
        return Verdict("opaque", "field-overlap", detail, verdict.own_bytes)
    _gap(verdict, position, end, align_up(position, verdict.alignment))
    if verdict.uncovered:
        gaps = ", ".join(map(str, verdict.uncovered))
        verdict.verdict, verdict.reason = "opaque", "uncovered-bytes"
        verdict.detail = (
            f"bytes {gaps} of {verdict.own_bytes} are not accounted for by reflected fields"
        )
    else:
        padding = ", ".join(map(str, verdict.padding))
        note = f" (alignment padding {padding})" if padding else ""
        verdict.detail = f"reflected fields fill {verdict.own_bytes} exactly{note}"
    return verdict


def _gap(verdict: Verdict, start: int, end: int, expected_end: int) -> None:
    """Record unused bytes: as padding if a compiler would leave the same gap, else as uncovered."""
    if start < end:
        kind = verdict.padding if end == expected_end else verdict.uncovered
        kind.append(ByteRange(start, end))


# ---- the report ----


def registered_types() -> dict[str, TypeBytes]:
    """Return the layouts of all object types of this process, by type key."""
    return {key: _describe(key, index) for key, index in object_types().items()}


def _describe(key: str, index: int) -> TypeBytes:
    info = core._lookup_or_register_type_info_from_type_key(key)
    parent = info.parent_type_info
    own = [f for f in info.fields or () if f.size and f.alignment]
    unknown = [f.name for f in info.fields or () if not (f.size and f.alignment)]
    registered: Any = core._describe_type(index)
    size, described = (0, []) if registered is None else registered[2:4]
    # A class in Rust may assign a field that other languages only read.
    assigned = {f[0] for f in described if f[6] & _abi.FIELD_WRITABLE or '"is_locked":true' in f[7]}
    final = core._lookup_type_attr(index, "__ffi_type_final__")
    return TypeBytes(
        type_key=key,
        parent=None if parent is None else str(parent.type_key),
        # A Python type without registered fields does not have a size yet.
        total_size=None if info.fields is None else size or None,
        is_final=None if final is None else bool(final),
        fields=tuple(
            FieldBytes(str(f.name), f.offset, f.size, f.alignment, f.name in assigned) for f in own
        ),
        unknown_field=unknown[0] if unknown else None,
    )


def coverage_report(types: Mapping[str, TypeBytes]) -> dict[str, dict[str, object]]:
    """Return the report on types, by key."""
    verdicts = classify(types)
    return {key: _entry(types, key, verdicts[key]) for key in sorted(types)}


def _entry(types: Mapping[str, TypeBytes], key: str, verdict: Verdict) -> dict[str, object]:
    entry = types[key]
    own = verdict.own_bytes
    return {
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "detail": verdict.detail,
        "parent": entry.parent,
        "ancestors": _ancestors(types, key),
        "total_size": _HEADER_SIZE if entry.parent is None else entry.total_size,
        "is_final": entry.is_final,
        "own_bytes": None if own is None else [own.start, own.end],
        "fields": [
            {"name": f.name, "offset": f.offset, "size": f.size, "alignment": f.alignment}
            for f in entry.fields
        ],
        "uncovered": _pairs(verdict.uncovered),
        "padding": _pairs(verdict.padding),
    }


def _pairs(ranges: Iterable[ByteRange]) -> list[list[int]]:
    return [[r.start, r.end] for r in ranges]


def is_coverage_report(content: bytes) -> bool:
    """Return whether the content of a file is a report of ``write_coverage_report``."""
    try:
        report = json.loads(content)
    except ValueError:
        return False
    return isinstance(report, dict) and all(
        isinstance(entry, dict) and "verdict" in entry for entry in report.values()
    )


def write_coverage_report(path: Path, keys: Collection[str] | None = None) -> None:
    """Write the report on all types of this process, or only on the types with the given keys."""
    report = coverage_report(registered_types())
    if keys is not None:
        report = {key: entry for key, entry in report.items() if key in keys}
    text = json.dumps(report, indent=2) + "\n"
    if path.exists() and not path.is_file():  # Write to a device instead of replacing it.
        path.write_text(text, encoding="utf-8")
        return
    write_atomically(path, text)
