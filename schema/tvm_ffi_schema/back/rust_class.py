# SPDX-License-Identifier: Apache-2.0
"""Write one class in Rust: the struct with its fields, the reference type, methods, registration.

The text is in the style of rustfmt. An item with a line that rustfmt would break has the attribute
`rustfmt::skip`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..ir import Doc, FieldDef, MethodDef, abi
from ..link import equality
from ..link.program import Class
from . import cpp_keywords
from .cpp_source import registered_name
from .rust_type import RustNames, Unsupported, foreign_parent, ident, quoted, ref_name
from .writer import WIDTH, Anchor, Piece, Pieces, one_line

_FLAGS = {
    "ignore": "seq_hash_ignore",
    "def": "seq_hash_def_pattern",
    "def-simple": "seq_hash_def_simple",
}
#: Up to these widths, rustfmt keeps the arguments of an attribute or a call on one line.
_ATTRIBUTE, _CALL = 70, 60
#: If no argument is longer than this, rustfmt writes several arguments on each line.
_SHORT = 10
#: The attribute for an item that rustfmt must not change.
_SKIP = "#[rustfmt::skip]"


def emit(cls: Class, names: RustNames) -> Pieces:
    """Return the items of a class, with anchors for custom sections."""
    out: Pieces = [*_struct(cls, names), "", *_reference(cls, names)]
    for item in (_methods(cls, names), _describe(cls, names)):
        out += ["", *skipped(item)] if item else []
    out.append(Anchor(f"{cls.obj}.after"))
    return out


def skipped(item: Pieces) -> Pieces:
    """Return an item, with `rustfmt::skip` if rustfmt would break one of its lines."""
    lines = [
        line for piece in item for line in (piece.stub if isinstance(piece, Anchor) else [piece])
    ]
    too_wide = any(len(line) > WIDTH and "///" not in line for line in lines)
    return [_SKIP, *item] if too_wide else item


# --- struct


def _struct(cls: Class, names: RustNames) -> Pieces:
    parent = names.object_class(cls.parent.type_key)
    attribute = _attribute("tvm_ffi::rs_class", _class_options(cls), "")
    body = [f"pub struct {cls.obj} {{", f"    base: {parent},"]
    for one in cls.d.fields:
        body += field(cls, one, names)
    docs = doc_lines(cls.d.doc, cls.d.deprecated)
    return [*docs, *attribute, *skipped([*body, "}"])]


def _class_options(cls: Class) -> list[str]:
    out = [quoted(cls.type_key)]
    kind = equality.stated_kind(cls, {})
    if kind:
        word = abi.STRUCTURAL_KINDS_IN_C[kind].removeprefix("kTVMFFISEqHashKind")
        out.append(f's_eq_hash_kind = "{word}"')
    if cls.slots and not cls.final:
        out.append(f"child_slots = {cls.slots}")
    if cls.d.sealed:
        out.append("child_slots_can_overflow = false")
    if cls.final:
        out.append("final")
    if cls.d.abstract:
        out.append("init = false")
    if _is_described(cls):
        out.append(f"reflection = {cls.obj}::describe")
    return out


def _attribute(name: str, options: list[str], indent: str) -> list[str]:
    """Return an attribute in the style of rustfmt."""
    if len(", ".join(options)) <= _ATTRIBUTE:
        return [f"{indent}#[{name}({', '.join(options)})]"]
    inner = [f"{indent}    {one}," for one in options]
    inner[-1] = inner[-1][:-1]
    return [f"{indent}#[{name}(", *inner, f"{indent})]"]


def field(cls: Class, one: FieldDef, names: RustNames) -> list[str]:
    """Return a field with its documentation and its options."""
    out = [f"    /// {one_line(one.doc)}"] if one.doc else []
    options = field_options(cls, one, names)
    out += _attribute("reflect", options, "    ") if options else []
    access = "pub " if one.access == "public" else ""
    type_ = names.type(one.type)
    text = f"tvm_ffi::Writable<{type_}>" if "writable" in options else type_
    return [*out, f"    {access}{field_name(one.name)}: {text},"]


def field_name(name: str) -> str:
    """Return the Rust name of a field; the name `base` is reserved for the parent's fields."""
    return "base_" if name == "base" else ident(name)


