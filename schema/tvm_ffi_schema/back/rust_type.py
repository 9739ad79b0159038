# SPDX-License-Identifier: Apache-2.0
"""Write names, types and literals in Rust."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .. import ty
from ..front.fields import fits
from ..ir import Default, Module, TypeRef, native_text
from ..link.program import RUNTIME, Class, Foreign, Program

#: Keywords that cannot be names, not even as raw identifiers.
RESERVED = frozenset(("self", "Self", "super", "crate"))
_KEYWORDS = frozenset(
    (
        *("abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do"),
        *("dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl"),
        *("in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub"),
        *("ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe"),
        *("unsized", "use", "virtual", "where", "while", "yield"),
    )
)
_PLAIN = {
    "bool": "bool",
    "int8_t": "i8",
    "int16_t": "i16",
    "int32_t": "i32",
    "int64_t": "i64",
    "uint8_t": "u8",
    "uint16_t": "u16",
    "uint32_t": "u32",
    "uint64_t": "u64",
    "float": "f32",
    "double": "f64",
}
#: Types whose Rust names are not those of C++.
_NAMES = {
    **_PLAIN,
    "DataType": "tvm_ffi::DLDataType",
    "Device": "tvm_ffi::DLDevice",
    "Handle": "*mut std::ffi::c_void",
    "ObjectRef": "tvm_ffi::object::ObjectRef",
    "None": "()",
}
_CONTAINERS = ("Array", "List", "Map", "Dict")
_ESCAPES = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\t": r"\t", "\r": r"\r"}
#: The largest number of types in a `Variant` or `Tuple`, and of parameters of a function.
MOST = 8
#: Types for which zero bytes are a valid value; fields of these types need no default.
_ZERO = frozenset((*_PLAIN, "Optional", "Any", "Handle"))


@dataclass
class RustOptions:
    """Options of the Rust backend."""

    #: Type key of an extern class -> Rust path of its reference type.
    externs: Mapping[str, str] = field(default_factory=dict)
    license: str = ""


class Unsupported(Exception):  # noqa: N818
    """A schema feature has no equivalent in Rust; callers put "field 'x': " before the message."""


def ident(name: str) -> str:
    """Return a name as an identifier; a keyword becomes a raw identifier."""
    return f"r#{name}" if name in _KEYWORDS else name


def module_name(module: Module) -> str:
    """Return the name of the Rust module of a schema file, without ``r#``."""
    name = "".join(char if char.isalnum() or char == "_" else "_" for char in module.stem)
    return f"_{name}" if name[:1].isdigit() else name


def ref_name(cls: Class) -> str:
    """Return the name of the reference type of a class; in Rust, every class has one."""
    if cls.ref:
        return cls.ref
    for suffix in ("Node", "Obj"):
        if cls.obj.endswith(suffix) and cls.obj != suffix:
            return cls.obj[: -len(suffix)]
    return f"{cls.obj}Ref"


def quoted(text: str) -> str:
    """Return a text as a Rust string literal."""
    out = []
    for char in text:
        is_plain = char.isprintable() and char not in _ESCAPES
        out.append(char if is_plain else _ESCAPES.get(char) or f"\\u{{{ord(char):x}}}")
    return f'"{"".join(out)}"'


