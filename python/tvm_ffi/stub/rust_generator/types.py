# SPDX-License-Identifier: Apache-2.0
"""Map type schemas to Rust types, for members of structs and results of accessors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tvm_ffi.core import TypeSchema

    from .imports import RustImports

# Schema origin or type key -> its path in the crate.
RUST_TY_MAP = {
    "Any": "tvm_ffi::Any",
    "str": "tvm_ffi::String",
    "bytes": "tvm_ffi::Bytes",
    "dtype": "tvm_ffi::DLDataType",
    "Device": "tvm_ffi::DLDevice",
    "Callable": "tvm_ffi::Function",
    "Array": "tvm_ffi::Array",
    "List": "tvm_ffi::List",
    "Map": "tvm_ffi::Map",
    "Tensor": "tvm_ffi::Tensor",
    "Object": "tvm_ffi::object::ObjectRef",
    "ffi.Object": "tvm_ffi::object::ObjectRef",
    "ffi.Array": "tvm_ffi::Array",
    "ffi.Bytes": "tvm_ffi::Bytes",
    "ffi.Error": "tvm_ffi::Error",
    "ffi.Function": "tvm_ffi::Function",
    "ffi.List": "tvm_ffi::List",
    "ffi.Map": "tvm_ffi::Map",
    "ffi.Module": "tvm_ffi::Module",
    "ffi.Shape": "tvm_ffi::Shape",
    "ffi.String": "tvm_ffi::String",
    "ffi.Tensor": "tvm_ffi::Tensor",
}
SCALAR_SIZES = {
    "bool": 1,
    "i8": 1,
    "i16": 2,
    "i32": 4,
    "i64": 8,
    "isize": 8,
    "u8": 1,
    "u16": 2,
    "u32": 4,
    "u64": 8,
    "usize": 8,
    "f32": 4,
    "f64": 8,
}
_INTS = {1: "i8", 2: "i16", 4: "i32", 8: "i64"}
_FLOATS = {4: "f32", 8: "f64"}
# Sizes of types that are not pointers.
_VALUE_SIZES = {"Any": 16, "str": 16, "bytes": 16, "dtype": 4, "Device": 8}
_POINTER = 8
_PARAMETERS = {"Array": 1, "List": 1, "Map": 2}
_NOT_MIRRORED = frozenset({"Dict", "tuple", "Union", "Variant", "None", "ctypes.c_void_p"})


@dataclass(frozen=True)
class RustType:
    """A Rust type: a scalar, a path with arguments, or the text of a directive."""

    name: str
    args: tuple[RustType, ...] = ()
    verbatim: bool = False

    @property
    def is_scalar(self) -> bool:
        """Whether values of the type are passed without conversion."""
        return not self.args and self.name in SCALAR_SIZES

    @property
    def has_undefined(self) -> bool:
        """Whether a field of this type can be undefined (not set) and must then not be dropped."""
        return self.name not in ("tvm_ffi::Any", "tvm_ffi::Optional")

    def text(self, imports: RustImports) -> str:
        """Return the source text, and add the necessary imports."""
        if self.verbatim:
            return self.name
        args = ", ".join(arg.text(imports) for arg in self.args)
        hidden = self.name == "Option" and self.name in imports.local
        name = "::core::option::Option" if hidden else imports.use(self.name)
        return name + (f"<{args}>" if args else "")


ANY = RustType("tvm_ffi::Any")
OBJECT_REF = RustType("tvm_ffi::object::ObjectRef")


@dataclass(frozen=True)
class TypeNames:
    """Finds Rust paths; ``path_of`` returns the path of a type that this run generates."""

    ty_map: Mapping[str, str]
    path_of: Callable[[str], str | None]

    def path(self, origin: str) -> str:
        """Return the path of an origin or type key.

        Raises
        ------
        KeyError
            If neither the crate nor a ``ty-map`` nor a file of the run has the type.

        """
        found = self.ty_map.get(origin) or self.path_of(origin) or RUST_TY_MAP.get(origin)
        if found is None and origin.startswith("ffi."):
            found = OBJECT_REF.name
        if found is None:
            raise KeyError(origin)
        return found

    def element(self, schema: TypeSchema) -> RustType | None:
        """Return the type of a result or element, or None if the crate does not have one."""
        origin = schema.origin
        scalar = {"int": "i64", "float": "f64", "bool": "bool"}.get(origin)
        if scalar is not None:
            return RustType(scalar)
        if origin == "Optional":
            inner = self.element(_inner(schema))
            return None if inner is None else RustType("Option", (inner,))
        if origin in _NOT_MIRRORED and origin not in self.ty_map:
            return None
        args = [self.element(arg) for arg in schema.args or ()] if origin in _PARAMETERS else []
        known = tuple(arg for arg in args if arg is not None)
        if len(known) != len(args):
            return None
        if origin in _PARAMETERS and not known:
            known = (ANY,) * _PARAMETERS[origin]
        return RustType(self.path(origin), known)

    def member(self, schema: TypeSchema, size: int) -> RustType | None:
        """Return the type of a struct member with this schema and size; None if there is none."""
        origin = schema.origin
        if origin in ("int", "float"):
            name = (_INTS if origin == "int" else _FLOATS).get(size)
            return None if name is None else RustType(name)
        if origin == "Optional":
            return self._optional(_inner(schema), size)
        wanted = 1 if origin == "bool" else _VALUE_SIZES.get(origin, _POINTER)
        return self.element(schema) if size == wanted else None

    def _optional(self, inner: TypeSchema, size: int) -> RustType | None:
        known = self.element(inner)
        if known is None:
            return None
        is_value = known.is_scalar or inner.origin in _VALUE_SIZES
        if is_value and inner.origin != "Any" and size == 16:
            return RustType("tvm_ffi::Optional", (known,))
        if not is_value and inner.origin != "Optional" and size == _POINTER:
            return RustType("Option", (known,))
        return None


def _inner(schema: TypeSchema) -> TypeSchema:
    assert schema.args
    return schema.args[0]
