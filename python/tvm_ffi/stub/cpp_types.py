# SPDX-License-Identifier: Apache-2.0
"""C++ types of reflected fields, and C++ names."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from .. import core
from .type_text import read_schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tvm_ffi.core import TypeInfo, TypeSchema

HEADER_SIZE = 24
_FFI = "::tvm::ffi::"
_ESCAPE = "__ffi_escape_"

_KEYWORDS = frozenset(
    {
        *("alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break"),
        *("case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await"),
        *("co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval"),
        *("constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double"),
        *("dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for"),
        *("friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new"),
        *("noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private"),
        *("protected", "public", "register", "reinterpret_cast", "requires", "return", "short"),
        *("signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch"),
        *("template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid"),
        *("typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t"),
        *("while", "xor", "xor_eq"),
    }
)


@dataclass(frozen=True)
class BaseType:
    """The description of an object type in the registry."""

    key: str
    index: int
    depth: int
    total_size: int
    parent: BaseType | None
    info: TypeInfo


@dataclass(frozen=True)
class Carrier:
    """A C++ type, its size and alignment, and whether it refers to an object."""

    text: str
    size: int = 8
    alignment: int = 8
    is_object: bool = False


_SIMPLE = {
    "int": Carrier("int64_t"),
    "float": Carrier("double"),
    "bool": Carrier("bool", 1, 1),
    "ctypes.c_void_p": Carrier("void*"),
    "dtype": Carrier("DLDataType", 4, 2),
    "Device": Carrier("DLDevice", 8, 4),
    "Any": Carrier(f"{_FFI}Any", 16),
    "str": Carrier(f"{_FFI}String", 16),
    "bytes": Carrier(f"{_FFI}Bytes", 16),
    "Callable": Carrier(f"{_FFI}Function", is_object=True),
    "Tensor": Carrier(f"{_FFI}Tensor", is_object=True),
    "Object": Carrier(f"{_FFI}Arc<{_FFI}Object>", is_object=True),
    "ffi.Shape": Carrier(f"{_FFI}Shape", is_object=True),
    "ffi.Error": Carrier(f"{_FFI}Error", is_object=True),
    "ffi.Module": Carrier(f"{_FFI}Arc<{_FFI}ModuleObj>", is_object=True),
}
_CONTAINERS = {"Array": 1, "List": 1, "Map": 2, "Dict": 2}
_ANY = _SIMPLE["Any"]
_OBJECT = _SIMPLE["Object"]

# Static type index of a field without a schema -> its C++ type.
_BY_STATIC_INDEX = {
    1: _SIMPLE["int"],
    2: _SIMPLE["bool"],
    3: _SIMPLE["float"],
    4: _SIMPLE["ctypes.c_void_p"],
    5: _SIMPLE["dtype"],
    6: _SIMPLE["Device"],
    -1: _ANY,
}


VISIT_INTERRUPT = "ffi.VisitInterrupt"
#: The C++ classes of static types that are in separate headers.
EXTRA_HEADERS = {
    "ModuleObj": "tvm/ffi/extra/module.h",
    "VisitInterruptObj": "tvm/ffi/extra/structural_visit.h",
}

# Names of C++ types in the metadata of native fields. `read_schema` replaces such a name by a type
# with a different layout, for example `const char*` by `str`.
_ALIASES = frozenset(
    {"const char*", "TVMFFIByteArray*", "DLTensor*", "ObjectRValueRef", "ffi.BigInt", "UnchangedOr"}
)
_CANONICAL = {
    **{name: f"ffi.{name}" for name in _CONTAINERS},
    "tuple": "Tuple",
    "Optional": "Optional",
    "Union": "Variant",
}


def _refuse_alias(where: str, value: Any) -> None:
    """Reject the schema of a native field whose C++ type has a different layout than the schema.

    Elements of containers are not checked, because they are stored as ``Any`` values, independent
    of their C++ type.
    """
    raw = json.loads(value) if isinstance(value, (str, bytes)) else dict(value)
    origin = raw.get("type", "")
    if origin in _ALIASES or origin.startswith("std::"):
        try:
            normal = read_schema(raw).origin
        except ValueError:
            normal = ""
        if not normal or normal == origin:
            raise ValueError(f"Unsupported type {origin!r} in the schema of {where}")
        expected = _CANONICAL.get(normal)
        reason = (
            f"is not the canonical {expected!r} carrier"
            if expected
            else "does not have the canonical owning representation"
        )
        raise ValueError(
            f"native schema origin {origin!r} of {where} normalizes to {normal!r} but {reason}"
        )
    if origin in ("Optional", "Variant"):
        for arg in raw.get("args", ()):
            _refuse_alias(where, arg)


class CarrierTable:
    """Finds the C++ types of fields, and collects the object types that they refer to."""

    def __init__(self) -> None:
        self.referenced: set[str] = set()

    def of_field(self, key: str, field: Any, is_python: bool) -> Carrier:
        """Return the C++ type of a field.

        Raise ValueError if there is no type with the layout of the field.
        """
        value = (field.metadata or {}).get("type_schema")
        if value is None:
            carrier = self._by_static_index(key, field)
        else:
            if not is_python:
                _refuse_alias(f"{key}.{field.name}", value)
            schema = read_schema(value)
            carrier = self._of_schema_field(key, field, schema, is_python)
        if (carrier.size, carrier.alignment) != (field.size, field.alignment):
            raise ValueError(
                f"Carrier {carrier.text} for {key}.{field.name} has layout "
                f"({carrier.size}, {carrier.alignment}), but reflection reports "
                f"({field.size}, {field.alignment}) at offset {field.offset}"
            )
        return carrier

    def _by_static_index(self, key: str, field: Any) -> Carrier:
        index = field.field_static_type_index
        if index >= 64:
            return Carrier(f"{_FFI}ObjectPtr<{_FFI}Object>", is_object=True)
        if index not in _BY_STATIC_INDEX:
            raise ValueError(f"Unsupported static type index {index} of {key}.{field.name}")
        return _BY_STATIC_INDEX[index]

    def _of_schema_field(
        self, key: str, field: Any, schema: TypeSchema, is_python: bool
    ) -> Carrier:
        if schema.origin not in ("Optional", "Union"):
            return self.of_schema(schema)
        if is_python:
            self._refer(schema)
            return _ANY
        layout = (field.size, field.alignment)
        inner = self._only_objects(schema)
        if schema.origin == "Union" and inner is not None and layout == (8, 8):
            return _OBJECT
        if schema.origin == "Optional":
            (arg,) = schema.args or ()
            if arg.origin in ("str", "bytes") and layout == (16, 8):
                return self.of_schema(arg)
            if inner is not None and layout == (8, 8):
                return self._nullable(arg)
            if inner is not None and layout == (16, 8):
                return Carrier(f"{_FFI}Optional<{self.of_schema(arg).text}>", 16)
        raise ValueError(
            f"Ambiguous native {schema.origin} carrier for {key}.{field.name} with layout {layout}"
        )

    def of_schema(self, schema: TypeSchema) -> Carrier:
        """Return the C++ type of a value; raise ValueError if there is no such type."""
        origin, args = schema.origin, schema.args
        if origin in _SIMPLE:
            return _SIMPLE[origin]
        if origin in _CONTAINERS:
            inner = ", ".join(self._element(arg).text for arg in args or ())
            return Carrier(f"{_FFI}{origin}<{inner}>", is_object=True)
        if origin == "tuple":
            if args is None:
                return Carrier(f"{_FFI}Array<{_ANY.text}>", is_object=True)
            inner = ", ".join(self._element(arg).text for arg in args)
            return Carrier(f"{_FFI}Tuple<{inner}>", is_object=True)
        return Carrier(f"{_FFI}Arc<{self._struct(origin)}>", is_object=True)

    def _element(self, schema: TypeSchema) -> Carrier:
        """Return the C++ type of an element of a container, which is stored as an ``Any`` value."""
        if schema.origin == "Optional":
            (arg,) = schema.args or ()
            if self._only_objects(schema) is not None and not self._is_reference(arg):
                return self._nullable(arg)
            self._refer(schema)
            return _ANY
        if schema.origin == "Union":
            objects = self._only_objects(schema)
            return _ANY if objects is None else _OBJECT
        if schema.origin == "None":
            return _ANY
        return self.of_schema(schema)

    def _is_reference(self, schema: TypeSchema) -> bool:
        """Return whether the C++ type of a schema is a container or one of ``_SIMPLE``.

        The C++ type of any other object type is ``Arc`` of the struct of the type.
        """
        return schema.origin in _CONTAINERS or schema.origin in _SIMPLE or schema.origin == "tuple"

    def _nullable(self, schema: TypeSchema) -> Carrier:
        if schema.origin == "Union" or schema.origin == "Object":
            return Carrier(f"{_FFI}ObjectPtr<{_FFI}Object>", is_object=True)
        if self._is_reference(schema):
            return Carrier(f"{_FFI}Optional<{self.of_schema(schema).text}>", is_object=True)
        return Carrier(f"{_FFI}ObjectPtr<{self._struct(schema.origin)}>", is_object=True)

    def _only_objects(self, schema: TypeSchema) -> list[Carrier] | None:
        """Return the C++ types of the members of a union; None if a member is not an object."""
        members = []
        for arg in schema.args or ():
            if arg.origin == "Union":
                inner = self._only_objects(arg)
                if inner is None:
                    return None
                members += inner
            elif arg.origin in ("None", "Optional"):
                return None
            else:
                members.append(self.of_schema(arg))
        return members if all(member.is_object for member in members) else None

    def _refer(self, schema: TypeSchema) -> None:
        for arg in schema.args or ():
            if arg.origin in ("Optional", "Union"):
                self._refer(arg)
            elif arg.origin != "None":
                self.of_schema(arg)

    def _struct(self, key: str) -> str:
        """Return the full name of the struct of an object type."""
        if key == VISIT_INTERRUPT:
            return f"{_FFI}VisitInterruptObj"
        index = core._object_type_key_to_index(key)
        if index is None or index < 128:
            raise ValueError(f"Unsupported type {key!r} in a schema")
        self.referenced.add(key)
        spaces = map(escape_identifier, key.split(".")[:-1])
        return "::" + "::".join([*spaces, struct_name(key)])


# ---- names ----


def escape_identifier(name: str) -> str:
    """Return a name as a C++ identifier; encode invalid names in hexadecimal."""
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and name not in _KEYWORDS
    return name if plain and not name.startswith(_ESCAPE) else _ESCAPE + name.encode().hex()


def struct_name(key: str) -> str:
    """Return the name of the struct of a type, without namespaces."""
    leaf = key.rpartition(".")[2]
    return escape_identifier(leaf) + "Obj"


def quote_key(key: str) -> str:
    """Return a type key as a C++ string literal."""
    out = []
    for byte in key.encode():
        char = chr(byte)
        if char in '"\\':
            out.append("\\" + char)
        else:
            out.append(char if 32 <= byte < 127 else f"\\{byte:03o}")
    return '"' + "".join(out) + '"'
