# SPDX-License-Identifier: Apache-2.0
"""Test ``Map`` and its views."""

from __future__ import annotations

import types
from collections.abc import ItemsView, KeysView, ValuesView

import numpy as np
import pytest

import tvm_ffi
from tvm_ffi import Array, Dict, Map, core
from tvm_ffi.testing import TestIntPair

LONG = "a key of more than seven bytes"

# ---- construction ----


def test_made_from_mappings():
    source = {"a": 1, LONG: [1, 2], 3: None}
    for made in (
        Map(source),
        Map(Map(source)),
        Map(Dict(source)),
        Map(types.MappingProxyType(source)),
    ):
        assert list(made.items()) == [("a", 1), (LONG, Array([1, 2])), (3, None)]


@pytest.mark.spec("PY-B34")
@pytest.mark.parametrize("bad", [1, None, "ab", b"ab"])
def test_made_from_something_else(bad):
    with pytest.raises(AttributeError, match="expected a mapping, or an iterable of pairs"):
        Map(bad)


@pytest.mark.parametrize("cls", [Map, Dict])
def test_pairs_were_refused(cls):
    """Before the fix, a list of pairs did not have an attribute `items`."""
    pairs = [("a", 1), ["b", 2], Array(["a", 3])]
    for source in (pairs, tuple(pairs), iter(pairs), Array(pairs), cls({"a": 3, "b": 2}).items()):
        assert dict(cls(source)) == dict(pairs)
    assert len(cls([])) == 0


@pytest.mark.parametrize(
    ("bad", "kind", "text"),
    [
        ([("a", 1), 3], TypeError, "expected a pair of key and value as item 1, got int"),
        (["ab"], TypeError, "expected a pair of key and value as item 0, got str"),
        ([(1, 2, 3)], ValueError, "expected a pair of key and value as item 0, got 3 values"),
    ],
)
def test_items_of_an_iterable_that_are_not_pairs(bad, kind, text):
    for make in (Map, Dict, Dict({}).update):
        with pytest.raises(kind, match=f"^{text}$"):
            make(bad)


def test_an_error_of_an_iterable_of_pairs_is_raised():
    def fail():
        yield ("a", 1)
        raise LookupError("no more")

    class Pair:
        def __iter__(self):
            raise LookupError("no pair")

    for bad in (fail(), [Pair()]):
        with pytest.raises(LookupError, match="no "):
            Map(bad)


def test_a_failing_attribute_items_is_raised():
    class Failing:
        @property
        def items(self):
            raise LookupError("no items")

    with pytest.raises(LookupError, match="no items"):
        Map(Failing())


def test_items_that_are_not_pairs():
    class Odd:
        def items(self):
            return [1]

    with pytest.raises(TypeError, match="pairs of key and value"):
        Map(Odd())


def test_wrong_number_of_arguments():
    with pytest.raises(TypeError):
        Map()
    with pytest.raises(TypeError):
        Map({}, {})
    with pytest.raises(TypeError):
        Map(a=1)


# ---- lookup ----


def test_every_kind_of_key():
    big = 10**30
    pair = TestIntPair(1, 2)
    keys = [1, 1.5, False, None, "a", LONG, "ä" * 9, b"a", b"a" * 9, big, tvm_ffi.device("cpu:0")]
    keys += [tvm_ffi.dtype("int8"), pair]
    m = Map(dict(zip(keys, range(99))))
    for value, key in enumerate(keys):
        assert m[key] == value
        assert key in m
        assert m.get(key) == value
    assert m[np.int64(1)] == 0
    assert m[core.String(LONG)] == keys.index(LONG)


@pytest.mark.spec("PY-H200")
def test_keys_of_equal_python_values_differ():
    m = Map({1: 2})
    assert 1 in m
    assert 1.0 not in m
    assert True not in m


@pytest.mark.spec("PY-H201")
def test_objects_are_found_by_identity():
    key = Array([1])
    m = Map({key: "x"})
    assert m[key] == "x"
    assert Array([1]) not in m
    assert object() not in m


