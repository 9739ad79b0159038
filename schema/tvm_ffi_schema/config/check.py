# SPDX-License-Identifier: Apache-2.0
"""Check configuration files: the keys, the kinds of values, and the line of each key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..diag import Bag, near
from ..diag.breaking import CATEGORIES
from ..ir import Span
from ..ir.names import is_namespace, is_type_key
from .outputs import OUTPUTS
from .table import KEYS, TYPES, Key, members


def place(text: str, file: str, key: str, table: str = "") -> Span:
    """Return the line of a key in a file; `table` names the table that contains the key."""
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare.startswith("["):
            current = bare.strip("[] ")
        inside = not table or table in current or table in bare
        quoted = (f"{key} ", f"{key}=", f"{key}.", f'"{key}"', f"'{key}'")
        is_key = bare.startswith(quoted) or f".{key}" in line
        is_table = bare.startswith("[") and current.rpartition(".")[2] == key
        if inside and (is_key or is_table):
            start = line.index(key) + 1
            return Span(file, number, start, number, start + len(key))
    return Span(file)


class Checker:
    """Checks one configuration table: reports and removes wrong entries."""

    def __init__(self, text: str, file: str, bag: Bag) -> None:
        self.text = text
        self.file = file
        self.bag = bag

    def good(self, data: Any) -> dict[str, Any]:
        """Return the entries without errors."""
        if not isinstance(data, dict):
            text = f"tool.tvm-ffi.schema must be a table, found {_shown(data)}"
            self.bag.add("TS011", text, Span(self.file))
            return {}
        return {key: value for key, value in data.items() if self._is_good(key, value)}

    def _is_good(self, key: str, value: Any) -> bool:
        before = len(self.bag.items)
        if key not in KEYS:
            self._unknown(key, KEYS)
        elif not _is_of(value, KEYS[key].kind.type):
            wanted = TYPES[KEYS[key].kind.type]
            self._wrong(key, f"{key} must be {wanted}, found {_shown(value)}")
        elif KEYS[key].kind.choices:
            self._choice(key, value, KEYS[key])
        elif key == "rust_externs":
            self._rust_externs(value)
        elif key == "breaking":
            self._breaking(value)
        else:
            self._texts(key, value)
        return len(self.bag.items) == before

    def _unknown(self, key: str, known: Iterable[str], table: str = "") -> None:
        where = f" in {table}" if table else ""
        known = sorted(known)
        help_ = near(key, known) or f"known are {', '.join(known)}"
        self.bag.add("TS010", f"unknown key {key!r}{where}", self._at(key, table), help=help_)

    def _wrong(self, key: str, text: str, table: str = "") -> None:
        self.bag.add("TS011", text, self._at(key, table))

    def _at(self, key: str, table: str = "") -> Span:
        return place(self.text, self.file, key, table)

    def _choice(self, key: str, value: Any, row: Key, table: str = "") -> None:
        known = row.kind.choices
        if value not in known:
            text = f"{key} is one of {', '.join(known)}, not {_shown(value)}"
            self._wrong(key, text, table)

    def _texts(self, key: str, value: Any) -> None:
        words = value if isinstance(value, list) else [value] if isinstance(value, str) else []
        if key == "outputs":
            unknown = [word for word in words if word not in OUTPUTS]
            if unknown:
                text = f"unknown output {unknown[0]!r}; known are {', '.join(OUTPUTS)}"
                self._wrong(key, text)
            return
        kind = KEYS[key].kind
        for word in words:
            if not kind.accepts(word):
                self._wrong(key, f"{key} must be {kind.each}, found {_shown(word)}")

    # --- tables

    def _members(self, table: str, data: dict[str, Any], kinds: dict[str, type]) -> bool:
        """Check the keys and kinds of a table; return whether all are right."""
        before = len(self.bag.items)
        for key, value in data.items():
            if key not in kinds:
                self._unknown(key, kinds, table)
            elif not _is_of(value, kinds[key]):
                wanted = TYPES.get(kinds[key], f"of type {kinds[key].__name__}")
                text = f"{table}.{key} must be {wanted}, found {_shown(value)}"
                self._wrong(key, text, table)
        return len(self.bag.items) == before

    def _rust_externs(self, data: dict[str, Any]) -> None:
        for type_key, path in data.items():
            if not is_type_key(type_key):
                text = f"rust_externs: {type_key!r} is not a type key"
                self._wrong(type_key, text, "rust_externs")
            elif not isinstance(path, str) or not path or not is_namespace(path):
                text = f"rust_externs: {type_key!r} must be a path of Rust, found {_shown(path)}"
                self._wrong(type_key, text, "rust_externs")

    def _breaking(self, data: dict[str, Any]) -> None:
        plain = {key: value for key, value in data.items() if key != "ignore"}
        self._members("breaking", plain, _types("breaking"))
        entries = data.get("ignore", [])
        if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
            text = "breaking.ignore must be a list of tables with rule, type and reason"
            self._wrong("ignore", text, "breaking")
            return
        for entry in entries:
            self._ignored(entry)

    def _ignored(self, entry: dict[str, Any]) -> None:
        table = "breaking.ignore"
        if not self._members(table, entry, _types(table)):
            return
        rule = entry.get("rule", "")
        if rule not in CATEGORIES:
            text = f"{table}: there is no rule {rule!r}"
            span = self._at("rule", table)
            self.bag.add("TS011", text, span, help=near(rule, CATEGORIES))
        elif not entry.get("reason", "").strip():
            text = f"{table}: the suppression of {rule} needs a reason"
            help_ = 'write  reason = "..."'
            self.bag.add("TS011", text, self._at("rule", table), help=help_)


def _types(table: str) -> dict[str, type]:
    return {name: key.kind.type for name, key in members(table).items()}


def _is_of(value: Any, kind: type) -> bool:
    if kind is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return type(value) is kind


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
