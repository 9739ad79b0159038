# SPDX-License-Identifier: Apache-2.0
"""Write the object class: members, constructors, declarations, and constants for the macros."""

from __future__ import annotations

from collections.abc import Collection

from ..ir import FieldDef
from ..link.program import Class, held_classes, is_one_object
from . import cpp_classic, cpp_doc, cpp_info, cpp_methods, cpp_source
from .cpp_layout import filled, function, with_inits
from .cpp_type import CppNames, assigned, passed
from .writer import Anchor, Pieces

ACCESS = ("public", "protected", "private")


def emit(cls: Class, names: CppNames, is_documented: bool = False) -> Pieces:
    """Return the class, with anchors for custom sections; a documented class gets no comment."""
    out: Pieces = [Anchor("before")]
    if cls.ref and cls.type_key in named_by_methods(cls):
        out += [f"class {cls.ref};", ""]
    if not is_documented:
        out += cpp_doc.comment(cpp_doc.of_class(cls.d.doc, cls.d.deprecated))
    out.append(f"class {cls.obj} : public {names.object_class(cls.parent.type_key)} {{")
    filled = names.options.anchors.get(cls.marker, ())
    private: Pieces = [" private:", Anchor("private")] if "private" in filled else []
    body: Pieces = [" public:", Anchor("head"), *_members(cls, names), Anchor("tail"), *private]
    return [*out, *_with_access(body, filled), "};", Anchor("after")]


def _with_access(body: Pieces, filled: Collection[str]) -> Pieces:
    """Return the body of a class with access specifiers only where the access changes.

    `filled` has the names of the anchors with custom sections.
    """
    out: Pieces = []
    access = wanted = ""
    for piece in body:
        if isinstance(piece, str) and piece.endswith(":") and piece[1:-1] in ACCESS:
            wanted = piece
        elif isinstance(piece, Anchor) and piece.name not in filled:
            out.append(piece)
        elif piece or access == wanted:
            if access != wanted:
                is_apart = not access or "" in out[-1:]
                out += [wanted] if is_apart else ["", wanted]
                access = wanted
            out.append(piece)
    return out


def named_by_methods(cls: Class) -> set[str]:
    """Return the type keys of the classes in the signatures of native methods."""
    types = [m.returns for m in cls.native]
    types += [p.type for m in cls.native for p in m.params]
    return {key for one in types for key in held_classes(one)}


def _members(cls: Class, names: CppNames) -> Pieces:
    sections: list[Pieces] = [_fields(cls, names)]
    sections.append(constructors(cls, names))
    sections.append([" public:", *cpp_methods.declarations(cls, names)])
    sections.append([*_accessors(cls, names)])
    classic = cpp_classic.members(cls, names) if cpp_classic.is_classic(cls, names) else []
    if cls.d.registration == "inline" and not cpp_classic.is_node_type(cls, names):
        sections.append([*cpp_source.member(cls, names)])
    sections.append([*classic, *cpp_info.emit(cls, names)])
    out: Pieces = []
    is_apart = False
    for section in sections:
        has_lines = any(isinstance(one, str) and one[1:-1] not in ACCESS for one in section)
        out += ["", *section] if has_lines and is_apart else section
        is_apart |= has_lines
    return out


def _fields(cls: Class, names: CppNames) -> Pieces:
    """Return the data members in the order of the schema, which determines the layout.

    The code before and after the members is public.
    """
    out: Pieces = []
    for one in cls.d.fields:
        out += [f" {one.access}:", *field_lines(cls, one, names)]
    return [*out, " public:", Anchor("fields")]


def field_lines(cls: Class, one: FieldDef, names: CppNames) -> list[str]:
    """Return a member with its comment."""
    doc = [f"\\brief {one.doc}"] if one.doc else []
    lines = cpp_doc.comment(doc, "  ")
    value = "" if one.name in cls.refused else names.initialiser(cls, one)
    text = f"{names.field_type(cls, one)} {cls.member(one)}{value}"
    return [*lines, *filled("  ", [text], "", ";")]


# --- constructors


def parameters(cls: Class, names: CppNames, for_reference: bool) -> list[str]:
    """Return the parameters of the full constructor, without defaults."""
    pointers = cls.pointers()
    fields = cls.init_fields()
    found = [
        parameter(cls, one, names, for_reference) if one.name in pointers else names.parameter(one)
        for one in fields
    ]
    copies = found and found[0] == f"{cls.ref} {fields[0].name}"
    if for_reference and copies and all(one.default is not None for one in fields[1:]):
        # A constructor that accepts one argument of its own class is a copy constructor. To avoid
        # this, the type of the first parameter is an Optional.
        found[0] = f"{names.options.ffi}Optional<{cls.ref}> {fields[0].name}"
    return found


def reference_forms(cls: Class, names: CppNames) -> list[list[str]]:
    """Return the parameters of each constructor of the reference class.

    The last constructor takes all fields. The header cannot contain a default value of an
    incomplete class. For each parameter with such a default, there is another constructor, which
    lacks this parameter and the parameters after it.
    """
    known = names.reference_forms.get(cls.type_key)  # cached for the header and the source file
    if known is None:
        known = names.reference_forms[cls.type_key] = _reference_forms(cls, names)
    return known


