# SPDX-License-Identifier: Apache-2.0
"""Test that each side reads every kind of value that the other makes, in one process."""

from __future__ import annotations

import pytest

LITERALS = {
    "int": -(1 << 62) + 5,
    "float": 0.1,
    "bool": True,
    "none": None,
    "small_text": "seven..",
    "long_text": "text of more than seven bytes, h\u00e9",
    "kept_text": "kept",
    "small_bytes": b"a\0b",
    "long_bytes": b"\xff" * 100,
}
KINDS = [*LITERALS, "dtype", "device", "pointer", "shape", "tensor"]


@pytest.mark.spec("D01", "SY4")
@pytest.mark.parametrize("kind", KINDS)
def test_a_value_is_read_by_the_other_side(load, maker, reader, kind):
    make, check = load("values", maker)[f"make_{kind}"], load("values", reader)[f"check_{kind}"]
    # Native code calls both functions, so the value does not pass through Python.
    assert load("values", maker)["relay"](make, check)
    assert load("values", reader)["relay"](make, check)


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("kept_text", "pointer")])
def test_a_value_goes_through_the_interpreter(load, maker, reader, kind):
    value = load("values", maker)[f"make_{kind}"]()
    if kind in LITERALS:
        assert value == LITERALS[kind]
    assert load("values", reader)[f"check_{kind}"](value)


@pytest.mark.parametrize("form", ["tensor_view", "tensor_pointer"])
def test_a_tensor_is_an_argument_in_every_form(load, maker, reader, form):
    tensor = load("values", maker)["make_tensor"]()
    assert load("values", reader)[f"check_{form}"](tensor)


@pytest.mark.spec("K09")
@pytest.mark.parametrize("versioned", [True, False])
def test_tensors_go_through_dlpack_and_share_memory(load, maker, reader, versioned):
    count = load("c_client", reader)["c_use_count"]
    tensor = load("values", maker)["make_tensor"]()
    again = load("values", reader)["through_dlpack"](tensor, versioned)
    assert count(tensor) == 2
    assert load("values", maker)["check_tensor"](again)
    del again
    assert count(tensor) == 1


def test_views_keep_their_source(load, maker, reader):
    tensor = load("values", maker)["make_tensor"]()
    row = load("values", reader)["second_row"](tensor)
    del tensor
    assert load("values", maker)["sum_of"](row) == 3 + 4 + 5


def test_the_only_reference_is_handed_over(load, maker, reader):
    assert load("values", maker)["hands_over"](load("values", reader)["takes_over"])


def test_the_maker_releases_nothing_and_the_holder_everything(load, maker, reader):
    count = load("c_client", reader)["c_use_count"]
    tensor = load("values", maker)["make_tensor"]()
    assert count(tensor) == 1
    load("values", reader)["check_tensor"](tensor)
    assert count(tensor) == 1


@pytest.mark.spec("E02")
def test_wrong_arguments_are_refused_in_the_same_words(load):
    said = []
    for side in ("ours", "peer"):
        with pytest.raises(TypeError) as count:
            load("values", side)["check_int"]()
        with pytest.raises(TypeError) as kind:
            load("values", side)["check_tensor"]([1.5])
        said.append((str(count.value), str(kind.value)))
    assert said[0] == said[1]
