# SPDX-License-Identifier: Apache-2.0
"""Signatures and declarations of methods."""

from __future__ import annotations

from ..ir import MethodDef, TypeRef
from ..link.program import Class
from . import cpp_doc
from .cpp_layout import wrap_call
from .cpp_type import CppNames, assigned
from .writer import Anchor, Piece, Pieces


def method_parameters(
    method: MethodDef, names: CppNames, with_defaults: bool, cls: Class | None = None
) -> list[str]:
    """Return the parameters of a method of a class."""
    out = []
    for one in method.params:
        type_ = names.signature_type(cls, one.type)
        text = f"{type_} {one.name}"
        if one.default is not None and with_defaults:
            value = names.default_value(one.default, one.type)
            text += assigned(one, type_, value.replace(names.type(one.type), type_))
        out.append(text)
    return out


def exported(cls: Class, names: CppNames, in_ref: bool = False) -> str:
    """Return the macro before a function that is defined in the source file, with a blank.

    The reference class has the macro of the module itself. An object class cannot have it: two
    libraries would then share the static variables of its inline functions.
    """
    if cls.module.export:
        return "" if in_ref else f"{cls.module.export} "
    return f"{names.options.export} " if names.options.export else ""


def takes_one(params: list[str]) -> bool:
    """Return whether the parameters accept a call with one argument."""
    required = [p for p in params if " = " not in p]
    return bool(params) and len(required) <= 1


def signature(
    method: MethodDef, names: CppNames, owner: str = "", cls: Class | None = None
) -> list[str]:
    """Return the signature of a method for its declaration, or with `owner` for its definition."""
    params = method_parameters(method, names, not owner, cls)
    prefix = "" if owner or cls is None else f"  {exported(cls, names)}"
    if method.static and not owner:
        prefix += "static "
    name = method.cpp_name or method.name
    if method.name == "__init__":
        name = owner.rstrip(":") if owner else ""
    const = " const" if method.const and not method.static else ""
    returned = names.signature_type(cls, method.returns)
    return wrap_call(f"{prefix}{returned} {owner}{name}", params, const)


def types_with_pointers(cls: Class, names: CppNames) -> list[TypeRef]:
    """Return the types in signatures of methods that have a container of an incomplete class."""
    types = [t for m in cls.native for t in (m.returns, *(p.type for p in m.params))]
    return [one for one in types if names.signature_type(cls, one) != names.type(one)]


def declarations(cls: Class, names: CppNames, of_constructors: bool = False) -> Pieces:
    """Return the declarations of native methods.

    With `of_constructors`, return only the constructors of an abstract class. Without it, return
    all other methods. Omit methods that a custom section at the anchor `methods` declares.
    """
    out: Pieces = []
    has_section = "methods" in names.options.anchors.get(cls.marker, ())
    by_hand = names.options.customs.get(cls.marker, frozenset()) if has_section else frozenset()
    if has_section and not of_constructors:
        out.append(Anchor("methods"))
    for method in cls.d.methods:
        is_apart = cls.d.abstract and method.name == "__init__"
        if not method.native or is_apart != of_constructors:
            continue
        if (cls.obj if method.name == "__init__" else method.cpp_name or method.name) in by_hand:
            continue
        out += cpp_doc.comment(cpp_doc.of_method(method), "  ")
        if method.name == "__init__":
            params = method_parameters(method, names, True, cls)
            word = "explicit " if takes_one(params) else ""
            out += wrap_call(f"  {exported(cls, names)}{word}{cls.obj}", params, ";")
            continue
        lines: list[Piece] = [*signature(method, names, cls=cls)]
        lines[-1] = f"{lines[-1]};"
        out += lines
    return out