def _reference_forms(cls: Class, names: CppNames) -> list[list[str]]:
    fields = cls.init_fields()
    defaulted = len(fields)
    while defaulted and fields[defaulted - 1].default is not None:
        defaulted -= 1
    if not defaulted and cls.d.ref is not None and cls.d.ref.nullable:
        # The default constructor makes a null reference, so the first parameter has no default.
        defaulted = 1
    whole = parameters(cls, names, for_reference=True)
    cuts = [at for at in range(defaulted, len(fields)) if _waits(cls, fields[at], names)]
    forms = []
    for before, end in zip([defaulted - 1, *cuts], [*cuts, len(fields)]):
        given = [
            assigned(one, names.field_type(cls, one), names.default(cls, one))
            for one in fields[before + 1 : end]
        ]
        head = whole[: before + 1]
        forms.append([*head, *map("".join, zip(whole[before + 1 : end], given))])
    return forms


def _waits(cls: Class, one: FieldDef, names: CppNames) -> bool:
    """Return whether the class of a field is incomplete where the reference class is defined."""
    inner = one.type.args[0] if one.type.origin == "Optional" else one.type
    if inner.origin != "class" or inner.name == cls.type_key:
        return False
    return names.program.is_later(cls, inner.name)


def parameter(cls: Class, one: FieldDef, names: CppNames, for_reference: bool) -> str:
    """Return the constructor parameter of a field; its type may be an object pointer."""
    # A container of an incomplete class contains object pointers, since C++ cannot name a container
    # of its reference class. For a field that is one object, the constructor of a reference class
    # takes the reference class instead of a pointer.
    pointer = cls.is_pointer(one.name)
    if not pointer or (for_reference and is_one_object(one.type)):
        return names.parameter(one)
    return f"{names.field_type(cls, one)} {one.name}"


def constructors(cls: Class, names: CppNames) -> Pieces:
    """Return the constructors; the constructors of an abstract class are protected.

    `ObjectDef` registers a creator only for a public constructor.
    """
    made = _constructors(cls, names)
    if cls.d.abstract:
        made += cpp_methods.declarations(cls, names, of_constructors=True)
        return [" protected:", *made] if made else []
    return made


def _constructors(cls: Class, names: CppNames) -> Pieces:
    """Return the constructor that takes all fields, and the default or `UnsafeInit` constructor."""
    if not cls.d.ctor or not (cls.d.fields or cls.inherited() or cls.d.abstract):
        return []
    out: Pieces = []
    if names.needs_tag(cls):
        out.extend(_tagged(cls, names))
    else:
        out.append(f"  {cls.obj}() = default;")
    if cls.d.abstract and not cls.children:
        return out
    if cls.init_fields() and not cls.hand_inits:
        out.extend(_full(cls, names))
    return out


def _tagged(cls: Class, names: CppNames) -> list[str]:
    tag = f"{names.options.ffi}UnsafeInit"
    inits = []
    if isinstance(cls.parent, Class) and names.needs_tag(cls.parent):
        inits.append(f"{names.object_class(cls.parent.type_key)}(tag)")
    unset = [f for f in cls.d.fields if names.is_unset(cls, f)]
    inits += [f"{cls.member(f)}(tag)" for f in unset]
    return with_inits(f"  explicit {cls.obj}", [f"{tag} tag"], inits)


def parent_made(cls: Class, names: CppNames) -> tuple[list[str], list[str]]:
    """Return the code that sets the fields of the parent: (initialisers, assignments)."""
    if not isinstance(cls.parent, Class):
        return [], []
    made = names.parents.get(cls.parent.type_key)
    if made is None:
        made = names.parents[cls.parent.type_key] = _parent_call(cls.parent, names)
    if made:
        return [made], []
    given = cls.parent.init_fields()
    parent = names.object_class(cls.parent.type_key)
    tagged = names.needs_tag(cls.parent)
    inits = [f"{parent}({names.options.ffi}UnsafeInit{{}})"] if tagged else []
    return inits, [f"this->{cls.member(f)} = {passed(f, names)};" for f in given]


def _parent_call(parent: Class, names: CppNames) -> str:
    """Return a call of the constructor of `parent` that takes all fields.

    The result is empty if `parent` does not have this constructor.
    """
    given = parent.init_fields()
    if not given or parent.hand_inits or not parent.d.ctor:
        return ""
    arguments = ", ".join([passed(one, names) for one in given])
    return f"{names.object_class(parent.type_key)}({arguments})"


def _full(cls: Class, names: CppNames) -> Pieces:
    params = parameters(cls, names, for_reference=False)
    inits, assigned = parent_made(cls, names)
    for one in cls.d.fields:
        if one.init:
            inits.append(f"{cls.member(one)}({passed(one, names)})")
        elif names.is_unset(cls, one):
            inits.append(f"{cls.member(one)}({names.options.ffi}UnsafeInit{{}})")
    word = "explicit " if len(params) == 1 else ""
    stub = Anchor("ctor-body")
    lines = with_inits(f"  {word}{cls.obj}", params, inits)
    by_hand = "ctor-body" in names.options.anchors.get(cls.marker, ())
    if assigned or by_hand:
        lines[-1] = lines[-1][: -len(" {}")]
        if not by_hand:
            return [*lines[:-1], *function(lines[-1], assigned)]
        return [*lines[:-1], f"{lines[-1]} {{", *(f"    {one}" for one in assigned), stub, "  }"]
    return [*lines]


# --- methods, accessors, information


def _accessors(cls: Class, names: CppNames) -> list[str]:
    """Return the code of accessor methods for members that are object pointers.

    Each method returns the member as its reference class (an `ObjectRef`). The methods are
    templates, since the reference class is incomplete where the methods are defined.
    """
    out = []
    for one in cls.d.fields:
        if one.name in cls.broken and is_one_object(one.type):
            inner = one.type.args[0] if one.type.origin == "Optional" else one.type
            out.append(f"  template <typename Ref = {names.ref_class(inner.name)}>")
            out.append(f"  Ref {one.name}() const {{")
            out.append(f"    return Ref({cls.member(one)});")
            out.append("  }")
    return out
