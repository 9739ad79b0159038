# SPDX-License-Identifier: Apache-2.0
"""The second pass over raw files: build and check the definition of one class."""

from __future__ import annotations

import dataclasses
from typing import Any

from .. import dsl
from ..diag import Bag, near
from ..dsl.table import CLASS, attributes
from ..ir import (
    ROOT_KEY,
    Default,
    Doc,
    FieldDef,
    MethodDef,
    ObjectDef,
    ParamDef,
    RefDef,
    Span,
    TypeRef,
)
from . import enums, numpydoc, settings
from . import fields as field_rules
from .index import BUILTIN_BASES, Announced, Index
from .raw import ClassName, RawClass, RawModule

_OWNED_ATTRS = ("__ffi_", "__any_", "__data_", "__enum_", "__s_")
#: Type attributes of the runtime that a class may set: functions that the runtime calls.
_HOOKS = frozenset(
    (
        *("__ffi_repr__", "__ffi_hash__", "__ffi_eq__", "__ffi_compare__", "__ffi_convert__"),
        *("__any_hash__", "__any_equal__", "__data_to_json__", "__data_from_json__"),
        *("__s_visit__", "__s_mutate__"),
    )
)
#: Type attributes of the runtime -> what to write instead.
_BY_SETTING = {
    "__s_equal__": "write SEqual in a custom section of the class",
    "__s_hash__": "write SHash in a custom section of the class",
    "__ffi_type_final__": "use the setting final",
}


