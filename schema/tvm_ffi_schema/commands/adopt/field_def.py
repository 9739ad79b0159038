# SPDX-License-Identifier: Apache-2.0
"""Make field definitions, from declarations and registrations."""

from __future__ import annotations

import re

from ...cxx import values as cpp_value
from ...cxx.constructs import USUAL
from ...cxx.model import Call, Member
from ...ir import CppType, Default, FieldDef, TypeRef
from . import chain as chains
from . import comments
from .body import Piece
from .tree import Refused
from .types import Types, UnknownType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .class_def import Candidate

_TYPES = ("struct", "class", "union", "enum")
_POINTER = re.compile(r"(?:\w+::)*[*&]")
#: The C++ type of a member with one of these words is copied unchanged. For the corresponding
#: schema type, the generator may write another C++ type.
_NOT_PORTABLE = frozenset(("mutable", "long", "size_t", "std::size_t", "ptrdiff_t"))
_NO_MEMBERS = ("using", "typedef", "friend", "static_assert", "template")


def read(
    one: Candidate, registered: dict[str, Call], types: Types, mutable: bool
) -> list[FieldDef]:
    """Return the fields in the order of the members.

    An unregistered member also becomes a field, since all members determine the layout.

    Raises
    ------
    Refused
        If a schema cannot express a field.
    """
    pieces = [p for p in one.pieces if p.kind == "field"]
    known = {m.name for p in pieces for m in p.members}
    places = [i for i, p in enumerate(one.pieces) if any(n in registered for n in p.names)]
    for at, piece in enumerate(one.pieces):
        between = "between two fields " if places and places[0] < at < places[-1] else ""
        if _may_hide(piece) or any(map(_is_of_own_type, piece.members)):
            words = " ".join(piece.code[:12])
            text = f"this declaration {between}is not understood: {words}"
            raise Refused(text, piece.span, "a member changes the layout; move it into a field")
    for piece in pieces:
        _refuse_layout(piece)
    for name, call in registered.items():
        if name not in known:
            text = f"{name} is registered, but is not a member that {one.found.name} declares"
            raise Refused(text, call.name_span)
    order = [m.name for p in pieces for m in p.members if m.name in registered]
    wrong = next((first for first, second in zip(registered, order) if first != second), None)
    if wrong is not None:
        text = f"the members are in another order than their registration: {', '.join(order)}"
        raise Refused(text, registered[wrong].name_span, "write both in the same order")
    made = []
    one.members, one.documented = {}, set()
    for piece in pieces:
        member = _member(piece)
        if member.name in registered:
            made.append(_field(one, piece, member, registered[member.name], types, mutable))
        else:
            made.append(_unseen(member, piece))
        one.members[member.name] = made[-1]
    return made


def _is_of_own_type(member: Member) -> bool:
    """Return whether a member is declared with its type, or is a pointer to a function or array."""
    head, _, rest = member.type.partition("(")
    is_pointer = head.count("<") == head.count(">") and _POINTER.match(rest) is not None
    return is_pointer or "{" in member.type


def _may_hide(piece: Piece) -> bool:
    """Return whether a declaration may declare a member that was not found."""
    code = piece.code
    if piece.kind != "other" or not code or code[0] in (*_NO_MEMBERS, *_TYPES) or "~" in code:
        return False
    return "operator" not in code and "static" not in code and code[-1] != "}"


def _member(piece: Piece) -> Member:
    """Return the only member that a piece declares.

    Raises
    ------
    Refused
        If there are several members.

    """
    if len(piece.members) != 1:
        names = ", ".join(piece.names)
        raise Refused(f"{names} are declared together", piece.span, "give each its own line")
    return piece.members[0]


def _refuse_layout(piece: Piece) -> None:
    """Refuse a member, registered or not, if the layout of its class would be computed wrongly."""
    marks = [at for at, word in enumerate(piece.code) if word in ("=", "{")]
    declared = piece.code[: marks[0]] if marks else piece.code
    for word in ("alignas", "[", "volatile"):
        if word in declared:
            raise Refused(f"the schema cannot say {word!r} of {piece.names[0]}", piece.span)
    if piece.members[0].type.endswith("&"):
        raise Refused(f"the schema cannot say that {piece.names[0]} is a reference", piece.span)
    if ":" in declared:
        text = f"{piece.names[0]} is a bit field, which the schema cannot say"
        raise Refused(text, piece.span)


