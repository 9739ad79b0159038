# SPDX-License-Identifier: Apache-2.0
"""Test Array, List, Map and Dict."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Hashable, Mapping, MutableMapping, MutableSequence, Sequence

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import Array, Dict, List, Map, core
from tvm_ffi.testing import TestIntPair

THREE = Array([1, 2, 3])


@pytest.mark.spec("PY-H178")
def test_h178_indices_and_slices():
    assert THREE[-1] == 3
    assert THREE[1:] == [2, 3]
    assert type(THREE[1:]) is list
    assert type(List([1, 2])[:1]) is list


@pytest.mark.spec("PY-H179")
def test_h179_indices_out_of_range():
    with pytest.raises(IndexError, match=r"^Index out of range\. size: 3, got index 5$"):
        THREE[5]
    with pytest.raises(IndexError, match=r"^Index out of range\. size: 3, got index -4$"):
        THREE[-4]
    with pytest.raises(TypeError, match="indices must be integers or slices, not str"):
        THREE["x"]


@pytest.mark.spec("PY-H180")
def test_h180_indices_of_other_types():
    assert THREE[True] == 2
    np = pytest.importorskip("numpy")
    assert THREE[np.int64(1)] == 2


@pytest.mark.spec("PY-H181")
@pytest.mark.parametrize("cls", [Array, List])
def test_h181_addition(cls):
    values = cls([1])
    for other in ([2], (2,), (i for i in [2]), Array([2]), List([2])):
        total = values + other
        assert type(total) is cls
        assert list(total) == [1, 2]
    for other in ([2], (2,)):
        assert type(other + values) is cls
        assert list(other + values) == [2, 1]
    with pytest.raises(TypeError):
        values + 3
    with pytest.raises(TypeError):
        values * 2


@pytest.mark.spec("PY-H182")
def test_h182_equal_to_sequences():
    for other in ([1, 2, 3], (1, 2, 3), range(1, 4), List([1, 2, 3]), tvm_ffi.Shape((1, 2, 3))):
        assert other == THREE
        assert other == THREE


@pytest.mark.spec("PY-H183")
def test_h183_not_equal_to_others():
    for other in ("abc", b"abc", {}, 5, None):
        assert THREE.__eq__(other) is NotImplemented
        assert other != THREE


@pytest.mark.spec("PY-H184")
def test_h184_types_of_elements_matter():
    assert Array([1.0]) != [1]
    assert Array([True]) != [1]
    assert Array([float("nan")]) == [float("nan")]


@pytest.mark.spec("PY-H185")
def test_h185_hash():
    assert hash(Array([1])) == hash(Array([1]))
    assert len({Array([1]), Array([1]), Array([2])}) == 2
    assert hash(Array([1])) != hash(List([1]))


@pytest.mark.spec("PY-H186")
def test_h186_membership():
    assert 1 in THREE
    assert 1.0 not in THREE
    assert True not in THREE
    assert ("B", 1) in Array([("B", 1)])
    assert 10**30 in Array([10**30])


@pytest.mark.spec("PY-H187")
def test_h187_the_rest_of_a_sequence():
    assert not Array([])
    assert len(THREE) == 3
    assert [*reversed(THREE)] == [3, 2, 1]
    assert (THREE.index(2), THREE.count(3), THREE.count(9)) == (1, 1, 0)
    with pytest.raises(ValueError):
        THREE.index(9)
    first, *rest = THREE
    assert (first, rest) == (1, [2, 3])


@pytest.mark.spec("PY-H187")
def test_h187_patterns():
    namespace = {"values": THREE, "mapping": Map({"a": 1})}
    exec(
        "match values:\n case [first, *_]: found = first\n"
        "match mapping:\n case {'a': a}: other = a\n",
        namespace,
    )
    assert (namespace["found"], namespace["other"]) == (1, 1)


@pytest.mark.spec("PY-H188")
def test_h188_no_assignment():
    with pytest.raises(TypeError):
        THREE[0] = 1
    with pytest.raises(TypeError):
        del THREE[0]


EDITS = [
    lambda x: x.append(9),
    lambda x: x.extend([9, 8]),
    lambda x: x.extend(x),
    lambda x: x.extend(i for i in (1, 2)),
    lambda x: x.insert(0, 9),
    lambda x: x.insert(-1, 9),
    lambda x: x.insert(99, 9),
    lambda x: x.insert(-99, 9),
    lambda x: x.pop(),
    lambda x: x.pop(0),
    lambda x: x.pop(-2),
    lambda x: x.remove(2),
    lambda x: x.clear(),
    lambda x: x.reverse(),
    lambda x: x.__setitem__(0, 9),
    lambda x: x.__setitem__(-1, 9),
    lambda x: x.__delitem__(1),
    lambda x: x.__setitem__(slice(1, 3), [7]),
    lambda x: x.__setitem__(slice(3, 1), [7, 8]),
    lambda x: x.__setitem__(slice(None, None, 2), [7, 8]),
    lambda x: x.__setitem__(slice(None, None, -2), [7, 8]),
    lambda x: x.__setitem__(slice(0, 0), [7, 8]),
    lambda x: x.__delitem__(slice(1, None)),
    lambda x: x.__delitem__(slice(None, None, -2)),
    lambda x: x.__delitem__(slice(3, 1)),
    lambda x: x.__iadd__([5]),
    lambda x: x.pop(99),
    lambda x: x.remove(77),
    lambda x: x.__setitem__(9, 1),
    lambda x: x.__delitem__(-9),
    lambda x: x.__setitem__(slice(None, None, 2), [7]),
]


@pytest.mark.spec("PY-H189")
@pytest.mark.parametrize("number", range(len(EDITS)))
def test_h189_edits_are_those_of_list(number):
    ours, theirs = List([1, 2, 3, 4]), [1, 2, 3, 4]
    outcomes = []
    for values in (ours, theirs):
        try:
            result = EDITS[number](values)
            outcomes.append("itself" if result is values else result)
        except Exception as error:
            outcomes.append(type(error))
    assert outcomes[0] == outcomes[1]
    assert list(ours) == theirs


@pytest.mark.spec("PY-H190")
def test_h190_a_slice_assigned_to_itself():
    values = List([1, 2, 3, 4])
    values[1:3] = values
    assert list(values) == [1, 1, 2, 3, 4, 4]


@pytest.mark.spec("PY-H191")
def test_h191_pop():
    with pytest.raises(IndexError, match="pop from empty list"):
        List().pop()
    with pytest.raises(IndexError):
        List([1]).pop(99)


@pytest.mark.spec("PY-H192")
def test_h192_extended_slices():
    with pytest.raises(
        ValueError, match="attempt to assign sequence of size 3 to extended slice of size 2"
    ):
        List([1, 2, 3, 4])[::2] = [1, 2, 3]


@pytest.mark.spec("PY-H193")
def test_h193_two_holders_of_one_list():
    inner = List([1])
    outer = Array([inner])
    other = tvm_ffi.testing.echo(outer)[0]
    other.append(2)
    assert list(inner) == [1, 2]


@pytest.mark.spec("PY-H194", "PY-H195")
def test_h194_and_h195_missing_keys():
    for mapping in (Map({"a": 1}), Dict({"a": 1})):
        with pytest.raises(KeyError) as caught:
            mapping["z"]
        (text,) = caught.value.args
        assert text.startswith("key is not in Map")
        assert mapping.get("z") is None
        assert mapping.get("z", 7) == 7
        assert mapping.get("a", 7) == 1


@pytest.mark.spec("PY-H196")
@pytest.mark.parametrize("cls", [Map, Dict])
def test_h196_insertion_order(cls):
    keys = [(i * 7919) % 1000 for i in range(1000)]
    assert list(cls(dict.fromkeys(keys))) == keys


@pytest.mark.spec("PY-H196")
def test_h196_deleting_and_inserting_moves_to_the_end():
    mapping = Dict({"a": 1, "b": 2, "c": 3})
    del mapping["a"]
    mapping["a"] = 1
    mapping["b"] = 9
    assert list(mapping) == ["b", "c", "a"]


@pytest.mark.spec("PY-H197", "PY-H198")
def test_h197_and_h198_views():
    mapping = Dict({"a": 1, "b": 2})
    keys, values, items = mapping.keys(), mapping.values(), mapping.items()
    assert tuple(items) == tuple(zip(keys, values)) == (("a", 1), ("b", 2))
    mapping["c"] = 3
    assert (len(keys), list(values)) == (3, [1, 2, 3])
    assert ("a", 1) in items
    assert ("a", 2) not in items
    assert "a" not in items
    assert keys & {"a"} == {"a"}
    assert keys == {"a", "b", "c"}


@pytest.mark.spec("PY-H199")
@pytest.mark.parametrize("cls", [Map, Dict])
def test_h199_views_are_printed_and_searched(cls):
    mapping = cls({"a": 1})
    for view in (mapping.keys(), mapping.values(), mapping.items()):
        assert "a" in repr(view) or "1" in repr(view)
    assert 1 in mapping.values()
    assert 2 not in mapping.values()


@pytest.mark.spec("PY-H200", "PY-H201")
def test_h200_and_h201_keys():
    mapping = Map({1: 2})
    assert 1 in mapping
    assert 1.0 not in mapping
    assert True not in mapping
    key, other = Array([1]), Array([1])
    assert key in Map({key: 1})
    assert other not in Map({key: 1})


@pytest.mark.spec("PY-H202")
def test_h202_equality_of_mappings():
    ours = Map({"a": 1, "b": 2})
    assert (ours == {"a": 1, "b": 2}) is False
    assert ours.__eq__({}) is NotImplemented
    assert ours.__eq__(Dict({"a": 1, "b": 2})) is NotImplemented
    assert ours == Map({"b": 2, "a": 1})
    assert ours != Map({"a": 1})


@pytest.mark.spec("PY-H203")
def test_h203_deleting_and_popping():
    mapping = Dict({"a": 1})
    for use in (lambda: mapping.__delitem__("z"), lambda: mapping.pop("z")):
        with pytest.raises(KeyError) as caught:
            use()
        assert caught.value.args == ("z",)
    assert mapping.pop("z", 3) == 3
    with pytest.raises(TypeError, match="pop expected at most 2 arguments, got 3"):
        mapping.pop("z", 1, 2)
    assert mapping.pop("a") == 1


@pytest.mark.spec("PY-H204")
def test_h204_the_rest_of_a_dict():
    mapping = Dict({"a": 1})
    assert mapping.setdefault("a", 5) == 1
    assert mapping.setdefault("b", 5) == 5
    mapping.update({"c": 6})
    mapping.update(Map({"d": 7}))
    assert dict(mapping) == {"a": 1, "b": 5, "c": 6, "d": 7}
    with pytest.raises(AttributeError):
        mapping.update(3)
    assert mapping.popitem() == ("a", 1)
    mapping.clear()
    assert not mapping
    with pytest.raises(KeyError):
        mapping.popitem()


@pytest.mark.spec("PY-H205")
def test_h205_abstract_classes():
    table = {Array: (Sequence,), List: (Sequence, MutableSequence)}
    table.update({Map: (Mapping,), Dict: (Mapping, MutableMapping)})
    every = (Sequence, MutableSequence, Mapping, MutableMapping)
    for cls, expected in table.items():
        value = cls([]) if cls in (Array, List) else cls({})
        assert tuple(abstract for abstract in every if isinstance(value, abstract)) == expected
        assert isinstance(value, Hashable)
        assert isinstance(value, tvm_ffi.Object)


@pytest.mark.spec("PY-H206")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Array([1]), "(1,)"),
        (Array([]), "()"),
        (List([1]), "[1]"),
        (Map({3: 2, 4: 3}), "{3: 2, 4: 3}"),
        (Dict({"a": 1}), '{"a": 1}'),
        (Array([1 / 3, 1e16]), "(0.333333, 1e+16)"),
        (Array([b'ab"\0']), '(b"ab\\x22\\x00",)'),
        (Array([None, True, "é"]), '(None, True, "\\u00e9")'),
    ],
)
def test_h206_text(value, text):
    assert repr(value) == str(value) == text


@pytest.mark.spec("PY-H207")
def test_h207_a_list_in_itself():
    values = List([1])
    values.append(values)
    assert repr(values) == "[1, ...]"
    assert values == values
    assert isinstance(hash(values), int)
    values.clear()


@pytest.mark.spec("PY-H208", "PY-H209")
@pytest.mark.parametrize(
    "value", [Array([1, "a", None]), List([1, [2]]), Map({"a": 1}), Dict({1: {2: 3}})]
)
def test_h208_and_h209_copies(value):
    again = pickle.loads(pickle.dumps(value))
    assert type(again) is type(value)
    for other in (again, copy.copy(value), copy.deepcopy(value)):
        assert type(other) is type(value)
        assert repr(other) == repr(value)
        assert not other.same_as(value)


@pytest.mark.spec("PY-H210")
def test_h210_opaque_values_are_identical():
    value = object()
    assert Array([value])[0] is value
    assert Dict({"a": [value]})["a"][0] is value
    assert next(iter(List([value]))) is value


@pytest.mark.spec("PY-H211")
def test_h211_text_in_containers():
    assert type(Array(["a" * 20])[0]) is core.String
    assert type(Array(["a"])[0]) is str
    pair = TestIntPair(1, 2)
    assert Map({"p": pair})["p"] is pair
