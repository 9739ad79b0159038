# SPDX-License-Identifier: Apache-2.0
"""Test ``Dict``, a shared mapping that changes like a Python dict."""

from __future__ import annotations

import pytest

from tvm_ffi import Array, Dict, Map
from tvm_ffi.testing import TestIntPair

# ---- construction ----


def test_made_from_mappings():
    assert len(Dict()) == len(Dict(None)) == len(Dict({})) == 0
    assert dict(Dict({"a": 1})) == dict(Dict(Map({"a": 1}))) == {"a": 1}


@pytest.mark.spec("PY-B34")
@pytest.mark.parametrize("bad", [1, "ab", b"ab"])
def test_made_from_something_else(bad):
    with pytest.raises(AttributeError):
        Dict(bad)


# ---- changes ----


def test_assignment_and_deletion():
    d = Dict({"a": 1})
    d["b"] = 2
    d["a"] = 3
    del d["b"]
    assert dict(d) == {"a": 3}


@pytest.mark.spec("PY-H194", "PY-H195", "PY-H203")
def test_a_missing_key():
    d = Dict({"a": 1})
    with pytest.raises(KeyError) as caught:
        del d["z"]
    assert caught.value.args == ("z",)
    with pytest.raises(KeyError) as caught:
        d.pop("z")
    assert caught.value.args == ("z",)
    with pytest.raises(KeyError) as caught:
        d["z"]
    assert caught.value.args == ("key is not in Map: a Dict with 1 key does not contain 'z'",)
    assert d.pop("z", 3) == 3
    with pytest.raises(TypeError, match="pop expected at most 2 arguments, got 3"):
        d.pop("z", 3, 4)
    with pytest.raises(TypeError):
        d.pop()


@pytest.mark.spec("PY-H204")
def test_popitem_takes_the_first():
    d = Dict({"a": 1, "b": 2})
    assert d.popitem() == ("a", 1)
    assert d.popitem() == ("b", 2)
    with pytest.raises(KeyError):
        d.popitem()


@pytest.mark.spec("PY-H204")
def test_setdefault_update_clear():
    d = Dict({"a": 1})
    assert d.setdefault("a", 5) == 1
    assert d.setdefault("b", 5) == 5
    assert d.setdefault("c") is None
    d.update({"a": 2, "z": 3})
    d.update(Map({"y": 4}))
    assert dict(d) == {"a": 2, "b": 5, "c": None, "z": 3, "y": 4}
    d.update(d)
    assert len(d) == 5
    d.update([("a", 9), ("x", d)])
    assert (d["a"], d["x"] is d, len(d)) == (9, True, 6)
    d.clear()
    assert len(d) == 0
    with pytest.raises(AttributeError):
        d.update(1)


def test_two_holders_see_the_same_changes():
    d = Dict()
    Array([d])[0]["a"] = 1
    assert dict(d) == {"a": 1}


@pytest.mark.spec("PY-H197", "PY-H198")
def test_views_are_live():
    d = Dict({"a": 1})
    keys, items = d.keys(), d.items()
    d["b"] = 2
    assert list(keys) == ["a", "b"]
    assert list(items) == [("a", 1), ("b", 2)]


@pytest.mark.spec("PY-H196")
def test_deleting_and_inserting_moves_to_the_end():
    d = Dict({i: i for i in range(1000)})
    del d[0]
    d[0] = "again"
    assert list(d)[-1] == 0
    assert next(iter(d)) == 1


def test_values_are_released(use_count):
    pair = TestIntPair(1, 2)
    d = Dict(dict.fromkeys(range(6), pair))
    assert use_count(pair) == 7
    d[0] = None
    del d[1]
    d.pop(2)
    assert use_count(pair) == 4
    d.clear()
    assert use_count(pair) == 1


def test_a_failing_conversion_changes_nothing():
    d = Dict({"a": 1})
    for change in (
        lambda: d.__setitem__("b", "\ud800"),
        lambda: d.__setitem__("\ud800", 1),
        lambda: d.update({"b": 1, "c": "\ud800"}),
        lambda: d.setdefault("b", "\ud800"),
    ):
        with pytest.raises(UnicodeEncodeError):
            change()
    assert dict(d) == {"a": 1}


def test_a_dict_in_itself():
    d = Dict({"a": 1})
    d["self"] = d
    assert repr(d) == '{"a": 1, "self": ...}'
    assert d == d
    d.clear()


# ---- changes during iteration ----


@pytest.mark.parametrize("size", [3, 10])
def test_assigning_while_iterating(size):
    d = Dict({i: i for i in range(size)})
    seen = []
    for key in d:
        seen.append(key)
        d[key] = -key
    assert seen == list(range(size))


@pytest.mark.parametrize("size", [3, 10])
def test_adding_and_deleting_while_iterating(size):
    d = Dict({i: i for i in range(size)})
    seen = []
    for key, _ in d.items():
        seen.append(key)
        d.pop(key + 1, None)
        d[key + 100] = 0
    assert seen == list(range(0, size, 2))
