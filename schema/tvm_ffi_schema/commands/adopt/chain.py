# SPDX-License-Identifier: Apache-2.0
"""Read the fields and methods in registration chains."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NoReturn

from ...cxx import values as cpp_value
from ...cxx.constructs import USUAL
from ...cxx.model import Call, CppClass, Statement, last_name
from ...cxx.pattern import Construct
from ...ir import Default, EntryDef
from .tree import Refused

_FACTORY = re.compile(r"\[\]\(\)(?:->[^{]*)?\{return\b ?(?P<type>.*?)(?:\(\)|\{\});\}\Z", re.DOTALL)
_NAMES = re.compile(r'\{"arg_names", ?"([\w,]*)"\}')


@dataclass
class Registered:
    """A registered field: its name and member; `options` has arguments for `FieldDef`."""

    name: str
    member: str
    entry: Call
    writable: bool
    options: dict[str, Any]
    default: Default | None = None
    doc: str = ""


@dataclass
class Method:
    """A registered method or constructor.

    For a constructor, `init` has the C++ types of the parameters. `params` has the registered names
    of the parameters; it is empty if the declaration gives the names.
    """

    name: str
    member: str
    entry: Call
    static: bool
    doc: str = ""
    init: str | None = None
    params: list[str] = field(default_factory=list)


def read(chain: Statement) -> tuple[list[Registered], list[Method]]:
    """Return the fields and the methods of a chain, each in the order of registration.

    Calls that the tool does not know are left out; `verify.respelled` finds them.

    Raises
    ------
    Refused
        If a schema cannot express an entry, or if two entries have the same name.

    """
    fields: list[Registered] = []
    methods: list[Method] = []
    seen: set[str] = set()
    for entry in chain.entries:
        if entry.kind in ("ro", "rw"):
            fields.append(_field(entry))
        elif entry.kind in ("method", "static", "init"):
            methods.append(_method(entry))
        else:
            continue
        if entry.name in seen:
            raise Refused(f"{entry.name!r} is registered twice", entry.name_span)
        seen.add(entry.name)
    return fields, methods


def entries(statements: list[Statement]) -> list[EntryDef]:
    """Return the entries of an enum, in the order of the statements.

    Raises
    ------
    Refused
        If the name, the number or a value of an entry cannot be read.

    """
    out = []
    for one in statements:
        if one.kind != "entry":
            continue
        name = one.head.text("name")
        number = cpp_value.value(one.head.text("number") or "nullptr")
        wrong = next((call for call in one.entries if call.kind == "other"), None)
        if not name.isidentifier() or number is None or wrong is not None:
            raise Refused("this entry of the enum cannot be read", one.span)
        value = None if isinstance(number, tuple) else number
        given: dict[str, dict[str, Any]] = {"set": {}, "attr": {}}
        for call in one.entries:
            made = default(call)
            assert made is not None
            given[call.kind][call.name] = {"$cpp": made.value} if made.kind == "cpp" else made.value
        out.append(EntryDef(name, value, given["set"], given["attr"]))
    return out


def visited(found: CppClass, code: list[str]) -> list[Registered]:
    """Return the own fields of a class that VisitAttrs visits, in the order of the visits.

    `code` are the tokens of VisitAttrs.

    Raises
    ------
    Refused
        If the body of VisitAttrs is not found, or does something else than to visit members.

    """
    if found.visited is None and "VisitAttrs" in found.methods:
        span = found.methods["VisitAttrs"][-1].span
        raise Refused(f"the body of VisitAttrs of {found.name} is not in the class", span)
    if code.count(";") != len(found.visited or ()):
        span = found.methods["VisitAttrs"][-1].span
        raise Refused(f"VisitAttrs of {found.name} does more than to visit members", span)
    own = {member.name for member in found.members}
    out = []
    for entry in found.visited or ():
        member = entry.text("member").removeprefix("this->")
        if not member.isidentifier():
            raise Refused(f"VisitAttrs visits {entry.write()}, not a member", entry.word)
        if member in own:
            out.append(Registered(entry.text("name"), member, entry, False, {}))
    return out


def _member(entry: Call, what: str) -> str:
    name = entry.text("member")
    if not name or entry.text("types"):
        text = f"{what} {entry.name!r} is registered from an expression, not from a member"
        place = entry.place("types" if entry.text("types") else "value")
        raise Refused(text, place, "write a member of the class, and register that")
    return last_name(name)


def _field(entry: Call) -> Registered:
    found = Registered(entry.name, _member(entry, "field"), entry, entry.kind == "rw", options={})
    for trait in entry.items("traits"):
        if trait.kind == "doc":
            found.doc = trait.text("text")
        elif trait.kind in ("default", "factory"):
            found.default = default(trait)
            if found.default is None:
                _refuse(trait, entry.name)
        elif trait.kind in (*USUAL, "structural_eq") and trait.row.ir is not None:
            word, value = trait.row.ir
            if value != USUAL.get(word):
                found.options[word] = value
        else:
            _refuse(trait, entry.name)
    if "compare" in found.options:  # C++ takes a field out of comparison and hash one by one
        found.options.setdefault("hash", True)
    return found


def _refuse(trait: Construct, name: str) -> NoReturn:
    given = trait.text("text") or trait.write("")
    raise Refused(f"the schema has no word for {given} of {name!r}", trait.span)


def default(trait: Construct) -> Default | None:
    """Return a C++ expression as a default: its value if that is known, otherwise its text."""
    text = trait.text("value")
    if trait.kind == "factory":
        match = _FACTORY.match(text)
        if match is None:
            return None
        is_map = last_name(match["type"].partition("<")[0]) in ("Map", "Dict")
        return Default("factory", {} if is_map else [])
    value = cpp_value.value(text)
    if value == ("null",):
        return Default("value", None)
    if value is None or isinstance(value, tuple):
        return Default("cpp", text)
    return Default("value", value)


def _method(entry: Call) -> Method:
    doc = ""
    names: list[str] = []
    for trait in entry.items("traits"):
        match = _NAMES.fullmatch(trait.text("pairs"))
        if trait.kind == "doc":
            doc += trait.text("text")
        elif match is not None and entry.kind != "init":
            names = match[1].split(",")
        else:
            _refuse(trait, "__init__" if entry.kind == "init" else entry.name)
    if entry.kind == "init":
        return Method("__init__", "", entry, False, doc, entry.text("types"))
    member = _member(entry, "method")
    return Method(entry.name, member, entry, entry.kind == "static", doc, params=names)
