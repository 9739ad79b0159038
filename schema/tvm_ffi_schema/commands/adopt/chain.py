# SPDX-License-Identifier: Apache-2.0
"""Read the fields and methods in registration chains."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...cxx import values as cpp_value
from ...cxx.model import Call, Statement, last_name
from ...ir import Default
from .tree import Refused

_FLAG = re.compile(r"(?:[\w:]*::)?(?P<name>\w+)\((?P<value>true|false)\)\Z")
_KIND = re.compile(r"(?:[\w:]*::)?AttachFieldFlag::SEqHash(?P<kind>\w+)\(\)\Z")
_KINDS = {"Ignore": "ignore", "Def": "def", "DefPattern": "def", "DefSimple": "def-simple"}
_DEFAULT = re.compile(
    r"(?:[\w:]*::)?(?:default_value|DefaultValue)[({](?P<value>.*)[)}]\Z", re.DOTALL
)
_FACTORY = re.compile(
    r"(?:[\w:]*::)?(?:default_factory|DefaultFactory)\(\[\]\(\)(?:->[^{]*)?\{"
    r"return\b ?(?P<type>.*?)(?:\(\)|\{\});\}\)\Z",
    re.DOTALL,
)
_INIT = re.compile(r"(?:[\w:]*::)?init<(?P<types>.*)>\(\)\Z", re.DOTALL)
_NAMED = re.compile(r'(?:[\w:]*::)?Metadata\{\{"arg_names",')
_MEMBER = re.compile(r"&(?P<owner>[\w:]+)::(?P<name>\w+)\Z")


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

    For a constructor, `init` has the C++ types of the parameters. `named` is the registered
    metadata with the names of the parameters, which the generator also writes.
    """

    name: str
    member: str
    entry: Call
    static: bool
    doc: str = ""
    init: str | None = None
    named: str = ""


def read(chain: Statement) -> tuple[list[Registered], list[Method]]:
    """Return the fields and the methods of a chain, each in the order of registration.

    Raises
    ------
    Refused
        If a schema cannot express an entry, or if two entries have the same name.

    """
    fields: list[Registered] = []
    methods: list[Method] = []
    for entry in chain.entries:
        if entry.method in ("def_ro", "def_rw"):
            fields.append(_field(entry))
        elif entry.method in ("def", "def_static"):
            methods.append(_method(entry))
        else:
            raise Refused(f"the schema has no word for .{entry.method}(...)", entry.word)
    seen: dict[str, Call] = {}
    for entry in chain.entries:
        if entry.name in seen:
            raise Refused(f"{entry.name!r} is registered twice", entry.name_span)
        seen[entry.name] = entry
    return fields, methods


def _member(entry: Call, what: str) -> str:
    match = _MEMBER.match(entry.args[0]) if entry.args else None
    if match is None:
        text = f"{what} {entry.name!r} is registered from an expression, not from a member"
        place = entry.arg_spans[0] if entry.arg_spans else entry.word
        raise Refused(text, place, "write a member of the class, and register that")
    return match["name"]


def _field(entry: Call) -> Registered:
    found = Registered(
        entry.name, _member(entry, "field"), entry, entry.method == "def_rw", options={}
    )
    for argument, span in zip(entry.args[1:], entry.arg_spans[1:]):
        text = cpp_value.text(argument)
        flag, kind = _FLAG.match(argument), _KIND.match(argument)
        value, factory = _DEFAULT.match(argument), _FACTORY.match(argument)
        if text is not None:
            found.doc = text
        elif flag is not None and flag["name"] in ("repr", "compare", "hash", "init", "kw_only"):
            is_on = flag["value"] == "true"
            if is_on == (flag["name"] == "kw_only"):
                found.options[flag["name"]] = is_on
        elif kind is not None and kind["kind"] in _KINDS:
            found.options["structural_eq"] = _KINDS[kind["kind"]]
        elif factory is not None:
            is_map = last_name(factory["type"].partition("<")[0]) in ("Map", "Dict")
            found.default = Default("factory", {} if is_map else [])
        elif value is not None:
            found.default = default(value["value"])
        else:
            raise Refused(f"the schema has no word for {argument} of {entry.name!r}", span)
    if "compare" in found.options:  # C++ takes a field out of comparison and hash one by one
        found.options.setdefault("hash", True)
    return found


def default(text: str) -> Default:
    """Return a C++ expression as a default: its value if that is known, otherwise its text."""
    value = cpp_value.value(text)
    if value == ("null",):
        return Default("value", None)
    if value is None or isinstance(value, tuple):
        return Default("cpp", text)
    return Default("value", value)


def _method(entry: Call) -> Method:
    docs = [text for text in map(cpp_value.text, entry.args[1:]) if text is not None]
    named = [arg for arg in entry.args[1:] if _NAMED.match(arg)]
    init = _INIT.match(entry.name)
    if init is not None and entry.method == "def":
        docs = [text for text in map(cpp_value.text, entry.args) if text is not None]
        _refuse_more(entry, entry.args, len(docs))
        return Method("__init__", "", entry, False, "".join(docs), init["types"])
    _refuse_more(entry, entry.args[1:], len(docs) + len(named))
    member = _member(entry, "method")
    is_static = entry.method == "def_static"
    return Method(entry.name, member, entry, is_static, "".join(docs), named="".join(named))


def _refuse_more(entry: Call, given: list[str], docs: int) -> None:
    if len(given) != docs:
        text = f"the schema has no word for what {entry.name!r} is registered with"
        raise Refused(text, entry.word)
