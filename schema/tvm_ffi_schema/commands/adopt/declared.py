# SPDX-License-Identifier: Apache-2.0
"""Find all object classes in the files with their type keys, also classes that are not adopted."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from ...cxx.model import CppClass
from ...ir import ExternDef, Module, ObjectDef
from . import class_def, schema_file
from .tree import Refused, Tree


def _declared(tree: Tree) -> Iterator[tuple[str, CppClass]]:
    for found in tree.sources.classes.values():
        if not found.declares_object or found.is_template:
            continue
        try:
            yield class_def.key_of(found), found
        except Refused:
            continue


def keys(tree: Tree) -> dict[str, str]:
    """Return full name -> type key, for object classes and their reference classes."""
    out: dict[str, str] = {}
    for key, found in _declared(tree):
        out[found.full] = key
        out.update({ref.full: key for ref in tree.references(found)})
    return out


def externs(tree: Tree, objects: list[ObjectDef], known: list[Module]) -> list[ExternDef]:
    """Return an extern definition for each used class that no schema declares.

    `objects` are the adopted classes, which use these classes. A class without a reference class
    gets an empty `ref`, which is not valid in a schema.
    """
    present = {one.type_key for one in objects}
    present |= {one.type_key for module in known for one in module.objects}
    named = {one.parent for one in objects}.union(*map(schema_file.held, objects))
    out = []
    for key, found in _declared(tree):
        if key in named - present:
            refs = tree.references(found)
            ref = f"::{refs[0].full}" if refs else ""
            out.append(ExternDef(key, f"::{found.full}", ref, name=found.name))
    return out


def apart(
    objects: list[ObjectDef], externs: list[ExternDef], known: list[Module]
) -> tuple[list[ObjectDef], list[ExternDef]]:
    """Return definitions with unequal names; a class of a schema can have another name in C++."""
    present = {one.name: one.type_key for m in known for one in m.objects}
    present.update((one.name, one.type_key) for m in known for one in m.externs)
    made: list[ObjectDef] = []
    for one in objects:
        name = _free(one.name, one.type_key, one.namespace, present)
        cpp_name = one.cpp_name if name == one.name else one.name
        made.append(dataclasses.replace(one, name=name, cpp_name=cpp_name))
    named = [
        dataclasses.replace(one, name=_free(one.name, one.type_key, one.obj, present))
        for one in externs
    ]
    return made, named


def _free(name: str, key: str, scope: str, present: dict[str, str]) -> str:
    """Return a name that no other class has, with parts of the namespace before it if needed."""
    parts = [part for part in scope.split("::") if part not in ("", name)]
    while present.setdefault(name, key) != key:
        part = parts.pop() if parts else "Other"
        name = f"{part[:1].upper()}{part[1:]}{name}"
    return name
