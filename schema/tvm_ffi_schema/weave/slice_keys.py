# SPDX-License-Identifier: Apache-2.0
"""Compute a digest of everything that the outputs of a module depend on.

Modules with equal digests have equal outputs.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator

from ..back.python_type import needed_names
from ..config import Config
from ..ir import FieldDef, Module, TypeRef
from ..link.program import Class, Foreign, Program


class SliceKeys:
    """Computes the digests of one program; `digests` maps type keys to digests of definitions."""

    def __init__(self, program: Program, config: Config, digests: dict[str, bytes]) -> None:
        self.program = program
        self.options = repr(dataclasses.replace(config, breaking={}, sources=[]))
        self.digests = digests
        self.modules = {m.key: _face(m) for m in program.schema.modules}
        self._owns: dict[str, dict[str, None]] = {}
        self._facts: dict[str, str] = {}
        self.hidden = sorted(program.field_names() & needed_names(program))

    def of(self, module: Module) -> bytes:
        """Return the digest for the outputs of a module."""
        classes = self.program.of_module(module)
        keys: dict[str, None] = {}
        done: set[str] = set()
        for cls in classes:
            keys.update(dict.fromkeys(_of_methods(cls)))
            for one in (cls, *cls.ancestors()):
                if one.type_key in done:
                    break  # the ancestors of `one` were added together with `one`
                done.add(one.type_key)
                keys.update(self._own(one))
        parts = [self.options, repr(self.hidden), self.modules[module.key]]
        parts += [cls.type_key for cls in classes]
        parts += [self._of_class(key) for key in keys]
        text = "\x00".join(parts).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, digest_size=16).digest()

    def _own(self, cls: Class) -> dict[str, None]:
        """Return the type keys in the definition of a class, without the types of methods."""
        found = self._owns.get(cls.type_key)
        if found is None:
            found = self._owns[cls.type_key] = dict.fromkeys((cls.type_key, cls.parent.type_key))
            for one in cls.d.fields:
                found.update(dict.fromkeys(_of_field(one)))
        return found

    def _of_class(self, key: str) -> str:
        known = self._facts.get(key)
        if known is None:
            known = self._facts[key] = self._facts_of(key)
        return known

    def _facts_of(self, key: str) -> str:
        found = self.program.find(key)
        if found is None:
            return key
        if isinstance(found, Foreign):
            return repr((key, found.obj, found.ref, found.header, found.slots))
        place = self.program.circles.get(found.header)
        facts = (key, found.slots, found.final, sorted(found.broken), found.parent.type_key, place)
        own = self.digests.get(key, b"").hex()
        names = f"{found.marker} {found.ref_marker}"
        return f"{facts!r}{own}{names}{self.modules[found.module.key]}{bool(found.children)}"


def _face(module: Module) -> str:
    """Return a module without its classes, as text."""
    bare = dataclasses.replace(module, objects=(), mixins=(), externs=(), span=None)
    return f"{bare!r}{module.path}"


def _of_methods(cls: Class) -> Iterator[str]:
    """Yield the type keys of the classes in the methods of a class."""
    for method in cls.d.methods:
        for type_ in (method.returns, *(p.type for p in method.params)):
            yield from _of_type(type_)


def _of_field(one: FieldDef) -> Iterator[str]:
    yield from _of_type(one.type)
    if one.default is not None and isinstance(one.default.value, dict):
        for value in one.default.value.values():
            if isinstance(value, list) and value:
                yield str(value[0])


def _of_type(type_: TypeRef) -> Iterator[str]:
    if type_.origin == "class":
        yield type_.name
    for arg in type_.args:
        yield from _of_type(arg)
    if type_.cpp is not None and type_.cpp.as_type is not None:
        yield from _of_type(type_.cpp.as_type)
