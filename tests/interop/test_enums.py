# SPDX-License-Identifier: Apache-2.0
"""Test that each client reads the enums of the other through the attribute ``__ffi_enum__``."""

from __future__ import annotations

import os

import pytest


@pytest.fixture
def both(load, maker, reader):
    """Return the loaded clients of the maker and of the reader."""
    return load("enums", maker), load("enums", reader)


@pytest.mark.spec("M01")
def test_entries_are_found_by_name_and_number(both, maker):
    made, read = both
    colour, level = f"interop.{maker}.Colour", f"interop.{maker}.Level"
    assert read["number_of"](read["by_name"](colour, "Blue")) == 1
    assert read["name_of"](read["by_number"](colour, 0)) == "Red"
    assert read["name_of"](read["by_number"](level, -1)) == "Low"
    assert made["number_of"](read["by_name"](level, "High")) == 100
    with pytest.raises(ValueError, match="has no instance with index"):
        read["by_name"](colour, "Green")


@pytest.mark.spec("M08")
def test_an_entry_is_the_identical_object(load, both, maker):
    colour = f"interop.{maker}.Colour"
    first, second = (client["by_name"](colour, "Red") for client in both)
    assert first.same_as(second)
    text = load("extras", maker)["to_graph"](first)
    assert load("extras", maker)["from_graph"](text).same_as(first)
    assert load("extras", maker)["print"](first) == f"{colour}.Red"


@pytest.mark.spec("M04")
def test_attributes_of_entries_are_read(both, maker):
    made, read = both
    colour = f"interop.{maker}.Colour"
    assert read["attr_of"](made["by_name"](colour, "Red"), "warm") is True
    assert read["attr_of"](made["by_name"](colour, "Blue"), "warm") is False


def test_entries_added_later_are_seen(both, maker, reader):
    made, read = both
    name = f"Late_{reader}"
    made["define"](name)
    assert made["is_defined"](name)
    entry = read["by_name"](f"interop.{maker}.Colour", name)
    assert read["attr_of"](entry, "warm") == "late"
    with pytest.raises(ValueError, match="Duplicate enum index"):
        made["define"](name)


@pytest.mark.spec("M11")
@pytest.mark.skipif("TVM_FFI_INTEROP_CLIENTS" in os.environ, reason="a view of our runtime alone")
def test_entries_are_published_by_name(load, both, maker):
    load("enums", "ours")  # skips the test if the client was not compiled
    names = both[1]["published_names"](f"interop.{maker}.Colour")
    assert [names[0], names[1]] == ["Red", "Blue"]
