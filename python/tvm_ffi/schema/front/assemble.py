# SPDX-License-Identifier: Apache-2.0
"""From raw files to a schema: names resolved, settings applied, every rule of the language checked.

Both Python readers end here, so a schema means the same however it was read.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable
from typing import Any, Optional

from .. import dsl, names
from ..diag import Bag, near
from ..ir import (
    ROOT_KEY,
    Doc,
    ExternDef,
    FieldDef,
    MethodDef,
    MixinDef,
    Module,
    ObjectDef,
    RefDef,
    Schema,
    Span,
    TypeRef,
)
from . import enums, numpydoc, settings
from . import fields as field_rules
from .index import BUILTIN_BASES, Index
from .raw import ClassName, RawClass, RawModule

_OWNED_ATTRS = ("__ffi_", "__any_", "__data_", "__enum_")


def assemble(
    raws: list[RawModule],
    bag: Bag,
    default_namespace: str = "",
    others: Iterable[Module] = (),
) -> Schema:
    """Return the schema of a set of files; what is wrong is reported and left out.

    `others` are modules that are known already: their names count, and they are not returned.
    """
    work = _Assembly(bag, default_namespace)
    for module in others:
        work.announce_made(module)
    for raw in raws:
        work.announce(raw)
    modules = tuple(work.module(raw) for raw in raws)
    return Schema(enums.extended(raws, modules, work.index, bag))


class _Class:
    """A raw class with its checked settings and its key."""

    def __init__(self, raw: RawClass, good: dict[str, Any]) -> None:
        self.raw = raw
        self.settings = good
        self.key = ""
        self.ref = ""


class _Assembly:
    """Builds the modules of one set."""

    def __init__(self, bag: Bag, default_namespace: str) -> None:
        self.bag = bag
        self.default_namespace = default_namespace
        self.index = Index(bag)
        self.classes: dict[str, list[_Class]] = {}
        self.refs: dict[str, _Class] = {}
        self.seen_keys: dict[str, Span] = {}
        self.enum_names: dict[str, str] = {}

    # --- first pass: names

    def announce(self, module: RawModule) -> None:
        """Make the names of a file known."""
        self.index.add_externs(module)
        options = module.spec.options if module.spec else {}
        todo = self.classes.setdefault(module.stem, [])
        for raw in module.classes:
            if raw.kind == "mixin":
                self.index.add_mixin(module.stem, raw)
                continue
            if raw.kind == "c_class":
                continue  # it mirrors C++ that is there; it is no source of any
            item = _Class(raw, settings.check(raw, self.bag))
            if "internal" in item.settings:
                self._announce_ref(module, item)
                continue
            self._announce_class(module.stem, item, options)
            if item.key:
                todo.append(item)

    def announce_made(self, module: Module) -> None:
        """Make the names of a finished module known."""
        for extern in module.externs:
            self.index.externs[(module.stem, extern.name)] = extern.type_key
            self.index.extern_keys.add(extern.type_key)
        for one in module.objects:
            self.seen_keys[one.type_key] = one.span or Span(module.path)
            self.index.add_class(module.stem, one.name, one.type_key)
            if one.ref:
                self.index.add_class(module.stem, one.ref.name, one.type_key)
            self.enum_names[one.type_key] = one.name
            entries = one.enum.entries if one.enum else ()
            self.index.enums[one.type_key] = {entry.name for entry in entries}

    def _announce_class(self, stem: str, item: _Class, options: dict[str, Any]) -> None:
        raw, good = item.raw, item.settings
        key = good.get("type_key") or raw.options.get("type_key") or ""
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
        if key in self.seen_keys:
            self.bag.add(
                "TS028",
                f"type key {key!r} is declared twice",
                raw.span,
                notes=[(self.seen_keys[key], "first declared here")],
            )
            return
        self.seen_keys[key] = raw.span
        item.key = key
        item.ref = self._ref_name(item, options)
        if (stem, raw.name) in self.index.keys:
            self.bag.add("TS028", f"class {raw.name} is declared twice in this file", raw.span)
        if not names.is_identifier(good.get("cpp_name", raw.name)):
            self.bag.add("TS039", f"{raw.name!r} cannot be the name of a C++ class", raw.span)
        self.index.add_class(stem, raw.name, key)
        if item.ref:
            self.index.add_class(stem, item.ref, key)
        self.enum_names[key] = raw.name
        self.index.enums[key] = {name for name, _, _ in raw.entries}

    def _ref_name(self, item: _Class, options: dict[str, Any]) -> str:
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
        if last == raw.name:  # the class is named like its reference; the object's name is made up
            suffix = options.get("obj_suffix", "Node")
            item.settings.setdefault("cpp_name", raw.name + suffix)
        return last

    def _announce_ref(self, module: RawModule, item: _Class) -> None:
        """Take a reference class that is declared by hand."""
        target = item.settings["internal"]
        if isinstance(target, type):
            target = ClassName(target.__name__, target.__module__.rpartition(".")[2])
        span = item.raw.settings["internal"][1]
        if not isinstance(target, ClassName):
            self.bag.add("TS023", "internal must be the object class", span)
            return
        for found in self.classes.get(target.module or module.stem, []):
            if found.raw.name == target.name:
                found.ref = item.raw.name
                self.refs[found.key] = item
                self.index.add_class(module.stem, item.raw.name, found.key)
                return
        self.bag.add("TS027", f"there is no class {target.name!r} above", span)

    # --- second pass: modules

    def module(self, raw: RawModule) -> Module:
        """Return a file's module."""
        options = raw.spec.options if raw.spec else {}
        span = raw.spec_span or Span(raw.path)
        namespace = options.get("namespace", self.default_namespace)
        if not names.is_namespace(namespace):
            self.bag.add("TS023", f"namespace must be a C++ namespace, found {namespace!r}", span)
            namespace = ""
        for name in ("header", "source"):
            if not _is_relative(options.get(name, "")):
                text = f"{name} must be a relative path without '..', found {options[name]!r}"
                self.bag.add("TS023", text, span)
        objects = []
        for item in self.classes.get(raw.stem, []):
            made = self._object(raw, item, options)
            if made is not None:
                objects.append(made)
        return Module(
            stem=raw.stem,
            namespace=namespace,
            header=options.get("header", ""),
            source=options.get("source", ""),
            python=options.get("python", ""),
            includes=tuple(options.get("includes", ())),
            source_includes=tuple(options.get("source_includes", ())),
            export=options.get("export", ""),
            closed=options.get("closed", False),
            dialect=options.get("dialect", ""),
            license=options.get("license", ""),
            doc=raw.doc.strip(),
            objects=tuple(objects),
            externs=tuple(self._extern(name, *pair) for name, pair in raw.externs.items()),
            mixins=tuple(self._mixin(raw, c) for c in raw.classes if c.kind == "mixin"),
            path=raw.path,
            span=span,
        )

    def _extern(self, name: str, spec: dsl.ExternSpec, span: Span) -> ExternDef:
        options = spec.options
        if not names.is_type_key(spec.type_key):
            self.bag.add("TS039", f"{spec.type_key!r} is no type key", span)
        return ExternDef(
            type_key=spec.type_key,
            obj=options["obj"],
            ref=options["ref"],
            header=options.get("header", ""),
            parent=options.get("parent", ROOT_KEY),
            slots=options.get("slots", -1),
            name=name,
            span=span,
        )

    def _mixin(self, module: RawModule, raw: RawClass) -> MixinDef:
        if raw.settings or raw.entries:
            self.bag.add("TS041", f"mixin {raw.name} can hold fields and methods only", raw.span)
        doc = numpydoc.parse(raw.doc, module.path, raw.doc_line)
        made = self._fields(module, raw, "", doc)
        return MixinDef(raw.name, raw.options.get("emit", "flat"), doc, tuple(made), raw.span)

    # --- classes

    def _object(
        self, module: RawModule, item: _Class, options: dict[str, Any]
    ) -> Optional[ObjectDef]:
        raw, good = item.raw, item.settings
        doc = numpydoc.parse(raw.doc, module.path, raw.doc_line)
        parent, enum_base, mixins, mixed = self._bases(module, item)
        own = self._fields(module, raw, item.key, doc)
        own = [*mixed, *own]
        self._check_fields(raw, own, doc, good)
        enum = enums.build(item.raw, enum_base, own, self.bag) if raw.entries or enum_base else None
        final = good.get("final", False)
        if final == "auto":
            final = False
        structural = good.get("structural_eq") or ""
        by_type = isinstance(good.get("child_slots"), dsl.AutoSlots)
        slots = good.get("child_slots", "auto")
        self._check_reduce(item)
        return ObjectDef(
            name=raw.name,
            type_key=item.key,
            parent=parent,
            ref=self._ref(item, enum_base),
            cpp_name=good.get("cpp_name", ""),
            doc=doc,
            fields=tuple(own),
            methods=tuple(self._methods(module, item)),
            enum=enum,
            mixins=tuple(mixins),
            visit_attrs=good.get("default_visit_attrs", True),
            sequal_reduce=good.get("default_sequal_reduce", True),
            shash_reduce=good.get("default_shash_reduce", True),
            s_equal=good.get("s_equal", ""),
            s_hash=good.get("s_hash", ""),
            structural_eq=structural,
            mutable=good.get("mutable", False),
            final=final,
            abstract=good.get("abstract", False),
            child_slots=f"auto+{slots.extra}" if by_type else str(slots),
            sealed=good.get("sealed", False),
            ctor=good.get("ctor", True),
            registration=good.get("registration", "init-block"),
            namespace=good.get("namespace", ""),
            header=good.get("header", ""),
            source=good.get("source", ""),
            includes=tuple(good.get("includes", ())),
            constants=self._constants(item, "obj_constants"),
            type_attrs=self._type_attrs(item),
            reserved=tuple(good.get("reserved", ())),
            renamed_from=good.get("renamed_from", ""),
            since=good.get("since", ""),
            deprecated=good.get("deprecated", "") or doc.deprecated,
            allow=tuple(raw.allow),
            span=raw.span,
        )

    def _bases(self, module: RawModule, item: _Class) -> tuple[str, str, list[str], list[FieldDef]]:
        """Return (parent key, kind of enum base, mixin names, mixin fields)."""
        raw = item.raw
        parents: list[tuple[str, str, Span]] = []
        mixins: list[str] = []
        mixed: list[FieldDef] = []
        for base, span in raw.bases:
            mixin = self.index.mixin(module.stem, base)
            if mixin is not None:
                mixins.append(mixin.name)
                doc = numpydoc.parse(mixin.doc, module.path, mixin.doc_line)
                for one in self._fields(module, mixin, item.key, doc):
                    mixed.append(dataclasses.replace(one, mixin=mixin.name))
                continue
            builtin = BUILTIN_BASES.get(base) if isinstance(base, type) else None
            if builtin is not None:
                parents.append((*builtin, span))
                continue
            key = self.index.class_key(module.stem, base, span, "a base")
            if key is not None:
                parents.append((key, "", span))
        if len(parents) > 1:
            text = f"class {raw.name} has {len(parents)} parents; objects have one"
            self.bag.add("TS033", text, parents[1][2], help="make the others mixins with @mixin")
        if not parents:
            return ROOT_KEY, "", mixins, mixed
        return parents[0][0], parents[0][1], mixins, mixed

    def _fields(self, module: RawModule, raw: RawClass, own_key: str, doc: Doc) -> list[FieldDef]:
        described = {entry.name: entry.text for entry in doc.attributes}
        made: list[FieldDef] = []
        for raw_field in raw.fields:
            one = field_rules.build(
                raw_field,
                lambda type_, span: self.index.type(module.stem, type_, span, own_key),
                self._entry_pair(module.stem),
                self.bag,
            )
            if one is None:
                continue
            if any(one.name == other.name for other in made):
                self.bag.add("TS032", f"field {one.name!r} is declared twice", raw_field.span)
                continue
            texts = [t for t in (described.get(one.name), one.doc, raw_field.comment) if t]
            if len(set(texts)) > 1:
                self.bag.add("TS311", f"field {one.name!r} has two different texts", raw_field.span)
            made.append(dataclasses.replace(one, doc=texts[0] if texts else ""))
        return made

    def _entry_pair(self, stem: str) -> Any:
        def find(owner: str, name: str, span: Span) -> Optional[list[str]]:
            key = self.index.class_key(stem, ClassName(owner), span, "an enum")
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

    def _check_fields(
        self, raw: RawClass, own: list[FieldDef], doc: Doc, good: dict[str, Any]
    ) -> None:
        known = {one.name for one in own}
        for entry in doc.attributes:
            if entry.name not in known:
                self.bag.add(
                    "TS038",
                    f"the documentation describes {entry.name!r}, which is no field",
                    entry.span or raw.span,
                    help=near(entry.name, known),
                )
        for one in own:
            if one.name in good.get("reserved", ()):
                self.bag.add("TS042", f"field name {one.name!r} is reserved", one.span or raw.span)
            if one.name in raw.settings:
                self.bag.add("TS032", f"{one.name!r} is a setting and a field", raw.span)

    def _check_reduce(self, item: _Class) -> None:
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

    def _ref(self, item: _Class, enum_base: str) -> Optional[RefDef]:
        if not item.ref:
            return None
        good = item.settings
        by_hand = self.refs[item.key].settings if item.key in self.refs else {}
        if item.key in self.refs:
            item.settings.setdefault("ref_constants", by_hand.get("ref_constants", {}))
        return RefDef(
            name=item.ref,
            # The references of the runtime's enums are never null.
            nullable=by_hand.get("nullable", good.get("nullable", not enum_base)),
            cow=by_hand.get("cow", good.get("cow", False)),
            constants=self._constants(item, "ref_constants"),
        )

    def _constants(self, item: _Class, name: str) -> dict[str, Any]:
        span = item.raw.settings[name][1] if name in item.raw.settings else item.raw.span
        made: dict[str, Any] = settings.literal(item.settings.get(name, {}), span, self.bag, name)
        return made

    def _type_attrs(self, item: _Class) -> dict[str, Any]:
        good, raw = item.settings, item.raw
        values: dict[str, Any] = {trait.name: trait.value for trait in good.get("traits", ())}
        values.update(good.get("type_attrs", {}))
        result = {}
        for name, value in values.items():
            where = "type_attrs" if "type_attrs" in raw.settings else "traits"
            span = raw.settings[where][1]
            if name.startswith(_OWNED_ATTRS):
                self.bag.add("TS043", f"type attribute {name!r} belongs to the runtime", span)
                continue
            result[name] = settings.literal(value, span, self.bag, f"type attribute {name!r}")
        return result

    def _methods(self, module: RawModule, item: _Class) -> list[MethodDef]:
        made = []
        fields = {one.name for one in item.raw.fields}
        for method in item.raw.methods:
            span = method.span or item.raw.span
            bad = method.name in fields or method.name in names.CPP_MEMBERS
            if method.native and (bad or not names.is_identifier(method.name)):
                self.bag.add("TS040", f"{method.name!r} cannot be the name of a method", span)
                continue
            resolved = self._signature(module.stem, item.key, method, span)
            if resolved is not None:
                made.append(resolved)
        return made

    def _signature(
        self, stem: str, own_key: str, method: MethodDef, span: Span
    ) -> Optional[MethodDef]:
        params = []
        for one in method.params:
            type_ = self.index.type(stem, one.type, span, own_key)
            if type_ is None:
                return None
            default = one.default
            if default is not None and not field_rules.fits(type_, default.value):
                text = f"parameter {one.name!r}: {default.value!r} is no "
                self.bag.add("TS035", text + field_rules.describe(type_), span)
                default = None
            params.append(dataclasses.replace(one, type=type_, default=default))
        returns: Optional[TypeRef] = self.index.type(stem, method.returns, span, own_key)
        if returns is None:
            return None
        return dataclasses.replace(method, params=tuple(params), returns=returns)


def _is_relative(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    return not os.path.isabs(path) and ".." not in parts and ":" not in path
