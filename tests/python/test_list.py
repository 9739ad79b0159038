# SPDX-License-Identifier: Apache-2.0
"""Test ``List``, a shared sequence that changes like a Python list."""

from __future__ import annotations

import pytest

import tvm_ffi
from tvm_ffi import Array, List
from tvm_ffi.testing import TestIntPair

echo = tvm_ffi.get_global_func("testing.echo")

# ---- construction ----


@pytest.mark.parametrize("source", [[1, 2], (1, 2), range(1, 3), {1: 0, 2: 0}, Array([1, 2])])
def test_made_from_any_iterable(source):
    assert list(List(source)) == [1, 2]


def test_empty_without_arguments():
    assert len(List()) == 0
    assert not List()


@pytest.mark.spec("PY-B34")
@pytest.mark.parametrize("bad", [1, None, object()])
def test_made_from_something_else(bad):
    with pytest.raises(TypeError):
        List(bad)


# ---- sharing ----


@pytest.mark.spec("PY-H193")
def test_two_holders_see_the_same_changes():
    x = List([1])
    y = Array([x])[0]
    y.append(2)
    assert list(x) == [1, 2]
    assert y is x


@pytest.mark.spec("PY-H207")
def test_a_list_in_itself():
    x = List([1])
    x.append(x)
    assert repr(x) == "[1, ...]"
    assert x == x
    assert isinstance(hash(x), int)
    x.clear()


# ---- changes ----


def test_index_assignment_and_deletion():
    x = List([1, 2, 3])
    x[0] = "a"
    x[-1] = None
    del x[1]
    assert list(x) == ["a", None]


@pytest.mark.spec("PY-H191")
@pytest.mark.parametrize("index", [3, -4, 99])
def test_index_out_of_range(index):
    x = List([1, 2, 3])
    text = f"Index out of range. size: 3, got index {index}"
    for change in (
        lambda: x[index],
        lambda: x.__setitem__(index, 0),
        lambda: x.__delitem__(index),
        lambda: x.pop(index),
    ):
        with pytest.raises(IndexError) as caught:
            change()
        assert str(caught.value) == text


def test_index_of_another_type():
    x = List([1])
    with pytest.raises(TypeError, match="indices must be integers or slices, not str"):
        x["0"]
    with pytest.raises(TypeError, match="indices must be integers or slices, not str"):
        x["0"] = 1


@pytest.mark.spec("PY-H191")
def test_pop_of_nothing():
    with pytest.raises(IndexError, match="pop from empty list"):
        List().pop()


def test_remove():
    x = List([1, 2, 1])
    x.remove(1)
    assert list(x) == [2, 1]
    with pytest.raises(ValueError, match="not in list"):
        x.remove(7)


@pytest.mark.spec("PY-H190")
def test_a_slice_assigned_to_itself():
    x = List([1, 2, 3])
    x[1:3] = x
    assert list(x) == [1, 1, 2, 3]
    x.extend(x)
    x.extend(i for i in (4, 5))
    assert list(x) == [*[1, 1, 2, 3] * 2, 4, 5]


@pytest.mark.spec("PY-H192")
def test_extended_slice_of_another_size():
    x = List([1, 2, 3])
    with pytest.raises(ValueError) as caught:
        x[::2] = [1, 2, 3]
    assert str(caught.value) == "attempt to assign sequence of size 3 to extended slice of size 2"
    assert list(x) == [1, 2, 3]


def test_inplace_addition_keeps_the_object():
    x = y = List([1])
    x += (2,)
    assert x is y
    assert list(y) == [1, 2]


def test_a_value_that_cannot_be_converted_changes_nothing():
    x = List([1, 2])
    for change in (
        lambda: x.append("\ud800"),
        lambda: x.extend([3, "\ud800"]),
        lambda: x.insert(0, "\ud800"),
        lambda: x.__setitem__(0, "\ud800"),
        lambda: x.__setitem__(slice(0, 1), ["\ud800"]),
    ):
        with pytest.raises(UnicodeEncodeError):
            change()
    assert list(x) == [1, 2]


def test_elements_are_released(use_count):
    pair = TestIntPair(1, 2)
    x = List([pair] * 8)
    assert use_count(pair) == 9
    x[0] = None
    del x[0]
    x.pop()
    x[:2] = []
    del x[::2]
    x.remove(pair)
    assert use_count(pair) == 1 + len(x)
    x.clear()
    assert use_count(pair) == 1


def test_a_dying_element_may_change_the_list():
    x = List()

    class Clears:
        def __del__(self):
            x.append("bye")

    x.extend([Clears(), 1, 2])
    x[0] = 0
    assert list(x) == [0, 1, 2, "bye"]
    x.extend([Clears()])
    x.clear()
    assert list(x) == ["bye"]


# ---- iteration ----


def test_growth_during_iteration_is_not_seen():
    x = List([1, 2])
    for item in x:
        x.append(item)
    assert list(x) == [1, 2, 1, 2]


def test_shrinking_during_iteration():
    x = List([1, 2])
    steps = iter(x)
    next(steps)
    x.clear()
    with pytest.raises(IndexError, match="Index 1 out of bounds 0"):
        next(steps)


# ---- comparison ----


@pytest.mark.spec("PY-H182", "PY-H185")
def test_equality_across_kinds():
    assert List([1, 2]) == [1, 2] == List([1, 2])
    assert List([1, 2]) == Array([1, 2]) == List([1, 2])
    assert List([1.0]) != [1]
    assert List([1]).__eq__("a") is NotImplemented
    assert hash(List([1])) != hash(Array([1]))


def test_membership():
    x = List([1, "b", [2, 3], List([4])])
    assert 1 in x
    assert "b" in x
    assert 1.0 not in x
    assert [2, 3] in x
    assert [4] in x
    assert [5] not in x


# ---- searching ----


def test_a_hook_may_change_the_list_that_is_searched(run_python):
    out = run_python(
        """
from tvm_ffi import List, core
from tvm_ffi.testing import TestNonCopyable

x = List([TestNonCopyable(i) for i in range(6)])

def equal(a, b):
    x.clear()
    return a.value == b.value

index = core._object_type_key_to_index("testing.TestNonCopyable")
core._register_type_attr(index, "__any_equal__", equal)
print(TestNonCopyable(9) in x, len(x))
"""
    )
    assert out.split() == ["False", "0"]
