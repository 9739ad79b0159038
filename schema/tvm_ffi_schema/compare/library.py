# SPDX-License-Identifier: Apache-2.0
"""Compare a built library with the schema; another process loads the library.

The facts of a library have the paths of `facts`, and their differences have the ids of `rules`. The
values are those that the runtime knows: a type is a type schema, a default is a literal.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

from ..back.cpp_source import registered_name
from ..back.image import schema_of
from ..back.writer import one_line
from ..diag import Bag
from ..files.source import shown
from ..front.registry import facts_of
from ..ir import Default, FieldDef, MethodDef, TypeRef, abi
from ..ir import json as ir_json
from ..link import layout
from ..link.equality import effective_kind
from ..link.program import Class, Program
from .facts import Fact, Facts, different, part
from .rules import rules_of
from .written import written

#: Path of a rule -> what a message calls the fact; the placeholders are the names in the path.
_WHAT = {
    "bases": "the parent",
    "info/final": "final",
    "constants/slots": "the number of child slots",
    "constants/overflow": "sealed",
    "constants/kind": "structural equality",
    "registration/enum": "the list of entries",
    "registration/flags": "the constructor for Python",
    "attrs/*": "type attribute {!r}",
    "methods/*": "{}",
    "entries/*": "{}",
    "entries/*/word": "frozen of field {}",
    "entries/*/flags/*": "{1} of field {0}",
    "entries/*/default": "the default of field {}",
    "entries/*/types": "the signature of {}",
    "entries/*/doc": "the description of {}",
    "entries/*/metadata": "the metadata of field {}",
    "order": "fields",
    "fields/*/type": "the type of {}",
    "fields/*/place": "the place of {}",
    "labels": "the list of entries",
    "labels/*/number": "the number of entry {}",
    "labels/*/set/*": "{1} of entry {0}",
}
_KINDS = ("none", *tuple(abi.STRUCTURAL_KINDS)[1:])
_OF_POINTER = re.compile(r"Optional\[([^\[\]]*)\]")
_NUMBERS = {"ffi.SmallStr": "ffi.String", "ffi.SmallBytes": "ffi.Bytes"}
_METHODS = {True: "a static method", False: "a method"}
#: The text of a value that C++ computes, which is not compared with other values.
_UNKNOWN = "an expression"


def check(program: Program, path: str, bag: Bag) -> None:
    """Report differences between the types of a library and the schema."""
    wanted = sorted({name for cls in program.order for name in cls.d.type_attrs})
    facts = facts_of("lib", [path], bag, wanted)
    if facts is None:
        return
    by_key = {one["key"]: one for one in facts}
    for cls in program.order:
        found = by_key.get(cls.type_key)
        if found is None:
            near = ", ".join(sorted(by_key)[:5]) or "no types at all"
            text = f"{shown(path)} does not register {cls.type_key}; it registers {near}"
            bag.add("TS431", text, cls.span, help="build the library from this schema")
            continue
        compare(cls, program, found, os.path.basename(path), bag)


def compare(cls: Class, program: Program, found: dict[str, Any], library: str, bag: Bag) -> None:
    """Report differences between a class and the facts of the registry about it."""
    fields = {f.reflected_name or f.name: f for f in cls.d.fields if f.reflect}
    fields = fields if cls.d.visit_attrs else {}
    both = _Facts(cls, found, library.endswith(".tfs"))
    both.add("order", _listed([*fields]), _listed([one["name"] for one in found["fields"]]))
    if [*fields] == [one["name"] for one in found["fields"]]:
        slots = {s.name: s for s in layout.compute(cls, program).slots}
        for one, facts in zip(fields.values(), found["fields"]):
            both.field(one, facts, slots.get(one.name))
    for path, sign, here, there in different(both.here, both.there):
        rules, name = rules_of(path, sign)
        if not rules:
            continue
        names = name.split("\n")
        absent = "missing" if rules[0].path in ("methods/*", "entries/*") else "nothing"
        texts = [str(fact.value) if fact is not None else absent for fact in (there, here)]
        text = f"{_WHAT[rules[0].path].format(*names)} of {cls.type_key} "
        text += f"{'are' if path == 'order' else 'is'} {texts[0]} in {library}"
        span = fields[names[0]].span if names[0] in fields else None
        help_ = "" if rules[0].code == "TS434" else "Build the library from this schema."
        bag.add(rules[0].code, f"{text}, {texts[1]} in the schema", span or cls.span, help=help_)


class _Facts:
    """The facts of a class: `here` what the schema says, `there` what the library registers."""

    def __init__(self, cls: Class, found: dict[str, Any], is_image: bool) -> None:
        self.cls = cls
        self.here: Facts = {}
        self.there: Facts = {}
        self.add("bases", cls.parent.type_key, found["parent"])
        self.add("info/final", cls.final, found["final"])
        self.add("constants/slots", cls.slots, found["slots"])
        if cls.slots and not cls.final:
            self.add("constants/overflow", cls.sealed, found["sealed"])
        kind = effective_kind(cls, {}) or ("singleton" if cls.d.enum is not None else "")
        if kind:  # if the schema states no kind, hand-written C++ may state any kind
            self.add("constants/kind", kind, _KINDS[found["kind"]])
        if cls.d.abstract:
            self.add("registration/flags", "nothing", None if found["abstract"] else "registered")
        self._attributes(found["attributes"], is_image)
        self._methods(found["methods"])
        self._entries(found["entries"])

    def add(self, path: str, here: Any, there: Any) -> None:
        """Add a fact to both sides; None if a side does not have it."""
        for value, other, facts in ((here, there, self.here), (there, here, self.there)):
            if value is not None and (_UNKNOWN not in (here, there) or other is None):
                facts[path] = Fact(value)

    def _attributes(self, found: dict[str, Any], is_image: bool) -> None:
        for name, value in self.cls.d.type_attrs.items():
            here, there = _shown(value), None
            if name in found:
                there = _shown(found[name][1]) if found[name][0] == "literal" else _UNKNOWN
            is_code = "$cpp" in here or "$entry" in here
            if not (is_code and is_image):  # an image does not hold such values
                self.add(f"attrs/{part(name)}", _UNKNOWN if is_code else here, there)

    def _methods(self, found: list[dict[str, Any]]) -> None:
        for method in self.cls.native:
            name = "__ffi_init__" if method.name == "__init__" else method.name
            given = [one for one in found if one["name"] == name]
            if not (given or method.name == name):
                continue  # an image does not register constructors
            words = {_METHODS[one["static"]] for one in given}
            here, path = _METHODS[method.static or method.name != name], part(name)
            self.add(f"methods/{path}", here, max(words, key=here.__ne__, default=None))
            self._doc(path, method.doc.summary, [one_line(one["doc"]) for one in given])
            types = [_spelled(_parsed(one["metadata"]["type_schema"])) for one in given]
            wanted = _signature(self.cls, method)
            if words == {here} and wanted and wanted not in types:
                self.add(f"entries/{path}/types", wanted, " and ".join(types))
        known = {m.name for one in (self.cls, *self.cls.ancestors()) for m in one.d.methods}
        for one in found:
            if one["name"] not in known and not one["name"].startswith("__"):
                self.add(f"entries/{part(one['name'])}", None, _METHODS[one["static"]])

    def _doc(self, name: str, doc: str, given: list[str]) -> None:
        here = one_line(doc)
        if here and any(given):  # a description may be missing
            self.add(f"entries/{name}/doc", here, here if here in given else given[-1])

    def _entries(self, found: list[dict[str, Any]] | None) -> None:
        enum = self.cls.d.enum
        names = [] if enum is None else [registered_name(self.cls, one) for one in enum.entries]
        listed = None if found is None else _listed([one["name"] for one in found])
        if enum is None or found is None:
            self.add("registration/enum", None if enum is None else _listed(names), listed)
            return
        self.add("labels", _listed(names), listed)
        known = {one.reflected_name or one.name: one for one in self.cls.all_fields()}
        by_name = {one["name"]: one for one in found}
        for name, entry in zip(names, enum.entries):
            if name not in by_name:
                continue
            path = f"labels/{part(name)}"
            if enum.base == "int":
                self.add(f"{path}/number", entry.value, by_name[name]["number"])
            for field, value in by_name[name]["fields"].items():
                one = known.get(field)
                default = one.default if one is not None else None
                if one is not None and one.name in entry.fields:
                    default = Default("value", entry.fields[one.name])
                if one is not None and default is not None:
                    there = _shown(written(ir_json._literal_in(value), one.type))
                    self.add(f"{path}/set/{part(field)}", _default_text(default, one), there)

    def field(self, one: FieldDef, facts: dict[str, Any], slot: layout.Slot | None) -> None:
        """Add the facts of a field."""
        name, path = part(facts["name"]), f"entries/{part(facts['name'])}"
        if slot is not None:
            there = f"at {facts['offset']}, {facts['size']} bytes"
            self.add(f"fields/{name}/place", f"at {slot.offset}, {slot.size} bytes", there)
        type_ = facts["metadata"].get("type_schema")
        if type_ is not None and one.type.cpp is None:
            types = [_spelled(schema_of(one.type)), _spelled(_parsed(type_))]
            if self.cls.is_pointer(one.name):  # C++ stores this field as a nullable pointer
                types = [_OF_POINTER.sub(r"\1", text) for text in types]
            self.add(f"fields/{name}/type", *types)
        self.add(f"{path}/word", not self.cls.is_writable(one), facts["frozen"])
        for flag in ("init", "kw_only", "repr", "compare"):
            self.add(f"{path}/flags/{flag}", getattr(one, flag), facts[flag])
        self.add(f"{path}/flags/hash", one.hash is not False, facts["hash"])
        there = facts["structural_eq"].replace("def-pattern", "def") or "none"
        self.add(f"{path}/flags/structural_eq", one.structural_eq or "none", there)
        self._doc(name, one.doc, [one_line(facts["doc"] or "")])
        if one.metadata:
            metadata = {key: facts["metadata"].get(key) for key in one.metadata}
            self.add(f"{path}/metadata", _shown(one.metadata), _shown(metadata))
        stated = None if one.default is None else _default_text(one.default, one)
        given = None if facts["default"] is None else _given(facts["default"], one)
        if one.init or None not in (stated, given):
            # An image registers the initial value of a field with init=False as a default.
            self.add(f"{path}/default", stated, given)


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "none"


def _shown(value: Any) -> str:
    """Return a literal as text; equal numbers have the same text."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(ir_json._out(value), sort_keys=True)


