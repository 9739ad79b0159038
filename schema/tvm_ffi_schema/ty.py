# SPDX-License-Identifier: Apache-2.0
"""The types of schema files, in one table that every backend reads.

``ty.Array[ty.String]`` is a `TypeExpr`, and a name without arguments is a `TypeName`; readers
convert both to `TypeRef`. Type checkers read ``ty.pyi``, where each name is the corresponding
Python type.
"""

from __future__ import annotations

import sys as _sys
import typing as _t
from dataclasses import dataclass

from .ir import CppType, TypeRef


@dataclass(frozen=True)
class Row:
    """A type: its C++ text, its Python text, and its size in bytes on 64-bit systems.

    In the C++ text, `~` stands for the namespace of tvm_ffi. `arity` is the number of arguments; -1
    means one or more. `header` is the C++ header below ``tvm/ffi``.
    """

    cpp: str
    python: str
    size: int
    align: int
    arity: int = 0
    python_import: str = ""
    header: str = ""


def _number(cpp: str, python: str, size: int) -> Row:
    return Row(cpp, python, size, size)


TABLE: dict[str, Row] = {
    "bool": _number("bool", "bool", 1),
    "int8_t": _number("int8_t", "int", 1),
    "int16_t": _number("int16_t", "int", 2),
    "int32_t": _number("int32_t", "int", 4),
    "int64_t": _number("int64_t", "int", 8),
    "uint8_t": _number("uint8_t", "int", 1),
    "uint16_t": _number("uint16_t", "int", 2),
    "uint32_t": _number("uint32_t", "int", 4),
    "uint64_t": _number("uint64_t", "int", 8),
    "float": _number("float", "float", 4),
    "double": _number("double", "float", 8),
    "String": Row("~String", "str", 16, 8, header="string.h"),
    "Bytes": Row("~Bytes", "bytes", 16, 8, header="string.h"),
    "DataType": Row("DLDataType", "dtype", 4, 2, 0, "tvm_ffi", header="dtype.h"),
    "Device": Row("DLDevice", "Device", 8, 4, 0, "tvm_ffi", header="device.h"),
    "Any": Row("~Any", "Any", 16, 8, 0, "typing", header="any.h"),
    "Handle": Row("void*", "c_void_p", 8, 8, 0, "ctypes"),
    "Tensor": Row("~Tensor", "Tensor", 8, 8, 0, "tvm_ffi", header="container/tensor.h"),
    "Shape": Row("~Shape", "Shape", 8, 8, 0, "tvm_ffi", header="container/shape.h"),
    "Module": Row("~Module", "Module", 8, 8, 0, "tvm_ffi", header="extra/module.h"),
    "Function": Row("~Function", "Callable", 8, 8, -1, "collections.abc", header="function.h"),
    "Array": Row("~Array", "Sequence", 8, 8, 1, "collections.abc", header="container/array.h"),
    "List": Row("~List", "MutableSequence", 8, 8, 1, "collections.abc", header="container/list.h"),
    "Map": Row("~Map", "Mapping", 8, 8, 2, "collections.abc", header="container/map.h"),
    "Dict": Row("~Dict", "MutableMapping", 8, 8, 2, "collections.abc", header="container/dict.h"),
    "Tuple": Row("~Tuple", "tuple", 8, 8, -1, header="container/tuple.h"),
    "Optional": Row("~Optional", "", 16, 8, 1, header="optional.h"),
    "Union": Row("~Variant", "", 16, 8, -1, header="container/variant.h"),
    "ObjectRef": Row("~ObjectRef", "Object", 8, 8, 0, "tvm_ffi"),
    "None": Row("void", "None", 0, 1),
}

#: Alternative name that schema files may use -> name in `TABLE`.
ALIASES: dict[str, str] = {
    "int": "int64_t",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "float32": "float",
    "float64": "double",
    "dtype": "DataType",
    "Variant": "Union",
    "Object": "ObjectRef",
}

#: Name in `builtins`, `typing` or `collections.abc` -> the type that it means in an annotation.
PYTHON_NAMES: dict[str, str] = {
    "bool": "bool",
    "int": "int64_t",
    "float": "double",
    "str": "String",
    "bytes": "Bytes",
    "object": "Any",
    "Any": "Any",
    "None": "None",
    "NoneType": "None",
    "c_void_p": "Handle",
    "list": "List",
    "List": "List",
    "MutableSequence": "List",
    "Sequence": "Array",
    "dict": "Dict",
    "Dict": "Dict",
    "MutableMapping": "Dict",
    "Mapping": "Map",
    "tuple": "Tuple",
    "Tuple": "Tuple",
    "Optional": "Optional",
    "Union": "Union",
    "Callable": "Function",
    "dtype": "DataType",
    "Device": "Device",
    "Tensor": "Tensor",
    "Shape": "Shape",
    "Function": "Function",
    "Array": "Array",
    "Map": "Map",
}

#: Types whose values are one 8-byte pointer to an object. An `Optional` of these types also has 8
#: bytes, except for typed functions (`is_optional_pointer`).
POINTERS = frozenset(
    (
        *("Tensor", "Shape", "Module", "Function", "Array", "List", "Map", "Dict", "Tuple"),
        *("ObjectRef", "class", "Self"),
    )
)


class Type:
    """The base class of types in schema files, which can be joined by ``|``."""

    def __or__(self, other: _t.Any) -> TypeExpr:
        return TypeExpr("Union", (self, other))

    def __ror__(self, other: _t.Any) -> TypeExpr:
        return TypeExpr("Union", (other, self))

    if _sys.version_info < (3, 11):

        def __call__(self) -> _t.NoReturn:
            """Refuse the call. Python 3.10 accepts only callable objects in ``Optional[...]``."""
            raise TypeError(f"{self!r} is the type of a field: it makes no values")


