# SPDX-License-Identifier: Apache-2.0
"""One class: from its facts to what the schema says of it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from ..compare import cpp_value
from ..compare.cpp_facts import Chain, CppClass, Member, last_name
from ..compare.declaration import type_key
from ..ir import (
    CppType,
    Default,
    Doc,
    FieldDef,
    ObjectDef,
    RefDef,
    TypeRef,
)
from ..passes.equality import CPP_KINDS
from . import chain as chains
from . import comments, method_def
from .body import Piece
from .tree import Head, Refused
from .types import Types, UnknownType

_KINDS = {word: kind for kind, word in CPP_KINDS.items()}


@dataclass
class Candidate:
    """A class that may be adopted. `chain` is None for one that VisitAttrs registers.

    `verbatim` has the fields whose C++ type keeps its text, since the generator spells another.
    """

    found: CppClass
    head: Head
    key: str
    parent: str
    pieces: list[Piece]
    chain: Chain | None = None
    ref: CppClass | None = None
    is_classic: bool = False
    is_member: bool = False
    slots: int = 0
    verbatim: set[str] = field(default_factory=set)
    keeps_comment: bool = False
    #: Members that are fields of the schema, and comments of them that are documentation.
    members: dict[str, FieldDef] = field(default_factory=dict)
    documented: set[str] = field(default_factory=set)

    @property
    def comment(self) -> str:
        """Return the comments directly above the class."""
        text = self.head.file.text[: self.head.file.offset(self.head.first)]
        return comments.last_block(text)

    def doc(self) -> Doc:
        """Return the documentation in the comment above the class; empty if that is kept."""
        found = None if self.keeps_comment else comments.read(self.comment)
        return found or Doc()


def definition(one: Candidate, types: Types, header: str) -> ObjectDef:
    """Return what the schema says of a class.

    Raises
    ------
    Refused
        If something has no word in the schema.

    """
    found = one.found
    registered: list[chains.Registered] = []
    methods: list[chains.Method] = []
    if one.chain is not None:
        registered, methods = chains.read(one.chain)
    elif one.is_classic:
        from . import visited

        registered = visited.read(one)
    mutable = _is_true(found, "_type_mutable")
    fields = _fields(one, registered, types, mutable)
    kind = last_name(found.constants.get("_type_s_eq_hash_kind", ("", None))[0])
    if kind and kind not in _KINDS:
        span = found.constants["_type_s_eq_hash_kind"][1]
        raise Refused(f"the kind of structural equality {kind} is not known", span)
    made = ObjectDef(
        name=found.name,
        type_key=one.key,
        parent=one.parent,
        ref=_ref(one),
        doc=one.doc(),
        fields=tuple(fields),
        methods=tuple(method_def.read(one, m, types) for m in methods),
        structural_eq=_KINDS.get(kind, ""),
        sequal_reduce=False,
        shash_reduce=False,
        mutable=mutable,
        final=found.macro is not None and "FINAL" in found.macro.name,
        abstract=_is_abstract(one),
        child_slots=str(one.slots),
        sealed=found.constants.get("_type_child_slots_can_overflow", ("", None))[0] == "false",
        ctor=False,
        registration="member" if one.is_member else "init-block",
        namespace=found.place.scope,
        header=header,
    )
    return made


def _is_true(found: CppClass, name: str) -> bool:
    return found.constants.get(name, ("", None))[0] == "true"


def _is_abstract(one: Candidate) -> bool:
    """Tell whether the chain says that objects of the class are not made from outside.

    Raises
    ------
    Refused
        If it begins with something else.

    """
    given = one.chain.arguments if one.chain is not None else ""
    if not given or one.chain is None:
        return False
    if last_name(given) == "init(false)":
        return True
    raise Refused(f"the schema has no word for ObjectDef<...>({given})", one.chain.span)


def _ref(one: Candidate) -> RefDef | None:
    if one.ref is None or one.ref.macro is None:
        return None
    nullable = "NOTNULLABLE" not in one.ref.macro.name
    return RefDef(one.ref.name, nullable)


def _fields(
    one: Candidate, registered: list[chains.Registered], types: Types, mutable: bool
) -> list[FieldDef]:
    """Return the fields in the order of the members; those between two of them that nobody sees too."""
    by_member = {r.member: r for r in registered}
    pieces = [p for p in one.pieces if p.kind == "field"]
    known = {m.name for p in pieces for m in p.members}
    for name, entry in by_member.items():
        if name not in known:
            text = f"{name} is registered, but is not a member that {one.found.name} declares"
            raise Refused(text, entry.entry.name_span)
    places = [i for i, p in enumerate(pieces) if any(n in by_member for n in p.names)]
    inner = pieces[places[0] : places[-1] + 1] if places else []
    order = [m.name for p in inner for m in p.members if m.name in by_member]
    wrong = next((r for r, name in zip(registered, order) if r.member != name), None)
    if wrong is not None:
        text = f"the members are in another order than their registration: {', '.join(order)}"
        raise Refused(text, wrong.entry.name_span, "write both in the same order")
    made = []
    one.members, one.documented = {}, set()
    for piece in inner:
        member = _member(piece)
        entry = by_member.get(member.name)
        if entry is None:
            made.append(_unseen(member, piece))
        else:
            made.append(_field(one, piece, member, entry, types, mutable))
        one.members[member.name] = made[-1]
    return made


def _member(piece: Piece) -> Member:
    """Return the one member that a piece declares.

    Raises
    ------
    Refused
        If there are several, or if the schema cannot say what it is.

    """
    if len(piece.members) != 1:
        names = ", ".join(piece.names)
        raise Refused(f"{names} are declared together", piece.span, "give each its own line")
    member = piece.members[0]
    for word in ("alignas", "[", "volatile"):
        if word in piece.code:
            raise Refused(f"the schema cannot say {word!r} of {member.name}", piece.span)
    if ":" in piece.code:
        raise Refused(f"{member.name} is a bit field, which the schema cannot say", piece.span)
    return member


def _unseen(member: Member, piece: Piece) -> FieldDef:
    """Return a member between two registered ones, which the registration does not name."""
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
    entry: chains.Registered,
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
    if member.name in one.verbatim or "mutable" in piece.code:
        type_ = types.verbatim(_text(member, piece), type_)
    said = _said(piece)
    if said and (not entry.doc or entry.doc.split() == said.split()):
        one.documented.add(member.name)
    default = entry.default
    if default is not None and default.value == {} and default.kind == "factory":
        default = Default("factory", {})
    made = FieldDef(
        member.name,
        type_,
        _typed(default, type_),
        doc=entry.doc or said,
        reflected_name=entry.name if entry.name != member.name else "",
        frozen=None if entry.writable == mutable else not entry.writable,
    )
    made = dataclasses.replace(made, **entry.options)
    _check_start(member, made)
    return made


def _typed(default: Default | None, type_: TypeRef) -> Default | None:
    """Return a default as the schema wants it for a type: a whole number is a real one, too."""
    if default is None or default.kind != "value":
        return default
    if type_.origin in ("float", "double") and type(default.value) is int:
        return Default("value", float(default.value))
    return default


def _check_start(member: Member, made: FieldDef) -> None:
    """Refuse a member whose initial value is not the registered default.

    The generator writes both from one default.
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


def key_of(found: CppClass) -> str:
    """Return the type key of a class.

    Raises
    ------
    Refused
        If it is not a literal.

    """
    key, span = type_key(found)
    if key is None:
        raise Refused(f"the type key of {found.name} is not a literal that can be read", span)
    return key


def parent_base(found: CppClass) -> str:
    """Return the one base of an object class.

    Raises
    ------
    Refused
        If there are several, or a template.

    """
    if len(found.bases) != 1:
        raise Refused(f"{found.name} has {len(found.bases)} bases, not one", found.base_span)
    if "<" in found.bases[0]:
        text = f"{found.name} derives from the template {found.bases[0]}"
        raise Refused(text, found.base_span)
    return found.bases[0]
