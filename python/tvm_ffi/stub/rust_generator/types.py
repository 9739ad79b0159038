# SPDX-License-Identifier: Apache-2.0
"""Map type schemas to Rust types, for members of structs and results of accessors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
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
    "Dict": "tvm_ffi::Dict",
    "Tensor": "tvm_ffi::Tensor",
    "Object": "tvm_ffi::object::ObjectRef",
    "ffi.Object": "tvm_ffi::object::ObjectRef",
    "ffi.Array": "tvm_ffi::Array",
    "ffi.Bytes": "tvm_ffi::Bytes",
    "ffi.Enum": "tvm_ffi::reflection::Enum",
    "ffi.Error": "tvm_ffi::Error",
    "ffi.Function": "tvm_ffi::Function",
    "ffi.IntEnum": "tvm_ffi::reflection::IntEnum",
    "ffi.List": "tvm_ffi::List",
    "ffi.Map": "tvm_ffi::Map",
    "ffi.Module": "tvm_ffi::Module",
    "ffi.Shape": "tvm_ffi::Shape",
    "ffi.StrEnum": "tvm_ffi::reflection::StrEnum",
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
_PARAMETERS = {"Array": 1, "List": 1, "Map": 2, "Dict": 2}
# Types that are neither parameters nor results, and types that are not members of structs either.
_NOT_PASSED = frozenset({"Union", "Variant", "ctypes.c_void_p"})
_NOT_MIRRORED = _NOT_PASSED | {"Dict", "tuple", "None"}
# The crate has tuples with up to this number of elements.
_LONGEST_TUPLE = 8
# Types of the runtime whose object structs, `<path>Obj`, may be in structs of other crates.
CRATE_PARENTS = frozenset({"ffi.Enum", "ffi.IntEnum", "ffi.StrEnum"})


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
    def holds_none(self) -> bool:
        """Whether None is a value of the type."""
        return self.name in ("tvm_ffi::Any", "Option", TUPLE)

    @property
    def has_undefined(self) -> bool:
        """Whether a field of this type can be undefined (not set) and must then not be dropped."""
        return self.name not in ("tvm_ffi::Any", "tvm_ffi::Optional")

    def text(self, imports: RustImports) -> str:
        """Return the source text, and add the necessary imports."""
        if self.verbatim:
            return self.name
        args = ", ".join(arg.text(imports) for arg in self.args)
        if self.name == TUPLE:
            return f"({args},)" if len(self.args) == 1 else f"({args})"
        if self.name == "Option":
            return f"{imports.prelude('option::Option')}<{args}>"
        return imports.use(self.name) + (f"<{args}>" if args else "")


ANY = RustType("tvm_ffi::Any")
OBJECT_REF = RustType("tvm_ffi::object::ObjectRef")
# The name of the tuple of Rust that has the element types of a `tvm_ffi::Tuple`; without elements,
# the unit type.
TUPLE = "()"
UNIT = RustType(TUPLE)


@dataclass(frozen=True)
class TypeNames:
    """Finds Rust paths; ``path_of`` returns the path of a type that this run generates."""

    ty_map: Mapping[str, str]
    path_of: Callable[[str], str | None]

    def path(self, origin: str) -> str:
        """Return the path of an origin or type key.

        Raise KeyError if neither the crate nor a ``ty-map`` nor a file of the run has the type.
        """
        found = self.ty_map.get(origin) or self.path_of(origin) or RUST_TY_MAP.get(origin)
        if found is None and origin.startswith("ffi."):
            found = OBJECT_REF.name
        if found is None:
            raise KeyError(origin)
        return found

    def widens(self, schema: TypeSchema) -> bool:
        """Return whether ``ObjectRef`` stands for a class that the crate does not have."""
        origin = schema.origin
        known = {*self.ty_map, *RUST_TY_MAP}
        widened = origin.startswith("ffi.") and origin not in known and not self.path_of(origin)
        return widened or any(map(self.widens, schema.args or ()))

    def element(self, schema: TypeSchema) -> RustType | None:
        """Return the type of an accessor or element, or None if the crate does not have one."""
        return self._convert(schema, _NOT_MIRRORED)

    def value(self, schema: TypeSchema) -> RustType:
        """Return the type of a parameter or result of a method.

        Return ``Any`` if neither the crate nor this run has the type.
        """
        try:
            return self._convert(schema, _NOT_PASSED) or ANY
        except KeyError:
            return ANY

    def _convert(self, schema: TypeSchema, omitted: Collection[str]) -> RustType | None:
        origin = schema.origin
        scalar = {"int": "i64", "float": "f64", "bool": "bool"}.get(origin)
        if scalar is not None:
            return RustType(scalar)
        if origin in omitted and origin not in self.ty_map:
            return None
        if origin == "None" and origin not in self.ty_map:
            return UNIT
        with_args = origin in _PARAMETERS or origin in ("Optional", "tuple")
        args = [self._convert(arg, omitted) for arg in schema.args or ()] if with_args else []
        known = tuple(arg for arg in args if arg is not None)
        if len(known) != len(args):
            return None
        if origin == "Optional":
            return known[0] if known[0].holds_none else RustType("Option", known)
        if origin == "tuple" and origin not in self.ty_map:
            fits = 1 <= len(known) <= _LONGEST_TUPLE
            return RustType("tvm_ffi::Tuple", (RustType(TUPLE, known),)) if fits else None
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