class TypeName(Type):
    """A name that `TABLE` lists; brackets after the name add type arguments."""

    def __init__(self, origin: str) -> None:
        self.origin = origin

    def __getitem__(self, args: _t.Any) -> TypeExpr | Cpp:
        args = args if isinstance(args, tuple) else (args,)
        return _typed_tensor(args) if self.origin == "Tensor" else TypeExpr(self.origin, args)

    def __repr__(self) -> str:
        return f"ty.{self.origin}"


class TypeExpr(Type):
    """The name of a type, and type arguments that are not converted to `TypeRef` yet.

    `node` is the syntax node of the expression, if a reader has made the object.
    """

    def __init__(self, origin: str, args: tuple[_t.Any, ...], node: _t.Any = None) -> None:
        self.origin = origin
        self.args = args
        self.node = node

    def __repr__(self) -> str:
        return f"ty.{self.origin}[{', '.join(map(repr, self.args))}]"


class Cpp(Type):
    """A C++ type that is not in the table. Fields of this type are reflected only with `as_`.

    Parameters
    ----------
    text
        The type as C++ writes it.
    include
        The header that defines the type, with brackets or quotes.
    as_
        The type of the ABI that represents the type in other languages.
    size, align
        Size and alignment in bytes; without them the layout of the class is not known.

    Raises
    ------
    TypeError, ValueError
        If an argument has a wrong type.

    """

    def __init__(
        self,
        text: str,
        *,
        include: str = "",
        as_: _t.Any = None,
        size: int = 0,
        align: int = 0,
    ) -> None:
        for name, value in (("text", text), ("include", include)):
            if not isinstance(value, str):
                raise TypeError(f"Cpp: {name} must be a text, not {value!r}")
        if not text.strip() or "\n" in text:
            raise ValueError("Cpp: the text of the type must be one line and not empty")
        if not all(type(n) is int and n >= 0 for n in (size, align)):
            raise TypeError("Cpp: size and align are byte counts")
        self.as_ = as_
        self.cpp = CppType(text, include, None, size, align)


#: In `ty.Tensor[...]`: name of a data type -> name in `TABLE`; word -> name in C++.
_ELEMENTS = {"bool": "bool", **{name: of for name, of in ALIASES.items() if name[-1].isdigit()}}
_TENSOR_WORDS = {"row_major": "RowMajor", "column_major": "ColumnMajor", "strided": "Strided"}
_TENSOR_WORDS |= {"inner_contiguous": "InnerContiguous", "cpu": "Cpu", "cuda": "Cuda"}
_TENSOR_WORDS |= {"rocm": "Rocm", "any_device": "AnyDevice", "same_device": "SameDevice"}


def _typed_tensor(args: tuple[_t.Any, ...]) -> Cpp:
    """Return the type `ty.Tensor["float32", ("m", 3, None), "strided", "cuda"]`.

    The data type may begin with ``const``. The other arguments may be the number of dimensions or
    a tuple of extents, and words about layout and device.
    """
    dtype = str(args[0]).removeprefix("const ") if args else ""
    if dtype not in _ELEMENTS:
        known = ", ".join(_ELEMENTS)
        raise ValueError(f"Tensor: expected one of the data types {known}, got {args[:1]!r}")
    texts = [("const " if dtype != args[0] else "") + TABLE[_ELEMENTS[dtype]].cpp]
    for one in args[1:]:
        if isinstance(one, tuple):
            texts.append(f"::tvm::ffi::Dims<{', '.join(map(_extent, one))}>")
        elif type(one) is int and one >= 0:
            texts.append(str(one))
        elif isinstance(one, str) and one in _TENSOR_WORDS:
            texts.append(f"::tvm::ffi::{_TENSOR_WORDS[one]}")
        else:
            words = ", ".join(_TENSOR_WORDS)
            text = f"the number of dimensions, a tuple of extents, or one of {words}"
            raise ValueError(f"Tensor: expected {text}; got {one!r}")
    include = "<tvm/ffi/container/typed_tensor.h>"
    text = f"::tvm::ffi::TypedTensor<{', '.join(texts)}>"
    return Cpp(text, include=include, as_=TypeName("Tensor"), size=8, align=8)


def _extent(one: _t.Any) -> str:
    if one is None:
        return "::tvm::ffi::kAny"
    if type(one) is int and one >= 0:
        return str(one)
    if isinstance(one, str) and len(one) == 1 and one.isascii() and one.isalpha():
        return f"'{one}'"
    text = "a number, None, or a name of one letter such as 'm'"
    raise ValueError(f"Tensor: an extent is {text}; got {one!r}")


Self = TypeName("Self")


def row_of(origin: str) -> Row | None:
    """Return the row of `TABLE` for a name; None if `TABLE` does not have the name."""
    return TABLE.get(origin)


def _names() -> dict[str, TypeName]:
    names = {name: TypeName(name) for name in TABLE if name != "None"}
    names.update({alias: TypeName(origin) for alias, origin in ALIASES.items()})
    return names


_NAMES = _names()


def __getattr__(name: str) -> TypeName:
    """Return the type with a name, for expressions such as `ty.Array`.

    The types are not globals of this module, since some have the names of Python types.
    """
    try:
        return _NAMES[name]
    except KeyError:
        raise AttributeError(f"there is no type {name!r} in tvm_ffi.schema.ty") from None


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})


def is_object_pointer(type_: TypeRef) -> bool:
    """Return whether a value of a type is one pointer to an object."""
    return type_.origin in POINTERS


def is_optional_pointer(type_: TypeRef) -> bool:
    """Return whether an optional of a type is one pointer; False for a typed function."""
    return is_object_pointer(type_) and not (type_.origin == "Function" and type_.args)