def _signature(cls: Class, method: MethodDef) -> str:
    """Return the type of a method as text; empty if a type has no type schema."""
    types = [method.returns, *(one.type for one in method.params)]
    if method.name == "__init__":
        types[0] = TypeRef("ObjectRef")
    elif not method.static:
        types.insert(1, TypeRef("class", name=cls.type_key))
    if any(one.cpp is not None for one in types):
        return ""
    return _spelled(schema_of(TypeRef("Function", tuple(types))))


def _given(fact: Any, one: FieldDef) -> str:
    """Return the default that a library registers as text."""
    if fact[1] == "literal":
        return _shown(written(ir_json._literal_in(fact[2]), one.type))
    return f"entry {fact[2][1]}" if fact[1] == "entry" else _UNKNOWN


def _default_text(default: Default, one: FieldDef) -> str:
    if default.kind == "entry":
        return f"entry {default.value[1]}"
    return _UNKNOWN if default.kind == "cpp" else _shown(written(default.value, one.type))


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return {"type": str(text)}


def _spelled(schema: Any) -> str:
    """Return a type schema, which was parsed from JSON, in a short form for messages."""
    if not isinstance(schema, dict):
        return str(schema)
    name = str(schema.get("type", "Any"))
    name = _NUMBERS.get(name, name)
    named = schema.get("named_args")
    if named:
        params = ", ".join(map(_spelled, named.get("params", ())))
        returned = ", ".join(map(_spelled, named.get("return", ())))
        return f"{name}[[{params}], {returned}]"
    args = schema.get("args")
    return f"{name}[{', '.join(map(_spelled, args))}]" if args else name