@pytest.mark.spec("PY-H194", "PY-H195")
def test_a_missing_key():
    m = Map({"a": 1})
    for key in ("z", 5, None, LONG):
        with pytest.raises(KeyError) as caught:
            m[key]
        (text,) = caught.value.args
        assert text.startswith("key is not in Map: a Map with 1 key does not contain ")
        assert m.get(key) is None
        assert m.get(key, 7) == 7
        assert m.get(key, default=8) == 8
        assert key not in m


def test_get_checks_its_arguments():
    m = Map({})
    for call in (lambda: m.get(), lambda: m.get(1, 2, 3), lambda: m.get(1, other=2)):
        with pytest.raises(TypeError):
            call()


def test_a_stored_sentinel_counts_as_missing():
    assert Map({"a": core.MISSING}).get("a", 3) == 3


def test_a_key_that_cannot_be_converted():
    with pytest.raises(UnicodeEncodeError):
        Map({})["\ud800"]


# ---- order, iteration, views ----


@pytest.mark.spec("PY-H196")
@pytest.mark.parametrize("size", [0, 1, 4, 5, 1000])
def test_insertion_order(size):
    source = {f"key number {i}": i for i in range(size, 0, -1)}
    m = Map(source)
    assert len(m) == size
    assert bool(m) == (size != 0)
    assert list(m) == list(m.keys()) == list(source)
    assert list(m.values()) == list(source.values())
    assert tuple(m.items()) == tuple(source.items())
    assert dict(m) == {**m} == source


@pytest.mark.spec("PY-H197", "PY-H198", "PY-H199")
def test_views():
    m = Map({"a": 1, "b": 2})
    assert isinstance(m.keys(), KeysView)
    assert isinstance(m.values(), ValuesView)
    assert isinstance(m.items(), ItemsView)
    assert len(m.keys()) == len(m.values()) == len(m.items()) == 2
    assert "a" in m.keys()  # noqa: SIM118
    assert 2 in m.values()
    assert 3 not in m.values()
    assert ("a", 1) in m.items()
    assert ("a", 2) not in m.items()
    assert "a" not in m.items()
    assert m.keys() & {"a"} == {"a"}
    assert m.keys() == {"a", "b"}
    assert m.items() | {("c", 3)} == {("a", 1), ("b", 2), ("c", 3)}
    assert repr(m.keys()) == 'KeysView({"a": 1, "b": 2})'
    assert repr(m.values()) == 'ValuesView({"a": 1, "b": 2})'
    assert repr(m.items()) == 'ItemsView({"a": 1, "b": 2})'


def test_views_check_what_they_are_made_of():
    for name in ("KeysView", "ValuesView", "ItemsView"):
        cls = getattr(tvm_ffi.container, name)
        with pytest.raises(TypeError):
            cls({})
        with pytest.raises(ValueError):
            len(cls.__new__(cls))


def test_an_iterator_keeps_the_entries(use_count):
    pair = TestIntPair(1, 2)
    steps = iter(Map({"a": pair, "b": pair}).values())
    assert next(steps).same_as(pair)
    assert use_count(pair) == 3
    assert list(steps) == [pair]
    del steps  # without the GIL, an iterator keeps them to its end, as CPython's own do
    assert use_count(pair) == 1


# ---- comparison ----


@pytest.mark.spec("PY-H202")
def test_equality():
    m = Map({"a": 1, "b": [2]})
    assert m == Map({"b": [2], "a": 1})
    assert m != Map({"a": 1})
    assert hash(m) == hash(Map({"b": [2], "a": 1}))
    assert m.__eq__({"a": 1}) is NotImplemented
    assert (m == {"a": 1, "b": [2]}) is False
    assert (m == Dict(m)) is False


# ---- uninitialised objects ----


def test_empty_objects():
    for cls in (Map, Dict):
        m = cls.__new__(cls)
        for use in (
            len,
            list,
            bool,
            hash,
            lambda m: m["a"],
            lambda m: "a" in m,
            lambda m: m.get(1),
        ):
            with pytest.raises(ValueError, match="object is empty"):
                use(m)


def test_a_handle_of_another_kind():
    m = Map({})
    m.__move_handle_from__(Array([1]))
    with pytest.raises(TypeError, match="not a mapping"):
        len(m)


@pytest.mark.spec("PY-D105")
def test_a_dict_with_itself_inside():
    source = {}
    source["a"] = source
    with pytest.raises(RecursionError):
        tvm_ffi.convert(source)
