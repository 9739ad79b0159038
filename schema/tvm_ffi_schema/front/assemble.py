# SPDX-License-Identifier: Apache-2.0
"""Convert raw files to a schema: resolve names, apply settings, check the rules of the language.

The static reader and the import reader both call this module, so a schema has the same meaning with
both readers.
"""

from __future__ import annotations

from collections.abc import Iterable

from .. import dsl
from ..diag import Bag
from ..dsl.table import EXTERN, MODULE, attributes
from ..ir import ExternDef, MixinDef, Module, Schema, Span, names
from . import enums, numpydoc
from .index import Index
from .objects import ObjectBuilder
from .raw import RawClass, RawModule


def assemble(
    raws: list[RawModule],
    bag: Bag,
    default_namespace: str = "",
    others: Iterable[Module] = (),
) -> Schema:
    """Return the schema of a set of files; report errors and omit the wrong parts.

    `others` contains the modules of other files. The files may refer to classes of these modules,
    but the returned schema does not contain the modules.
    """
    index = Index(bag)
    for module in others:
        index.announce_made(module)
    for raw in raws:
        index.announce(raw)
    work = _Assembly(index, bag, default_namespace)
    modules = tuple(work.module(raw) for raw in raws)
    return Schema(enums.extended(raws, modules, index, bag))


class _Assembly:
    """Builds the modules of a set of schema files."""

    def __init__(self, index: Index, bag: Bag, default_namespace: str) -> None:
        self.index = index
        self.bag = bag
        self.default_namespace = default_namespace
        self.objects = ObjectBuilder(index, bag)

    def module(self, raw: RawModule) -> Module:
        """Return the module of a raw file."""
        options = raw.spec.options if raw.spec else {}
        span = raw.spec_span or Span(raw.path)
        objects = []
        for item in self.index.classes.get(raw.path, []):
            made = self.objects.build(raw, item)
            if made is not None:
                objects.append(made)
        return Module(
            stem=raw.stem,
            doc=raw.doc.strip(),
            objects=tuple(objects),
            externs=tuple(self._extern(name, *pair) for name, pair in raw.externs.items()),
            mixins=tuple(self._mixin(raw, c) for c in raw.classes if c.kind == "mixin"),
            path=raw.path,
            span=span,
            **{"namespace": self.default_namespace, **attributes(MODULE, options)},
        )

    def _extern(self, name: str, spec: dsl.ExternSpec, span: Span) -> ExternDef:
        if not names.is_type_key(spec.type_key):
            self.bag.add("TS039", f"{spec.type_key!r} is not a type key", span)
        return ExternDef(
            type_key=spec.type_key,
            name=name,
            span=span,
            **attributes(EXTERN, spec.options),
        )

    def _mixin(self, module: RawModule, raw: RawClass) -> MixinDef:
        if raw.settings or raw.entries:
            self.bag.add("TS041", f"mixin {raw.name} can hold fields and methods only", raw.span)
        doc = numpydoc.parse(raw.doc, module.path, raw.doc_line)
        made = self.objects.fields(module, raw, "", doc)
        return MixinDef(raw.name, doc, tuple(made), raw.span)
