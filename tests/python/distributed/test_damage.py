# SPDX-License-Identifier: Apache-2.0
"""Test damaged, old and deep pickles."""

from __future__ import annotations

import base64
import pickle
import random

import numpy as np
import pytest

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map, serialization
from tvm_ffi.testing import TestObjectBase


def sample():
    data = tvm_ffi.from_dlpack(np.arange(4, dtype="int16"))
    shared = List([1, 2.5, "shared"])
    return Array(
        [
            *(shared, shared, Map({"a": 1, 2: None}), Dict({1: [True]}), range(10), [0.5] * 6),
            *(data, TestObjectBase(v_i64=3, v_str="x"), tvm_ffi.Shape([1, 2]), b"bytes", 2**70),
            *(tvm_ffi.dtype("int8"), tvm_ffi.device("cpu")),
        ]
    )


def parts():
    _, (cls, program, types, externals) = sample().__reduce__()
    return cls, program, types, externals


@pytest.mark.spec("DIST-D11")
def test_truncated_programs_raise():
    cls, program, types, externals = parts()
    for size in range(len(program)):
        with pytest.raises((ValueError, TypeError, RuntimeError)):
            serialization.restore_graph(cls, program[:size], types, externals)


@pytest.mark.spec("DIST-D11")
def test_changed_programs_raise_or_make_another_value():
    cls, program, types, externals = parts()
    chance = random.Random(7)
    raised, kinds = 0, set()
    for _ in range(20_000):
        changed = bytearray(program)
        for _ in range(chance.randint(1, 3)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        try:
            serialization.restore_graph(cls, bytes(changed), types, externals)
        except Exception as error:
            kinds.add(type(error))
            raised += 1
    assert raised > 10_000
    assert not kinds & {SystemError, MemoryError}


@pytest.mark.spec("DIST-D11")
@pytest.mark.parametrize("program", [b"\x13\xff\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x0f\xff\x7f"])
def test_a_length_beyond_the_program_allocates_nothing(program):
    with pytest.raises(ValueError, match="the pickle is damaged"):
        serialization.restore_graph(None, program, (), ())


@pytest.mark.spec("DIST-D11")
@pytest.mark.parametrize(
    "arguments",
    [
        (None, b"", (), ()),
        (None, b"\x0a\x00", (), ()),
        (None, b"\x0b\x00", (), ()),
        (None, b"\x11\x00", (), ()),
        (None, b"\x11\x00", (("no.such.type", ()),), ()),
        (None, b"\x00\x16", ((1, ()),), ()),
        (None, b"\x00\x16", (("ffi.Array",),), ()),
        (None, b"\x00\x16", ("x",), ()),
        (int, b"\x00\x16", (), ()),
        (3, b"\x00\x16", (), ()),
        (None, b"\x00", (), ()),
        (None, b"\x00\x16\x00", (), ()),
        (TestObjectBase, b"\x03\x02\x16", (), ()),
        (None, b"\xee", (), ()),
        (None, "text", (), ()),
    ],
    ids=repr,
)
def test_wrong_arguments_raise(arguments):
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        serialization.restore_graph(*arguments)


@pytest.mark.spec("DIST-D11")
def test_truncated_pickles_raise():
    stream = pickle.dumps(sample(), 5)
    for size in range(len(stream)):
        with pytest.raises(Exception) as caught:
            pickle.loads(stream[:size])
        assert not isinstance(caught.value, SystemError)


# Pickles of the values in the tests below, in the forms that earlier releases wrote.
OLD_ARRAY = (
    "gASVJgEAAAAAAACMEXR2bV9mZmkuY29udGFpbmVylIwFQXJyYXmUk5QpgZR9lIwGaGFuZGxllIz0eyJyb290X2lu"
    "ZGV4Ijo2LCJub2RlcyI6W3sidHlwZSI6ImludCIsImRhdGEiOjF9LHsidHlwZSI6ImZmaS5TdHJpbmciLCJkYXRh"
    "IjoiYSJ9LHsidHlwZSI6ImZmaS5TdHJpbmciLCJkYXRhIjoiayJ9LHsidHlwZSI6ImZsb2F0IiwiZGF0YSI6Mi41"
    "fSx7InR5cGUiOiJmZmkuQXJyYXkiLCJkYXRhIjpbM119LHsidHlwZSI6ImZmaS5NYXAiLCJkYXRhIjpbMiw0XX0s"
    "eyJ0eXBlIjoiZmZpLkFycmF5IiwiZGF0YSI6WzAsMSw1XX1dfZRzYi4="
)
OLD_OBJECT = (
    "gAWVyAAAAAAAAACMF3R2bV9mZmkudGVzdGluZy50ZXN0aW5nlIwOVGVzdE9iamVjdEJhc2WUk5QpgZR9lIwGaGFu"
    "ZGxllIyHeyJyb290X2luZGV4IjoxLCJub2RlcyI6W3sidHlwZSI6ImZmaS5TdHJpbmciLCJkYXRhIjoieCJ9LHsi"
    "dHlwZSI6InRlc3RpbmcuVGVzdE9iamVjdEJhc2UiLCJkYXRhIjp7InZfaTY0IjozLCJ2X2Y2NCI6MTAuMCwidl9z"
    "dHIiOjB9fV19lHNiLg=="
)
OLD_TENSOR = (
    "gAWVYAAAAAAAAACMFXR2bV9mZmkuc2VyaWFsaXphdGlvbpSMDnJlc3RvcmVfdGVuc29ylJOUKIwMdHZtX2ZmaS5j"
    "b3JllIwGVGVuc29ylJOUSwBLEEsBh5RLA4WUQwYAAAEAAgCUdJRSlC4="
)


@pytest.mark.spec("DIST-D11")
def test_older_pickles_load():
    array, made, data = (
        pickle.loads(base64.b64decode(text)) for text in (OLD_ARRAY, OLD_OBJECT, OLD_TENSOR)
    )
    assert array == Array([1, "a", Map({"k": [2.5]})])
    assert (type(made), made.v_i64, made.v_str) == (TestObjectBase, 3, "x")
    assert data.numpy().tolist() == [0, 1, 2]
    assert data.numpy().flags.writeable


@pytest.mark.spec("DIST-D11")
def test_tensors_of_older_pickles_load_as_writable_copies():
    elements = np.arange(3, dtype="float32").tobytes()
    loaded = serialization.restore_tensor(tvm_ffi.Tensor, (2, 32, 1), (3,), elements)
    assert loaded.numpy().flags.writeable
    assert loaded.numpy().tolist() == [0, 1, 2]


@pytest.mark.spec("DIST-D14")
def test_a_hundred_thousand_nested_lists():
    value = List([])
    for _ in range(100_000):
        value = List([value])
    loaded = pickle.loads(pickle.dumps(value))
    depth = 0
    while len(loaded):
        loaded, depth = loaded[0], depth + 1
    assert depth == 100_000


def test_a_list_of_itself_names_the_place():
    value = List([1])
    value.append(Array([value]))
    with pytest.raises(ValueError, match=r"a List contains itself, at value\[1\]\[0\]"):
        pickle.dumps(value)
