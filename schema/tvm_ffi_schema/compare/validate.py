# SPDX-License-Identifier: Apache-2.0
"""Compare hand-written C++ with the schema."""

from __future__ import annotations

import dataclasses

from ..back.cpp_type import CppNames
from ..back.writer import CppOptions
from ..cxx.model import CppClass, Sources, Statement, joined_name, last_name
from ..cxx.names import Lookup
from ..diag import Bag, near
from ..link.program import Class, Program
from .class_check import ClassCheck, Context

_DEEPEST = 32


def run(program: Program, sources: Sources, bag: Bag, strict: bool) -> None:
    """Report every difference between the C++ sources and the schema."""
    names = CppNames(program, CppOptions(ffi=""), "")
    context = _context(names, sources, bag)
    seen: set[str] = set()
    objects = {cls.obj for cls in program.order}
    for cls in program.order:
        own = _class_of(cls, context.lookup, sources)
        if own is None:
            others = [one.name for one in sources.classes.values()]
            text = f"there is no C++ class {joined_name(cls.namespace, cls.obj)}"
            hint = near(cls.obj, others) if cls.obj not in others else _elsewhere(cls, context)
            bag.add("TS401", text, cls.span, help=hint)
            continue
        seen.add(own.full)
        found = _with_templates(own, context.lookup, objects, ())
        ClassCheck(context, cls, own, found).run()
    context.report_below()
    for own in sources.classes.values():
        if own.declares_object and not own.is_template and own.full not in seen:
            severity = "error" if strict else "note"
            bag.add("TS402", f"{own.full} is not in the schema", own.span, severity=severity)


def _class_of(cls: Class, lookup: Lookup, sources: Sources) -> CppClass | None:
    """Return the C++ class of a schema class: search for the full name, then for the type key."""
    found = sources.classes.get(joined_name(cls.namespace, cls.obj))
    if found is not None:
        return found
    near = [(one, one.key[0]) for one in lookup.called(cls.obj)]
    same = [one for one, key in near if key == cls.type_key] or [
        o for o, key in near if key is None
    ]
    return same[0] if len(same) == 1 else None


def _elsewhere(cls: Class, context: Context) -> str:
    others = ", ".join(one.full for one in context.lookup.called(cls.obj))
    return f"there is {others}; write that `namespace` in the schema if it is meant"


def _context(names: CppNames, sources: Sources, bag: Bag) -> Context:
    lookup = Lookup(sources)
    context = Context(names.program, sources, lookup, bag, names)
    for chain in sources.statements:
        _attribute(chain, context)
    for listed, into in (
        (sources.register_calls, context.called),
        (sources.node_types, context.node_types),
    ):
        for name, place in listed:
            found = lookup.find(name, place)
            into.update([found.full] if found is not None else _all(name, lookup))
    return context


def _attribute(chain: Statement, context: Context) -> None:
    """Record which class or template a chain registers; if unknown, mark all possible classes.

    A chain is a C++ statement that registers a class with chained calls, such as `.def(...)`.
    """
    found = context.lookup.find(chain.target, chain.place)
    owner = context.sources.classes.get(chain.owner)
    if found is not None:
        context.statements.setdefault(found.full, []).append(chain)
    elif owner is not None and "::" not in chain.target:
        context.template_statements.setdefault(owner.full, []).append(chain)
    else:
        possible = _all(chain.target, context.lookup)
        context.unsure.update(possible)
        if chain.is_of_parameter:
            context.of_templates.append(chain)


def _all(name: str, lookup: Lookup) -> list[str]:
    return [one.full for one in lookup.called(last_name(name.partition("<")[0]))]


def _with_templates(
    found: CppClass, lookup: Lookup, objects: set[str], below: tuple[str, ...]
) -> CppClass:
    """Return a class together with the members of its base classes that are not object classes.

    Such a base class is an ordinary class with members, or a template that may contain the object
    macro of its template parameter. The returned class lists the full names of these bases in
    `templates`.
    """
    merged = dataclasses.replace(found, bases=[], members=list(found.members))
    below = (*below, found.full)
    for base in found.bases:
        above = lookup.find(base, found.inside)
        has_own_type = above is not None and above.declares_object and not above.is_template
        if (
            above is None
            or has_own_type
            or above.name in objects
            or above.full in below
            or len(below) > _DEEPEST
        ):
            merged.bases.append(base)
            continue
        above = _with_templates(above, lookup, objects, below)
        merged.bases += above.bases
        merged.members = [*above.members, *merged.members]
        merged.constants = {**above.constants, **merged.constants}
        merged.methods = {**above.methods, **merged.methods}
        merged.macro = merged.macro or above.macro
        merged.templates = (*merged.templates, above.full, *above.templates)
    return merged
