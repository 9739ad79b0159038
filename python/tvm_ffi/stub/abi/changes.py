# SPDX-License-Identifier: Apache-2.0
"""Compare two libraries, or a library with the installation that it is used with."""

from __future__ import annotations

from .layout import BREAKING, COMPATIBLE, SOURCE_ONLY, Change, Layout, compare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .facts import Facts

SAME = "same"
_ORDER = (BREAKING, SOURCE_ONLY, COMPATIBLE)


def find_changes(old: Facts, new: Facts) -> list[Change]:
    """Return the changes, the breaking ones first.

    If only one of the two contains a runtime, the other is a library that uses it: only classes
    that both have are compared, and the runtime must have the symbols that the library needs.
    """
    if old.has_runtime != new.has_runtime:
        library, runtime = (new, old) if old.has_runtime else (old, new)
        found = [*_common(old.records, new.records), *_common(old.cxx_classes, new.cxx_classes)]
        found += [
            Change(BREAKING, "symbol-removed", name, f"{runtime.path} does not have the symbol")
            for name in sorted(library.needed - runtime.defined)
        ]
    else:
        found = [*_versions(old, new), *_classes(old, new), *_functions(old, new)]
    found += [*old.conflicts, *new.conflicts]
    return sorted(dict.fromkeys(found), key=lambda change: _ORDER.index(change.kind))


def verdict(changes: list[Change]) -> str:
    """Return the kind of the worst change, or ``same``."""
    return changes[0].kind if changes else SAME


def _versions(old: Facts, new: Facts) -> Iterator[Change]:
    before, after = old.interfaces, new.interfaces
    if before and after and before != after:
        same = {_generation(one) for one in before} == {_generation(one) for one in after}
        text = f"built with {', '.join(before)} -> {', '.join(after)}"
        yield Change(COMPATIBLE if same else BREAKING, "interface", "the headers", text)
    if old.oldest_release != new.oldest_release and old.oldest_release and new.oldest_release:
        text = f"needs release {old.oldest_release} -> {new.oldest_release} or newer"
        yield Change(COMPATIBLE, "oldest-release", "the runtime", text)


def _generation(version: str) -> str:
    return version.rpartition(".")[0]


def _classes(old: Facts, new: Facts) -> Iterator[Change]:
    for before, after in ((old.records, new.records), (old.cxx_classes, new.cxx_classes)):
        if not before or not after:
            continue  # One library does not have this source of facts: nothing is known.
        for key in sorted(before.keys() - after.keys()):
            if _is_own(key, before[key], old):
                yield Change(BREAKING, "class-removed", key, "the class is removed")
        yield from _common(before, after)
        for key in sorted(after.keys() - before.keys()):
            if _is_own(key, after[key], new):
                yield Change(COMPATIBLE, "class-added", key, "the class is added")


def _is_own(key: str, layout: Layout, facts: Facts) -> bool:
    """Return whether a class is not one of another library that the code only uses."""
    return facts.has_runtime or not (layout.looks_up or key.startswith(("ffi.", "tvm::ffi::")))


def _common(before: dict[str, Layout], after: dict[str, Layout]) -> Iterator[Change]:
    for key in sorted(before.keys() & after.keys()):
        yield from compare(key, before[key], after[key])


def _functions(old: Facts, new: Facts) -> Iterator[Change]:
    tables = [("function", old.functions, new.functions)]
    if old.has_runtime:
        tables.append(("symbol", old.defined, new.defined))
    for noun, before, after in tables:
        for name in sorted(before - after):
            yield Change(BREAKING, f"{noun}-removed", name, f"the {noun} is removed")
        for name in sorted(after - before):
            yield Change(COMPATIBLE, f"{noun}-added", name, f"the {noun} is added")


# ---- as plain data and as text ----


def notes_of(old: Facts, new: Facts) -> list[str]:
    """Return what the comparison does not cover."""
    notes = [*old.notes, *new.notes]
    for facts, other in ((old, new), (new, old)):
        if other.records and not facts.records:
            notes.append(f"{facts.path} has no class records, so these are not compared")
        if other.cxx_classes and not facts.cxx_classes:
            notes.append(
                f"{facts.path} has no debug information, so virtual functions are not compared"
            )
    return list(dict.fromkeys(notes))


def as_json(old: Facts, new: Facts, changes: list[Change]) -> dict[str, Any]:
    """Return the comparison as plain data."""
    return {
        "old": old.path,
        "new": new.path,
        "verdict": verdict(changes),
        "changes": [change._asdict() for change in changes],
        "notes": notes_of(old, new),
    }


def as_text(old: Facts, new: Facts, changes: list[Change]) -> str:
    """Return the comparison as text for a terminal."""
    lines = [f"{old.path} -> {new.path}: {verdict(changes)}"]
    for kind in _ORDER:
        rows = [change for change in changes if change.kind == kind]
        lines += [kind] if rows else []
        lines += [f"  {change.subject}: {change.text} [{change.rule}]" for change in rows]
    lines += [f"note: {note}" for note in notes_of(old, new)]
    return "\n".join(lines) + "\n"


def facts_as_text(facts: Facts) -> str:
    """Return what is known of one file as text for a terminal."""
    known = [("built with the headers of", ", ".join(facts.interfaces))]
    known += [("oldest release of the runtime", facts.oldest_release or "")]
    lines = [facts.path, *(f"  {name}: {text}" for name, text in known if text)]
    many = len(facts.libraries) > 1
    for title, table in (("Classes", facts.records), ("C++ classes", facts.cxx_classes)):
        if table:
            source = next(iter(table.values())).source
            lines += ["", f"{title} (from the {source}{'s' if title == 'Classes' else ''})"]
        for key, layout in sorted(table.items()):
            lines += _layout_lines(key, layout, many)
    if facts.functions:
        lines += ["", "Functions", *(f"  {name}" for name in sorted(facts.functions))]
    if facts.conflicts:
        lines += ["", "Differences between the libraries"]
        lines += [f"  {change.subject}: {change.text}" for change in facts.conflicts]
    lines += [f"note: {note}" for note in facts.notes]
    return "\n".join(lines) + "\n"


def _layout_lines(key: str, layout: Layout, with_library: bool) -> list[str]:
    parts = [f"{layout.size} bytes"]
    parts += [f"alignment {layout.alignment}"] if layout.alignment else []
    parts += [f"parent {layout.parent}"] if layout.parent else []
    parts += ["final"] if layout.final else []
    parts += ["registered by another library"] if layout.looks_up else []
    parts += [f"in {layout.library}"] if with_library else []
    lines = [f"  {key}: {', '.join(parts)}"]
    lines += [f"    {one.offset:>4} {one.size:>4}  {one.text()}" for one in layout.fields or ()]
    slots = sorted((layout.virtual or {}).items())
    return lines + [f"    virtual {slot}  {name}" for slot, name in slots]
