# SPDX-License-Identifier: Apache-2.0
"""Test that each side reads, grows, shrinks and frees containers of the other (Z5)."""

from __future__ import annotations

import pytest

KINDS = [
    *("array", "list", "map", "dense_map", "dict", "tuple", "variant", "optional"),
    *("empty_optional", "nested"),
]


@pytest.mark.spec("SY4")
@pytest.mark.parametrize("kind", KINDS)
def test_a_container_is_read_by_the_other_side(load, maker, reader, kind):
    make = load("containers", maker)[f"make_{kind}"]
    check = load("containers", reader)[f"check_{kind}"]
    assert check(make())


@pytest.mark.spec("Z5")
def test_a_list_grows_and_shrinks_by_turns(load, maker, reader):
    one, other = load("containers", maker), load("containers", reader)
    value = one["make_list"]()
    one["drop_front"](value, 3)
    for turn in range(20):
        (one if turn % 2 else other)["append"](value, turn * 10, turn * 10 + 10)
        (other if turn % 2 else one)["drop_front"](value, 4)
    assert one["sum_of_items"](value) == other["sum_of_items"](value)
    assert other["sum_of_items"](value) == sum(range(80, 200))


@pytest.mark.spec("Z5")
def test_a_dict_grows_and_shrinks_by_turns(load, maker, reader):
    one, other = load("containers", maker), load("containers", reader)
    value = one["make_dict"]()
    for index in range(50):
        # Remove the keys that the maker inserted.
        other["drop_key"](value, f"key {index}")
    expected = set()
    for turn in range(20):
        begin = turn * 37
        (one if turn % 2 else other)["put"](value, begin, begin + 37)
        (other if turn % 2 else one)["drop"](value, begin + 5, begin + 20)
        expected |= {*range(begin, begin + 5), *range(begin + 20, begin + 37)}
        assert one["sum_of_values"](value) == other["sum_of_values"](value) == sum(expected)


@pytest.mark.spec("Z5")
def test_a_map_is_extended_by_turns(load, maker, reader):
    one, other = load("containers", maker), load("containers", reader)
    value, size = {}, 0
    for turn in range(10):
        step = 3**turn % 50
        value = (one if turn % 2 else other)["extended"](value, size, size + step)
        size += step
        assert one["sum_of_values"](value) == other["sum_of_values"](value) == sum(range(size))


@pytest.mark.spec("Z5")
def test_an_array_is_pushed_in_place_when_it_is_given_away(load, maker, reader):
    pushed = load("containers", reader)["pushed"]
    value = load("containers", maker)["pushed_by"](pushed, 0, 1000)
    assert load("containers", maker)["sum_of_items"](value) == sum(range(1000))


def test_mismatches_name_the_element_in_the_same_words(load):
    said = {load("containers", side)["mismatch"]([1, 2, "three"]) for side in ("ours", "peer")}
    assert said == {
        "TypeError: Cannot convert from type `Array[index 2: ffi.SmallStr]` to `Array<int>`"
    }