def field_options(cls: Class, one: FieldDef, names: RustNames) -> list[str]:
    """Return the options of a field: name, flags, default and metadata."""
    out = []
    name = one.reflected_name or one.name
    if field_name(name).removeprefix("r#") != name or field_name(one.name) != field_name(name):
        out.append(f"name = {quoted(name)}")
    if cls.is_writable(one):
        out.append("writable")
    for flag, is_set in (
        ("kw_only", one.kw_only),
        ("init_off", not one.init),
        ("repr_off", not one.repr),
        ("compare_off", not one.compare),
        ("hash_off", one.hash is False),
        (_FLAGS.get(one.structural_eq, ""), bool(one.structural_eq)),
    ):
        out += [flag] if is_set else []
    out += _default(cls, one, names)
    if one.metadata:
        out.append(f"metadata = {quoted(json_of(one.metadata))}")
    return out


def json_of(value: Any) -> str:
    """Return a value as JSON.

    Raises
    ------
    Unsupported
        If JSON has no such value.

    """
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Unsupported(f"the metadata {value!r} is not JSON") from error


def _default(cls: Class, one: FieldDef, names: RustNames) -> list[str]:
    default = one.default
    if default is None:
        return []
    if one.name in cls.refused:
        return ["default_none"]
    is_text = default.kind == "value" and isinstance(default.value, str)
    if is_text and one.type.origin == "String" and one.type.cpp is None:
        return [f"default = {quoted(default.value)}"]
    value = names.default(default, one.type)
    if default.kind in ("factory", "entry"):
        return [f"default_factory = || {value}"]
    return [f"default = {value}"]


# --- reference type


def _reference(cls: Class, names: RustNames) -> list[str]:
    ref, parent = ref_name(cls), names.ref_class(cls.parent.type_key)
    return [
        "tvm_ffi::def_object_ref!(",
        f"    /// A reference to a [`{cls.obj}`].",
        "    #[derive(Debug)]",
        f"    pub {ref},",
        f"    {parent},",
        f"    {cls.obj}",
        ");",
    ]


# --- methods


def native(cls: Class) -> list[MethodDef]:
    """Return the methods that are written in Rust; omit the constructor of an abstract class."""
    return [m for m in cls.native if not (cls.d.abstract and m.name == "__init__")]


def method_name(method: MethodDef) -> str:
    """Return the Rust name of a method."""
    return "init" if method.name == "__init__" else ident(method.name)


def has_new(cls: Class) -> bool:
    """Return whether the generator writes a constructor that takes all fields."""
    is_made = cls.d.ctor and not cls.d.abstract and cls.d.enum is None
    return is_made and not cls.hand_inits and foreign_parent(cls) is None


def _methods(cls: Class, names: RustNames) -> Pieces:
    items: list[Pieces] = []
    if has_new(cls):
        items.append([*_new(cls, names)])
    for entry in cls.entries:
        text = quoted(registered_name(cls, entry))
        items.append([*_accessor(entry.name, entry.doc, text)])
    for method in native(cls):
        items.append([Anchor(f"{cls.obj}.method:{method.name}", tuple(_stub(cls, method, names)))])
    out: Pieces = []
    for item in items:
        out += [*([""] if out else []), *item]
    return [f"impl {ref_name(cls)} {{", *out, "}"] if out else []


def _accessor(name: str, doc: str, text: str) -> list[str]:
    return [
        f"    /// {one_line(doc) if doc else f'Return the entry `{name}`.'}",
        f"    pub fn {ident(name)}() -> tvm_ffi::Result<Self> {{",
        f"        tvm_ffi::reflection::EnumDef::get({text})",
        "    }",
    ]