def _unseen(member: Member, piece: Piece) -> FieldDef:
    """Return a field for an unregistered member."""
    default = Default("cpp", member.default) if member.default else None
    type_ = TypeRef("Cpp", cpp=CppType(_text(member, piece)))
    access = piece.access
    return FieldDef(
        member.name, type_, default, reflect=False, init=False, access=access, doc=_said(piece)
    )


def _text(member: Member, piece: Piece) -> str:
    return f"mutable {member.type}" if "mutable" in piece.code else member.type


def _said(piece: Piece) -> str:
    return comments.of_field(piece.before + piece.after) or ""


def _field(
    one: Candidate,
    piece: Piece,
    member: Member,
    call: Call,
    types: Types,
    mutable: bool,
) -> FieldDef:
    if piece.access != "public":
        raise Refused(f"{member.name} is registered, but is {piece.access}", piece.span)
    try:
        type_ = types.read(member.type, one.found.inside)
    except UnknownType as error:
        text = f"the type {error} of {member.name} is not known here"
        help_ = "name the file that declares it too, if it is an object class"
        raise Refused(text, member.span, help_) from None
    if member.name in one.verbatim or not _NOT_PORTABLE.isdisjoint(piece.code):
        type_ = types.verbatim(_text(member, piece), type_)
    given = chains.stated(call, call.name, chains.FIELD)
    given = {word: value for word, value in given.items() if value != USUAL.get(word)}
    if not given.pop("not_null", False) and type_.origin == "class" and "default" not in given:
        types.accepting_none.add(type_.name)
    if "compare" in given:  # C++ takes a field out of comparison and hash one by one
        given.setdefault("hash", True)
    said, doc = _said(piece), given.pop("doc", "")
    if said and (not doc or doc.split() == said.split()):
        one.documented.add(member.name)
    made = FieldDef(
        member.name,
        type_,
        _typed(given.pop("default", None), type_),
        doc=doc or said,
        reflected_name=call.name if call.name != member.name else "",
        frozen=None if (call.kind == "rw") == mutable else call.kind != "rw",
        **given,
    )
    text = str(made.default.value) if made.default is not None else ""
    own, args = cpp_value.construction(text)
    is_empty = bool(own) and not args and types.is_same(own, member.type, one.found.inside)
    if member.default or not is_empty:
        _check_start(member, made)
    return made


def _typed(default: Default | None, type_: TypeRef) -> Default | None:
    """Return a default; convert an integer to a float if the type of the field is a float."""
    if default is None or default.kind != "value":
        return default
    if type_.origin in ("float", "double") and type(default.value) is int:
        return Default("value", float(default.value))
    return default


def _check_start(member: Member, made: FieldDef) -> None:
    """Refuse a member whose initial value differs from the registered default.

    The generator writes the initial value and the registration from the same default.
    """
    given = cpp_value.value(member.default)
    if made.default is None:
        same = cpp_value.same(given, cpp_value.ZERO) if given is not None else False
        empty = member.default.rstrip().endswith(("()", "{}")) or not member.default
        if not (same or empty):
            text = f"{member.name} begins as {member.default}, and no default is registered"
            help_ = f"add  refl::default_value({member.default})  to its registration"
            raise Refused(text, member.span, help_)
        return
    if made.default.kind == "factory":
        return
    wanted = made.default.value
    if made.default.kind == "cpp":
        if "".join(member.default.split()) == "".join(str(wanted).split()):
            return
    elif wanted is None:
        if given is not None and cpp_value.same(given, ("null",)):
            return
    elif (
        given is not None
        and (cpp_value.same(given, wanted))
        and (member.has_value or wanted in ("", 0, False))
    ):
        return
    text = f"{member.name} begins as {member.default or 'its type does'}, "
    text += f"but another default is registered: {wanted!r}"
    raise Refused(text, member.span, "write the same value in both places")
