# SPDX-License-Identifier: Apache-2.0
"""Find the additions in a newer schema, and the changes that no rule reports."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from ..front.fields import describe
from ..link.program import Class, Program
from .change import Change

#: Attributes that `_differences` skips: names, attributes that rules compare, and lists, whose
#: items are compared one by one.
_OF_A_CLASS = frozenset(
    ("name", "type_key", "parent", "ref", "cpp_name", "fields", "methods", "enum", "type_attrs")
) | {"visit_attrs", "namespace", "header", "child_slots", "allow", "span"}
_OF_A_FIELD = frozenset(
    ("name", "type", "reflected_name", "init", "kw_only", "repr", "compare", "hash", "span")
) | {"structural_eq"}
_OF_A_METHOD = frozenset(("params", "returns", "const", "static", "cpp_name", "span"))


def additions(old: Program, new: Program) -> Iterator[Change]:
    """Yield additions as changes of the rule `NEW`."""
    for cls in new.order:
        was = old.classes.get(cls.type_key) or old.classes.get(cls.d.renamed_from)
        if was is None:
            yield Change("NEW", cls.type_key, f"{cls.type_key} was added", cls.span, cls)
            continue
        for text in _added(was, cls):
            yield Change("NEW", cls.type_key, text, cls.span, cls)


def _added(was: Class, cls: Class) -> Iterator[str]:
    key = cls.type_key
    names = {f.name for f in was.d.fields}
    for one in cls.d.fields:
        if one.name not in names and one.renamed_from not in names:
            yield f"{key}.{one.name}: {describe(one.type)} was added"
    yield from _new(f"{key}.", _calls(cls), _calls(was))
    before, after = _entries(was), _entries(cls)
    yield from _new(f"{key}.", after, before)
    for name in after:
        yield from _new(f"{key}.{name}: attribute ", after[name], before.get(name, after[name]))
    yield from _new(f"{key}: type attribute ", cls.d.type_attrs, was.d.type_attrs)


def _calls(cls: Class) -> list[str]:
    """Return the names of the methods; add parameter types to a name that occurred before."""
    found: list[str] = []
    for one in cls.d.methods:
        types = ", ".join(describe(p.type) for p in one.params)
        found.append(f"{one.name}({types})" if one.name in found else one.name)
    return found


def _entries(cls: Class) -> dict[str, dict[str, Any]]:
    return {one.name: one.attrs for one in cls.d.enum.entries} if cls.d.enum is not None else {}


def _new(head: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    before = set(known)
    for name in dict.fromkeys(names):
        if name not in before:
            yield f"{head}{name} was added"


def others(old: Program, new: Program) -> Iterator[Change]:
    """Yield the remaining changes, such as new documentation, as changes of the rule `OTHER`."""
    for cls in new.order:
        was = old.classes.get(cls.type_key) or old.classes.get(cls.d.renamed_from)
        for text in _changed(was, cls) if was is not None else ():
            yield Change("OTHER", cls.type_key, text, cls.span, cls)


def _changed(was: Class, cls: Class) -> Iterator[str]:
    yield from _differences(cls.type_key, was.d, cls.d, _OF_A_CLASS)
    if was.d.ref is not None and cls.d.ref is not None:
        yield from _differences(cls.type_key, was.d.ref, cls.d.ref, ("name", "nullable"))
    if was.d.enum is not None and cls.d.enum is not None:
        yield from _differences(cls.type_key, was.d.enum, cls.d.enum, ("entries",))
    yield from _members(was, cls)


def _members(was: Class, now: Class) -> Iterator[str]:
    fields = {f.name: f for f in was.d.fields}
    for one in now.d.fields:
        before = fields.get(one.name) or fields.get(one.renamed_from)
        if before is not None:
            skipped = _OF_A_FIELD if before.default is None else _OF_A_FIELD | {"default"}
            skipped = skipped | {"reflect"} if before.reflect else skipped
            yield from _differences(f"{now.type_key}.{one.name}", before, one, skipped)
    methods = {(m.name, tuple(p.type for p in m.params)): m for m in was.d.methods}
    for method in now.d.methods:
        found = methods.get((method.name, tuple(p.type for p in method.params)))
        if found is not None:
            name = f"{now.type_key}.{method.name}"
            yield from _differences(name, found, method, _OF_A_METHOD)
            names = [[p.name for p in m.params] for m in (found, method)]
            if names[0] != names[1]:
                yield f"{name}: the parameters are called {', '.join(names[1])} now"


def _differences(name: str, was: Any, now: Any, skipped: Iterable[str]) -> Iterator[str]:
    for attribute in dataclasses.fields(now):
        before, after = getattr(was, attribute.name), getattr(now, attribute.name)
        if attribute.name not in skipped and before != after:
            yield f"{name}: {attribute.name} is {_shown(after)}, it was {_shown(before)}"


def _shown(value: Any) -> str:
    if dataclasses.is_dataclass(value):  # the value is a Doc or a Default
        text = getattr(value, "summary", None)
        return "another text" if text is not None else repr(getattr(value, "value", value))
    return repr(value) if not isinstance(value, str) or value else "none"
