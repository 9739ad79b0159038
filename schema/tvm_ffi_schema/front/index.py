# SPDX-License-Identifier: Apache-2.0
"""Collect the classes in a set of schema files, and find classes by their names."""

from __future__ import annotations

import os
import re
from typing import Any

from .. import dsl
from ..diag import Bag, near
from ..files import source
from ..ir import ROOT_KEY, Module, Span, TypeRef, names
from . import annotation, settings
from .known import import_of
from .raw import ClassName, RawClass, RawModule

#: Stand-in in `dsl` for a base class of the runtime -> (type key, kind of enum).
BUILTIN_BASES: dict[Any, tuple[str, str]] = {
    dsl.Object: (ROOT_KEY, ""),
    dsl.Enum: ("ffi.Enum", "enum"),
    dsl.IntEnum: ("ffi.IntEnum", "int"),
    dsl.StrEnum: ("ffi.StrEnum", "str"),
}
#: Names of types that findings suggest for a misspelt name.
_TYPES = ("int", "float", "str", "bytes", "bool", "list", "dict", "tuple", "Any", "Optional")
_CLASS = re.compile(r"(?m)^\s*class\s+(\w+)")
_BUILTIN_NAMES = {"ObjectRef": ROOT_KEY, "Object": ROOT_KEY}


class Announced:
    """A raw class with its checked settings and its type key."""

    def __init__(self, raw: RawClass, good: dict[str, Any]) -> None:
        self.raw = raw
        self.settings = good
        self.key = ""
        self.ref = ""
        self.cpp_name = ""


