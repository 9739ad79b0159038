# SPDX-License-Identifier: Apache-2.0
"""Registration of classes in C++: statements for fields, methods, attributes and enum entries."""

from __future__ import annotations

import re

from ..ir import EntryDef, FieldDef, MethodDef, ParamDef
from ..link import equality
from ..link.program import Class
from . import cpp_classic, cpp_keywords, cpp_object, cpp_ref
from .cpp_layout import Call, as_lambda, chain
from .cpp_object import passed
from .cpp_type import CppNames
from .writer import Anchor, Pieces, one_line, quoted


def registered_name(cls: Class, entry: EntryDef) -> str:
    """Return the registered name of an entry; for an enum of texts, this is the text."""
    is_text = cls.d.enum is not None and cls.d.enum.base == "str"
    return str(entry.value) if is_text else entry.name


def registration(classes: list[Class], names: CppNames) -> Pieces:
    """Return the lines that register the classes, parents before children."""
    out: list[str] = []
    block: list[str] = []
    for cls in classes:
        if cpp_classic.is_classic(cls, names) and cpp_classic.is_said_by_visiting(cls):
            out += _init_block(block, names)
            block = []
            out.append(f"TVM_REGISTER_NODE_TYPE({cls.obj});")
        elif cls.registers_itself:
            block.append(f"  {cls.obj}::RegisterReflection();")
        else:
            block += statements(cls, names)
    pieces: Pieces = [*_members(classes, names)]
    if names.options.dialect == "classic":
        made = _constructors_of(classes, names)
        out += ["", *made] if out and made else made
    if out and block:
        out.append("")
    pieces += out
    if block:
        pieces += [*_init_block(block, names)[:-1], Anchor("registration"), "}"]
    return pieces


def _init_block(block: list[str], names: CppNames) -> list[str]:
    if not block:
        return []
    using = f"  namespace refl = {names.options.ffi}reflection;"
    return ["TVM_FFI_STATIC_INIT_BLOCK() {", using, *block, "}"]


def _members(classes: list[Class], names: CppNames) -> list[str]:
    """Return the definition of `RegisterReflection` for each class that declares this member."""
    out: list[str] = []
    for cls in classes:
        simple = cpp_classic.is_classic(cls, names) and cpp_classic.is_said_by_visiting(cls)
        if cls.registers_itself and not simple:
            out.append(f"void {cls.obj}::RegisterReflection() {{")
            out.append(f"  namespace refl = {names.options.ffi}reflection;")
            out += statements(cls, names)
            out += ["}", ""]
    return out


def statements(cls: Class, names: CppNames) -> list[str]:
    """Return the statements that register one class."""
    extra = ["refl::init(false)"] if cls.d.abstract else []
    word = "OverloadObjectDef" if has_overloads(cls) else "ObjectDef"
    made = f"refl::{word}<{cls.obj}>"
    if cpp_classic.is_classic(cls, names):
        more = f", {made}" if has_overloads(cls) else ""
        made = f"{names.options.ffi}NodeDef<{cls.obj}{more}>"
    calls: list[Call] = []
    if cls.d.enum is not None and cls.d.enum.base == "object":
        calls.append(("as_enum", []))
    if cls.d.visit_attrs:
        calls += [field(cls, one, names) for one in cls.d.fields if one.reflect]
    for method in cls.d.methods:
        if method.native and not (cls.d.abstract and method.name == "__init__"):
            calls += _method(cls, method, names)
    lines = chain(f"{made}({', '.join(extra)})", calls)
    return [*lines, *_attributes(cls, names), *_entries(cls, names)]


def field(cls: Class, one: FieldDef, names: CppNames) -> Call:
    """Return the call that registers a field."""
    writable = one.frozen is False or (cls.d.mutable and one.frozen is not True)
    arguments = [quoted(one.reflected_name or one.name), f"&{cls.obj}::{cls.member(one)}"]
    arguments += traits(one, names)
    if one.doc:
        arguments.append(quoted(one_line(one.doc)))
    return f"def_{'rw' if writable else 'ro'}", arguments


def traits(one: FieldDef, names: CppNames) -> list[str]:
    """Return the arguments that register the default and the flags of a field."""
    out: list[str] = []
    if one.default is not None:
        value = names.default_value(one.default, one.type)
        if one.default.kind == "factory" or one.default.kind == "entry":
            around = ("refl::default_factory(", ")")
            out.append(as_lambda([], f"return {value};", around))
        elif one.default.kind == "value" and one.default.value is None:
            out.append("refl::default_value(nullptr)")
        elif one.type.origin in ("String", "Optional") and isinstance(one.default.value, str):
            text = quoted(one.default.value)
            out.append(f"refl::default_value({names.options.ffi}String({text}))")
        else:
            out.append(f"refl::default_value({_typed(value, one, names)})")
    flags = {"ignore": "Ignore", "def": "DefPattern", "def-simple": "DefSimple"}
    if one.structural_eq:
        out.append(f"refl::AttachFieldFlag::SEqHash{flags[one.structural_eq]}()")
    for name in ("repr", "compare", "init"):
        if not getattr(one, name):
            out.append(f"refl::{name}(false)")
    if one.hash is False:
        out.append("refl::hash(false)")
    if one.kw_only:
        out.append("refl::kw_only(true)")
    if one.metadata:
        pairs = (f"{{{quoted(k)}, {names.literal(v)}}}" for k, v in one.metadata.items())
        out.append(f"refl::Metadata{{{', '.join(pairs)}}}")
    return out


