# SPDX-License-Identifier: Apache-2.0
"""Test that values survive JSON and pickle."""

from __future__ import annotations

import math
import pickle

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str
from tvm_ffi.testing import TestIntPair, TestObjectBase, TestObjectDerived

VALUES = [
    *(None, True, False, 0, -1, 2**63 - 1, 10**40, 1.5, math.inf, -math.inf),
    *("", "short", "ünïcödé ✓", "long " * 20, b"", b"\x00\xff" * 20),
    *(tvm_ffi.dtype("float32x4"), tvm_ffi.device("cuda", 3), tvm_ffi.Shape((1, -2, 3))),
    *(tvm_ffi.Array([1, ("a",)]), tvm_ffi.List([None]), tvm_ffi.Map({1: 2}), tvm_ffi.Dict({})),
]


@pytest.mark.spec("PY-J260")
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_j260_values_come_back(value):
    again = from_json_graph_str(to_json_graph_str(value))
    assert again == value
    if value is not None and not isinstance(value, (str, bytes)):
        assert type(again) is type(value)


@pytest.mark.spec("PY-J260")
def test_j260_not_a_number_and_shared_nodes():
    assert math.isnan(from_json_graph_str(to_json_graph_str(math.nan)))
    pair = TestIntPair(1, 2)
    again = from_json_graph_str(to_json_graph_str([pair, {"p": pair}]))
    assert again[0] is again[1]["p"]
    assert (type(again[0]), again[0].b) == (TestIntPair, 2)


@pytest.mark.spec("PY-J264")
def test_j264_pickles(echo):
    text = echo("a long piece of text")
    assert type(text) is core.String
    assert type(pickle.loads(pickle.dumps(text))) is str
    assert type(pickle.loads(pickle.dumps(echo(b"a long piece")))) is bytes
    value = TestObjectDerived(v_map={"a": 1}, v_array=[2], v_i64=3)
    again = pickle.loads(pickle.dumps(value))
    assert type(again) is TestObjectDerived
    assert isinstance(again, TestObjectBase)
    assert (again.v_i64, dict(again.v_map), list(again.v_array)) == (3, {"a": 1}, [2])
    for one in (tvm_ffi.dtype("int8"), tvm_ffi.device("cpu"), tvm_ffi.Shape((1, 2))):
        assert pickle.loads(pickle.dumps(one)) == one
        assert type(pickle.loads(pickle.dumps(one))) is type(one)
