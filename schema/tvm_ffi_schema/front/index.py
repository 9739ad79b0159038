# SPDX-License-Identifier: Apache-2.0
"""An index of the names in a set of schema files, and of the classes with these names."""

from __future__ import annotations

import os
import re
from typing import Any

from .. import dsl
from ..diag import Bag, near
from ..files import source
from ..ir import ROOT_KEY, Span, TypeRef
from . import annotation
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


class Index:
    """Finds the type key for the name of an object class or a reference class.

    A class in the file that uses the name is preferred to classes in other files.
    """

    def __init__(self, bag: Bag) -> None:
        self.bag = bag
        self.keys: dict[tuple[str, str], str] = {}
        self.anywhere: dict[str, list[str]] = {}
        self.externs: dict[tuple[str, str], str] = {}
        self.extern_keys: set[str] = set()
        self.type_keys: set[str] = set()
        self.mixins: dict[tuple[str, str], RawClass] = {}
        self.enums: dict[str, set[str]] = {}

    def add_class(self, file: str, name: str, type_key: str) -> None:
        """Add a name for a class of a file."""
        self.keys.setdefault((file, name), type_key)
        self.type_keys.add(type_key)
        known = self.anywhere.setdefault(name, [])
        if type_key not in known:
            known.append(type_key)

    def add_externs(self, module: RawModule) -> None:
        """Add the extern classes of a file."""
        for name, (spec, _) in module.externs.items():
            self.externs[(module.path, name)] = spec.type_key
            self.extern_keys.add(spec.type_key)

    def add_mixin(self, file: str, raw: RawClass) -> None:
        """Add a mixin of a file."""
        self.mixins[(file, raw.name)] = raw

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
            self.extern_keys.add(value.type_key)
            return value.type_key
        if isinstance(value, type):
            value = annotation.name_of(value)
        if not isinstance(value, ClassName):
            self.bag.add("TS027", f"{what} must be a class", span)
            return None
        return self._named(file, value.module, value.name, span, what)

    def _named(self, file: str, module: str, name: str, span: Span, what: str) -> str | None:
        if module == "key" and name in self.type_keys:
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
        if name in self._refused():
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

    def _refused(self) -> set[str]:
        """Return the names of classes in files that have errors.

        Uses of these classes are not reported, since such findings would hide the errors.
        """
        names: set[str] = set()
        for path in {item.span.file for item in self.bag.items if item.severity == "error"}:
            found = source.read(path, Bag()) if os.path.isfile(path) else None
            names.update(_CLASS.findall(found.text) if found is not None else ())
        return names

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
