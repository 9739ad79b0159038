# SPDX-License-Identifier: Apache-2.0
"""Make the definition of a class for the schema, from its facts in C++."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from ...cxx.model import Call, CppClass, Statement, last_name
from ...ir import (
    Doc,
    EnumDef,
    FieldDef,
    ObjectDef,
    RefDef,
    abi,
)
from . import chain as chains
from . import comments, field_def, method_def
from .body import Piece
from .tree import CppFile, Refused
from .types import Types

#: Members that the tool does not write or register if they are written by hand.
_REDUCERS = frozenset(("SEqual", "SHash", "SEqualReduce", "SHashReduce"))
_KINDS = {word: kind for kind, word in abi.STRUCTURAL_KINDS_IN_C.items()}


@dataclass
class Candidate:
    """A class that may be adopted.

    `chain` is its registration chain; None for a class in the classic dialect. `verbatim` has the
    names of fields whose C++ type must be copied, since the generator would write another type.
    """

    found: CppClass
    file: CppFile
    key: str
    parent: str
    pieces: list[Piece]
    chain: Statement | None = None
    #: All statements that register the class, type attributes or entries.
    statements: list[Statement] = field(default_factory=list)
    ref: CppClass | None = None
    is_classic: bool = False
    registration: str = "init-block"
    #: The reason why the registration stays as it is; otherwise the generator writes it.
    by_hand: str = ""
    slots: int = 0
    #: Whether the generator writes the constructors that the class has.
    has_ctor: bool = False
    verbatim: set[str] = field(default_factory=set)
    #: Name of a member -> the field that the member becomes.
    members: dict[str, FieldDef] = field(default_factory=dict)
    #: Names of members whose comments become the documentation of fields.
    documented: set[str] = field(default_factory=set)

    @property
    def enum_base(self) -> str:
        """Return the base of an enum, as `EnumDef` has it; empty for other classes."""
        return {"ffi.Enum": "enum", "ffi.IntEnum": "int", "ffi.StrEnum": "str"}.get(self.parent, "")

    @property
    def comment(self) -> str:
        """Return the comments directly above the class."""
        return comments.last_block(self.file.between(self.found.first))

    def doc(self) -> Doc:
        """Return the documentation in the comment above the class, which stays where it is."""
        return comments.read(self.comment) or Doc()


def definition(one: Candidate, types: Types, header: str) -> ObjectDef:
    """Return the definition of a class for the schema.

    Raises
    ------
    Refused
        If a schema cannot express a feature of the class.

    """
    found = one.found
    registered: dict[str, Call] = {}
    methods: list[Call] = []
    if one.chain is not None:
        registered, methods = chains.read(one.chain)
    elif one.is_classic:
        code = [p.code for p in one.pieces if p.kind == "method" and p.names[0] == "VisitAttrs"]
        registered = chains.visited(found, code[0] if code else [])
    flags = chains.stated(one.chain.head, found.name, ("init",)) if one.chain is not None else {}
    mutable = found.constant("mutable")[0] == "true"
    fields = field_def.read(one, registered, types, mutable)
    text, place = found.constant("kind")
    kind = last_name(text)
    if kind and kind not in _KINDS:
        raise Refused(f"the kind of structural equality {kind} is not known", place or found.span)
    entries = chains.entries(one.statements) if one.enum_base else []
    by_tool = not one.is_classic and not _REDUCERS & found.methods.keys()
    return ObjectDef(
        name=found.name,
        type_key=one.key,
        parent=one.parent,
        ref=_ref(one),
        doc=one.doc(),
        fields=tuple(fields),
        methods=tuple(method_def.read(one, m, types) for m in methods),
        structural_eq=_KINDS.get(kind, ""),
        sequal_reduce=by_tool,
        shash_reduce=by_tool,
        mutable=mutable,
        final=(found.macro is not None and found.macro.is_final) or None,
        abstract=flags.get("init") is False,
        child_slots=str(one.slots),
        sealed=found.constant("overflow")[0] == "false",
        ctor=one.has_ctor,
        enum=EnumDef(one.enum_base, tuple(entries)) if one.enum_base else None,
        registration="init-block" if one.by_hand else one.registration,
        namespace=found.place.scope,
        header=header,
    )


def with_defaults(
    objects: list[ObjectDef], known: list[ObjectDef], accepting_none: Collection[str]
) -> list[ObjectDef]:
    """Leave settings to the tool where it computes what the classes state.

    These are the number of child slots, and the reducers of classes with a structural kind.
    `known` are the classes that the schema has already. The fields of the classes `accepting_none`
    accept None without being Optional, which the classes have to state.
    """
    needed: Counter[str] = Counter()
    for one in objects:
        needed[one.parent] += 1 + int(one.child_slots)
    parents = {one.parent for one in known}
    comparable = {o.type_key for o in known if o.structural_eq not in ("", "unsupported")}
    out = []
    for one in objects:  # parents come first
        if one.ref is not None and one.ref.nullable and one.type_key in accepting_none:
            one = dataclasses.replace(one, ref=dataclasses.replace(one.ref, accepts_none=True))
        if (one.structural_eq or one.parent in comparable) and one.structural_eq != "unsupported":
            comparable.add(one.type_key)
        else:
            one = dataclasses.replace(one, sequal_reduce=False, shash_reduce=False)
        is_computed = one.final or needed[one.type_key] == int(one.child_slots)
        if is_computed and not one.sealed and one.type_key not in parents:
            one = dataclasses.replace(one, child_slots="auto")
        out.append(one)
    return out


def _ref(one: Candidate) -> RefDef | None:
    if one.ref is None:
        return None
    made = one.ref.constructors
    has_none = not made or any(not function.params for function in made)
    return RefDef(one.ref.name, one.ref.macro.is_nullable if one.ref.macro else has_none)


def key_of(found: CppClass) -> str:
    """Return the type key of a class.

    Raises
    ------
    Refused
        If the type key is not a literal.

    """
    key, span = found.key
    if key is None:
        raise Refused(f"the type key of {found.name} is not a literal that can be read", span)
    return key


def parent_base(found: CppClass) -> str:
    """Return the base of an object class.

    Raises
    ------
    Refused
        If the class does not have exactly one base, or if the base is a template.

    """
    if len(found.bases) != 1:
        raise Refused(f"{found.name} has {len(found.bases)} bases, not one", found.base_span)
    template = found.bases[0].partition("<")[0]
    if template != found.bases[0]:
        text = f"{found.name} derives from the template {template}, and a schema names no template"
        help_ = "derive from a class, or leave such classes as they are"
        raise Refused(text, found.base_span, help_, family=template)
    return found.bases[0]
