# SPDX-License-Identifier: Apache-2.0
"""Test objects and types that one side defines: the other reads, changes, makes and calls them."""

from __future__ import annotations

import json

import pytest

import tvm_ffi


def key_of(side, name="Point"):
    return f"interop.{side}.{name}"


@pytest.fixture
def both(load, maker, reader):
    """Return the loaded clients of the maker and of the reader."""
    return load("objects", maker), load("objects", reader)


@pytest.mark.spec("SY7")
def test_fields_are_listed_and_described(both, maker, reader):
    names = both[1]["field_names"](key_of(maker))
    assert [names[i] for i in range(len(names))] == ["x", "y", "label", "next", "numbers"]
    metadata = json.loads(both[1]["field_metadata"](key_of(maker), "y"))
    assert metadata == {"type_schema": '{"type":"int"}', "min": 0}


@pytest.mark.spec("E16")
def test_metadata_is_the_same_text_on_both_sides(load):
    for name in ("x", "y", "label", "next", "numbers"):
        texts = {
            load("objects", side)["field_metadata"](key_of(side), name) for side in ("ours", "peer")
        }
        assert len(texts) == 1, texts


def test_fields_are_read_and_written(both):
    made, read = both
    point = made["make_point"](1.5, "a label on the heap")
    assert read["read_field"](point, "x") == 1.5
    assert read["read_field"](point, "label") == "a label on the heap"
    assert read["read_field"](point, "next") is None
    read["write_field"](point, "x", 4)
    read["write_field"](point, "next", point)
    assert made["read_field"](point, "x") == 4.0
    read["write_field"](point, "next", None)
    with pytest.raises(TypeError):
        read["write_field"](point, "x", "text")
    assert made["read_field"](point, "x") == 4.0


def test_methods_are_called(both, maker):
    made, read = both
    point = made["make_point"](1, "p")
    read["call_method"](point, "move_by", [2])
    assert read["call_method"](point, "sum", [10.0]) == 13.0
    assert tvm_ffi.get_global_func(f"interop.{maker}.sum")(point, 0.5) == 3.5
    with pytest.raises(TypeError, match=rf"`{key_of(maker)}.sum"):
        read["call_method"](point, "sum", ["text"])


def test_objects_are_made_from_fields(both, maker):
    made, read = both
    point = read["create"](key_of(maker), {"x": 2.5})
    assert made["read_field"](point, "y") == 5
    assert made["read_field"](point, "label") == "unnamed"
    assert len(made["read_field"](point, "numbers")) == 2
    with pytest.raises(TypeError, match="Required field `x` not set"):
        read["create"](key_of(maker), {})


def test_the_automatic_constructor_takes_positions(both, maker):
    point = both[1]["init"](key_of(maker), [1.0, 2, "three"])
    assert both[0]["read_field"](point, "label") == "three"
    with pytest.raises(TypeError, match="missing required argument: 'x'"):
        both[1]["init"](key_of(maker), [])


def test_constructors_of_the_class_are_called(both, maker):
    pair = both[1]["init"](key_of(maker, "Pair"), [3, "second"])
    assert both[0]["read_field"](pair, "first") == 3
    assert both[0]["read_field"](pair, "second") == "second"


@pytest.mark.spec("C04")
def test_the_base_class_is_one_for_both(both, maker, reader):
    point = both[0]["make_point"](1, "p")
    assert both[1]["id_of"](point) == 1
    assert both[1]["is_own_point"](point) == (maker == reader)
    assert both[1]["id_of"](both[0]["make_key"](1)) == -1


def test_objects_are_released_once(both):
    made, read = both
    live = made["live_point_count"]
    before = live()
    point = made["make_point"](1, "p")
    read["write_field"](point, "next", made["make_point"](2, "q"))
    assert live() == before + 2
    del point
    assert live() == before


def test_type_attributes_are_seen(both, maker):
    made, read = both
    assert read["attr_of_type"](key_of(maker), "interop.maker") == maker
    point = made["make_point"](1, "described")
    assert read["attr_of_type"](key_of(maker), "interop.describe")(point) == "described"


@pytest.mark.spec("D11")
def test_keys_find_each_other_through_their_hooks(both):
    key = both[0]["make_key"]
    assert both[1]["look_up"](key(12), key(12)) == 1
    assert both[1]["look_up"](key(12), key(13)) == -1


def test_overloads_are_chosen(both, maker):
    read = both[1]
    calculator = read["create"](key_of(maker, "Calculator"), {"base": 10})
    assert read["call_method"](calculator, "add", [5]) == 15
    assert read["call_method"](calculator, "add", ["a"]) == "a+"
    with pytest.raises(TypeError, match="No matching overload found when calling") as refused:
        read["call_method"](calculator, "add", [None])
    assert "Overload #1" in str(refused.value)


def test_global_functions_of_every_kind(load, maker, reader):
    load("objects", maker)
    assert tvm_ffi.get_global_func(f"interop.{maker}.count")(1, 2, 3) == 3
    point = tvm_ffi.get_global_func(f"interop.{maker}.make_point")(7.5)
    assert load("objects", reader)["read_field"](point, "x") == 7.5
    metadata = tvm_ffi.get_global_func_metadata(f"interop.{maker}.make_point")
    assert json.loads(metadata["type_schema"] if isinstance(metadata, dict) else metadata)


@pytest.mark.spec("Y5")
def test_a_client_in_c_reads_fields(load, maker, reader):
    point = load("objects", maker)["make_point"](2.25, "p")
    assert load("c_client", reader)["c_read_field"](point, "x") == 2.25
    assert load("c_client", reader)["c_describe_type"](point) == 2005
    with pytest.raises(AttributeError):
        load("c_client", reader)["c_read_field"](point, "z")