class Index:
    """Lists the classes of each file, and finds the type key for the name of a class.

    A class in the file that uses the name is preferred to classes in other files.
    """

    def __init__(self, bag: Bag) -> None:
        self.bag = bag
        self.keys: dict[tuple[str, str], str] = {}
        self.anywhere: dict[str, list[str]] = {}
        self.externs: dict[tuple[str, str], str] = {}
        self.mixins: dict[tuple[str, str], RawClass] = {}
        self.enums: dict[str, set[str]] = {}
        self.classes: dict[str, list[Announced]] = {}
        self._seen_keys: dict[str, Span] = {}
        self._refused: set[str] = set()
        self._scanned: set[str] = set()

    # --- the first pass: names

    def announce(self, module: RawModule) -> None:
        """Add the names of a file, and check the settings of its classes."""
        for name, (spec, _) in module.externs.items():
            self.externs[(module.path, name)] = spec.type_key
        options = module.spec.options if module.spec else {}
        todo = self.classes.setdefault(module.path, [])
        for raw in module.classes:
            if raw.kind == "mixin":
                self.mixins[(module.path, raw.name)] = raw
                continue
            usual = options.get("defaults", {})
            item = Announced(raw, {**usual, **settings.check(raw, self.bag)})
            self._announce_class(module.path, item, options)
            if item.key:
                todo.append(item)

    def announce_made(self, module: Module) -> None:
        """Add the names of a module whose definitions are already complete."""
        file = source.shown(module.path)
        for extern in module.externs:
            self.externs[(file, extern.name)] = extern.type_key
        for one in module.objects:
            self._seen_keys[one.type_key] = one.span or Span(module.path)
            self._add_class(file, one.name, one.type_key)
            if one.ref:
                self._add_class(file, one.ref.name, one.type_key)
            entries = one.enum.entries if one.enum else ()
            self.enums[one.type_key] = {entry.name for entry in entries}

    def _add_class(self, file: str, name: str, type_key: str) -> None:
        self.keys.setdefault((file, name), type_key)
        known = self.anywhere.setdefault(name, [])
        if type_key not in known:
            known.append(type_key)

    def _announce_class(self, file: str, item: Announced, options: dict[str, Any]) -> None:
        raw, good = item.raw, item.settings
        key = good.get("type_key") or ""
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
        stated = good.get("cpp_name", "")
        item.cpp_name = stated
        if item.ref == raw.name and not stated:  # the names of object and reference must differ
            item.cpp_name = f"{raw.name}Node"
        if (file, raw.name) in self.keys:
            self.bag.add("TS028", f"class {raw.name} is declared twice in this file", raw.span)
        name = stated or raw.name
        if not names.is_identifier(name) or (stated and stated == item.ref):
            self.bag.add("TS039", f"{name!r} cannot be the name of a C++ class", raw.span)
        self._add_class(file, raw.name, key)
        if item.ref:
            self._add_class(file, item.ref, key)
        self.enums[key] = {name for name, _, _ in raw.entries}

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

    # --- the second pass: references

    def mixin(self, file: str, base: Any) -> RawClass | None:
        """Return the mixin that a base refers to; None if it is not a mixin."""
        if not isinstance(base, ClassName):
            return None
        found = self.mixins.get((base.module or file, base.name))
        if found is not None or base.module:
            return found
        return next((m for (_, name), m in self.mixins.items() if name == base.name), None)

    def class_key(self, file: str, value: Any, span: Span, what: str) -> str | None:
        """Return the type key of a class; report and return None if the class is not known."""
        if isinstance(value, dsl.ExternSpec):
            return value.type_key
        if isinstance(value, type):
            value = annotation.name_of(value)
        if not isinstance(value, ClassName):
            self.bag.add("TS027", f"{what} must be a class", span)
            return None
        return self._named(file, value.module, value.name, span, what)

    def _named(self, file: str, module: str, name: str, span: Span, what: str) -> str | None:
        if module == "key" and name in self._seen_keys:
            return name
        found = self.keys.get((module or file, name))
        if found is None and (module or file, name) in self.externs:
            found = self.externs[(module or file, name)]
        if found is not None:
            return found
        candidates = self.anywhere.get(name, [])
        if len(candidates) == 1:
            return candidates[0]
        if len(candidates) > 1:
            keys = ", ".join(candidates)
            self.bag.add(
                "TS029",
                f"{name!r} means several classes: {keys}",
                span,
                help="import the one that is meant from its schema file",
            )
            return None
        if name in _BUILTIN_NAMES and what != "a base":
            return _BUILTIN_NAMES[name]
        if name in self._refused_names():
            return None
        known = [*self.anywhere, *(_TYPES if what == "a type" and not module else ())]
        self.bag.add(
            "TS027",
            f"there is no class {name!r}",
            span,
            help=annotation.INSTEAD.get(name)
            or import_of(module or name)
            or near(name, known)
            or "declare it, import its schema file, or name it with extern(...)",
        )
        return None

    def _refused_names(self) -> set[str]:
        """Return the names of classes in files that have errors.

        Uses of these classes are not reported, since such findings would hide the errors.
        """
        if len(self._scanned) < len(self.bag.failed):
            for path in self.bag.failed - self._scanned:
                found = source.read(path, Bag()) if os.path.isfile(path) else None
                self._refused.update(_CLASS.findall(found.text) if found is not None else ())
            self._scanned.update(self.bag.failed)
        return self._refused

    def type(self, file: str, type_: TypeRef, span: Span, own_key: str) -> TypeRef | None:
        """Return a type with type keys instead of class names; None if an error was reported."""
        if type_.origin == "Self":
            return TypeRef("class", name=own_key)
        if type_.origin == "class":
            module, _, name = type_.name.rpartition(":")
            if module == "extern":
                return TypeRef("class", name=name)
            key = self._named(file, module, name, span, "a type")
            if key == ROOT_KEY:
                return TypeRef("ObjectRef")
            return None if key is None else TypeRef("class", name=key)
        if not type_.args:
            return type_
        args = [self.type(file, arg, span, own_key) for arg in type_.args]
        if any(arg is None for arg in args):
            return None
        return TypeRef(type_.origin, tuple(arg for arg in args if arg is not None))