def _typed(value: str, one: FieldDef, names: CppNames) -> str:
    """Return the expression of a default; add a conversion to the type of the field if needed."""
    if one.type.origin in ("Map", "Array", "Tuple", "Union", "bool", "double", "DataType"):
        return value
    type_ = names.type(one.type)
    is_typed = re.fullmatch(re.escape(type_) + r"[({][^(){}]*[)}]", value)
    if one.default is not None and one.default.kind == "cpp" and not is_typed:
        return f"{type_}({value})"
    return value


def has_overloads(cls: Class) -> bool:
    """Return whether two methods have the same name, or a method has parameters with defaults."""
    if cls.d.enum is not None:
        return False
    native = [m for m in cls.d.methods if m.native]
    several = len({m.name for m in native}) < len(native)
    return several or any(p.default is not None for m in native for p in m.params)


def _method(cls: Class, method: MethodDef, names: CppNames) -> list[Call]:
    doc = [quoted(one_line(method.doc.summary))] if method.doc.summary else []
    shorter = []
    if has_overloads(cls):
        required = [p for p in method.params if p.default is None]
        shorter = [method.params[:n] for n in range(len(method.params) - 1, len(required) - 1, -1)]
    if method.name == "__init__":
        calls: list[Call] = []
        for params in (method.params, *shorter):
            types = ", ".join(names.signature_type(cls, p.type) for p in params)
            calls.append(("def", [f"refl::init<{types}>()", *doc]))
        return calls
    calls = [_registered(cls, method, names, [*doc, *cpp_keywords.emit(cls, method)])]
    return calls + [_shorter(cls, method, params, names, doc) for params in shorter]


def _shorter(
    cls: Class, method: MethodDef, given: tuple[ParamDef, ...], names: CppNames, doc: list[str]
) -> Call:
    """Return the registration of an overload that has only the parameters `given`."""
    params = [f"{names.signature_type(cls, p.type)} {p.name}" for p in given]
    arguments = ", ".join(passed(p, names) for p in given)
    target = f"{cls.obj}::"
    if not method.static:
        params.insert(0, f"{'const ' if method.const else ''}{cls.obj}* self")
        target = "self->"
    word = "" if method.returns.origin == "None" else "return "
    body = f"{word}{target}{method.cpp_name or method.name}({arguments});"
    text = as_lambda(params, body)
    return _word(method), [quoted(method.name), text, *doc]


def _word(method: MethodDef) -> str:
    return "def_static" if method.static else "def"


def _registered(cls: Class, method: MethodDef, names: CppNames, doc: list[str]) -> Call:
    pointer = f"&{cls.obj}::{method.cpp_name or method.name}"
    overloads = [m for m in cls.d.methods if m.name == method.name and m.native]
    if len(overloads) > 1:
        types = ", ".join(names.signature_type(cls, p.type) for p in method.params)
        suffix = ", refl::const_" if method.const and not method.static else ""
        pointer = f"refl::overload_cast<{types}>({pointer}{suffix})"
    return _word(method), [quoted(method.name), pointer, *doc]


def _attributes(cls: Class, names: CppNames) -> list[str]:
    equal, hash_ = equality.custom_pair(cls, names.options.customs)
    if cpp_classic.is_classic(cls, names):
        equal = hash_ = ""  # in the classic dialect, the runtime finds the reducers by their names
    pairs: list[tuple[str, str]] = []
    if equal:
        pairs.append(("__s_equal__", f"&{cls.obj}::{equal}"))
    if hash_:
        pairs.append(("__s_hash__", f"&{cls.obj}::{hash_}"))
    pairs += [(name, names.literal(value)) for name, value in cls.d.type_attrs.items()]
    if not pairs:
        return []
    calls = [("def", [quoted(name), value]) for name, value in pairs]
    return chain(f"refl::TypeAttrDef<{cls.obj}>()", calls)


def _entries(cls: Class, names: CppNames) -> list[str]:
    if cls.d.enum is None:
        return []
    out = []
    for entry in cls.d.enum.entries:
        is_int = cls.d.enum.base == "int"
        word = "EnumEntry" if entry.fields or cls.d.enum.base == "object" else "EnumDef"
        registered = quoted(registered_name(cls, entry))
        arguments = [registered, *([str(entry.value)] if is_int else [])]
        types = {f.name: f.type for f in cls.all_fields()}
        calls: list[Call] = []
        for name, value in entry.fields.items():
            text = names.literal(value, types.get(name))
            calls.append(("set", [quoted(cls.reflected(name)), text]))
        attrs = [(quoted(name), names.literal(value)) for name, value in entry.attrs.items()]
        if word == "EnumDef":
            calls += [("set_attr", [*pair]) for pair in attrs]
        out += chain(f"refl::{word}<{cls.obj}>({', '.join(arguments)})", calls)
        if word == "EnumEntry":
            for name, text in attrs:
                column = f"refl::EnumAttrDef<{cls.obj}>({name})"
                out += chain(column, [("set", [registered, text])])
    return out


def _constructors_of(classes: list[Class], names: CppNames) -> list[str]:
    """Return, for each class, the registration of a global function that creates an object."""
    calls: list[Call] = []
    for cls in classes:
        passable = all(f.type.cpp is None or f.type.cpp.as_type for f in cls.init_fields())
        passable = passable and not cls.d.deprecated and not cpp_object.hand_inits(cls)
        if cpp_ref.has_constructor(cls) and cls.init_fields() and passable:
            params = cpp_object.parameters(cls, names, for_reference=True)
            given = ", ".join(passed(one, names) for one in cls.init_fields())
            made = as_lambda(params, f"return {cls.ref}({given});")
            calls.append(("def", [quoted(cls.type_key), made]))
    if not calls:
        return []
    lines = chain(f"{names.options.ffi}reflection::GlobalDef()", calls)
    return ["TVM_FFI_STATIC_INIT_BLOCK() {", *lines, "}"]
