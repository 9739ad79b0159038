# SPDX-License-Identifier: Apache-2.0
"""Flatten the model of a class to facts, each with a path, and find the paths that differ.

A path says what a fact is about, such as ``fields/level/type`` or ``entries/op/word``. The model of
a schema and the model of C++ sources are flattened in the same way, so this module knows neither
which of them is right nor what C++ means: `rules` says when two values are equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..cxx.constructs import TABLE, USUAL
from ..cxx.model import Call, CppClass, Statement, last_name
from ..cxx.pattern import NOWHERE, Construct, quoted
from ..diag import Bag
from ..files import source
from ..ir import Span

#: The constants in the body of a class that are compared one by one, and their names in C++.
CONSTANTS = {
    r.name: r.constant for r in TABLE.rows if r.constant and r.name not in ("key", "final")
}
_QUALIFIER = re.compile(r"(?:\b\w+)?::")
_BRANCH = re.compile(r"\s*#\s*(?:el|endif)")


class Fact(NamedTuple):
    """A value, its place, and the C++ text by which an edit can replace the text at the place."""

    value: Any
    span: Span = NOWHERE
    text: str = ""


Facts = dict[str, Fact]


def part(name: str) -> str:
    """Return a name as a part of a path."""
    return name.replace("%", "%25").replace("/", "%2F")


def name_of(text: str) -> str:
    """Return the name that a part of a path stands for."""
    return text.replace("%2F", "/").replace("%25", "%")


def flat(obj: CppClass, ref: CppClass | None, statements: list[Statement]) -> Facts:
    """Return path -> fact for a class, its reference class and its registration."""
    out: Facts = {"bases": Fact(obj.bases, obj.base_span)}
    macro = obj.macro
    if obj.declares_object and macro is not None:
        key, span = obj.key
        if key is not None:
            out["info/key"] = Fact(key, span, quoted(key))
        for path, hole in (("info/class", "cls"), ("info/parent", "parent")):
            out[path] = Fact(macro.text(hole), macro.place(hole), macro.text(hole))
        is_final = macro.is_final or obj.constant("final")[0] == "true"
        out["info/final"] = Fact(is_final, macro.word, macro.name)
    for kind, name in CONSTANTS.items():
        text, place = obj.constants.get(name, ("", NOWHERE))
        if text:
            out[f"constants/{kind}"] = Fact(text, place, text)
    for member in obj.members:  # two branches of `#if` may declare the same member
        if f"fields/{member.name}" in out:
            continue
        out[f"fields/{member.name}"] = Fact(member, member.span)
        out[f"fields/{member.name}/type"] = Fact(member.type, member.span)
        out[f"fields/{member.name}/access"] = Fact(member.access, member.span)
        out[f"fields/{member.name}/default"] = Fact(member.default, member.span)
    out["order"] = Fact(list(dict.fromkeys(member.name for member in obj.members)), obj.span)
    if obj.constructors:
        out["constructors"] = Fact(obj.constructors, obj.constructors[0].span)
    for name, functions in obj.methods.items():
        out[f"methods/{name}"] = Fact(functions, functions[-1].span)
    for call in obj.visited or ():
        if call.kind == "visit":
            out[f"visits/{part(call.text('name'))}"] = Fact(call, call.name_span)
            out[f"visits/{part(call.text('name'))}/member"] = Fact(
                call.text("member"), call.name_span
            )
    for statement in statements:
        _STATEMENTS[statement.kind](statement, out)
    if ref is not None:
        _reference(ref, out)
    return out


def _reference(ref: CppClass, out: Facts) -> None:
    out["ref"] = Fact(ref, ref.span)
    out["ref/bases"] = Fact(ref.bases, ref.base_span, ", ".join(ref.bases))
    if ref.declares_reference and ref.macro is not None:
        macro = ref.macro
        out["ref/macro"] = Fact(macro, macro.word)
        for path, hole in (("class", "cls"), ("parent", "parent"), ("ref", "ref")):
            out[f"ref/macro/{path}"] = Fact(macro.text(hole), macro.place(hole), macro.text(hole))
        out["ref/macro/nullable"] = Fact(macro.is_nullable, macro.word, macro.name)
    if ref.constructors:
        out["ref/constructors"] = Fact(ref.constructors, ref.constructors[0].span)


# --- statements


def _object(statement: Statement, out: Facts) -> None:
    out.setdefault("registration", Fact(statement, statement.span))
    flags = {t.kind: t for t in statement.head.items("traits") if _flag(t)}
    out.setdefault("registration/flags", Fact({}, statement.span)).value.update(
        {_flag(trait): trait for trait in flags.values()}
    )
    for call in statement.entries:
        if call.kind == "attr":
            out[f"attrs/{part(call.text('name'))}"] = Fact(call.text("value"), call.name_span)
        elif call.kind == "enum":
            out["registration/enum"] = Fact(True, call.word)
        elif call.kind != "other":
            _entry(call, out)


def _entry(call: Call, out: Facts) -> None:
    name = call.text("name") or "__init__"
    path = f"entries/{part(name)}"
    if path in out:
        first = out[path].value
        if call.kind not in ("ro", "rw"):
            out[f"{path}/member"].value.append(call)  # another overload
            if f"{path}/types" in out:
                out[f"{path}/types"].value.append(call.text("types"))
        elif call.span != first.span and not _are_in_branches(first.word, call.word):
            notes = [(first.name_span, "the first registration is here")]
            out[f"twice/{part(name)}"] = Fact(notes, call.name_span)
        return
    out[path] = Fact(call, call.name_span)
    out[f"{path}/word"] = Fact(call.kind, call.word, call.method)
    out[f"{path}/member"] = Fact([call], call.name_span)
    if call.kind == "init":
        out[f"{path}/types"] = Fact([call.text("types")], call.name_span)
    flags = {}
    for trait in call.items("traits"):
        if trait.kind in ("default", "factory"):
            out[f"{path}/default"] = Fact(trait, call.name_span)
        elif trait.kind in ("doc", "metadata"):
            hole = "text" if trait.kind == "doc" else "pairs"
            out[f"{path}/{trait.kind}"] = Fact(trait.text(hole), call.name_span)
        elif _flag(trait):
            flags[_flag(trait)] = trait
    out[f"{path}/flags"] = Fact(flags, call.name_span)


def _are_in_branches(first: Span, second: Span) -> bool:
    """Return whether `#else`, `#elif` or `#endif` is between two places of a file."""
    found = source.read(first.file, Bag(), any_bytes=True) if first.file == second.file else None
    lines = found.text.splitlines()[first.line : second.line] if found is not None else []
    return any(_BRANCH.match(line) for line in lines)


def _flag(trait: Construct) -> str:
    """Return a flag in the shortest form; empty for a flag with its usual value."""
    if trait.kind in ("other", "one_of"):
        return _QUALIFIER.sub("", trait.text("text") or trait.write()).replace(" ", "")
    if trait.row.ir is None or trait.row.ir[1] in (None, USUAL.get(trait.kind)):
        return ""
    if trait.kind == "not_null":  # a class that is written by hand may take None
        return ""
    return last_name(TABLE.row("TRAIT", trait.kind, trait.row.ir[1]).write({}))


def _attrs(statement: Statement, out: Facts) -> None:
    for call in statement.entries:
        if call.kind == "attr":
            out[f"attrs/{part(call.text('name'))}"] = Fact(call.text("value"), call.name_span)


def _label(statement: Statement, out: Facts) -> None:
    head = statement.head
    path = f"labels/{part(head.text('name'))}"
    if path in out:
        return
    out[path] = Fact(statement, statement.span)
    if head.text("number"):
        out[f"{path}/number"] = Fact(head.text("number"), statement.span)
    for call in statement.entries:
        if call.kind in ("set", "attr"):
            out[f"{path}/{call.kind}/{part(call.text('name'))}"] = Fact(call, call.name_span)


def _column(statement: Statement, out: Facts) -> None:
    column = statement.head.text("name")
    for call in statement.entries:
        if call.kind == "set":
            out[f"labels/{part(call.text('name'))}/attr/{part(column)}"] = Fact(
                call, call.name_span
            )


_STATEMENTS = {"object": _object, "attrs": _attrs, "entry": _label, "column": _column}


# --- differences


def different(here: Facts, there: Facts) -> Iterator[tuple[str, str, Fact | None, Fact | None]]:
    """Yield (path, sign, fact here, fact there) of all paths that may differ.

    The sign is "-" if the path is missing there, "+" if it is only there, and "~" if the values on
    both sides are not equal. A path that is missing on one side suppresses the paths below it.
    """
    gone: tuple[str, ...] = ()
    for path in dict.fromkeys((*here, *there)):
        if path.startswith(gone):
            continue
        one, other = here.get(path), there.get(path)
        if one is None or other is None:
            gone += (path + "/",)
            yield path, "-" if other is None else "+", one, other
        elif one.value != other.value:
            yield path, "~", one, other
