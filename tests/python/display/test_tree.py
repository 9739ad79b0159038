# SPDX-License-Identifier: Apache-2.0
"""Test the HTML of objects: a tree of fields, escaped and bounded."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map
from tvm_ffi.dataclasses import field, py_class
from tvm_ffi.testing import TestIntPair


@py_class("test.tree.Base")
class Base(tvm_ffi.Object):
    """A class with a field for any value."""

    x: Any


@py_class("test.tree.Node")
class Node(Base):
    """A subclass with more fields."""

    y: Any = None
    hidden: Any = field(default=None, repr=False)


@py_class("test.tree.Hooked")
class Hooked(tvm_ffi.Object):
    """A class whose ``__ffi_repr__`` returns a text with HTML tags."""

    x: int

    def __ffi_repr__(self, fn_repr):
        return "<b>hooked</b>"


@py_class("test.tree.Failing")
class Failing(tvm_ffi.Object):
    """A class whose ``__repr__`` raises an error."""

    x: int

    def __repr__(self):
        raise ValueError("no text")


class Outline(HTMLParser):
    """Checks that tags are nested correctly, and collects the text and the names of tags."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.words = [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return "".join(self.words)


def outline(value):
    return Outline(value._repr_html_())


def test_fields_of_ancestors_come_first_and_hidden_ones_are_absent():
    tree = outline(Node(1, "a", 7))
    assert tree.text == "test.tree.Nodex: 1y: 'a'"
    assert tree.tags.count("details") == 1


def test_objects_of_native_types():
    assert outline(TestIntPair(3, 4)).text == "testing.TestIntPaira: 3b: 4"


def test_objects_and_containers_inside_can_be_expanded():
    tree = outline(Node([1, Node(2)], {"k": List([3])}))
    assert tree.tags.count("details") == 5
    assert tree.text == (
        "test.tree.Nodex: Array, length 20: 11: test.tree.Nodex: 2y: None"
        "y: Map, length 1'k': List, length 10: 3"
    )


@pytest.mark.parametrize(
    "value",
    [
        "<script>alert(1)</script>",
        "&amp; \" ' <",
        "\x00\x1b[31m\u202e",
        {"<i>key</i>": 1},
        Hooked(1),
    ],
    ids=repr,
)
def test_everything_is_escaped(value):
    tree = outline(Node(value))
    assert set(tree.tags) <= {"details", "summary", "ul", "li", "code", "b", "i"}
    html = Node(value)._repr_html_()
    assert "<script" not in html and "<i>key" not in html and "<b>hooked" not in html
    assert "\x00" not in html and "\x1b" not in html


@pytest.mark.parametrize(
    "value",
    [
        Array([1]),
        List([Node(1)]),
        Map({1: 2}),
        Dict({}),
        tvm_ffi.convert(len),
        Hooked(1),
        Failing(1),
        Node.__new__(Node),
        tvm_ffi.core.MISSING,
    ],
    ids=lambda value: type(value).__name__,
)
def test_where_the_text_says_as_much_there_is_no_tree(value):
    assert value._repr_html_() is None


def test_cycles_end():
    values = List([1])
    values.append(values)
    node = Node(values)
    assert outline(node).text == "test.tree.Nodex: List, length 20: 11: …y: None"
    node.y = node
    assert outline(node).text.endswith("y: …")
    values.clear()
    node.y = None


def test_large_values_are_bounded():
    chain: Any = 0
    for i in range(10_000):
        chain = Node(i, chain)
    tree = outline(chain)
    assert tree.tags.count("details") == 8
    wide = Node([Node(i, [Node(j) for j in range(100)]) for i in range(100)])
    html = wide._repr_html_()
    assert len(html) < 200_000
    assert html.count("<li>") <= 600
    numbers = outline(Node(Array(range(100_000))))
    assert "99980 more" in numbers.text
    long = outline(Node("x" * 10_000_000))
    assert "(length 10000000)" in long.text and len(long.text) < 500


def test_a_value_whose_text_fails_is_named():
    assert "<Failing: repr raised ValueError>" in outline(Node(Failing(1))).text


def test_a_field_that_cannot_be_read_shows_the_error(monkeypatch):
    from tvm_ffi._display import tree

    class Broken:
        name = "x"
        c_repr = True

        @staticmethod
        def getter(obj):
            raise RuntimeError("closed <now>")

    monkeypatch.setattr(tree, "_fields_of", lambda index: iter([Broken]))
    assert outline(Node(1)).text == "test.tree.Nodex: RuntimeError: closed <now>"


def test_tensors_show_no_values():
    np = pytest.importorskip("numpy")
    tree = outline(Node(tvm_ffi.from_dlpack(np.zeros(3))))
    assert tree.text == "test.tree.Nodex: float64[3]@cpu:0y: None"


def test_ids_of_elements_do_not_clash():
    assert not re.search(r"\bid=", Node(1)._repr_html_())
