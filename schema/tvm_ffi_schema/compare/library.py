# SPDX-License-Identifier: Apache-2.0
"""Compare a built library with the schema; another process loads the library."""

from __future__ import annotations

import json
import os
import re
from typing import Any

from ..back.cpp_source import registered_name
from ..back.image import schema_of
from ..diag import Bag
from ..files.source import shown
from ..front.registry import facts_of
from ..ir import FieldDef, abi
from ..ir import json as ir_json
from ..link import layout
from ..link.equality import effective_kind
from ..link.program import Class, Program
from .written import written

_KINDS = ("none", *tuple(abi.STRUCTURAL_KINDS)[1:])
_OF_POINTER = re.compile(r"Optional\[([^\[\]]*)\]")
_NUMBERS = {"ffi.SmallStr": "ffi.String", "ffi.SmallBytes": "ffi.Bytes"}


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
        _Comparison(program, cls, found, os.path.basename(path), bag).run()


class _Comparison:
    """Compares the facts of one class with the schema."""

    def __init__(
        self, program: Program, cls: Class, found: dict[str, Any], name: str, bag: Bag
    ) -> None:
        self.program = program
        self.cls = cls
        self.found = found
        self.name = name
        self.bag = bag

    def run(self) -> None:
        self._says("TS404", "the parent", self.found["parent"], self.cls.parent.type_key)
        self._says_slots()
        self._attributes()
        self._methods()
        self._entries()
        fields = [f for f in self.cls.d.fields if f.reflect and self.cls.d.visit_attrs]
        given = [one["name"] for one in self.found["fields"]]
        expected = [f.reflected_name or f.name for f in fields]
        if given != expected:
            self._says("TS412", "fields", _listed(given), _listed(expected), verb="are")
            return
        slots = {s.name: s for s in layout.compute(self.cls, self.program).slots}
        for one, facts in zip(fields, self.found["fields"]):
            slot = slots.get(one.name)
            if slot is not None:
                there = f"at {facts['offset']}, {facts['size']} bytes"
                here = f"at {slot.offset}, {slot.size} bytes"
                self._says("TS434", f"the place of {facts['name']}", there, here, one)
            self._type(one, facts)
            self._flags(one, facts)

    def _says(
        self,
        rule: str,
        what: str,
        there: Any,
        here: Any,
        one: FieldDef | None = None,
        verb: str = "is",
    ) -> None:
        """Report the property `what` if its values in the library and in the schema differ."""
        if there == here:
            return
        text = f"{what} of {self.cls.type_key} {verb} {there} in {self.name}, {here} in the schema"
        span = one.span if one is not None and one.span is not None else self.cls.span
        help_ = "" if rule == "TS434" else "Build the library from this schema."
        self.bag.add(rule, text, span, help=help_)

    def _says_slots(self) -> None:
        cls, found = self.cls, self.found
        self._says("TS424", "final", found["final"], cls.final)
        self._says("TS422", "the number of child slots", found["slots"], cls.slots)
        if cls.slots and not cls.final:
            self._says("TS422", "sealed", found["sealed"], cls.sealed)

    # --- fields

    def _type(self, one: FieldDef, facts: dict[str, Any]) -> None:
        text = facts["metadata"].get("type_schema")
        if text is None or one.type.cpp is not None:
            return
        there, here = _spelled(_parsed(text)), _spelled(schema_of(one.type))
        if self.cls.is_pointer(one.name):  # C++ stores this field as a nullable pointer
            there, here = _OF_POINTER.sub(r"\1", there), _OF_POINTER.sub(r"\1", here)
        self._says("TS411", f"the type of {facts['name']}", there, here, one)

    def _flags(self, one: FieldDef, facts: dict[str, Any]) -> None:
        name = facts["name"]
        writable = self.cls.is_writable(one)
        pairs = {
            "frozen": (facts["frozen"], not writable),
            "init": (facts["init"], one.init),
            "kw_only": (facts["kw_only"], one.kw_only),
            "repr": (facts["repr"], one.repr),
            "compare": (facts["compare"], one.compare),
            "hash": (facts["hash"], one.hash is not False),
            "structural_eq": (
                facts["structural_eq"].replace("def-pattern", "def") or "none",
                one.structural_eq or "none",
            ),
        }
        for flag, (there, here) in pairs.items():
            rule = "TS413" if flag == "frozen" else "TS416"
            self._says(rule, f"{flag} of field {name}", there, here, one)
        self._default(one, facts)

    def _default(self, one: FieldDef, facts: dict[str, Any]) -> None:
        there, here = _default_there(facts["default"], one), _default_here(one)
        if "an expression" in (there, here) and "nothing" not in (there, here):
            return  # the values of expressions in C++ are unknown
        if not one.init and "nothing" in (there, here):
            return  # an image registers the initial value of a field with init=False as a default
        rule = "TS415" if "nothing" in (there, here) else "TS414"
        self._says(rule, f"the default of field {facts['name']}", there, here, one)

    # --- attributes, methods and entries

    def _attributes(self) -> None:
        cls = self.cls
        kind = effective_kind(cls, {}) or ("singleton" if cls.d.enum is not None else "")
        if kind:  # if the schema states no kind, hand-written C++ may state any kind
            self._says("TS417", "structural equality", _KINDS[self.found["kind"]], kind)
        for name, value in cls.d.type_attrs.items():
            fact = self.found["attributes"].get(name)
            there = "nothing" if fact is None else _shown(fact[1])
            here = _shown(value)
            is_code = "$cpp" in here or "$entry" in here
            if (fact is not None and (fact[0] != "literal" or is_code)) or (
                is_code and self.name.endswith(".tfs")
            ):
                continue
            self._says("TS438", f"type attribute {name!r}", there, here)

    def _methods(self) -> None:
        known = {one["name"]: one["static"] for one in self.found["methods"]}
        for method in self.cls.d.methods:
            if not method.native or method.name == "__init__":
                continue
            words = {True: "a static method", False: "a method", None: "missing"}
            there, here = words[known.get(method.name)], words[method.static]
            self._says("TS420", method.name, there, here)

    def _entries(self) -> None:
        if self.cls.d.enum is None:
            return
        there = [one["name"] for one in self.found["entries"] or ()]
        here = [registered_name(self.cls, one) for one in self.cls.entries]
        self._says("TS430", "the list of entries", _listed(there), _listed(here))
        if self.cls.enum_base != "int":
            return
        numbers = {one["name"]: one["number"] for one in self.found["entries"] or ()}
        for entry in self.cls.entries:
            there_number = numbers.get(entry.name, entry.value)
            self._says("TS430", f"the number of entry {entry.name}", there_number, entry.value)


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "none"


def _shown(value: Any) -> str:
    """Return a literal as text; equal numbers have the same text."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(ir_json._out(value), sort_keys=True)


def _default_there(fact: Any, one: FieldDef) -> str:
    if fact is None:
        return "nothing"
    if fact[1] == "literal":
        return _shown(written(ir_json._literal_in(fact[2]), one.type))
    return f"entry {fact[2][1]}" if fact[1] == "entry" else "an expression"


def _default_here(one: FieldDef) -> str:
    default = one.default
    if default is None:
        return "nothing"
    if default.kind == "entry":
        return f"entry {default.value[1]}"
    return "an expression" if default.kind == "cpp" else _shown(written(default.value, one.type))


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
