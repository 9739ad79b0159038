# SPDX-License-Identifier: Apache-2.0
"""Write parts of a type: members, accessors, enumerations."""

from __future__ import annotations

from .directives import RustEnum
from .imports import RustImports
from .names import is_snake_case, literal
from .plan import Member
from .text import SPACE


def struct_member(member: Member, imports: RustImports) -> tuple[str, str]:
    """Return name and type of a struct member."""
    kind = member.mirror
    assert kind is not None
    if not member.is_writable:
        return member.name, kind.text(imports)
    text = kind.text(imports) if member.enum is None else member.enum.representation
    return member.name, f"{imports.use('tvm_ffi::Writable')}<{text}>"


def initializer(member: Member) -> str:
    """Return the part of a struct expression that sets a member from the parameter of its name."""
    if not member.is_writable:
        return member.name
    value = member.name if member.enum is None else f"{member.name}.as_raw()"
    return f"{member.name}: {value}.into()"


def parameter(member: Member, imports: RustImports, *, convert: bool) -> tuple[str, str]:
    """Return name and type of the constructor parameter for a struct member."""
    kind = member.mirror
    assert kind is not None
    text = kind.text(imports)
    if convert and not kind.is_scalar:
        text = f"impl {imports.prelude('convert::Into')}<{text}>"
    return member.name, text


def argument(member: Member) -> str:
    """Return the expression that passes a parameter to a call, with a conversion if necessary."""
    plain = member.mirror is not None and member.mirror.is_scalar
    return member.name if plain else f"{member.name}.into()"


def accessor(member: Member, imports: RustImports) -> list[str]:
    """Write a function that reads a field through the C ABI."""
    core = imports.use("tvm_ffi::ObjectCore")
    own = f"<Self as {core}>" if "::" in core else "Self"
    getter = imports.use("tvm_ffi::FieldGetter")
    result = imports.use("tvm_ffi::Result")
    read = f"{getter}::new({own}::type_index(), {literal(member.field)})?"
    is_any = member.result.name == "tvm_ffi::Any"
    lines = [f"{SPACE}pub fn {member.name}(&self) -> {result}<{member.result.text(imports)}> {{"]
    if not is_snake_case(member.name):
        lines.insert(0, f"{SPACE}#[allow(non_snake_case)]")
    if member.enum is None:
        lines.append(f"{SPACE * 2}{read}.{'get_any' if is_any else 'get'}(self)")
    else:
        lines.append(f"{SPACE * 2}let raw: i64 = {read}.get(self)?;")
        lines.append(f"{SPACE * 2}{member.enum.name}::try_from(raw)")
    return [*lines, f"{SPACE}}}"]


def enumeration(enum: RustEnum, imports: RustImports) -> list[str]:
    """Write the type of an enumeration, which also accepts values without a name."""
    error, result = imports.use("tvm_ffi::Error"), imports.use("tvm_ffi::Result")
    code = imports.use("tvm_ffi::VALUE_ERROR")
    name, raw = enum.name, enum.representation
    constants = [f"{SPACE}pub const {item}: Self = Self({value});" for item, value in enum.items]
    refusal = f'"{name} value {{value}} does not fit {raw}"'
    return [
        "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]",
        "#[repr(transparent)]",
        f"pub struct {name}({raw});",
        "",
        "#[allow(non_upper_case_globals)]",
        f"impl {name} {{",
        *constants,
        *([""] if constants else []),
        f"{SPACE}pub const fn from_raw(value: {raw}) -> Self {{",
        f"{SPACE * 2}Self(value)",
        f"{SPACE}}}",
        "",
        f"{SPACE}pub const fn as_raw(self) -> {raw} {{",
        f"{SPACE * 2}self.0",
        f"{SPACE}}}",
        "}",
        "",
        f"impl {imports.prelude('convert::TryFrom')}<i64> for {name} {{",
        f"{SPACE}type Error = {error};",
        f"{SPACE}fn try_from(value: i64) -> {result}<Self> {{",
        f"{SPACE * 2}{raw}::try_from(value).map(Self).map_err(|_| {{",
        f'{SPACE * 3}{error}::new({code}, &format!({refusal}), "")',
        f"{SPACE * 2}}})",
        f"{SPACE}}}",
        "}",
    ]
