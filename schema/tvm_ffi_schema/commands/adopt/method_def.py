# SPDX-License-Identifier: Apache-2.0
"""Make definitions of registered methods, with signatures from the declarations in the class."""

from __future__ import annotations

from ...cxx import signatures
from ...cxx.model import Call
from ...ir import Doc, MethodDef, ParamDef, TypeRef
from . import chain as chains
from .body import Piece
from .tree import Refused
from .types import Types, UnknownType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .class_def import Candidate


def read(one: Candidate, call: Call, types: Types) -> MethodDef:
    """Return the definition of a registered method, with the signature from its declaration.

    Raises
    ------
    Refused
        If the declaration is not found, or has types that a schema cannot express.

    """
    if call.kind == "init":
        return _init(one, call, types)
    given = chains.stated(call, call.name, chains.METHOD)
    name = chains.member(call, "method")
    heads = one.found.methods.get(name, [])
    if len(heads) != 1:
        what = "is not declared in" if not heads else "has several forms in"
        raise Refused(f"{name} {what} {one.found.name}", call.name_span)
    piece = next(p for p in one.pieces if p.kind == "method" and name in p.names)
    if piece.access != "public":
        raise Refused(f"{name} is registered, but is {piece.access}", piece.span)
    head = heads[0]
    if head.is_static != (call.kind == "static"):
        raise Refused(f"{name} is registered as if it was not static", call.word)
    returned = " ".join(word for word in head.returns.split() if not word.isupper())
    params = [_param(p, n, one, types, piece) for n, p in enumerate(head.params)]
    registered = given.get("metadata", ())
    if len(registered) == len(params):
        params = [ParamDef(other, p.type) for other, p in zip(registered, params)]
    return MethodDef(
        call.name,
        tuple(params),
        _type(returned, one, types, piece),
        cpp_name=name if name != call.name else "",
        const=head.is_const or head.is_static,
        static=head.is_static,
        short=given.get("short", False),
        doc=Doc(summary=" ".join(given.get("doc", "").split())),
    )


def _init(one: Candidate, call: Call, types: Types) -> MethodDef:
    given = chains.stated(call, "__init__", ("doc",))
    count = len(signatures.split(call.text("types")))
    near = [f.params for f in one.found.constructors if len(f.params) == count]
    piece = next((p for p in one.pieces if p.kind == "constructor"), None)
    if len(near) != 1 or piece is None:
        text = f"no constructor of {one.found.name}, or more than one, takes {count} arguments"
        raise Refused(text, call.word)
    params = tuple(_param(p, n, one, types, piece) for n, p in enumerate(near[0]))
    return MethodDef("__init__", params, const=False, doc=Doc(summary=given.get("doc", "")))


def _param(text: str, number: int, one: Candidate, types: Types, piece: Piece) -> ParamDef:
    plain = text.partition("=")[0].strip()
    name = signatures.name(text) or f"arg{number}"
    written = plain[: len(plain) - len(name)] if plain.rstrip("_").endswith(name) else plain
    written = written.rstrip("_ ") if written else plain
    return ParamDef(name, _type(written, one, types, piece))


def _type(text: str, one: Candidate, types: Types, piece: Piece) -> TypeRef:
    try:
        return types.read(text, one.found.inside)
    except UnknownType as error:
        names = ", ".join(piece.names)
        raise Refused(f"the type {error} in {names} is not known here", piece.span) from None
