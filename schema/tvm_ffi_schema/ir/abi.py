# SPDX-License-Identifier: Apache-2.0
# Written by tools/generate_abi.py from include/tvm/ffi/c_api.h; do not edit.
"""Constants of the C ABI."""

from __future__ import annotations

# TVMFFITypeIndex
TYPE_ANY = -1
TYPE_NONE = 0
TYPE_INT = 1
TYPE_BOOL = 2
TYPE_FLOAT = 3
TYPE_OPAQUE_PTR = 4
TYPE_DATA_TYPE = 5
TYPE_DEVICE = 6
TYPE_DL_TENSOR_PTR = 7
TYPE_RAW_STR = 8
TYPE_BYTE_ARRAY_PTR = 9
TYPE_OBJECT_R_VALUE_REF = 10
TYPE_SMALL_STR = 11
TYPE_SMALL_BYTES = 12
TYPE_UNCHANGED = 13
TYPE_STATIC_OBJECT_BEGIN = 64
TYPE_OBJECT = 64
TYPE_STR = 65
TYPE_BYTES = 66
TYPE_ERROR = 67
TYPE_FUNCTION = 68
TYPE_SHAPE = 69
TYPE_TENSOR = 70
TYPE_ARRAY = 71
TYPE_MAP = 72
TYPE_MODULE = 73
TYPE_OPAQUE_PY_OBJECT = 74
TYPE_LIST = 75
TYPE_DICT = 76
TYPE_VISIT_INTERRUPT = 77
TYPE_BIG_INT = 78
TYPE_STATIC_OBJECT_END = 79
TYPE_DYN_OBJECT_BEGIN = 128

# TVMFFIFieldFlagBitMask
FIELD_WRITABLE = 1 << 0
FIELD_HAS_DEFAULT = 1 << 1
FIELD_IS_STATIC_METHOD = 1 << 2
FIELD_SEQ_HASH_IGNORE = 1 << 3
FIELD_SEQ_HASH_DEF_PATTERN = 1 << 4
FIELD_DEFAULT_FROM_FACTORY = 1 << 5
FIELD_REPR_OFF = 1 << 6
FIELD_COMPARE_OFF = 1 << 7
FIELD_HASH_OFF = 1 << 8
FIELD_INIT_OFF = 1 << 9
FIELD_KW_ONLY = 1 << 10
FIELD_SETTER_IS_FUNCTION_OBJ = 1 << 11
FIELD_SEQ_HASH_DEF_SIMPLE = 1 << 12
METHOD_SHORT_CALL = 1 << 13

#: TVMFFISEqHashKind: structural kinds by their names in Python, in numeric order.
STRUCTURAL_KINDS = {
    "unsupported": 0,
    "tree": 1,
    "var": 2,
    "dag": 3,
    "const-tree": 4,
    "singleton": 5,
}
#: Structural kinds by their names in Python -> their names in C.
STRUCTURAL_KINDS_IN_C = {
    "unsupported": "kTVMFFISEqHashKindUnsupported",
    "tree": "kTVMFFISEqHashKindTreeNode",
    "var": "kTVMFFISEqHashKindFreeVar",
    "dag": "kTVMFFISEqHashKindDAGNode",
    "const-tree": "kTVMFFISEqHashKindConstTreeNode",
    "singleton": "kTVMFFISEqHashKindUniqueInstance",
}
