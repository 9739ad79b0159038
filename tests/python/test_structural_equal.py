# SPDX-License-Identifier: Apache-2.0
"""Test structural equality and hash, the paths of differences, and structural keys."""

from __future__ import annotations

import copy
import gc
import inspect
import math
import pickle
from typing import Any

import pytest

import tvm_ffi
from tvm_ffi import (
    Array,
    Dict,
    List,
    Map,
    Shape,
    StructuralKey,
    core,
    get_first_structural_mismatch,
    structural_equal,
    structural_hash,
)
from tvm_ffi.dataclasses import py_class
from tvm_ffi.serialization import to_json_graph_str
from tvm_ffi.testing import TestIntPair

EQUAL = [
    (1, 1),
    (None, None),
    (math.nan, -math.nan),
    (2**70, 2**70),
    ("short", "short"),
    ("long" * 10, "long" * 10),
    (b"z", b"z"),
    ([1, [2, "a"]], (1, [2, "a"])),
    (List([1, None]), List([1, None])),
    ({"a": 1, "b": [2]}, {"b": [2], "a": 1}),
    (Dict({1: "x"}), Dict({1: "x"})),
    (Shape((1, 2)), Shape((1, 2))),
    (tvm_ffi.dtype("int8"), tvm_ffi.dtype("i8")),
    (tvm_ffi.device("cuda:1"), tvm_ffi.device("cuda", 1)),
]

DIFFERENT = [
    (1, 1.0, "<root>", "<root>"),
    (True, 1, "<root>", "<root>"),
    (0.0, -0.0, "<root>", "<root>"),
    ("1", b"1", "<root>", "<root>"),
    ([1, [2]], [1, [3]], "<root>[1][0]", "<root>[1][0]"),
    ([1], List([1]), "<root>", "<root>"),
    ({"a": 1}, Dict({"a": 1}), "<root>", "<root>"),
    ([1], [1, 2], "<root>[<missing:1>]", "<root>[1]"),
    ([1, 2], [1], "<root>[1]", "<root>[<missing:1>]"),
    ([0, {"k": [1]}], [0, {"k": [2]}], '<root>[1]["k"][0]', '<root>[1]["k"][0]'),
    ({"a": 1}, {"b": 1}, '<root>["a"]', '<root>[<missing:"a">]'),
    ({"a": 1}, {}, '<root>["a"]', '<root>[<missing:"a">]'),
    (2**70, 2**71, "<root>", "<root>"),
]


@pytest.mark.parametrize(("lhs", "rhs"), EQUAL)
def test_equal_values_have_equal_hashes_and_no_mismatch(lhs, rhs):
    assert structural_equal(lhs, rhs) is True
    assert structural_hash(lhs) == structural_hash(rhs)
    assert get_first_structural_mismatch(lhs, rhs) is None


@pytest.mark.parametrize(("lhs", "rhs", "left", "right"), DIFFERENT)
def test_m8_mismatch_paths_of_indices_missing_items_and_keys(lhs, rhs, left, right):
    assert structural_equal(lhs, rhs) is False
    pair = get_first_structural_mismatch(lhs, rhs)
    assert isinstance(pair, Array)
    assert [str(path) for path in pair] == [left, right]
    assert all(isinstance(path, tvm_ffi.access_path.AccessPath) for path in pair)


@pytest.mark.parametrize("value", [value for value, _ in EQUAL] + list(range(-50, 50)))
def test_m9_hash_is_an_unsigned_64_bit_number(value):
    assert 0 <= structural_hash([value, str(value)]) < 2**64
    assert 0 <= structural_hash(value) < 2**64


def test_some_hashes_have_the_highest_bit():
    assert structural_hash(-5.0) >= 2**63


def test_arguments_by_position_and_by_keyword():
    assert structural_equal(rhs=[1], lhs=[1])
    assert structural_equal([1], rhs=[1], skip_tensor_content=True)
    assert structural_equal([1], [1], True, False)
    assert structural_hash(value=3) == structural_hash(3, map_free_vars=1)
    assert get_first_structural_mismatch(1, 1, map_free_vars=True, skip_tensor_content=0) is None


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((1,), {}, "structural_equal.* missing required argument: 'rhs'"),
        ((1, 2, 3, 4, 5), {}, "structural_equal.* takes 4 positional arguments but 5 were given"),
        ((1, 2), {"other": 1}, "structural_equal.* unexpected keyword argument 'other'"),
        ((1, 2), {"rhs": 1}, "structural_equal.* multiple values for argument 'rhs'"),
        ((1, 2, "x"), {}, r"argument #2 when calling: `ffi.StructuralEqual.*Expected `bool`"),
    ],
)
def test_wrong_arguments(args, kwargs, message):
    with pytest.raises(TypeError, match=message):
        structural_equal(*args, **kwargs)


