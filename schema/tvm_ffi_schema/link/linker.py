# SPDX-License-Identifier: Apache-2.0
"""The first pass of linking: connect classes with parents, and sort the classes for C++."""

from __future__ import annotations

from ..diag import Bag
from ..ir import ROOT_KEY, FieldDef, Schema
from .program import Class, Foreign, Program, held_classes


def link(schema: Schema, bag: Bag) -> Program:
    """Connect classes with their parents and sort them; report classes without a known parent."""
    program = Program(schema)
    for cls in program.classes.values():
        parent = program.find(cls.d.parent)
        if parent is None:
            text = f"{cls.d.name}: there is no class with the type key {cls.d.parent!r}"
            bag.add("TS027", text, cls.span)
            parent = program.foreign[ROOT_KEY]
        cls.parent = parent
    done: set[str] = set()
    for cls in program.classes.values():
        _cut_cycle(cls, program, bag, done)
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
        if cls.d.final is None and not cls.children:
            is_full = isinstance(cls.parent, Class) and cls.parent.sealed
            cls.final = cls.module.closed or (is_full and cls.d.child_slots == "auto")
        above = inheritances.get(cls.parent.type_key)
        if above is None:
            above = inheritances[cls.parent.type_key] = _Inheritance(cls.inherited())
        _check_inheritance(cls, above, bag)
        cls.refused = {one.name for one in cls.d.fields if _is_refused(one, program)}
    _sort(program)
    return program


def _is_refused(one: FieldDef, program: Program) -> bool:
    """Return whether a field has the default None, but a reference class that is not nullable."""
    is_none = one.default is not None and one.default.kind == "value" and one.default.value is None
    held = program.classes.get(one.type.name) if one.type.origin == "class" else None
    ref = held.d.ref if held is not None else None
    return is_none and ref is not None and not ref.nullable


def _cut_cycle(cls: Class, program: Program, bag: Bag, done: set[str]) -> None:
    """Cut a cycle of parents above a class; the classes in `done` have no cycle above them."""
    seen = {cls.type_key: cls}
    at = cls.parent
    while isinstance(at, Class) and at.type_key not in done:
        if at.type_key in seen:
            below = [*seen.values()]
            ring = [c.d.name for c in below[below.index(at) :]] + [at.d.name]
            bag.add("TS201", "these classes derive from one another: " + " -> ".join(ring), at.span)
            at.parent = program.foreign[ROOT_KEY]
            return
        seen[at.type_key] = at
        at = at.parent
    done.update(seen)


class _Inheritance:
    """Facts about the fields that a class passes on to its children, computed once for all."""

    def __init__(self, fields: list[FieldDef]) -> None:
        self.by_name = {one.name: one for one in fields}
        self.reflected = {one.reflected_name or one.name for one in fields}


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
    defaulted = ""  # own fields only: constructors take required fields before inherited defaults
    for one in cls.d.fields:
        if not one.init or one.kw_only:
            continue
        if one.default is not None:
            defaulted = one.name
        elif defaulted and "TS026" not in cls.d.allow:
            bag.add(
                "TS026",
                f"field {one.name!r} has no default, but {defaulted!r} before it has one",
                one.span or cls.span,
                help="give it a default, or make it keyword-only: field(kw_only=True)",
            )
            return


def _needs(cls: Class, program: Program) -> list[tuple[str, str]]:
    """Return the classes that a class needs as pairs: first ("", key of the parent), if any.

    The other pairs are (field name, type key), one for each class in the type of a field.
    """
    needs = [("", cls.parent.type_key)] if isinstance(cls.parent, Class) else []
    for one in cls.d.fields:
        needs += [(one.name, key) for key in held_classes(one.type) if key in program.classes]
    return needs


#: Type key -> the pairs that `_needs` returns for the class; or header -> pairs ("", header that
#: the header needs).
_Needs = dict[str, list[tuple[str, str]]]


def _sort(program: Program) -> None:
    """Sort classes so that each comes after the classes in its fields; mark recursive fields.

    A field is recursive if its type contains the class of the field, directly or through fields of
    other classes. C++ stores a recursive field as a pointer.
    """
    needs = {key: _needs(cls, program) for key, cls in program.classes.items()}
    groups = _components(needs)
    program.circles = _circles(program)
    state: dict[str, int] = {}
    for start in program.classes.values():
        _place(start, program, groups, needs, state)


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
            is_later = field and program.is_in_later_header(cls, program.classes[key])
            if is_later or (field and same_group):
                cls.broken.add(field)
            elif key not in state:
                state[key] = 1
                other = program.classes[key]
                stack.append((other, iter(needs[key])))
                break
        else:
            program.order.append(cls)
            stack.pop()


def _circles(program: Program) -> dict[str, tuple[int, int]]:
    """Return header -> (number of its include cycle, position in the cycle), for cyclic includes.

    In a cycle, the header of a parent class comes before the headers of its children.
    """
    needs: _Needs = {cls.header: [] for cls in program.classes.values()}
    if len(needs) == 1:
        return {}
    for cls in program.classes.values():
        others = (program.classes.get(key) for key in _named(cls))
        mine = needs[cls.header]
        mine += [("", one.header) for one in others if one is not None and one.header != cls.header]
    groups = _components(needs)
    circles: dict[int, list[str]] = {}
    for header in _after_parents(program):
        circles.setdefault(groups[header], []).append(header)
    return {
        header: (group, place)
        for group, headers in circles.items()
        if len(headers) > 1
        for place, header in enumerate(headers)
    }


def _named(cls: Class) -> list[str]:
    """Return the type keys of the parent and of the classes in fields and native methods."""
    types = [one.type for one in cls.d.fields]
    for method in cls.d.methods:
        if method.native:
            types += [method.returns, *(one.type for one in method.params)]
    return [cls.d.parent, *(key for type_ in types for key in held_classes(type_))]


def _after_parents(program: Program) -> list[str]:
    """Return the headers, sorted so that headers of parents come before headers of children."""
    above: dict[str, list[str]] = {cls.header: [] for cls in program.classes.values()}
    for cls in program.classes.values():
        if isinstance(cls.parent, Class) and cls.parent.header != cls.header:
            above[cls.header].append(cls.parent.header)
    done: dict[str, None] = {}
    for start in above:
        stack = [start]
        seen = {start}
        while stack:
            rest = [name for name in above[stack[-1]] if name not in done and name not in seen]
            if rest:
                stack.append(rest[0])
                seen.add(rest[0])
            else:
                done.setdefault(stack.pop())
    return [*done]


def _components(needs: _Needs) -> dict[str, int]:
    """Return name -> number of the strongly connected component (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    group: dict[str, int] = {}
    path: list[str] = []
    for root in needs:
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
