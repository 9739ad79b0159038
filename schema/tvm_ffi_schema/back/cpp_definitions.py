# SPDX-License-Identifier: Apache-2.0
"""Definitions in source files: constructors, accessors of enums, bodies of methods."""

from __future__ import annotations

from ..cxx.pattern import quoted
from ..ir import FieldDef, MethodDef
from ..link.program import Class, is_one_object
from .cpp_layout import wrap_call
from .cpp_methods import method_parameters, signature
from .cpp_object import parameters, reference_forms
from .cpp_ref import has_constructor, has_make
from .cpp_source import registered_name
from .cpp_type import CppNames, passed
from .writer import WIDTH, Anchor, Pieces


def constructors(cls: Class, names: CppNames) -> list[str]:
    """Return the constructors of the reference class, as definitions for the source file."""
    if not has_constructor(cls):
        return []
    out = []
    for method in cls.hand_inits:
        arguments = [passed(p, names) for p in method.params]
        params = method_parameters(method, names, False, cls)
        out += _constructor(cls, names, params, arguments)
    if not cls.hand_inits:
        pointers = cls.pointers()
        arguments = [
            _given(cls, one, names) if one.name in pointers else passed(one, names)
            for one in cls.init_fields()
        ]
        whole = parameters(cls, names, for_reference=True)
        out += _constructor(cls, names, whole, arguments)
        for form in reference_forms(cls, names)[:-1]:
            out += _shorter(cls, names, whole[: len(form)])
    return out


def _shorter(cls: Class, names: CppNames, params: list[str]) -> list[str]:
    """Return a constructor with the parameters `params`; it passes defaults for later fields."""
    fields = cls.init_fields()
    arguments = [passed(one, names) for one in fields[: len(params)]]
    arguments += [names.default(cls, one) for one in fields[len(params) :]]
    head = wrap_call(f"{cls.ref}::{cls.ref}", params, "")
    return [*head, *wrap_call(f"    : {cls.ref}", arguments, " {}")]


def _constructor(cls: Class, names: CppNames, params: list[str], arguments: list[str]) -> list[str]:
    made = f"{names.options.ffi}make_object<{cls.obj}>({', '.join(arguments)})"
    if not params:
        if not has_make(cls):
            return []
        return [f"{cls.ref} {cls.ref}::Make() {{ return {cls.ref}({made}); }}"]
    head = wrap_call(f"{cls.ref}::{cls.ref}", params, "")
    parent = names.ref_class(cls.parent.type_key)
    checks = _checks(cls, names)
    if _takes_pointer(cls):
        lines = _joined(head, f"{parent}({made})", "{" if checks else "{}")
        return [*lines, *checks, "}"] if checks else lines
    lines = _joined(head, f"{parent}({names.options.ffi}UnsafeInit{{}})", "{")
    word = f"  data_ = {names.options.ffi}make_object<{cls.obj}>"
    return [*lines, *wrap_call(word, arguments, ";", is_call=True), *checks, "}"]


def _checks(cls: Class, names: CppNames) -> list[str]:
    """Return the statements of a constructor that check the fields with a `Literal`."""
    checked = f"  {names.options.ffi}reflection::one_of"
    return [
        f"{checked}<&{cls.obj}::{one.name}>::Check(get()->{one.name});"
        for one in cls.literals()
        if one.reflect and one.init and one.access == "public"
    ]


def _given(cls: Class, one: FieldDef, names: CppNames) -> str:
    """Return the constructor argument for a field that is stored as a pointer."""
    if is_one_object(one.type):
        return f"{names.options.ffi}AnyView({one.name}).cast<{names.field_type(cls, one)}>()"
    return passed(one, names)


def _takes_pointer(cls: Class) -> bool:
    """Return whether the parent's reference class has a constructor from an object pointer."""
    parent = cls.parent
    if isinstance(parent, Class):
        return parent.d.ref is None or parent.d.ref.nullable
    return True


def _joined(head: list[str], init: str, body: str) -> list[str]:
    if len(head) == 1 and len(f"{head[0]} : {init} {body}") <= WIDTH:
        return [f"{head[0]} : {init} {body}"]
    line = f"    : {init} {body}"
    if len(line) <= WIDTH:
        return [*head, line]
    name, _, inner = init.partition("(")
    if len(f"          {inner} {body}") <= WIDTH:
        return [*head, f"    : {name}(", f"          {inner} {body}"]
    made, _, given = inner[:-1].partition("(")
    arguments = given[:-1].split(", ")  # no argument contains a comma
    return [*head, *wrap_call(f"    : {name}({made}", arguments, f") {body}", is_call=True)]


def enum_accessors(cls: Class, names: CppNames) -> list[str]:
    """Return the definitions of `Get` and of the functions that return the entries of an enum."""
    if cls.d.enum is None or not cls.ref:
        return []
    ffi = names.options.ffi
    get = f"{ffi}reflection::EnumGet<{cls.ref}>({{name.data(), name.size()}})"
    head = f"{cls.ref} {cls.ref}::Get(const {ffi}String& name) {{"
    lines = [f"{head} return {get}; }}"]
    if len(lines[0]) > WIDTH:
        lines = [head, f"  return {get};", "}"]
    for entry in cls.entries:
        text = f"return Get({quoted(registered_name(cls, entry))});"
        lines.append(f"{cls.ref} {cls.ref}::{entry.name}() {{ {text} }}")
    return lines


def methods(cls: Class, names: CppNames) -> Pieces:
    """Return an anchor for each native method; by default it contains a body that throws."""
    out: Pieces = []
    seen: dict[str, int] = {}
    for method in cls.native:
        seen[method.name] = number = seen.get(method.name, 0) + 1
        name = f"method:{method.name}" + (f"#{number}" if number > 1 else "")
        out.append(Anchor(name, tuple(_stub(cls, method, names))))
    return out


def _stub(cls: Class, method: MethodDef, names: CppNames) -> list[str]:
    if method.name == "__init__":
        params = method_parameters(method, names, False, cls)
        head = wrap_call(f"{cls.obj}::{cls.obj}", params, "")
    else:
        head = signature(method, names, f"{cls.obj}::", cls)
    unused = [f"  (void){p.name};" for p in method.params]
    text = quoted(f"{cls.type_key}.{method.name} is not implemented")
    throw = f"  TVM_FFI_THROW(NotImplementedError) << {text};"
    return [*head[:-1], head[-1] + " {", *unused, throw, "  TVM_FFI_UNREACHABLE();", "}"]