@pytest.mark.parametrize(
    "function", [structural_equal, structural_hash, get_first_structural_mismatch]
)
def test_functions_introduce_themselves(function):
    first = ["value"] if function is structural_hash else ["lhs", "rhs"]
    parameters = inspect.signature(function).parameters
    assert list(parameters) == [*first, "map_free_vars", "skip_tensor_content"]
    assert parameters["map_free_vars"].default is False
    assert function.__module__ == "tvm_ffi.structural"
    assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize(
    "call",
    [
        lambda x: structural_equal(x, x),
        structural_hash,
        lambda x: get_first_structural_mismatch(x, x),
        StructuralKey,
    ],
)
def test_m7_types_without_structural_kind_are_refused(call):
    with pytest.raises(
        TypeError,
        match=r"^_type_s_eq_hash_kind is not set for type `testing.TestIntPair`, "
        "so StructuralHash is not supported for this type",
    ):
        call(TestIntPair(1, 2))
    with pytest.raises(TypeError, match=r"Type metadata is not set for type `ffi.Function`"):
        call([tvm_ffi.convert(print)])


def test_values_of_different_types_are_unequal_before_the_type_is_refused():
    assert not structural_equal(TestIntPair(1, 2), 1)


def test_a_value_that_contains_itself_is_refused():
    value = List([1])
    value.append(value)
    for call in (structural_hash, StructuralKey, lambda x: structural_equal(x, List([1, x]))):
        with pytest.raises(ValueError, match=r"cyclic reference detected through type `ffi.List`"):
            call(value)
    value.clear()


def test_depth_alone_is_not_an_error():
    lhs, rhs = Array([1]), Array([1])
    for _ in range(100_000):
        lhs, rhs = Array([lhs]), Array([rhs])
    assert structural_equal(lhs, rhs)
    assert structural_hash(lhs) == structural_hash(rhs)


# ---- tensors ----


def test_tensors_compare_by_dtype_shape_and_content():
    numpy = pytest.importorskip("numpy")

    def tensor(array):
        return tvm_ffi.from_dlpack(numpy.ascontiguousarray(array))

    one, same = tensor(numpy.arange(6)), tensor(numpy.arange(6))
    other, reshaped = tensor(numpy.arange(6)[::-1]), tensor(numpy.arange(6).reshape(2, 3))
    assert structural_equal([one], [same])
    assert structural_hash(one) == structural_hash(same)
    assert not structural_equal(one, other)
    assert structural_equal(one, other, skip_tensor_content=True)
    assert structural_hash(one, False, True) == structural_hash(other, False, True)
    assert not structural_equal(one, reshaped, skip_tensor_content=True)
    assert not structural_equal(one, tensor(numpy.arange(6.0)), skip_tensor_content=True)
    assert StructuralKey(one) == StructuralKey(same)
    assert StructuralKey(one) != StructuralKey(other)


def test_content_of_a_strided_tensor_is_not_compared():
    numpy = pytest.importorskip("numpy")
    strided = tvm_ffi.from_dlpack(numpy.arange(6)[::2])
    whole = tvm_ffi.from_dlpack(numpy.arange(3))
    with pytest.raises(RuntimeError, match="Can only compare contiguous tensor"):
        structural_equal(whole, strided)
    assert structural_equal(whole, strided, skip_tensor_content=True)


# ---- keys ----


def test_m10_structural_key_works_in_dict_and_map():
    keys = [StructuralKey([1, {"a": i}]) for i in range(10)]
    found = {key: i for i, key in enumerate(keys)}
    native = Map({key: i for i, key in enumerate(keys)})
    changing = Dict({keys[0]: 0})
    for i in range(10):
        again = StructuralKey([1, {"a": i}])
        assert found[again] == native[again] == i
    assert StructuralKey([1, {"a": 10}]) not in found
    assert StructuralKey([1, {"a": 10}]) not in native
    changing[StructuralKey([1, {"a": 0}])] = 5
    assert len(changing) == 1


