# SPDX-License-Identifier: Apache-2.0
"""The names of types in schemas, and their type indices."""

from __future__ import annotations

from ... import _abi, core

ANY_INDEX = _abi.TYPE_ANY
CHOICE_INDEX = -2  # Optional and Union.
UNKNOWN_INDEX = -3

# Short name -> type index.
INDEX_OF_NAME: dict[str, int] = {
    "Any": ANY_INDEX,
    "None": _abi.TYPE_NONE,
    "int": _abi.TYPE_INT,
    "bool": _abi.TYPE_BOOL,
    "float": _abi.TYPE_FLOAT,
    "ctypes.c_void_p": _abi.TYPE_OPAQUE_PTR,
    "dtype": _abi.TYPE_DATA_TYPE,
    "Device": _abi.TYPE_DEVICE,
    "Object": _abi.TYPE_OBJECT,
    "str": _abi.TYPE_STR,
    "bytes": _abi.TYPE_BYTES,
    "Callable": _abi.TYPE_FUNCTION,
    "Tensor": _abi.TYPE_TENSOR,
    "Array": _abi.TYPE_ARRAY,
    "Map": _abi.TYPE_MAP,
    "List": _abi.TYPE_LIST,
    "Dict": _abi.TYPE_DICT,
    "Optional": CHOICE_INDEX,
    "Union": CHOICE_INDEX,
}

BIG_INT_INDEX = _abi.TYPE_BIG_INT
BIG_INT_KEY = "ffi.BigInt"

# Type index -> short name: the inverse of `INDEX_OF_NAME`, and other indices of the same types.
NAME_OF_INDEX = {
    **{index: name for name, index in INDEX_OF_NAME.items() if index != CHOICE_INDEX},
    _abi.TYPE_DL_TENSOR_PTR: "Tensor",
    _abi.TYPE_RAW_STR: "str",
    _abi.TYPE_BYTE_ARRAY_PTR: "bytes",
    _abi.TYPE_OBJECT_R_VALUE_REF: "Object",
    _abi.TYPE_SMALL_STR: "str",
    _abi.TYPE_SMALL_BYTES: "bytes",
    BIG_INT_INDEX: "int",
}

# Names of types that do not have a type index.
STRUCTURAL_NAMES = frozenset({"tuple", "list", "dict"})

# Names in the JSON of native code and of older versions -> names in this package.
NAME_OF_JSON = {
    "Variant": "Union",
    "std::variant": "Union",
    "std::optional": "Optional",
    "Tuple": "tuple",
    "std::tuple": "tuple",
    "ffi.Function": "Callable",
    "std::function": "Callable",
    "ffi.Array": "Array",
    "std::vector": "Array",
    "ffi.List": "List",
    "ffi.Map": "Map",
    "std::map": "Map",
    "std::unordered_map": "Map",
    "ffi.Dict": "Dict",
    "ffi.OpaquePyObject": "Any",
    "ffi.Object": "Object",
    "ObjectRValueRef": "Object",
    "ffi.Tensor": "Tensor",
    "DLTensor*": "Tensor",
    BIG_INT_KEY: "int",
    "void*": "ctypes.c_void_p",
    "TVMFFIByteArray*": "bytes",
    "ffi.SmallBytes": "bytes",
    "ffi.Bytes": "bytes",
    "std::string": "str",
    "const char*": "str",
    "ffi.SmallStr": "str",
    "ffi.String": "str",
    "DataType": "dtype",
}


def index_of(name: str) -> int:
    """Return the type index of an origin; a negative number if the origin has no type index."""
    known = INDEX_OF_NAME.get(name)
    if known is not None:
        return known
    if name in STRUCTURAL_NAMES:
        return UNKNOWN_INDEX
    found = core._object_type_key_to_index(name)
    return UNKNOWN_INDEX if found is None else found


def name_of_key(type_key: str) -> str:
    """Return the short name of an object type, or its key if it does not have one."""
    index = core._object_type_key_to_index(type_key)
    return type_key if index is None else NAME_OF_INDEX.get(index, type_key)
