# SPDX-License-Identifier: Apache-2.0
"""The statements that register a class: fields, methods, attributes and enum entries."""

from __future__ import annotations

import re

from ..cxx.constructs import TABLE, USUAL
from ..cxx.pattern import Construct, Lambda, as_lambda, quoted
from ..ir import Default, EntryDef, FieldDef, MethodDef, ParamDef
from ..link import equality
from ..link.program import Class, literals_of
from . import cpp_classic, cpp_keywords
from .cpp_layout import chain
from .cpp_type import CppNames, passed
from .writer import one_line

#: The beginning of a statement, and its chained calls.
Registered = tuple[Construct, list[Construct]]
#: Types whose defaults in C++ need no conversion.
_CONVERTED = ("Map", "Array", "Tuple", "Union", "bool", "double", "DataType")


def registered_name(cls: Class, entry: EntryDef) -> str:
    """Return the registered name of an entry; for an enum of texts, this is the text."""
    return str(entry.value) if cls.enum_base == "str" else entry.name


def member(cls: Class, names: CppNames, head: str = "") -> list[str]:
    """Return the definition of `RegisterReflection`: in the class, or behind it with a `head`."""
    using = f"  namespace refl = {names.options.ffi}reflection;"
    begin = f"{head or 'static void RegisterReflection()'} {{"
    lines = [begin, using, *statements(cls, names), "}"]
    return lines if head else [f"  {line}" for line in lines]


def statements(cls: Class, names: CppNames) -> list[str]:
    """Return the statements that register one class."""
    out: list[str] = []
    for head, calls in registered(cls, names):
        qualifier = names.options.ffi if head.row.first == "NodeDef" else ""
        out += chain(f"{qualifier}{head.write()}", [one.call() for one in calls])
    return out


def registered(cls: Class, names: CppNames) -> list[Registered]:
    """Return the beginning and the chained calls of each statement that registers a class."""
    calls: list[Construct] = []
    if cls.enum_base == "object":
        calls.append(TABLE.make("ENTRY", "enum"))
    if cls.d.visit_attrs:
        calls += [_field(cls, one, names) for one in cls.d.fields if one.reflect]
    for method in cls.native:
        if not (cls.d.abstract and method.name == "__init__"):
            calls += _method(cls, method, names)
    several = True if has_overloads(cls) else None
    traits = [TABLE.make("TRAIT", "init", False)] if cls.d.abstract else []
    made = TABLE.make("STATEMENT", "object", several, cls=cls.obj, traits=traits)
    if cpp_classic.is_classic(cls, names):
        word = {"made": made.call()[0]} if several else {}
        made = TABLE.make("STATEMENT", "object", None, "classic", **word, **made.values)
    return [(made, calls), *_attributes(cls, names), *_entries(cls, names)]


def _field(cls: Class, one: FieldDef, names: CppNames) -> Construct:
    """Return the call that registers a field."""
    return TABLE.make(
        *("ENTRY", "rw" if cls.is_writable(one) else "ro"),
        name=one.reflected_name or one.name,
        member=f"{cls.obj}::{cls.member(one)}",
        traits=[*_traits(one, names), *_checks(cls, one, names), *_doc(one.doc)],
    )


def _doc(text: str) -> list[Construct]:
    return [TABLE.make("TRAIT", "doc", text=one_line(text))] if text else []


def _traits(one: FieldDef, names: CppNames) -> list[Construct]:
    """Return the arguments that register the default and the flags of a field."""
    out: list[Construct] = []
    if one.default is not None:
        out.append(_default(one, one.default, names))
    if one.structural_eq:
        out.append(TABLE.make("TRAIT", "structural_eq", one.structural_eq))
    for flag, usual in USUAL.items():
        if getattr(one, flag) is (not usual):
            out.append(TABLE.make("TRAIT", flag, not usual))
    if one.metadata:
        pairs = (f"{{{quoted(k)}, {names.literal(v)}}}" for k, v in one.metadata.items())
        out.append(TABLE.make("TRAIT", "metadata", pairs=", ".join(pairs)))
    return out


def _checks(cls: Class, one: FieldDef, names: CppNames) -> list[Construct]:
    """Return the arguments that register which values the setter of a field refuses."""
    allowed = literals_of(one.type)
    if allowed:
        member = f"{cls.obj}::{cls.member(one)}"
        values = (quoted(v) if isinstance(v, str) else names.literal(v) for v in allowed)
        return [TABLE.make("TRAIT", "one_of", member=member, values=", ".join(values))]
    return [TABLE.make("TRAIT", "not_null", True)] if names.program.is_required(one) else []