def _new(cls: Class, names: RustNames) -> list[str]:
    params = []
    for one in cls.init_fields():
        type_ = names.type(one.type)
        is_plain = names.is_scalar(one.type)
        text = type_ if is_plain else f"impl {names.into}<{type_}>"
        params.append(f"{field_name(one.name)}: {text}")
    lines = ["    /// Make an object of the values of its fields."]
    lines += _head("    pub fn new", params, "Self")
    chain = [cls, *cls.ancestors()]
    base = f"{names.object_class(chain[-1].parent.type_key)}::new()"
    lines += [f"        let base = {base};"]
    for one_class in reversed(chain):
        given = ["base", *(_argument(one, names) for one in one_class.d.fields)]
        word = "base" if one_class is not cls else "object"
        obj = names.object_class(one_class.type_key)
        lines += call(f"        let {word} = {obj}::new", given, ";")
    return [*lines, "        Self::from(object)", "    }"]


def _argument(one: FieldDef, names: RustNames) -> str:
    if one.init:
        return field_name(one.name)
    if one.default is None:
        return names.zero(one.type)
    return names.default(one.default, one.type)


def _head(head: str, params: list[str], returns: str) -> list[str]:
    """Return the lines of a function up to the opening brace, in the style of rustfmt."""
    result = f" -> {returns}" if returns else ""
    whole = f"{head}({', '.join(params)}){result} {{"
    if len(whole) <= WIDTH:
        return [whole]
    return [f"{head}(", *(f"        {one}," for one in params), f"    ){result} {{"]


def call(head: str, arguments: Sequence[str], tail: str) -> list[str]:
    """Return a call in the style of rustfmt; each argument must fit on one line."""
    text = ", ".join(arguments)
    whole = f"{head}({text}){tail}"
    if not arguments or (len(text) <= _CALL and len(whole) <= WIDTH):
        return [whole]
    indent = " " * (len(head) - len(head.lstrip()))
    if len(arguments) == 1:
        return [whole]
    if all(len(one) <= _SHORT for one in arguments):
        return [f"{head}(", *_filled(arguments, f"{indent}    "), f"{indent}){tail}"]
    return [f"{head}(", *(f"{indent}    {one}," for one in arguments), f"{indent}){tail}"]


def _filled(arguments: Sequence[str], indent: str) -> list[str]:
    """Return the lines for short arguments; each line has as many arguments as fit."""
    lines, line = [], indent
    for one in arguments:
        if line != indent and len(line) + len(one) + 1 > WIDTH:
            lines.append(line.rstrip())
            line = indent
        line += f"{one}, "
    return [*lines, line.rstrip()]


def _stub(cls: Class, method: MethodDef, names: RustNames) -> list[str]:
    """Return a definition that returns an error, for a method that is not written by hand yet."""
    params = [] if method.static or method.name == "__init__" else ["&self"]
    params += [f"{ident(p.name)}: {names.parameter(p.type)}" for p in method.params]
    returned = "Self" if method.name == "__init__" else names.parameter(method.returns)
    lines = [f"    {line}" for line in doc_lines(method.doc, "", method.doc.params)]
    lines += _head(f"    pub fn {method_name(method)}", params, f"tvm_ffi::Result<{returned}>")
    unused = [ident(p.name) for p in method.params]
    if unused:
        one = [f"        let _ = {unused[0]};"]
        lines += one if len(unused) == 1 else call("        let _ = ", unused, ";")
    message = quoted(f"{cls.type_key}.{method.name} is not implemented")
    line = f"        let message = {message};"
    lines += [line] if len(line) <= WIDTH else ["        let message =", f"            {message};"]
    lines.append('        let kind = tvm_ffi::ErrorKind::new("NotImplementedError");')
    return [*lines, '        Err(tvm_ffi::Error::new(kind, message, ""))', "    }"]


# --- registration


def _is_described(cls: Class) -> bool:
    return bool(native(cls) or cls.d.type_attrs or cls.d.enum is not None)


