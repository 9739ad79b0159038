# SPDX-License-Identifier: Apache-2.0
"""Test ``json::Stringify`` as libraries of 0.1.12 and earlier call it, with indent by value."""

from __future__ import annotations

import math

import pytest

import tvm_ffi
from tvm_ffi import get_global_func

VALUE = [1, {"a": 2}, []]
TEXTS = {
    None: '[1,{"a":2},[]]',
    0: '[1,{"a":2},[]]',
    1: '[\n 1,\n {\n  "a": 2\n },\n [\n ]\n]',
    2: '[\n  1,\n  {\n    "a": 2\n  },\n  [\n  ]\n]',
    7: (f'[\n{" " * 7}1,\n{" " * 7}{{\n{" " * 14}"a": 2\n{" " * 7}}},\n{" " * 7}[\n{" " * 7}]\n]'),
    -1: '[\n1,\n{\n"a": 2\n},\n[\n]\n]',
}


@pytest.fixture
def stringify(probe):
    return probe("json_by_value.cc").stringify


@pytest.mark.spec("GEN-G06", "GEN-G20")
@pytest.mark.parametrize("indent", TEXTS)
def test_text_by_indent(stringify, indent):
    args = () if indent is None else (indent,)
    assert stringify(VALUE, *args) == TEXTS[indent]


@pytest.mark.parametrize("indent", TEXTS)
def test_the_present_function_gives_the_same_text(indent):
    assert get_global_func("ffi.json.Stringify")(VALUE, indent) == TEXTS[indent]


@pytest.mark.spec("GEN-G06")
def test_nan_and_short_texts(stringify):
    assert stringify(math.nan) == "NaN"
    assert stringify("ab") == '"ab"'
    assert stringify(None) == "null"


@pytest.mark.spec("GEN-G06")
def test_a_key_that_is_not_a_string_is_a_value_error(stringify):
    with pytest.raises(ValueError, match=r"^Expect key to be string, got `int`$"):
        stringify(tvm_ffi.Map({1: 2}), 2)


def test_the_caller_destroys_the_optional(probe):
    library = probe("json_by_value.cc")
    before = library.num_destroyed()
    library.stringify(VALUE, 2)
    with pytest.raises(ValueError, match="Expect key"):
        library.stringify(tvm_ffi.Map({1: 2}))
    assert library.num_destroyed() == before + 2