def _default(one: FieldDef, default: Default, names: CppNames) -> Construct:
    value = names.default_value(default, one.type)
    if default.kind in ("factory", "entry"):
        value = as_lambda([], f"return {value};")
        return TABLE.make("TRAIT", "factory", value=value)
    if default.kind == "value" and default.value is None:
        value = "nullptr"
    elif one.type.origin in ("String", "Optional") and isinstance(default.value, str):
        value = f"{names.options.ffi}String({quoted(default.value)})"
    elif default.kind == "cpp" and one.type.origin not in _CONVERTED:
        # Add a conversion to the type of the field, if the expression has none.
        type_ = names.type(one.type)
        is_typed = re.fullmatch(re.escape(type_) + r"[({][^(){}]*[)}]", value)
        value = value if is_typed else f"{type_}({value})"
    return TABLE.make("TRAIT", "default", value=value)


def has_overloads(cls: Class) -> bool:
    """Return whether two methods have the same name, or a method has parameters with defaults."""
    if cls.d.enum is not None:
        return False
    several = len({m.name for m in cls.native}) < len(cls.native)
    return several or any(p.default is not None for m in cls.native for p in m.params)


def _method(cls: Class, method: MethodDef, names: CppNames) -> list[Construct]:
    traits = _doc(method.doc.summary)
    shorter = []
    if has_overloads(cls):
        required = [p for p in method.params if p.default is None]
        shorter = [method.params[:n] for n in range(len(method.params) - 1, len(required) - 1, -1)]
    if method.name == "__init__":
        given = [_types(cls, params, names) for params in (method.params, *shorter)]
        return [TABLE.make("ENTRY", "init", types=types, traits=traits) for types in given]
    kind = "static" if method.static else "method"
    target = {"member": f"{cls.obj}::{method.cpp_name or method.name}"}
    if sum(one.name == method.name for one in cls.native) > 1:
        target["types"] = _types(cls, method.params, names)
        target |= {"const": "refl::const_"} if method.const and not method.static else {}
    traits += [TABLE.make("TRAIT", "short")] if method.short else []
    values = [_shorter(cls, method, params, names) for params in shorter]
    made = [
        TABLE.make("ENTRY", kind, name=method.name, value=value, traits=traits) for value in values
    ]
    traits = [*traits, *cpp_keywords.emit(cls, method)]
    return [TABLE.make("ENTRY", kind, name=method.name, **target, traits=traits), *made]


def _types(cls: Class, params: tuple[ParamDef, ...], names: CppNames) -> str:
    return ", ".join(names.signature_type(cls, p.type) for p in params)


def _shorter(cls: Class, method: MethodDef, given: tuple[ParamDef, ...], names: CppNames) -> Lambda:
    """Return a function that calls a method with only the parameters `given`."""
    params = [f"{names.signature_type(cls, p.type)} {p.name}" for p in given]
    arguments = ", ".join(passed(p, names) for p in given)
    target = f"{cls.obj}::"
    if not method.static:
        params.insert(0, f"{'const ' if method.const else ''}{cls.obj}* self")
        target = "self->"
    word = "" if method.returns.origin == "None" else "return "
    return as_lambda(params, f"{word}{target}{method.cpp_name or method.name}({arguments});")


def _attributes(cls: Class, names: CppNames) -> list[Registered]:
    equal, hash_ = equality.custom_pair(cls, names.options.customs)
    if cpp_classic.is_classic(cls, names):
        equal = hash_ = ""  # in the classic dialect, the runtime finds the reducers by their names
    pairs: list[tuple[str, str]] = []
    if equal:
        pairs.append(("__s_equal__", f"&{cls.obj}::{equal}"))
    if hash_:
        pairs.append(("__s_hash__", f"&{cls.obj}::{hash_}"))
    pairs += [(name, names.literal(value)) for name, value in cls.d.type_attrs.items()]
    calls = [TABLE.make("ATTR", "attr", name=name, value=value) for name, value in pairs]
    return [(TABLE.make("STATEMENT", "attrs", cls=cls.obj), calls)] if calls else []


def _entries(cls: Class, names: CppNames) -> list[Registered]:
    out: list[Registered] = []
    types = {f.name: f.type for f in cls.all_fields()}
    for entry in cls.entries:
        has_fields = bool(entry.fields) or cls.enum_base == "object"
        registered = registered_name(cls, entry)
        head = {"cls": cls.obj, "name": registered}
        head |= {"number": str(entry.value)} if cls.enum_base == "int" else {}
        sets = {
            cls.reflected(name): names.literal(value, types.get(name))
            for name, value in entry.fields.items()
        }
        calls = [_set("set", name, text) for name, text in sets.items()]
        attrs = [(name, names.literal(value)) for name, value in entry.attrs.items()]
        if not has_fields:
            calls += [_set("attr", *pair) for pair in attrs]
        out.append((TABLE.make("STATEMENT", "entry", has_fields or None, **head), calls))
        for name, text in attrs if has_fields else ():
            column = TABLE.make("STATEMENT", "column", cls=cls.obj, name=name)
            out.append((column, [_set("set", registered, text)]))
    return out


def _set(kind: str, name: str, value: str) -> Construct:
    return TABLE.make("VALUE", kind, name=name, value=value)