class ObjectBuilder:
    """Makes definitions of announced classes; reports errors and omits the wrong parts."""

    def __init__(self, index: Index, bag: Bag) -> None:
        self.index = index
        self.bag = bag

    def build(self, module: RawModule, item: Announced) -> ObjectDef | None:
        """Return the definition of a class."""
        raw, good = item.raw, item.settings
        doc = numpydoc.parse(raw.doc, module.path, raw.doc_line)
        parent, enum_base, mixins, mixed = self._bases(module, item)
        own = self.fields(module, raw, item.key, doc)
        own = [*mixed, *own]
        self._check_fields(raw, own, doc)
        enum = None
        if raw.entries or enum_base:
            enum = enums.build(item.raw, enum_base, own, doc, self.bag)
        self._check_reduce(item)
        made = attributes(CLASS, good)
        made["type_attrs"] = self._type_attrs(item)
        made["deprecated"] = made.get("deprecated") or doc.deprecated
        return ObjectDef(
            name=raw.name,
            type_key=item.key,
            parent=parent,
            ref=self._ref(item, enum_base),
            cpp_name=item.cpp_name,
            doc=doc,
            fields=tuple(own),
            methods=tuple(self._methods(module, item)),
            enum=enum,
            mixins=tuple(mixins),
            allow=tuple(raw.allow),
            span=raw.span,
            **made,
        )

    def _bases(
        self, module: RawModule, item: Announced
    ) -> tuple[str, str, list[str], list[FieldDef]]:
        """Return (parent key, kind of enum base, mixin names, mixin fields)."""
        raw = item.raw
        parents: list[tuple[str, str, Span]] = []
        mixins: list[str] = []
        mixed: list[FieldDef] = []
        for base, span in raw.bases:
            mixin = self.index.mixin(module.path, base)
            if mixin is not None:
                mixins.append(mixin.name)
                doc = numpydoc.parse(mixin.doc, module.path, mixin.doc_line)
                for one in self.fields(module, mixin, item.key, doc):
                    mixed.append(dataclasses.replace(one, mixin=mixin.name))
                continue
            builtin = BUILTIN_BASES.get(base) if isinstance(base, type) else None
            if builtin is not None:
                parents.append((*builtin, span))
                continue
            key = self.index.class_key(module.path, base, span, "a base")
            if key is not None:
                parents.append((key, "", span))
        if len(parents) > 1:
            text = f"class {raw.name} has {len(parents)} parents; objects have one"
            self.bag.add("TS033", text, parents[1][2], help="make the others mixins with @mixin")
        if not parents:
            return ROOT_KEY, "", mixins, mixed
        return parents[0][0], parents[0][1], mixins, mixed

    def fields(self, module: RawModule, raw: RawClass, own_key: str, doc: Doc) -> list[FieldDef]:
        """Return the fields of a class or a mixin, without fields that have errors."""
        described = {entry.name: entry.text for entry in doc.attributes}
        made: list[FieldDef] = []
        for raw_field in raw.fields:
            one = field_rules.build(
                raw_field,
                lambda type_, span: self.index.type(module.path, type_, span, own_key),
                self._entry_pair(module.path),
                described.get(raw_field.name, ""),
                self.bag,
            )
            if one is None:
                continue
            if any(one.name == other.name for other in made):
                self.bag.add("TS032", f"field {one.name!r} is declared twice", raw_field.span)
                continue
            made.append(one)
        return made

    def _entry_pair(self, file: str) -> Any:
        def find(owner: str, name: str, span: Span) -> list[str] | None:
            is_key = owner in self.index.enums  # prototypes name enums by their type keys
            key = owner if is_key else self.index.class_key(file, ClassName(owner), span, "an enum")
            if key is None:
                return None
            known = self.index.enums.get(key, set())
            if name not in known:
                self.bag.add(
                    "TS036", f"{owner} has no entry {name!r}", span, help=near(name, known)
                )
                return None
            return [key, name]

        return find

    def _check_fields(self, raw: RawClass, own: list[FieldDef], doc: Doc) -> None:
        known = {one.name for one in own} | {name for name, _, _ in raw.entries}
        for entry in doc.attributes:
            if entry.name not in known:
                self.bag.add(
                    "TS038",
                    f"the documentation describes {entry.name!r}, which is not a field",
                    entry.span or raw.span,
                    help=near(entry.name, known),
                )
        for one in own:
            if one.name in raw.settings:
                self.bag.add("TS032", f"{one.name!r} is a setting and a field", raw.span)

    def _check_reduce(self, item: Announced) -> None:
        good = item.settings
        equal, hash_ = (good.get(f"default_{name}_reduce", True) for name in ("sequal", "shash"))
        if equal != hash_:
            name = "default_sequal_reduce" if not equal else "default_shash_reduce"
            self.bag.add(
                "TS025",
                f"class {item.raw.name} writes only one of structural equality and hash by hand",
                item.raw.settings[name][1],
                help="set both to False: equal objects must have equal hashes",
            )

    def _ref(self, item: Announced, enum_base: str) -> RefDef | None:
        # By default, a reference to an enum with a base class of the runtime is never null.
        nullable = item.settings.get("nullable", not enum_base)
        accepts_none = bool(item.settings.get("nullable"))
        return RefDef(item.ref, nullable, accepts_none) if item.ref else None

    def _type_attrs(self, item: Announced) -> dict[str, Any]:
        good, raw = item.settings, item.raw
        values: dict[str, Any] = {trait.name: trait.value for trait in good.get("traits", ())}
        values.update(good.get("type_attrs", {}))
        result = {}
        for name, value in values.items():
            where = "type_attrs" if "type_attrs" in raw.settings else "traits"
            span = raw.settings[where][1]
            if name.startswith(_OWNED_ATTRS) and not self._is_hook(name, value, span):
                continue
            result[name] = settings.literal(value, span, self.bag, f"type attribute {name!r}")
        return result

    def _is_hook(self, name: str, value: Any, span: Span) -> bool:
        """Return whether a class may set a type attribute; report an error if it may not."""
        text = f"type attribute {name!r} belongs to the runtime"
        if name in _BY_SETTING:
            self.bag.add("TS043", text, span, help=_BY_SETTING[name])
        elif name not in _HOOKS:
            self.bag.add("TS043", text, span, help=near(name, _HOOKS))
        elif not isinstance(value, dsl.CppText):
            text = f"type attribute {name!r} is called by the runtime: it must be a function"
            self.bag.add("TS043", text, span, help='write  cpp("&Name::Function")')
        else:
            return True
        return False

    def _methods(self, module: RawModule, item: Announced) -> list[MethodDef]:
        made = []
        fields = {one.name for one in item.raw.fields}
        for method in item.raw.methods:
            span = method.span or item.raw.span
            if method.native and method.name in fields:
                self.bag.add("TS040", f"{method.name!r} is a field and a method", span)
                continue
            resolved = self._signature(module.path, item.key, method, span)
            if resolved is not None:
                made.append(resolved)
        return made

    def _signature(
        self, file: str, own_key: str, method: MethodDef, span: Span
    ) -> MethodDef | None:
        params = []
        for one in method.params:
            type_ = self.index.type(file, one.type, span, own_key)
            if type_ is None:
                return None
            default = self._param_default(one, type_, span)
            params.append(dataclasses.replace(one, type=type_, default=default))
        returns: TypeRef | None = self.index.type(file, method.returns, span, own_key)
        if returns is None:
            return None
        return dataclasses.replace(method, params=tuple(params), returns=returns)

    def _param_default(self, one: ParamDef, type_: TypeRef, span: Span) -> Default | None:
        """Return the default of a parameter in the form of the IR."""
        if one.default is None:
            return None
        given = one.default.value
        value = settings.literal(given, span, self.bag, f"parameter {one.name!r}")
        if field_rules.fits(type_, value):
            return Default("value", value)
        field_rules.report_misfit(f"parameter {one.name!r}", type_, given, span, self.bag)
        return None
