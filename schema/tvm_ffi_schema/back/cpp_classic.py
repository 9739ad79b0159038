# SPDX-License-Identifier: Apache-2.0
"""Write classes in the classic dialect: VisitAttrs, SEqualReduce, SHashReduce and older macros."""

from __future__ import annotations

import re

from ..cxx.constructs import TABLE
from ..cxx.pattern import quoted
from ..ir import FieldDef, TypeRef
from ..link.program import Class, literals_of
from .cpp_layout import filled, function
from .cpp_methods import exported
from .cpp_type import CppNames

#: Parameter names of `VisitAttrs`, `SEqualReduce` and `SHashReduce`. A parameter hides a field with
#: the same name, so the generated code uses `this->` for such a field.
_PARAMETERS = ("v", "other", "equal", "hash_reduce")


def members(cls: Class, names: CppNames) -> list[str]:
    """Return `VisitAttrs`, the reducers, and the constants that only this dialect has."""
    functions = _functions(cls, names)
    if names.program.holds_later(cls):
        word = exported(cls, names)
        functions = [[f"  {word}{_head(lines)[0].strip()};"] for lines in functions]
    functions.append([f"  {TABLE.make('BODY', 'key', value=quoted(cls.type_key)).write()};"])
    found = names.options.customs.get(cls.marker, ())
    if cls.d.sequal_reduce or "SEqualReduce" in found:
        functions[-1].append("  static constexpr const bool _type_has_method_sequal_reduce = true;")
    if cls.d.shash_reduce or "SHashReduce" in found:
        functions[-1].append("  static constexpr const bool _type_has_method_shash_reduce = true;")
    return [line for lines in functions for line in ("", *lines)][1:]


def definitions(cls: Class, names: CppNames) -> list[str]:
    """Return the definitions of members that cannot be in the header.

    The bodies of these members need the complete classes of the fields; later headers define
    these classes.
    """
    out: list[str] = []
    if is_classic(cls, names) and names.program.holds_later(cls):
        for lines in _functions(cls, names):
            head, body = _head(lines)
            head = re.sub(r"\b(VisitAttrs|SEqualReduce|SHashReduce)\(", rf"{cls.obj}::\1(", head)
            out += [line[2:] for line in [head + body, *lines[1:]]]
    return out


def _head(lines: list[str]) -> tuple[str, str]:
    """Split the first line of a function into the signature and the text after the signature."""
    head, brace, rest = lines[0].partition(" {")
    return head, brace + rest


def _functions(cls: Class, names: CppNames) -> list[list[str]]:
    """Return the lines of `VisitAttrs`, `SEqualReduce` and `SHashReduce`, if a class needs them.

    Reducers that are written by hand are omitted.
    """
    fields = cls.all_fields()
    by_hand = names.options.customs.get(cls.marker, frozenset())
    out = []
    if cls.d.visit_attrs and fields:
        out.append(_visit(cls, fields, names.options.ffi))
    if cls.d.sequal_reduce and "SEqualReduce" not in by_hand:
        out.append(_equal(cls, fields, names.options.ffi))
    if cls.d.shash_reduce and "SHashReduce" not in by_hand:
        out.append(_hash(cls, fields, names.options.ffi))
    return out


def is_classic(cls: Class, names: CppNames) -> bool:
    """Return whether a class is written in the classic dialect.

    Three kinds of classes are always written in the modern dialect: enums, because the classic
    dialect has no enums; classes without a default constructor, because the classic registration
    needs one; and classes that refuse structural comparison, because the classic dialect would use
    the reducers of the parent.
    """
    if names.options.dialect != "classic" or cls.d.enum is not None:
        return False
    if cls.d.structural_eq == "unsupported":
        return False
    return not names.needs_tag(cls)


def _visit(cls: Class, fields: list[FieldDef], ffi: str) -> list[str]:
    body = [
        TABLE.make("VISIT", "visit", name=one.reflected_name or one.name, member=_own(cls, one))
        for one in fields
        if one.reflect
    ]
    return function(f"  void VisitAttrs({ffi}AttrVisitor* v)", [f"v{one.write()};" for one in body])


def _own(cls: Class, one: FieldDef) -> str:
    """Return the expression for a member in `VisitAttrs`, `SEqualReduce` and `SHashReduce`."""
    name = cls.member(one)
    return f"this->{name}" if name in _PARAMETERS else name


def _compared(fields: list[FieldDef]) -> list[FieldDef]:
    return [one for one in fields if one.reflect and one.structural_eq != "ignore"]


def _equal(cls: Class, fields: list[FieldDef], ffi: str) -> list[str]:
    head = f"  bool SEqualReduce(const {cls.obj}* other, {ffi}SEqualReducer equal) const"
    terms = []
    for one in _compared(fields):
        call = "equal.DefEqual" if one.structural_eq == "def" else "equal"
        own, theirs = _own(cls, one), f"other->{cls.member(one)}"
        terms.append(f"{call}({own}, {theirs})")
    if cls.d.structural_eq == "var":
        terms.append("equal.FreeVarEqualImpl(this, other)")
    if not terms:
        head = head.replace("* other,", "*,").replace(" equal)", ")")
        return function(head, ["return true;"])
    lines = filled("    return ", terms, " &&", ";")
    return function(head, [line[4:] for line in lines])


def _hash(cls: Class, fields: list[FieldDef], ffi: str) -> list[str]:
    body = []
    for one in _compared(fields):
        call = "hash_reduce.DefHash" if one.structural_eq == "def" else "hash_reduce"
        body.append(f"{call}({_own(cls, one)});")
    if cls.d.structural_eq == "var":
        body.append("hash_reduce.FreeVarHashImpl(this);")
    name = " hash_reduce" if body else ""
    return function(f"  void SHashReduce({ffi}SHashReducer{name}) const", body)


def is_node_type(cls: Class, names: CppNames) -> bool:
    """Return whether `VisitAttrs` is enough to register every setting of a class."""
    if not is_classic(cls, names):
        return False
    usual = FieldDef("", TypeRef("Any"))
    flags = ("default", "frozen", "init", "kw_only", "repr", "compare", "hash", "metadata")
    plain = all(
        getattr(one, flag) == getattr(usual, flag) for one in cls.d.fields for flag in flags
    )
    plain = plain and not any(literals_of(one.type) for one in cls.d.fields)
    return plain and not (cls.native or cls.d.mutable or cls.d.abstract or cls.d.type_attrs)
