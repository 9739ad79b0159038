# SPDX-License-Identifier: Apache-2.0
# Written by tools/generate_abi.py from include/tvm/ffi/c_api.h; do not edit.
"""Constants of the C ABI."""

from __future__ import annotations

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
