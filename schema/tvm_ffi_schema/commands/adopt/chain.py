# SPDX-License-Identifier: Apache-2.0
"""Read the fields and methods in registration chains."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from ...cxx import values as cpp_value
from ...cxx.constructs import USUAL
from ...cxx.model import Call, CppClass, Statement, last_name
from ...cxx.pattern import Construct
from ...ir import Default, EntryDef
from .tree import Refused

_FACTORY = re.compile(r"\[\]\(\)(?:->[^{]*)?\{return\b ?(?P<type>.*?)(?:\(\)|\{\});\}\Z", re.DOTALL)
_NAMES = re.compile(r'\{"arg_names", ?"([\w,]*)"\}')


#: The attributes of a field, and of a method, that the arguments of its registration may state.
FIELD = ("doc", "default", "structural_eq", "not_null", *USUAL)
METHOD = ("doc", "metadata", "short")


def read(chain: Statement) -> tuple[dict[str, Call], list[Call]]:
    """Return member -> registration of the fields, and the methods, in the order of the chain.

    Calls that the tool does not know are left out; `verify.respelled` finds them.

    Raises
    ------
    Refused
        If an entry does not name a member, or if a name or a member is registered twice.

    """
    fields: dict[str, Call] = {}
    methods: list[Call] = []
    seen: set[str] = set()
    for call in chain.entries:
        if call.kind in ("ro", "rw"):
            name = member(call, "field")
            if name in fields:
                raise Refused(f"{name} is registered twice", call.name_span)
            fields[name] = call
        elif call.kind in ("method", "static", "init"):
            methods.append(call)
        else:
            continue
        if call.name in seen:
            raise Refused(f"{call.name!r} is registered twice", call.name_span)
        seen.add(call.name)
    return fields, methods


def member(call: Call, what: str) -> str:
    """Return the member that a call registers."""
    name = call.text("member")
    if not name or call.text("types"):
        text = f"{what} {call.name!r} is registered from an expression, not from a member"
        place = call.place("types" if call.text("types") else "value")
        raise Refused(text, place, "write a member of the class, and register that")
    return last_name(name)


def stated(made: Construct, name: str, words: Collection[str]) -> dict[str, Any]:
    """Return attribute -> value for the arguments of a registration, by the table of constructs.

    `metadata` has the names of parameters as its value.

    Raises
    ------
    Refused
        If an argument states something else than `words`, or a value that is not known.

    """
    out: dict[str, Any] = {}
    for trait in made.items("traits"):
        word, value = trait.row.ir or ("", None)
        if word == "doc":
            value = trait.text("text")
        elif word == "default":
            value = default(trait)
        elif word == "metadata":
            match = _NAMES.fullmatch(trait.text("pairs"))
            value = match[1].split(",") if match is not None else None
        if word not in words or value is None:
            given = trait.text("text") or trait.write("")
            raise Refused(f"the schema has no word for {given} of {name!r}", trait.span)
        out[word] = value
    return out


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


def visited(found: CppClass, code: list[str]) -> dict[str, Call]:
    """Return member -> visit of the own fields that VisitAttrs visits, in the order of the visits.

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
    out = {}
    for call in found.visited or ():
        name = call.text("member").removeprefix("this->")
        if not name.isidentifier():
            raise Refused(f"VisitAttrs visits {call.write()}, not a member", call.word)
        if name in own:
            out[name] = call
    return out


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