class RustNames:
    """Writes types and values for one Rust module."""

    def __init__(self, program: Program, module: Module, options: RustOptions) -> None:
        self.program = program
        self.module = module
        self.options = options
        taken = {name for c in program.of_module(module) for name in (c.obj, ref_name(c))}
        #: Names from the Rust prelude; the full path if a class or reference type hides the name.
        self.option, self.some, self.none, self.into = (
            f"std::{path}" if name in taken else name
            for name, path in (
                ("Option", "option::Option"),
                ("Some", "option::Option::Some"),
                ("None", "option::Option::None"),
                ("Into", "convert::Into"),
            )
        )

    # --- classes

    def object_class(self, key: str) -> str:
        """Return the Rust name of the object struct for a type key."""
        if key in RUNTIME:
            return f"tvm_ffi::{'' if key == 'ffi.Object' else 'reflection::'}{RUNTIME[key][0]}"
        found = self.program.find(key)
        if isinstance(found, Class):
            return self._place(found) + found.obj
        return f"<{self.ref_class(key)} as tvm_ffi::ObjectRefCore>::ContainerType"

    def ref_class(self, key: str) -> str:
        """Return the Rust name of the reference type for a type key."""
        if key in RUNTIME:
            place = "object" if key == "ffi.Object" else "reflection"
            return f"tvm_ffi::{place}::{RUNTIME[key][1]}"
        found = self.program.find(key)
        if isinstance(found, Class):
            return self._place(found) + ref_name(found)
        path = self.options.externs.get(key)
        if path is None:
            raise Unsupported(f"no Rust type is known for the extern class {key}")
        return path

    def _place(self, cls: Class) -> str:
        if cls.module.key == self.module.key:
            return ""
        return f"super::{ident(module_name(cls.module))}::"

    # --- types

    def type(self, type_: TypeRef) -> str:
        """Return the Rust type of a field.

        Raises
        ------
        Unsupported
            If Rust has no such type.

        """
        if type_.cpp is not None:
            if type_.cpp.as_type is None:
                raise Unsupported(f"the C++ type {type_.cpp.text} is not known in Rust")
            return self.type(type_.cpp.as_type)
        if type_.origin == "class":
            return self.ref_class(type_.name)
        if type_.origin == "Optional":
            return self._optional(type_.args[0])
        if type_.origin in _CONTAINERS:
            inner = ", ".join(map(self.type, type_.args)) or "tvm_ffi::Any"
            return f"tvm_ffi::{type_.origin}<{inner}>"
        if type_.origin == "Union":
            return f"tvm_ffi::Variant<{self._tuple(type_)}>"
        if type_.origin == "Tuple":
            return f"tvm_ffi::Tuple<{self._tuple(type_)}>"
        if type_.origin == "Function" and type_.args:
            return f"tvm_ffi::TypedFunction<{self._signature(type_)}>"
        return _NAMES.get(type_.origin) or f"tvm_ffi::{type_.origin}"

    def _optional(self, inner: TypeRef) -> str:
        bare = inner.cpp.as_type if inner.cpp is not None and inner.cpp.as_type else inner
        if bare.origin in ("Any", "Optional"):
            return self.type(bare)
        # C++ stores an optional typed function in 16 bytes, so it cannot be an `Option` in Rust,
        # which is one pointer.
        is_typed = bare.origin == "Function" and bool(bare.args)
        is_pointer = bare.origin in ty.POINTERS and not is_typed
        name = self.option if is_pointer else "tvm_ffi::Optional"
        return f"{name}<{self.type(bare)}>"

    def _tuple(self, type_: TypeRef) -> str:
        """Return the arguments of a type as a Rust tuple type."""
        word = "union" if type_.origin == "Union" else "tuple"
        least = 2 if type_.origin == "Union" else 1
        if not least <= len(type_.args) <= MOST:
            raise Unsupported(f"a {word} of {len(type_.args)} types has no equivalent in Rust")
        if type_.origin == "Union" and any(one.origin == "Any" for one in type_.args):
            raise Unsupported("a union with Any has no equivalent in Rust: write Any")
        inner = [self.type(one) for one in type_.args]
        return f"({', '.join(inner)}{',' * (len(inner) == 1)})"

    def _signature(self, type_: TypeRef) -> str:
        """Return the Rust function pointer type for the arguments of a typed function."""
        result, *params = map(self.parameter, type_.args)
        if len(params) > MOST:
            raise Unsupported(f"a function has at most {MOST} parameters in Rust")
        return f"fn({', '.join(params)})" + (f" -> {result}" if result != "()" else "")

    def parameter(self, type_: TypeRef) -> str:
        """Return the Rust type of a parameter or a result of a method."""
        if type_.origin == "Optional" and type_.cpp is None:
            text = self.type(type_)
            return text.replace("tvm_ffi::Optional<", f"{self.option}<", 1)
        return self.type(type_)

    def is_scalar(self, type_: TypeRef) -> bool:
        """Return whether a type is a number or `bool`, without a C++ type."""
        return type_.origin in _PLAIN and type_.cpp is None

    def is_zero(self, type_: TypeRef) -> bool:
        """Return whether zero bytes are a valid value of a type."""
        return type_.origin in _ZERO and type_.cpp is None

    # --- values

    def default(self, default: Default, type_: TypeRef) -> str:
        """Return the default of a field as a Rust expression of the type of the field.

        Raises
        ------
        Unsupported
            If Rust has no such expression.

        """
        if default.kind == "cpp":
            raise Unsupported(f"the default {default.value} is C++")
        if default.kind == "entry":
            return self._wrapped(self.entry(default.value), type_)
        return self.literal(default.value, type_)

    def _wrapped(self, text: str, type_: TypeRef) -> str:
        return f"{self.some}({text})" if type_.origin == "Optional" else text

    def entry(self, pair: list[str], ending: str = '.expect("an entry of the schema")') -> str:
        """Return the Rust expression of an enum entry."""
        owner, name = pair
        for key, cls in self.program.classes.items():
            if owner in (key, cls.d.name):
                return f"{self.ref_class(key)}::{ident(name)}(){ending}"
        raise Unsupported(f"no enum {owner} is known in Rust")

    def zero(self, type_: TypeRef) -> str:
        """Return the Rust expression of the value that zero bytes represent."""
        if type_.origin == "Optional":
            return self.literal(None, type_)
        if type_.origin == "Any":
            return "tvm_ffi::Any::new()"
        if type_.origin == "Handle":
            return "std::ptr::null_mut()"
        return {"bool": "false", "float": "0.0", "double": "0.0"}.get(type_.origin, "0")

    def literal(self, value: Any, type_: TypeRef) -> str:
        """Return a literal as an expression of a type.

        Raises
        ------
        Unsupported
            If Rust has no such expression.

        """
        if isinstance(value, dict) and "$cpp" in value:
            raise Unsupported(f"the value {value['$cpp']} is C++")
        if type_.cpp is not None and type_.cpp.as_type is not None:
            type_ = type_.cpp.as_type
        origin = type_.origin
        if origin == "Optional":
            return self._of_optional(value, type_)
        if isinstance(value, dict) and "$entry" in value:
            return self._as(self.entry(value["$entry"]), type_)
        if origin == "Union":
            inner = next((arg for arg in type_.args if fits(arg, value)), type_.args[0])
            return f"tvm_ffi::Variant::<{self._tuple(type_)}>::new({self._exact(value, inner)})"
        if origin == "Any":
            return self.any(value)
        if value is None:
            if origin == "Handle":
                return "std::ptr::null_mut()"
            raise Unsupported(f"None is not a value of {self.type(type_)}")
        if origin in _PLAIN:
            return _number(value, origin)
        return self._value(value, type_)

    def _as(self, text: str, type_: TypeRef) -> str:
        return f"tvm_ffi::Any::from({text})" if type_.origin == "Any" else text

    def _of_optional(self, value: Any, type_: TypeRef) -> str:
        text, inner = self.type(type_), type_.args[0]
        head, _, rest = text.partition("<")
        if not rest or text == self.type(inner):  # an optional of Any is written as Any
            return self.literal(value, inner)
        if head == "tvm_ffi::Optional":
            if value is None:
                return f"tvm_ffi::Optional::<{rest[:-1]}>::none()"
            return f"tvm_ffi::Optional::some({self._exact(value, inner)})"
        if value is None:
            return f"{self.none}::<{rest[:-1]}>"
        return f"{self.some}({self.literal(value, inner)})"

    def _exact(self, value: Any, type_: TypeRef) -> str:
        """Return a literal; add its type as a suffix if the literal alone would be ambiguous."""
        text = self.literal(value, type_)
        is_number = type_.origin in _PLAIN and type_.origin != "bool"
        return f"{text}{_PLAIN[type_.origin]}" if is_number and text[-1:].isdigit() else text

    def _value(self, value: Any, type_: TypeRef) -> str:
        origin = type_.origin
        if origin == "String":
            return f"tvm_ffi::String::from({quoted(value)})"
        if origin == "Bytes":
            return _bytes(value)
        if origin == "DataType":
            text = f'try_from_str({quoted(value)}).expect("a data type")'
            return f"<tvm_ffi::DLDataType as tvm_ffi::DLDataTypeExt>::{text}"
        if origin == "Device":
            name, _, number = value.partition(":")
            kind = native_text.DEVICES[name]
            return f"tvm_ffi::DLDevice::new(tvm_ffi::DLDeviceType::{kind}, {int(number or 0)})"
        if origin == "Shape" and isinstance(value, (list, tuple)):
            return f"tvm_ffi::Shape::from({_slice([f'{int(one)}i64' for one in value], 'i64')})"
        if origin in ("Array", "List") and isinstance(value, (list, tuple)):
            return self._sequence(value, type_)
        if origin in ("Map", "Dict") and isinstance(value, dict):
            return self._mapping(value, type_)
        if origin == "Tuple" and isinstance(value, (list, tuple)):
            parts = [self.literal(one, arg) for one, arg in zip(value, type_.args)]
            text = f"({', '.join(parts)}{',' * (len(parts) == 1)})"
            return f"tvm_ffi::Tuple::<{self._tuple(type_)}>::from({text})"
        raise Unsupported(f"the value {value!r} cannot be written as {self.type(type_)}")

    def _sequence(self, value: Any, type_: TypeRef) -> str:
        inner = type_.args[0] if type_.args else TypeRef("Any")
        parts = ", ".join(self.literal(one, inner) for one in value)
        made = f"from_iter([{parts}])" if parts else "default()"
        return f"tvm_ffi::{type_.origin}::<{self.type(inner)}>::{made}"

    def _mapping(self, value: dict[Any, Any], type_: TypeRef) -> str:
        key, item = type_.args if len(type_.args) == 2 else (TypeRef("Any"), TypeRef("Any"))
        pairs = (f"({self.literal(k, key)}, {self.literal(v, item)})" for k, v in value.items())
        types = f"{self.type(key)}, {self.type(item)}"
        made = f"from_iter([{', '.join(pairs)}])" if value else "default()"
        return f"tvm_ffi::{type_.origin}::<{types}>::{made}"

    def any(self, value: Any) -> str:
        """Return a literal of any type as an expression of the type `Any`."""
        if value is None:
            return "tvm_ffi::Any::new()"
        return f"tvm_ffi::Any::from({self.plain(value)})"

    def plain(self, value: Any) -> str:
        """Return a literal of any type as an expression that converts to `Any`."""
        if isinstance(value, dict) and "$cpp" in value:
            raise Unsupported(f"the value {value['$cpp']} is C++")
        if isinstance(value, dict) and "$entry" in value:
            return self.entry(value["$entry"])
        if value is None:
            return "tvm_ffi::Any::new()"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return f"{_number(value, 'int64_t')}{'i64' if value != -(1 << 63) else ''}"
        if isinstance(value, float):
            text = _number(value, "double")
            return f"{text}f64" if text[-1:].isdigit() and ":" not in text else text
        if isinstance(value, str):
            return f"tvm_ffi::String::from({quoted(value)})"
        if isinstance(value, bytes):
            return _bytes(value)
        if isinstance(value, dict):
            return self._mapping(value, TypeRef("Map", (TypeRef("String"), TypeRef("Any"))))
        return self._sequence(value, TypeRef("Array", (TypeRef("Any"),)))


def _slice(parts: list[str], type_: str) -> str:
    return f"[{', '.join(parts)}]" if parts else f"[0{type_}; 0]"


def _bytes(value: bytes) -> str:
    body = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'\\"' else f"\\x{byte:02x}" for byte in value
    )
    return f'tvm_ffi::Bytes::from(b"{body}")'


def _number(value: Any, origin: str) -> str:
    if origin == "bool":
        return "true" if value else "false"
    if origin not in ("float", "double"):
        return "i64::MIN" if value == -(1 << 63) else str(int(value))
    number = float(value)
    if math.isfinite(number):
        return repr(number)
    name = "NAN" if math.isnan(number) else "INFINITY" if number > 0 else "NEG_INFINITY"
    return f"{_PLAIN[origin]}::{name}"


def foreign_parent(cls: Class) -> Foreign | None:
    """Return the first ancestor outside of the schema; None if the runtime defines it."""
    at: Class | Foreign = cls
    while isinstance(at, Class):
        at = at.parent
    return None if at.is_runtime or at.type_key in RUNTIME else at
