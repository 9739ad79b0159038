# SPDX-License-Identifier: Apache-2.0
"""Test that the fast path for exact values gives the same results as the general path."""

from __future__ import annotations

import pytest

from tvm_ffi import core
from tvm_ffi.core import TypeSchema
from tvm_ffi.testing import TestIntPair, TestObjectDerived

VALUES = [
    *(0, 1, -1, 2**29, 2**30, 2**60, 2**62, 2**63 - 1, -(2**63), True, False, None),
    *(0.0, -0.0, 1.5, float("inf"), "", "short", "seven77", "eight888", "é", "a\0b"),
    *("a string of many characters", b"", b"bytes"),
    *(TestIntPair(1, 2), TestObjectDerived(v_map={}, v_array=[])),
]


class Indirect:
    """A value that needs the general path, since its class has a protocol method."""

    def __init__(self, value):
        self.value = value

    def __tvm_ffi_value__(self):
        return self.value


ORIGINS = ["Any", "None", "int", "float", "bool", "str", "bytes", "Object", "testing.TestIntPair"]


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize("origin", ORIGINS)
def test_both_call_paths_agree(origin, optional, value):
    schema = TypeSchema(origin)
    if optional:
        schema = TypeSchema("Optional", (schema,))
    results = []
    for given in (value, Indirect(value)):
        try:
            made = schema.convert(given)
            results.append((made.type_index, repr(core._to_py_class_value(made))))
        except TypeError as error:
            results.append(str(error))
    assert results[0] == results[1]
