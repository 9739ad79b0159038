# SPDX-License-Identifier: Apache-2.0
"""Report names that are keywords in the language of an output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from ..diag import Bag
from ..ir import Span, names
from ..link.program import Class, Program

CPP = "C++"


def check(program: Program, reserved: Mapping[str, Set[str]], bag: Bag) -> None:
    """Report names that cannot be used in the languages of the outputs.

    Parameters
    ----------
    program : Program
        The schema.
    reserved : Mapping[str, Set[str]]
        Language of an output -> its keywords. Python is not included, since Python code can read a
        field whose name is a keyword with `getattr`.
    bag : Bag
        Takes the findings.

    """
    done: set[tuple[str, Span]] = set()
    classes = {name for cls in program.order for name in (cls.obj, cls.ref)}
    suspects = classes | names.CPP_MEMBERS | frozenset[str]().union(*reserved.values())
    for cls in program.order:
        for what, name, span in _names(cls):
            if name not in suspects and _is_plain(name) and not names.is_macro(name):
                continue
            where = span or cls.span
            if (name, where) not in done:  # report a field of a mixin only for the first class
                done.add((name, where))
                _check(what, name, where, reserved, bag)
                if CPP in reserved and names.is_macro(name):
                    text = f"{what} {name!r} has the name of a macro of the C++ headers"
                    bag.add("TS039", text, where, help=_help(what, name))
                if CPP in reserved and what in ("field", "method") and name in classes:
                    text = f"{what} {name!r} has the name of a C++ class of this schema"
                    bag.add("TS039", text, where)


def _names(cls: Class) -> Iterator[tuple[str, str, Span | None]]:
    """Yield (kind, name, place) for each name of a class that the outputs contain."""
    yield "class", cls.obj, cls.span
    if cls.ref:
        yield "class", cls.ref, cls.span
    for one in cls.d.fields:
        yield "field", one.name, one.span
    for method in cls.d.methods:
        if method.native:
            yield "method", method.cpp_name or method.name, method.span
            for param in method.params:
                yield f"parameter of {method.name!r}", param.name, method.span
    for entry in cls.entries:
        yield "entry", entry.name, entry.span


def _is_plain(name: str) -> bool:
    """Return whether a name is a valid identifier in every language, apart from keywords."""
    return name.isascii() and name.isidentifier() and not name.startswith("__")


def _check(what: str, name: str, span: Span, reserved: Mapping[str, Set[str]], bag: Bag) -> None:
    languages = [one for one, words in reserved.items() if name in words]
    if languages:
        kind, _, rest = what.partition(" ")
        text = f"{kind} {name!r}{f' {rest}' if rest else ''} is a keyword of"
        bag.add("TS322", f"{text} {' and '.join(languages)}", span, help=_help(what, name))
    elif CPP in reserved and name != "__init__":
        is_inherited = not what.startswith(("parameter", "class")) and name in names.CPP_MEMBERS
        if is_inherited or not names.is_identifier(name):
            bag.add("TS039", f"{name!r} cannot be the name of a C++ member", span)
        elif name.startswith("__"):
            text = f"{name!r}: C++ reserves names with two leading underscores"
            bag.add("TS039", text, span)


def _help(what: str, name: str) -> str:
    if what == "field":
        return f"call it {name}_ and write field(name={name!r})"
    if what == "class":
        return 'write  ref = "..."  for the reference class, or rename the class'
    if what == "method":
        return f'write @method(cpp="{name}_")'
    return f"call it {name}_"
