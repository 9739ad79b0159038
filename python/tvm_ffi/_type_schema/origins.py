# SPDX-License-Identifier: Apache-2.0
"""The names that schemas give to types, and the type indices behind them."""

from __future__ import annotations

from .. import core

ANY_INDEX = -1
CHOICE_INDEX = -2  # Optional and Union.
UNKNOWN_INDEX = -3

# Short names -> type index.
INDEX_OF_NAME: dict[str, int] = {
    "Any": ANY_INDEX,
    "None": 0,
    "int": 1,
    "bool": 2,
    "float": 3,
    "ctypes.c_void_p": 4,
    "dtype": 5,
    "Device": 6,
    "Object": 64,
    "str": 65,
    "bytes": 66,
    "Callable": 68,
    "Tensor": 70,
    "Array": 71,
    "Map": 72,
    "List": 75,
    "Dict": 76,
    "Optional": CHOICE_INDEX,
    "Union": CHOICE_INDEX,
}

BIG_INT_INDEX = 78
BIG_INT_KEY = "ffi.BigInt"

# Type index -> short name: the same backwards, and other forms of the same values.
NAME_OF_INDEX = {
    **{index: name for name, index in INDEX_OF_NAME.items() if index != CHOICE_INDEX},
    7: "Tensor",
    8: "str",
    9: "bytes",
    10: "Object",
    11: "str",
    12: "bytes",
    BIG_INT_INDEX: "int",
}

# Names without a type index that are types all the same.
STRUCTURAL_NAMES = frozenset({"tuple", "list", "dict"})

# Names in the JSON of native code and of older versions -> ours.
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
    """Return the type index of an origin, or the mark of those that have none."""
    known = INDEX_OF_NAME.get(name)
    if known is not None:
        return known
    if name in STRUCTURAL_NAMES:
        return UNKNOWN_INDEX
    found = core._object_type_key_to_index(name)
    return UNKNOWN_INDEX if found is None else found


def name_of_key(type_key: str) -> str:
    """Return the short name of an object type, its key where it has none."""
    index = core._object_type_key_to_index(type_key)
    return type_key if index is None else NAME_OF_INDEX.get(index, type_key)