def _describe(cls: Class, names: RustNames) -> Pieces:
    if not _is_described(cls):
        return []
    body: list[Piece] = []
    if cls.enum_base == "object":
        body.append("        def.as_enum();")
    for method in native(cls):
        body += _registered(cls, method, names)
    for name, value in cls.d.type_attrs.items():
        body += call("        def.type_attr", [quoted(name), names.plain(value)], ";")
    head = "    fn describe(def: &mut tvm_ffi::ObjectDef<Self>) {"
    unused = [] if body else ["        let _ = &def;"]
    body = [head, *unused, *body, Anchor(f"{cls.obj}.registration"), "    }"]
    return [f"impl {cls.obj} {{", *body, "}"]


def _registered(cls: Class, method: MethodDef, names: RustNames) -> list[str]:
    ref, name = ref_name(cls), method_name(method)
    doc = quoted(one_line(method.doc.summary))
    if method.name == "__init__" or method.static:
        registered = "__ffi_init__" if method.name == "__init__" else method.name
        lines = call("        def.def_static", [quoted(registered), f"{ref}::{name}", doc], ";")
    else:
        params = [f"this: {ref}"]
        params += [f"{ident(p.name)}: {names.parameter(p.type)}" for p in method.params]
        given = ", ".join(ident(p.name) for p in method.params)
        closure = f"|{', '.join(params)}| this.{name}({given})"
        lines = call("        def.def", [quoted(method.name), closure, doc], ";")
    for key, text in cpp_keywords.pairs(cls, method):
        lines += call(f"        def.{key}", [quoted(text)], ";")
    return lines


def has_all_defaults(cls: Class, method: MethodDef) -> bool:
    """Return whether metadata can hold the defaults of all parameters of a method."""
    has_some = any(p.default is not None for p in method.params)
    return not has_some or "arg_defaults" in dict(cpp_keywords.pairs(cls, method))


def entries(cls: Class, names: RustNames) -> list[str]:
    """Return the statements that make and register the entries of an enum."""
    out: list[str] = []
    for one in cls.entries:
        registered = quoted(registered_name(cls, one))
        made = f"    let entry = tvm_ffi::reflection::EnumEntry::<{ref_name(cls)}>::new"
        out += call(made, [registered], ";")
        if cls.enum_base == "int":
            out.append(f"    let entry = entry.number({one.value});")
        types = {f.name: f.type for f in cls.all_fields()}
        for name, value in one.fields.items():
            type_ = types.get(name)
            text = names.plain(value) if type_ is None else _entry_value(value, type_, names)
            arguments = [quoted(cls.reflected(name)), text]
            out += call("    let entry = entry.set", arguments, ";")
        out.append(f"    {'let entry = ' if one.attrs else ''}entry.add()?;")
        for at, (name, value) in enumerate(one.attrs.items()):
            last = at == len(one.attrs) - 1
            word = "    entry.set_attr" if last else "    let entry = entry.set_attr"
            out += call(word, [quoted(name), names.plain(value)], "?;")
    return out


def _entry_value(value: Any, type_: Any, names: RustNames) -> str:
    """Return the value of a field as an expression that converts to `Any`."""
    if isinstance(value, dict) and "$entry" in value:
        return names.entry(value["$entry"], "?")
    text = names.literal(value, type_)
    if names.is_scalar(type_) and type_.origin != "bool" and text[-1:].isdigit():
        return names.plain(float(value) if type_.origin in ("float", "double") else value)
    return text


# --- documentation


def doc_lines(doc: Doc, deprecated: str = "", params: Sequence[Any] = ()) -> list[str]:
    """Return documentation as comment lines."""
    parts = [doc.summary, doc.text]
    parts += [f"* `{item.name}`: {one_line(item.text)}" for item in params]
    parts += [doc.notes, f"```text\n{doc.examples}\n```" if doc.examples else ""]
    deprecated = deprecated or doc.deprecated
    parts.append(f"Deprecated: {deprecated}" if deprecated else "")
    out: list[str] = []
    for part in filter(None, parts):
        out += ["///"] if out else []
        out += [f"/// {line}".rstrip() for line in part.strip("\n").split("\n")]
    return out