def test_key_has_the_value_and_its_hash():
    key = StructuralKey(key=[1, 2])
    assert key.key == [1, 2]
    assert key.hash_i64 % 2**64 == structural_hash([1, 2])
    assert isinstance(key, tvm_ffi.Object)
    assert repr(key) == f"ffi.StructuralKey(key=(1, 2), hash_i64={key.hash_i64})"


def test_hash_of_a_key_is_that_of_the_unsigned_number():
    keys = [StructuralKey(sign * (i + 0.5)) for i in range(100) for sign in (-1, 1)]
    assert min(key.hash_i64 for key in keys) < 0 < max(key.hash_i64 for key in keys)
    for key in keys:
        assert hash(key) == hash(_Hash(key.hash_i64 % 2**64))


class _Hash:
    def __init__(self, number):
        self.number = number

    def __hash__(self):
        return self.number


def test_keys_equal_keys_alone():
    key = StructuralKey(5)
    assert key == StructuralKey(5)
    assert not key != StructuralKey(5)  # noqa: SIM202
    assert key != StructuralKey(5.0)
    assert key != 5
    assert not key == 5  # noqa: SIM201
    with pytest.raises(TypeError):
        key < key  # noqa: B015


def test_keys_come_back_from_the_library_and_from_pickle(echo):
    key = StructuralKey([1, "a"])
    assert echo(key) is key
    assert echo([key])[0] is key
    for made in (copy.copy(key), copy.deepcopy(key), pickle.loads(pickle.dumps(key))):
        assert type(made) is StructuralKey
        assert made == key
        assert hash(made) == hash(key)


def test_key_arguments():
    for args, kwargs in (((), {}), ((1, 2), {}), ((), {"value": 1})):
        with pytest.raises(TypeError):
            StructuralKey(*args, **kwargs)


def test_a_key_without_its_object_is_refused():
    empty = StructuralKey.__new__(StructuralKey)
    other = StructuralKey(1)
    other.__move_handle_from__(Array([1]))
    for key, error in ((empty, ValueError), (other, TypeError)):
        with pytest.raises(error):
            hash(key)
        with pytest.raises(error):
            key == StructuralKey(1)  # noqa: B015
        with pytest.raises(error):
            StructuralKey(1) == key  # noqa: B015
    assert hash(core._StructuralKeyBase(5)) == hash(StructuralKey(5))


def test_a_key_releases_its_value(use_count):
    value = Array([1])
    keys = [StructuralKey(value) for _ in range(10)]
    assert use_count(value) == 11
    keys[0].__init__(2)
    assert use_count(value) == 10
    del keys
    gc.collect()
    assert use_count(value) == 1


def test_refused_value_is_named_with_its_class_place_and_operation():
    """Before the fix, the errors named neither the class nor the access path of the value."""

    @py_class("test_structural_equal.Attributes")
    class Attributes(tvm_ffi.Object):
        attrs: dict[str, Any]

    def made(value):
        return Attributes({"k": [1, value]})

    refused = "so StructuralHash is not supported for this type; "
    calls = {
        "structural_equal": lambda x, y: structural_equal(x, y),
        "structural_hash": lambda x, y: structural_hash(x),
        "get_first_structural_mismatch": lambda x, y: get_first_structural_mismatch(x, y),
    }
    for value, name in (({1}, "set"), (lambda: 1, "tvm_ffi.core.Function")):
        for operation, call in calls.items():
            with pytest.raises(TypeError) as raised:
                call(made(value), made(value))
            place = f'{operation} reached a `{name}` at <root>.attrs["k"][1]'
            assert str(raised.value).endswith(refused + place)
        with pytest.raises(TypeError, match="does not support ToJSONGraph") as raised:
            to_json_graph_str(made(value))
        assert str(raised.value).endswith(
            f'; to_json_graph_str reached a `{name}` at <root>.attrs["k"][1]'
        )
        with pytest.raises(RuntimeError, match="not copy-constructible") as raised:
            copy.deepcopy(made(value))
        assert str(raised.value).endswith(f'; deepcopy reached a `{name}` at <root>.attrs["k"][1]')
