# SPDX-License-Identifier: Apache-2.0
"""A linked schema: each class with its parent, its children and its inherited fields.

The function `link` connects the classes. The other passes add computed facts.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..ir import ROOT_KEY, Default, ExternDef, FieldDef, Module, ObjectDef, Schema, Span, TypeRef

#: Classes of the runtime: type key -> (object class, reference class, child slots).
RUNTIME = {
    ROOT_KEY: ("Object", "ObjectRef", 0),
    "ffi.Enum": ("EnumObj", "Enum", 0),
    "ffi.IntEnum": ("IntEnumObj", "IntEnum", 0),
    "ffi.StrEnum": ("StrEnumObj", "StrEnum", 0),
}


class Foreign:
    """A class that is not in this schema: an extern class, or a class of the runtime.

    `slots` is negative if the number is not known.
    """

    def __init__(self, definition: ExternDef, is_runtime: bool = False) -> None:
        self.type_key = definition.type_key
        self.obj = definition.obj
        self.ref = definition.ref
        self.header = definition.header
        self.slots = definition.slots
        self.is_runtime = is_runtime
        self.span = definition.span
        self.children: list[Class] = []
        self.used = False


class Class:
    """An object class of the schema.

    Results that depend on the ancestors are cached, so they are valid only after linking. `obj` and
    `ref` are the C++ names of the object class and the reference class; `ref` is empty if there is
    no reference class. `marker` and `ref_marker` are the same names as markers and custom sections
    have them: with the namespace if several classes of the schema have the name. `namespace` has no
    leading colons.
    """

    def __init__(self, definition: ObjectDef, module: Module) -> None:
        self.d = definition
        self.module = module
        self.type_key = definition.type_key
        self.obj = definition.cpp_name or definition.name
        self.ref = definition.ref.name if definition.ref else ""
        self.marker, self.ref_marker = self.obj, self.ref
        self.namespace = (definition.namespace or module.namespace).lstrip(":")
        #: The path of the header, relative to the include root.
        self.header = definition.header or header_name(module)
        #: The base of an enum is "enum", "int", "str" or "object"; it is empty for other classes.
        self.enum_base = definition.enum.base if definition.enum is not None else ""
        self.entries = definition.enum.entries if definition.enum is not None else ()
        self.native = [method for method in definition.methods if method.native]
        #: The hand-written constructors, which replace the generated constructors.
        self.hand_inits = [method for method in self.native if method.name == "__init__"]
        self.parent: Class | Foreign = Foreign(ExternDef(ROOT_KEY, "Object", "ObjectRef"))
        self.children: list[Class] = []
        self.slots = 0
        self.final = bool(definition.final)
        self.broken: set[str] = set()
        #: Names of fields whose default is None although the reference class of their type is not
        #: nullable. Using such a default is an error.
        self.refused: set[str] = set()
        self._pointers: set[str] | None = None
        self._inherited: list[FieldDef] | None = None
        self._literals: list[FieldDef] | None = None
        self._init_fields: list[FieldDef] | None = None

    def reflected(self, name: str) -> str:
        """Return the registered name of an own or inherited field of the class."""
        return next((f.reflected_name for f in self.all_fields() if f.name == name), "") or name

    def is_writable(self, one: FieldDef) -> bool:
        """Return whether an own field can be assigned."""
        return one.frozen is False or (self.d.mutable and one.frozen is not True)

    @property
    def registers_itself(self) -> bool:
        """Return whether a static member registers the class.

        Fields that are not public require a static member, since other code cannot access them.
        """
        hidden = any(f.reflect and f.access != "public" for f in self.d.fields)
        return hidden or self.d.registration != "init-block"

    @property
    def sealed(self) -> bool:
        """Return whether the class, or an ancestor, limits its subclasses to the child slots."""
        return self.d.sealed or any(one.d.sealed for one in self.ancestors())

    @property
    def span(self) -> Span:
        """Return the place of the class in its schema file."""
        return self.d.span or Span(self.module.path)

    def pointers(self) -> set[str]:
        """Return the names of own and inherited fields that C++ stores as object pointers."""
        if self._pointers is None:
            self._pointers = self.broken.union(*(c.broken for c in self.ancestors()))
        return self._pointers

    def is_pointer(self, name: str) -> bool:
        """Return whether C++ stores an own or inherited field as an object pointer."""
        return name in self.pointers()

    def member(self, one: FieldDef) -> str:
        """Return the name of the C++ member of a field; a pointer member ends with `_`."""
        return one.name + "_" if self.is_pointer(one.name) and is_one_object(one.type) else one.name

    def ancestors(self) -> Iterator[Class]:
        """Yield the ancestors of the class in this schema, nearest first."""
        at = self.parent
        while isinstance(at, Class):
            yield at
            at = at.parent

    def inherited(self) -> list[FieldDef]:
        """Return the fields of the ancestors in this schema; the most distant ancestor is first."""
        if self._inherited is None:
            self._inherited = [f for c in reversed(list(self.ancestors())) for f in c.d.fields]
        return [*self._inherited]

    def all_fields(self) -> list[FieldDef]:
        """Return inherited and own fields, in the order of the C++ members."""
        return [*self.inherited(), *self.d.fields]

    def literals(self) -> list[FieldDef]:
        """Return the inherited and own fields with a `Literal` in their types."""
        if self._literals is None:
            self._literals = [f for f in self.all_fields() if literals_of(f.type)]
        return self._literals

    def init_fields(self) -> list[FieldDef]:
        """Return the constructor parameters, in the order that the runtime also uses for Python.

        Required fields come first, then fields with a default, then keyword-only fields.
        """
        if self._init_fields is None:
            refused = self.refused.union(*(above.refused for above in self.ancestors()))
            taken = sorted(self.all_fields(), key=lambda f: (f.kw_only, f.default is not None))
            self._init_fields = [
                dataclasses.replace(f, default=None) if f.name in refused else f
                for f in taken
                if f.init
            ]
        return [*self._init_fields]


class Program:
    """All linked classes of a schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.classes: dict[str, Class] = {}
        self.foreign: dict[str, Foreign] = {}
        self.order: list[Class] = []
        #: Header -> (number of its include cycle, position in the cycle), for cyclic includes.
        self.circles: dict[str, tuple[int, int]] = {}
        self._field_names: set[str] | None = None
        self._namespaces: dict[str, set[str]] = {}
        #: C++ name that several classes have -> their names with namespaces.
        self.shared: dict[str, set[str]] = {}
        self._ranks: dict[str, int] = {}
        self._groups: dict[str, list[Class]] = {}
        self._grouped_at = -1
        for key, (obj, ref, slots) in RUNTIME.items():
            made = ExternDef(key, f"::tvm::ffi::{obj}", f"::tvm::ffi::{ref}", slots=slots)
            self.foreign[key] = Foreign(made, is_runtime=True)
        for module in schema.modules:
            for extern in module.externs:
                self.foreign.setdefault(extern.type_key, Foreign(extern))
            for one in module.objects:
                self.classes[one.type_key] = Class(one, module)
        count = Counter(n for c in self.classes.values() for n in (c.obj, c.ref) if n)
        for cls in self.classes.values():
            cls.marker, cls.ref_marker = (
                self._marker(name, cls) if count[name] > 1 else name for name in (cls.obj, cls.ref)
            )

    def _marker(self, name: str, cls: Class) -> str:
        full = f"{cls.namespace}::{name}".removeprefix("::")
        self.shared.setdefault(name, set()).add(full)
        return full

    def marker_of(self, name: str, scope: str) -> str:
        """Return the `marker` or `ref_marker` of the class that a name in a namespace means.

        The first parts of the name and of the namespace `scope` may be missing. Return the name
        itself if it may mean several classes.
        """
        last = name.rpartition("::")[2]
        known = self.shared.get(last)
        if known is None:
            return last
        inside = f"{scope}::{last}".removeprefix("::")
        exact = name if "::" in name else inside
        if exact in known:
            return exact
        found = [one for one in known if f"::{one}".endswith(f"::{name}")]
        if len(found) > 1:
            found = [one for one in found if f"::{one}".endswith(f"::{inside}")]
        return found[0] if len(found) == 1 else name

    def of_module(self, module: Module) -> list[Class]:
        """Return the classes of a module, in the order of their C++ declarations."""
        if self._grouped_at != len(self.order):
            self._groups = {}
            for cls in self.order:
                self._groups.setdefault(cls.module.key, []).append(cls)
            self._grouped_at = len(self.order)
        return list(self._groups.get(module.key, ()))

    def field_names(self) -> set[str]:
        """Return the registered names of all fields of the schema."""
        if self._field_names is None:
            found = {f.reflected_name or f.name for c in self.classes.values() for f in c.d.fields}
            self._field_names = found
        return self._field_names

    def namespaces(self, name: str) -> set[str]:
        """Return the namespaces that have a class with a C++ name."""
        if not self._namespaces:
            full = [f.obj for f in self.foreign.values()] + [f.ref for f in self.foreign.values()]
            for cls in self.classes.values():
                full += [f"{cls.namespace}::{cls.obj}", f"{cls.namespace}::{cls.ref}"]
            for one in full:
                namespace, _, last = one.removeprefix("::").rpartition("::")
                self._namespaces.setdefault(last, set()).add(namespace)
        return self._namespaces.get(name, set())

    def is_later(self, cls: Class, key: str) -> bool:
        """Return whether the class `key` is incomplete inside the body of `cls`.

        `cls` and all later classes are incomplete there.
        """
        found = self.classes.get(key)
        if found is None:
            return False
        if found.header != cls.header:
            return self.is_in_later_header(cls, found)
        if not self._ranks:
            self._ranks.update((c.type_key, n) for n, c in enumerate(self.order))
        return self._ranks[key] >= self._ranks[cls.type_key]

    def is_in_later_header(self, cls: Class, other: Class) -> bool:
        """Return whether the header of `cls` cannot include the header of `other`.

        In an include cycle, a header includes only the preceding headers of the cycle.
        """
        if not self.circles:
            return False
        own, theirs = self.circles.get(cls.header), self.circles.get(other.header)
        return own is not None and theirs is not None and own[0] == theirs[0] and own < theirs

    def held(self, cls: Class) -> Iterator[Class]:
        """Yield the classes of this schema that occur in the types of a class's own fields."""
        keys = (key for one in cls.d.fields for key in held_classes(one.type))
        yield from (self.classes[key] for key in keys if key in self.classes)

    def holds_later(self, cls: Class) -> bool:
        """Return whether an own or inherited field has a type with a class from a later header."""
        return bool(self.circles) and any(
            self.is_in_later_header(cls, other)
            for one in (cls, *cls.ancestors())
            for other in self.held(one)
        )

    def is_required(self, one: FieldDef) -> bool:
        """Return whether a field refuses None although its reference class can be null."""
        found = self.classes.get(one.type.name) if one.type.origin == "class" else None
        ref = found.d.ref if found is not None else None
        is_none = one.default is not None and one.default == Default("value", None)
        return ref is not None and ref.nullable and not (ref.accepts_none or is_none)

    def find(self, key: str) -> Class | Foreign | None:
        """Return the class with a type key; None if it is not known."""
        return self.classes.get(key) or self.foreign.get(key)


def header_name(module: Module) -> str:
    """Return the header of a module, relative to the include root."""
    if module.header:
        return module.header
    folder = module.namespace.strip(":").replace("::", "/")
    return f"{folder}/{module.stem}.h" if folder else f"{module.stem}.h"


def is_one_object(type_: TypeRef) -> bool:
    """Return whether a type is a class or an optional of a class."""
    return (type_.args[0] if type_.origin == "Optional" else type_).origin == "class"


def literals_of(type_: TypeRef) -> tuple[Any, ...]:
    """Return the values that a `Literal` allows in a field of a type; empty if there is none.

    The literal may be optional, in a union, or the element of a sequence.
    """
    if type_.origin in ("Optional", "Union", "Array", "List"):
        return tuple(value for arg in type_.args for value in literals_of(arg))
    return type_.literals


def held_classes(type_: TypeRef) -> list[str]:
    """Return the type keys of the classes in a type; C++ needs the definitions of these classes."""
    held = [type_.name] if type_.origin == "class" else []
    for arg in type_.args:
        held += held_classes(arg)
    return held
