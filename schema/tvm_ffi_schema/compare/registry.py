# SPDX-License-Identifier: Apache-2.0
"""Make a schema from the types that a library or a module registers."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ..diag import Bag
from ..front import numpydoc
from ..front.fields import fits
from ..ir import (
    Default,
    Doc,
    EntryDef,
    EnumDef,
    ExternDef,
    FieldDef,
    MethodDef,
    Module,
    ObjectDef,
    ParamDef,
    RefDef,
    Schema,
    Span,
    TypeRef,
    abi,
    names,
)
from ..ir import json as ir_json
from ..link.program import RUNTIME
from .registry_load import facts_of
from .registry_types import INTEGERS, TypeReader, schema_of

_KINDS = tuple(abi.STRUCTURAL_KINDS)
_BASES = {"ffi.Enum": "enum", "ffi.IntEnum": "int", "ffi.StrEnum": "str"}
_MOST_LISTED = 8


def read(kind: str, sources: list[str], stem: str, bag: Bag) -> Schema | None:
    """Return the schema of the types that a library or a module registers.

    Parameters
    ----------
    kind
        ``lib`` or ``module``.
    sources
        Files of libraries or images, or names of modules; another process loads them.
    stem
        The name of the schema module in the returned schema.
    bag
        Receives the findings.

    """
    facts = facts_of(kind, sources, bag)
    if facts is None:
        return None
    made = _Reader(facts, stem, sources[0], bag)
    made.keeps_storage = kind == "lib"  # the layout of types defined in Python need not be kept
    return Schema((made.module(),))


#: Matches addresses in texts of values, since addresses differ between runs.
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class _Reader:
    """Converts facts to definitions."""

    def __init__(self, facts: list[dict[str, Any]], stem: str, source: str, bag: Bag) -> None:
        self.facts = {one["key"]: one for one in facts}
        self.stem = stem
        self.span = Span(source)
        self.bag = bag
        self.externs: dict[str, ExternDef] = {}
        self.keeps_storage = True
        self.without_sign: list[str] = []
        self.types = TypeReader(self._extern, self._note)

    def module(self) -> Module:
        objects = [self._object(one) for one in self.facts.values()]
        if self.without_sign:
            listed = ", ".join(self.without_sign[:_MOST_LISTED])
            rest = len(self.without_sign) - _MOST_LISTED
            listed += f" and {rest} more" if rest > 0 else ""
            self._note(f"a library does not tell whether these integers are unsigned: {listed}")
        spaces = {key.rpartition(".")[0] for key in self.facts}
        namespace = next(iter(spaces)).replace(".", "::") if len(spaces) == 1 else ""
        return Module(
            stem=self.stem,
            namespace=namespace if names.is_namespace(namespace) else "",
            objects=tuple(objects),
            externs=tuple(self.externs.values()),
            path=self.stem,
        )

    def _note(self, text: str) -> None:
        self.bag.add("TS605", _ADDRESS.sub("", text), self.span)

    def _extern(self, key: str) -> str:
        """Return a type key; record it as external if this schema does not declare it."""
        if key not in self.facts and key not in RUNTIME and key not in self.externs:
            last = key.rpartition(".")[2]
            space = "".join(f"::{part}" for part in key.split(".")[:-1])
            name = last if last not in (e.name for e in self.externs.values()) else f"{last}_"
            made = ExternDef(key, f"{space}::{last}Node", f"{space}::{last}", name=name)
            self.externs[key] = made
        return key

    # --- classes

    def _object(self, one: dict[str, Any]) -> ObjectDef:
        last = one["key"].rpartition(".")[2]
        base = _BASES.get(one["parent"], "object") if one["entries"] is not None else ""
        mutable = any(not f["frozen"] for f in one["fields"])
        fields = [self._field(one["key"], f, mutable) for f in one["fields"]]
        doc = numpydoc.parse(one["doc"], self.stem, 1) if one["doc"] else Doc()
        kind, states = self._kind(one)
        return ObjectDef(
            name=last if base not in ("", "object") else f"{last}Node",
            type_key=one["key"],
            parent=self._extern(one["parent"]),
            ref=RefDef(last, nullable=base in ("", "object") and self.keeps_storage),
            cpp_name=f"{last}Node" if base not in ("", "object") else "",
            doc=Doc(summary=doc.summary, text=doc.text),
            fields=tuple(fields),
            methods=_without_shorter([m for m in map(self._method, one["methods"]) if m]),
            enum=EnumDef(base, self._entries(one, base)) if base else None,
            sequal_reduce=states,
            shash_reduce=states,
            structural_eq=kind,
            type_attrs=self._attributes(one),
            mutable=mutable,
            final=one["final"] or None,
            abstract=one["abstract"] and not base,
        )

    def _kind(self, one: dict[str, Any]) -> tuple[str, bool]:
        """Return the structural kind for the schema, and the value of `sequal_reduce`.

        `shash_reduce` has the same value as `sequal_reduce`.
        """
        if one["entries"] is not None:
            return "", True
        parent = self.facts.get(one["parent"])
        inherited = parent["kind"] if parent is not None else 0
        if not self.keeps_storage and one["kind"]:
            return _KINDS[one["kind"]], True  # classes that are defined in Python state their kind
        if one["kind"] == inherited and one["kind"]:
            return "", True
        if one["kind"] == 0:
            return ("unsupported", True) if inherited else ("", False)
        return ("" if one["kind"] == 1 and not inherited else _KINDS[one["kind"]]), True

    def _attributes(self, one: dict[str, Any]) -> dict[str, Any]:
        """Return the type attributes with literal values; report other type attributes."""
        stated = {}
        for name, (kind, value) in one["attributes"].items():
            if kind == "literal":
                stated[name] = _literals(value)
            else:
                text = f"the type attribute {name!r} of {one['key']}, {value!s:.60}"
                self._note(f"{text}, cannot be written as a literal")
        return stated

    def _entries(self, one: dict[str, Any], base: str) -> tuple[EntryDef, ...]:
        made = []
        for entry in one["entries"]:
            value = {"int": entry["number"], "str": entry["name"]}.get(base)
            name = entry["name"] if names.is_identifier(entry["name"]) else f"v_{entry['number']}"
            made.append(EntryDef(name, value, _literals(entry["fields"])))
        return tuple(made)

    # --- members

    def _field(self, key: str, one: dict[str, Any], mutable: bool) -> FieldDef:
        type_ = self.types.read(schema_of(one["metadata"]), one["size"])
        if type_.origin in INTEGERS.values():
            type_ = self._signed(f"{key}.{one['name']}", type_, one["unsigned"])
        metadata = {k: v for k, v in one["metadata"].items() if k != "type_schema"}
        name = one["name"]
        if keyword.iskeyword(name) or not names.is_identifier(name):
            name = f"{name}_"
        return FieldDef(
            name=name,
            reflected_name=one["name"] if name != one["name"] else "",
            type=type_,
            default=self._default(f"{key}.{one['name']}", type_, one["default"]),
            doc=one["doc"] or "",
            frozen=True if mutable and one["frozen"] else None,
            init=one["init"],
            kw_only=one["kw_only"],
            repr=one["repr"],
            compare=one["compare"],
            hash=self._hash(one),
            structural_eq=one["structural_eq"].replace("def-pattern", "def"),
            metadata=metadata,
        )

    def _hash(self, one: dict[str, Any]) -> bool | None:
        """Return the setting `hash` of a field; None if the default has the same effect."""
        return None if one["hash"] and one["compare"] else bool(one["hash"])

    def _signed(self, where: str, type_: TypeRef, unsigned: bool | None) -> TypeRef:
        """Return an integer type, signed or unsigned; if this is not known, record the field."""
        if unsigned is None and self.keeps_storage:
            self.without_sign.append(f"{where} ({type_.origin})")
        return TypeRef(f"u{type_.origin}") if unsigned else type_

    def _default(self, where: str, type_: TypeRef, facts: Any) -> Default | None:
        if facts is None:
            return None
        word, kind, value = facts
        if kind == "entry":
            return Default("entry", value)
        literal = _literals(value) if kind == "literal" else None
        if kind == "none" or not fits(type_, literal):
            self._note(f"the default of {where}, {value!r:.60}, cannot be written as a literal")
            return None
        is_plain = not isinstance(literal, (list, dict))
        return Default("value" if is_plain and word == "value" else "factory", literal)

    def _method(self, one: dict[str, Any]) -> MethodDef | None:
        if one["name"].startswith("__") or not names.is_identifier(one["name"]):
            return None
        signature = self.types.read(schema_of(one["metadata"]), 8)
        if not signature.args:
            self._note(f"the signature of method {one['name']} is not known")
            return None
        params = signature.args[1:] if one["static"] else signature.args[2:]
        return MethodDef(
            name=one["name"],
            params=self._parameters(one, params),
            returns=signature.args[0],
            static=one["static"],
            doc=Doc(summary=" ".join(one["doc"].split())),
        )

    def _parameters(self, one: dict[str, Any], types: Sequence[TypeRef]) -> tuple[ParamDef, ...]:
        """Return the parameters, with names and defaults if the metadata contains them."""
        keywords: Any = import_module("tvm_ffi._signatures.keywords")
        try:
            known = keywords.of_metadata(json.dumps(one["metadata"]))
        except (ValueError, AttributeError, TypeError):
            known = None
        words, values = known or ((), ())
        usable = len(words) == len(types) and all(
            names.is_identifier(word) and not keyword.iskeyword(word) for word in words
        )
        if not usable:
            return tuple(ParamDef(f"arg{at}", type_) for at, type_ in enumerate(types))
        first = len(types) - len(values)
        made = [ParamDef(word, type_) for word, type_ in zip(words, types)]
        for at, value in enumerate(map(_literals, values), first):
            if not fits(types[at], value):
                self._note(f"a default of method {one['name']}, {value!r:.60}, is of another type")
                return tuple(ParamDef(word, type_) for word, type_ in zip(words, types))
            made[at] = ParamDef(words[at], types[at], Default("value", value))
        return tuple(made)


def _without_shorter(methods: list[MethodDef]) -> tuple[MethodDef, ...]:
    """Remove each overload to which another overload only appends parameters with defaults."""

    def is_shorter(one: MethodDef, full: MethodDef) -> bool:
        given, rest = full.params[: len(one.params)], full.params[len(one.params) :]
        same = (one.name, one.static, one.returns) == (full.name, full.static, full.returns)
        types = [p.type for p in one.params] == [p.type for p in given]
        return same and types and bool(rest) and all(p.default is not None for p in rest)

    return tuple(m for m in methods if not any(is_shorter(m, full) for full in methods))


def _literals(value: Any) -> Any:
    return ir_json._literal_in(value)
