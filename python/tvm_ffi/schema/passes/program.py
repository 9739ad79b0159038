# SPDX-License-Identifier: Apache-2.0
"""A linked schema: each class with its parent, its children and what it inherits.

`link` is the first pass; the others fill in what they compute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Optional, Union

from ..diag import Bag
from ..ir import ROOT_KEY, ExternDef, FieldDef, Module, ObjectDef, Schema, Span, TypeRef

#: Classes of the runtime: type key -> (object class, reference class, child slots).
RUNTIME = {
    ROOT_KEY: ("Object", "ObjectRef", 0),
    "ffi.Enum": ("EnumObj", "Enum", 0),
    "ffi.IntEnum": ("IntEnumObj", "IntEnum", 0),
    "ffi.StrEnum": ("StrEnumObj", "StrEnum", 0),
}


class Foreign:
    """A class outside the set: of the runtime, or extern. `slots` below zero: not known."""

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
    """An object class of the set.

    What is asked of the line of ancestors is remembered, so ask when it is linked. `obj` and `ref`
    are the C++ names (`ref` is empty when there is none), `namespace` is without leading colons.
    """

    def __init__(self, definition: ObjectDef, module: Module) -> None:
        self.d = definition
        self.module = module
        self.type_key = definition.type_key
        self.obj = definition.cpp_name or definition.name
        self.ref = definition.ref.name if definition.ref else ""
        self.namespace = (definition.namespace or module.namespace).lstrip(":")
        self.parent: Union[Class, Foreign] = Foreign(ExternDef(ROOT_KEY, "Object", "ObjectRef"))
        self.children: list[Class] = []
        self.slots = 0
        self.final = definition.final
        self.broken: set[str] = set()
        self.template: object = None
        self._pointers: Optional[set[str]] = None
        self._inherited: Optional[list[FieldDef]] = None
        self._init_fields: Optional[list[FieldDef]] = None

    @property
    def span(self) -> Span:
        """Return where the class is written."""
        return self.d.span or Span(self.module.path)

    def pointers(self) -> set[str]:
        """Return the names of the fields, own and inherited, that are stored as object pointers."""
        if self._pointers is None:
            self._pointers = self.broken.union(*(c.broken for c in self.ancestors()))
        return self._pointers

    def is_pointer(self, name: str) -> bool:
        """Tell whether a field, own or inherited, is stored as an object pointer."""
        return name in self.pointers()

    def member(self, one: FieldDef) -> str:
        """Return the C++ member of a field; one stored as a pointer leaves its name to a method."""
        return one.name + "_" if self.is_pointer(one.name) and is_one_object(one.type) else one.name

    def ancestors(self) -> Iterator[Class]:
        """Yield the ancestors in the set, nearest first."""
        at = self.parent
        while isinstance(at, Class):
            yield at
            at = at.parent

    def inherited(self) -> list[FieldDef]:
        """Return the fields of the ancestors in the set, farthest first."""
        if self._inherited is None:
            self._inherited = [f for c in reversed(list(self.ancestors())) for f in c.d.fields]
        return [*self._inherited]

    def all_fields(self) -> list[FieldDef]:
        """Return inherited and own fields, in C++ order."""
        return [*self.inherited(), *self.d.fields]

    def init_fields(self) -> list[FieldDef]:
        """Return the parameters of the constructor: keyword-only fields come last."""
        if self._init_fields is None:
            taken = [f for f in self.all_fields() if f.init]
            by_place = [f for f in taken if not f.kw_only]
            self._init_fields = by_place + [f for f in taken if f.kw_only]
        return [*self._init_fields]


class Program:
    """A whole set, linked."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.classes: dict[str, Class] = {}
        self.foreign: dict[str, Foreign] = {}
        self.order: list[Class] = []
        self.templates: dict[tuple[str, str], Any] = {}
        self._field_names: Optional[set[str]] = None
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

    def of_module(self, module: Module) -> list[Class]:
        """Return the classes of a module, in the order in which C++ wants them."""
        if self._grouped_at != len(self.order):
            self._groups = {}
            for cls in self.order:
                self._groups.setdefault(cls.module.stem, []).append(cls)
            self._grouped_at = len(self.order)
        return list(self._groups.get(module.stem, ()))

    def field_names(self) -> set[str]:
        """Return the reflected names of all fields of the set."""
        if self._field_names is None:
            found = {f.reflected_name or f.name for c in self.classes.values() for f in c.d.fields}
            self._field_names = found
        return self._field_names

    def find(self, key: str) -> Union[Class, Foreign, None]:
        """Return a class by its type key."""
        return self.classes.get(key) or self.foreign.get(key)


