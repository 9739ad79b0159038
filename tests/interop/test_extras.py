# SPDX-License-Identifier: Apache-2.0
"""Test JSON, graph JSON, printing, copying and comparing through the symbols that clients link."""

from __future__ import annotations

import pytest


@pytest.fixture
def extras(load, reader):
    """Load the client `extras` of one side; it calls the functions that this file tests."""
    return load("extras", reader)


@pytest.mark.spec("SY5")
def test_json_is_read_and_written(extras):
    text = '{"a":[1,2.5,null,true],"b":{"c":"\\u00e9 d"}}'
    assert extras["stringify"](extras["parse"](text), None) == text.replace("\\u00e9", "\u00e9")
    assert extras["stringify"](extras["parse"]("[1]"), 2) == "[\n  1\n]"
    assert extras["parse_failure"]("[1 2]") == "Expecting ',' delimiter: line 1 column 4 (char 3)"
    with pytest.raises(ValueError, match="Expecting value"):
        extras["parse"]("[")


def test_graphs_of_objects_come_back(load, extras, maker):
    objects = load("objects", maker)
    point = objects["make_point"](1.5, "kept")
    objects["write_field"](point, "next", objects["make_point"](2.5, "inner"))
    text = extras["to_graph"](point)
    again = load("extras", maker)["from_graph"](text)
    assert objects["read_field"](again, "label") == "kept"
    assert objects["read_field"](objects["read_field"](again, "next"), "x") == 2.5
    assert load("extras", maker)["to_graph"](again) == text


@pytest.mark.spec("O05")
def test_graphs_are_the_same_text_on_both_sides(load):
    texts = set()
    for side in ("ours", "peer"):
        point = load("objects", side)["make_point"](1.5, "kept")
        texts.add(load("extras", side)["to_graph"](point).replace(side, "SIDE"))
    assert len(texts) == 1


def test_objects_are_printed(load, extras, maker):
    point = load("objects", maker)["make_point"](1.5, "p")
    text = f'interop.{maker}.Point(x=1.5, y=0, label="p", next=None, numbers=())'
    assert extras["print"](point) == extras["stream"](point) == text
    assert extras["print"]([1, None, "a"]) == '(1, None, "a")'


@pytest.mark.spec("SY5")
def test_objects_are_copied_and_compared(load, extras, maker):
    objects = load("objects", maker)
    point = objects["make_point"](1.5, "p")
    copied = extras["copy"](point)
    assert extras["equal"](point, copied)
    objects["write_field"](copied, "x", 2.5)
    assert not extras["equal"](point, copied)
    assert extras["less"](point, copied)
    assert objects["read_field"](point, "x") == 1.5


def test_base64(extras):
    assert extras["encode"](b"bytes") == "Ynl0ZXM="
    assert extras["decode"]("Ynl0ZXM=") == b"bytes"
