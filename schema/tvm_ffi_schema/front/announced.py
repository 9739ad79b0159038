# SPDX-License-Identifier: Apache-2.0
"""The first pass over raw files: collect the classes and their names."""

from __future__ import annotations

from typing import Any

from ..diag import Bag
from ..files import source
from ..ir import Module, Span, names
from . import settings
from .index import Index
from .raw import RawClass, RawModule


class Announced:
    """A raw class with its checked settings and its type key."""

    def __init__(self, raw: RawClass, good: dict[str, Any]) -> None:
        self.raw = raw
        self.settings = good
        self.key = ""
        self.ref = ""
        self.cpp_name = ""


class Announcements:
    """The classes of a set of schema files, listed by file, and an index of the class names."""

    def __init__(self, bag: Bag) -> None:
        self.bag = bag
        self.index = Index(bag)
        self.classes: dict[str, list[Announced]] = {}
        self._seen_keys: dict[str, Span] = {}

    def announce(self, module: RawModule) -> None:
        """Add the names of a file to the index."""
        self.index.add_externs(module)
        options = module.spec.options if module.spec else {}
        todo = self.classes.setdefault(module.path, [])
        for raw in module.classes:
            if raw.kind == "mixin":
                self.index.add_mixin(module.path, raw)
                continue
            item = Announced(raw, settings.check(raw, self.bag))
            self._announce_class(module.path, item, options)
            if item.key:
                todo.append(item)

    def announce_made(self, module: Module) -> None:
        """Add to the index the names of a module whose definitions are already complete."""
        file = source.shown(module.path)
        for extern in module.externs:
            self.index.externs[(file, extern.name)] = extern.type_key
            self.index.extern_keys.add(extern.type_key)
        for one in module.objects:
            self._seen_keys[one.type_key] = one.span or Span(module.path)
            self.index.add_class(file, one.name, one.type_key)
            if one.ref:
                self.index.add_class(file, one.ref.name, one.type_key)
            entries = one.enum.entries if one.enum else ()
            self.index.enums[one.type_key] = {entry.name for entry in entries}

    def _announce_class(self, file: str, item: Announced, options: dict[str, Any]) -> None:
        raw, good = item.raw, item.settings
        key = good.get("type_key") or raw.options.get("type_key") or ""
        if not key:
            if "type_key" not in raw.settings:
                self.bag.add(
                    "TS022",
                    f"class {raw.name} has no type_key",
                    raw.span,
                    help=f'write  type_key = "{names.stripped(raw.name)}"',
                )
            return
        if "." not in key:
            key = options.get("type_key_prefix", "") + key
        if key in self._seen_keys:
            self.bag.add(
                "TS028",
                f"type key {key!r} is declared twice",
                raw.span,
                notes=[(self._seen_keys[key], "first declared here")],
            )
            return
        self._seen_keys[key] = raw.span
        item.key = key
        item.ref = self._ref_name(item)
        if item.ref == raw.name:  # the names of object class and reference class must differ
            item.cpp_name = f"{raw.name}Node"
        if (file, raw.name) in self.index.keys:
            self.bag.add("TS028", f"class {raw.name} is declared twice in this file", raw.span)
        if not names.is_identifier(item.cpp_name or raw.name):
            self.bag.add("TS039", f"{raw.name!r} cannot be the name of a C++ class", raw.span)
        self.index.add_class(file, raw.name, key)
        if item.ref:
            self.index.add_class(file, item.ref, key)
        self.index.enums[key] = {name for name, _, _ in raw.entries}

    def _ref_name(self, item: Announced) -> str:
        raw, good = item.raw, item.settings
        if good.get("ref", "") is False:
            return ""
        if good.get("ref"):
            return str(good["ref"])
        last = item.key.rpartition(".")[2]
        expected = names.stripped(raw.name)
        if raw.name not in (last, expected) and expected != last:
            self.bag.add(
                "TS024",
                f"the type key says {last!r}, the class name says {expected!r}",
                raw.span,
                help=f'write  ref = "{expected}"  or  ref = "{last}"',
            )
        return last