def link(schema: Schema, bag: Bag) -> Program:
    """Connect classes with parents and put them in order; report what does not fit."""
    program = Program(schema)
    for cls in program.classes.values():
        parent = program.find(cls.d.parent)
        if parent is None:
            text = f"{cls.d.name}: there is no class with the type key {cls.d.parent!r}"
            bag.add("TS027", text, cls.span)
            parent = program.foreign[ROOT_KEY]
        cls.parent = parent
    for cls in program.classes.values():
        _cut_cycle(cls, program, bag)
    for cls in program.classes.values():
        cls.parent.children.append(cls)
        if isinstance(cls.parent, Foreign):
            cls.parent.used = True
    inheritances: dict[str, _Inheritance] = {}
    for cls in program.classes.values():
        if cls.d.final and cls.children:
            for child in cls.children:
                text = f"{child.d.name} derives from {cls.d.name}, which is final"
                bag.add("TS212", text, child.span, notes=[(cls.span, "declared final here")])
        if cls.module.closed and not cls.children:
            cls.final = True
        above = inheritances.get(cls.parent.type_key)
        if above is None:
            above = inheritances[cls.parent.type_key] = _Inheritance(cls.inherited())
        _check_inheritance(cls, above, bag)
    _sort(program)
    return program


def _cut_cycle(cls: Class, program: Program, bag: Bag) -> None:
    seen = [cls]
    at = cls.parent
    while isinstance(at, Class):
        if at in seen:
            ring = [c.d.name for c in seen[seen.index(at) :]] + [at.d.name]
            bag.add("TS201", "these classes derive from one another: " + " -> ".join(ring), at.span)
            at.parent = program.foreign[ROOT_KEY]
            return
        seen.append(at)
        at = at.parent


class _Inheritance:
    """What a class hands to its children, computed once for all of them."""

    def __init__(self, fields: list[FieldDef]) -> None:
        self.by_name = {one.name: one for one in fields}
        self.reflected = {one.reflected_name or one.name for one in fields}
        by_place = [one for one in fields if one.init and not one.kw_only]
        #: The last parameter by place that may be left out.
        self.defaulted = next((f.name for f in reversed(by_place) if f.default is not None), "")


def _check_inheritance(cls: Class, above: _Inheritance, bag: Bag) -> None:
    reflected: set[str] = set()
    for one in cls.d.fields:
        span = one.span or cls.span
        name = one.reflected_name or one.name
        if one.name in above.by_name or name in above.reflected or name in reflected:
            other = above.by_name.get(one.name)
            notes = [(other.span, "inherited field")] if other and other.span else []
            bag.add("TS032", f"field {one.name!r} is inherited already", span, notes=notes)
        reflected.add(name)
    defaulted = above.defaulted
    for one in cls.d.fields:
        if not one.init or one.kw_only:
            continue
        if one.default is not None:
            defaulted = one.name
        elif defaulted:
            bag.add(
                "TS026",
                f"field {one.name!r} has no default, but {defaulted!r} before it has one",
                one.span or cls.span,
                help="give it a default, or make it keyword-only: field(kw_only=True)",
            )
            return


def is_one_object(type_: TypeRef) -> bool:
    """Tell whether a type is a class, or an optional of one."""
    return (type_.args[0] if type_.origin == "Optional" else type_).origin == "class"


def held_classes(type_: TypeRef) -> Iterator[str]:
    """Yield the type keys of the classes that C++ must know completely to hold such a value."""
    if type_.origin == "class":
        yield type_.name
    for arg in type_.args:
        yield from held_classes(arg)


def _needs(cls: Class, program: Program) -> Iterable[tuple[str, str]]:
    """Yield (field name, type key) for each class of the set that a class holds; parent first."""
    if isinstance(cls.parent, Class):
        yield "", cls.parent.type_key
    for one in cls.d.fields:
        for key in held_classes(one.type):
            if key in program.classes and one.storage != "objectptr":
                yield one.name, key


#: Type key -> what `_needs` yields for that class.
_Needs = dict[str, list[tuple[str, str]]]


def _sort(program: Program) -> None:
    """Order classes so that each comes after what it holds; mark the fields that close a circle.

    A field that would need a class which itself needs this one is stored as a pointer.
    """
    needs = {key: [*_needs(cls, program)] for key, cls in program.classes.items()}
    groups = _components(program, needs)
    state: dict[str, int] = {}
    for start in program.classes.values():
        _place(start, program, groups, needs, state)
    for cls in program.classes.values():
        for one in cls.d.fields:
            if one.storage == "objectptr":
                cls.broken.add(one.name)


def _place(
    start: Class, program: Program, groups: dict[str, int], needs: _Needs, state: dict[str, int]
) -> None:
    stack = [(start, iter(needs[start.type_key]))]
    if start.type_key in state:
        return
    state[start.type_key] = 1
    while stack:
        cls, rest = stack[-1]
        for field, key in rest:
            same_group = groups[key] == groups[cls.type_key]
            if field and same_group:
                cls.broken.add(field)
            elif key not in state:
                state[key] = 1
                other = program.classes[key]
                stack.append((other, iter(needs[key])))
                break
        else:
            program.order.append(cls)
            stack.pop()


def _components(program: Program, needs: _Needs) -> dict[str, int]:
    """Return the number of the strongly connected component of each class (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    group: dict[str, int] = {}
    path: list[str] = []
    for root in program.classes:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        path.append(root)
        work = [(root, iter(needs[root]))]
        while work:
            at, rest = work[-1]
            _, following = next(rest, ("", None))
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == index[at]:
                    while True:
                        member = path.pop()
                        group[member] = index[at]
                        if member == at:
                            break
            elif following not in index:
                index[following] = low[following] = len(index)
                path.append(following)
                work.append((following, iter(needs[following])))
            elif following not in group:
                low[at] = min(low[at], index[following])
    return group
