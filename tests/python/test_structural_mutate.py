# SPDX-License-Identifier: Apache-2.0
"""Test ``structural_map`` and ``structural_mutate``: changes, sharing, and changes in place."""

from __future__ import annotations

import gc
import weakref

import pytest

import tvm_ffi
from tvm_ffi import Array, Dict, List, StructuralMutator, structural_map, structural_mutate
from tvm_ffi.structural import DefRegionKind, InplaceMode
from tvm_ffi.testing import TestIntPair


@pytest.fixture(scope="module")
def regions():
    """Return an object with fields that define variables, in simple and in pattern regions."""
    return tvm_ffi.get_global_func("testing.make_visit_region_graph")(False)


def increment(value):
    return value + 1


# ---- structural_map ----


def test_map_replaces_values_and_not_keys():
    result = structural_map([1, [2, "a"], {"a": 3, "b": "a"}], (int, increment))
    assert result[:2] == [2, [3, "a"]]
    assert dict(result[2]) == {"a": 4, "b": "a"}
    assert dict(structural_map({"a": "b"}, (str, str.upper))) == {"a": "B"}


@pytest.mark.parametrize("order", ["pre", "post"])
@pytest.mark.parametrize("make", [Array, List])
def test_m14_unchanged_values_are_the_identical_object(make, order):
    value = make([1, make([2, "a"]), {"k": 3}])
    assert structural_map(value, order=order).same_as(value)
    assert structural_map(value, lambda x: x, order=order).same_as(value)
    assert structural_map(value, (float, increment), order=order).same_as(value)
    assert structural_mutate(value).same_as(value)


def test_m14_what_does_not_change_is_shared():
    left, right = Array(["x"]), Array([1])
    result = structural_map([left, right], (int, increment))
    assert result == [["x"], [2]]
    assert result[0].same_as(left)
    assert right == [1]


def test_an_unmoved_list_stays_as_it_is():
    value = List([1, List([2])])
    result = structural_map(value, (int, increment))
    assert (value[0], value[1], result[0], result[1]) == (1, [2], 2, [3])
    assert not result.same_as(value)


def test_order_decides_when_the_callback_runs():
    def extend(value):
        return Array([*value, 7])

    assert structural_map([1, [2]], (Array, extend), order="pre") == [1, [2, 7], 7]
    seen = []
    structural_map([1], [(int, increment), (Array, lambda a: (seen.append(a), a)[1])])
    assert seen == [[2]]
    seen.clear()
    structural_map([1], [(int, increment), (Array, lambda a: (seen.append(a), a)[1])], order="pre")
    assert seen == [[1]]


def test_none_is_a_replacement():
    assert structural_map([1, "a"], (int, lambda x: None)) == [None, "a"]
    assert structural_map(1, lambda x: None) is None


def test_region_callbacks_of_a_map(regions):
    def number(value, kind):
        assert type(kind) is DefRegionKind
        return value * 10 + kind

    result = structural_map(regions, (), (int, number))
    assert (result.simple, result.pattern, result.ordinary) == (12, 21, 30)
    result = structural_map(regions, (int, increment), (int, number))
    assert (result.simple, result.pattern, result.ordinary) == (2, 3, 4)


def test_m15_map_writes_through_setters_and_ignores_frozen(regions):
    with pytest.raises(AttributeError):
        regions.simple = 5
    result = structural_map(regions, (int, increment))
    assert (result.simple, result.pattern, result.ordinary) == (2, 3, 4)
    assert (regions.simple, regions.pattern, regions.ordinary) == (1, 2, 3)
    assert type(result) is type(regions)
    for call in (
        lambda: structural_map(regions, (int, lambda x: "s")),
        lambda: structural_mutate(regions, (int, lambda x, m: "s")),
    ):
        with pytest.raises(TypeError, match=r"Cannot convert from type `str` to `int`"):
            call()
    assert (regions.simple, regions.pattern, regions.ordinary) == (1, 2, 3)


def test_objects_of_the_library_are_mapped_by_their_fields():
    pair = TestIntPair(1, 2)
    result = structural_map([pair, pair], (int, increment))
    assert [(x.a, x.b) for x in result] == [(2, 3)] * 2
    assert (pair.a, pair.b) == (1, 2)


def test_values_without_parts_stay():
    mark = object()
    function = tvm_ffi.convert(print)
    value = Array([tvm_ffi.Shape((1, 2)), mark, function, 2**70, "x" * 50])
    assert structural_map(value, (float, increment)).same_as(value)


def test_m17_a_unique_list_that_is_moved_is_changed_in_place():
    value = List([1, 2, 3])
    address = value.__chandle__()
    result = structural_map(value._move(), (int, increment))
    assert result == [2, 3, 4]
    assert result.__chandle__() == address
    assert value.__chandle__() == 0


def test_m17_a_list_that_others_hold_is_not_changed_in_place():
    value = List([1, 2])
    holder = Array([value])
    address = value.__chandle__()
    result = structural_map(value._move(), (int, increment))
    assert result == [2, 3]
    assert result.__chandle__() != address
    assert holder[0] == [1, 2]


def test_exceptions_of_callbacks_arrive_as_they_are():
    thrown = LookupError("here")

    def raise_it(*args):
        raise thrown

    for call in (
        lambda value: structural_map(value, (int, raise_it)),
        lambda value: structural_mutate(value, (int, lambda value, mutator: raise_it())),
    ):
        value = List([List([1])])
        with pytest.raises(LookupError) as caught:
            call(value)
        assert caught.value is thrown
        assert value[0] == [1]


def test_what_changes_while_it_is_mapped():
    value = List([1, 2, List([3])])
    structural_map(value, lambda item: (value.clear(), item)[1])
    mapping = Dict({i: List([i]) for i in range(10)})
    structural_map(mapping, lambda item: (mapping.update({len(mapping): 0}), item)[1])
    assert len(mapping) > 10


def test_depth_alone_is_not_an_error():
    value = Array([1])
    for _ in range(100_000):
        value = Array([value])
    result = structural_map(value, (int, increment))
    for _ in range(100_000):
        (result,) = result
    assert result == [2]


# ---- structural_mutate ----


def test_mutate_callbacks_are_final():
    assert structural_mutate([1, [2]], (int, lambda x, m: x * 2)) == [2, [4]]
    assert structural_mutate([1, [2]], (Array, lambda x, m: [9, *x])) == [9, 1, [2]]


def test_mutate_callbacks_descend_by_the_mutator():
    def reverse(value, mutator):
        return mutator.default_mutate(list(value)[::-1])

    assert structural_mutate([1, [2, 3]], [(Array, reverse)]) == [[3, 2], 1]

    def first(value, mutator):
        return [mutator.mutate(value[0])]

    callbacks = [(Array, first), (int, lambda x, m: x + 1)]
    assert structural_mutate([[1, 2], 3], callbacks) == [[2]]


def test_m16_inplace_mode_is_passed_to_callbacks_of_three_parameters_only():
    modes = []

    def note(value, mutator, mode):
        modes.append(mode)
        return mutator.default_mutate(value)

    def two(*args):
        modes.append(len(args))
        return args[1].default_mutate(args[0])

    structural_mutate(List([1]), (List, note))
    structural_mutate(List([1])._move(), (List, note))
    structural_mutate(List([1])._move(), (List, lambda value, mutator: two(value, mutator)))
    assert modes == [InplaceMode.DISALLOW, InplaceMode.ALLOW, 2]


def test_what_is_put_for_an_object():
    def check(value, mutator):
        assert mutator.var_remap_get(value) is None
        mutator.var_remap_set(value, ["new"])
        assert mutator.var_remap_get(value) == ["new"]
        for call in (mutator.var_remap_get, lambda x: mutator.var_remap_set(x, 2)):
            with pytest.raises(TypeError, match="Variable-remap key must be an object-backed"):
                call(1)
        return "done"

    assert structural_mutate([1], (Array, check)) == "done"


def test_regions_of_a_mutator():
    kinds = []

    def regions(value, mutator):
        kinds.append(mutator.def_region_kind())
        kinds.append(mutator.with_def_region_kind(2, mutator.def_region_kind))
        with pytest.raises(ZeroDivisionError):
            mutator.with_def_region_kind(DefRegionKind.DEF_PATTERN, lambda: 1 / 0)
        with pytest.raises(ValueError, match="-1 is not a definition region kind"):
            mutator.with_def_region_kind(-1, lambda: 0)
        kinds.append(mutator.def_region_kind())
        return value

    structural_mutate(1, regions)
    assert kinds == [DefRegionKind.NONE, DefRegionKind.DEF_SIMPLE, DefRegionKind.NONE]


def test_a_mutator_cannot_be_made():
    with pytest.raises(TypeError, match="`StructuralMutator` cannot be constructed directly"):
        StructuralMutator()
    with pytest.raises(ValueError, match="StructuralMutator object is empty"):
        StructuralMutator.__new__(StructuralMutator).mutate(1)


def test_a_mutator_that_is_kept_has_no_callbacks_any_more():
    kept = []

    def keep(value, mutator):
        kept.append(mutator)
        return 5

    assert structural_mutate(1, keep) == 5
    assert kept[0].mutate([1, 2]) == [1, 2]
    assert kept[0].default_mutate([1, 2]) == [1, 2]
    kept[0].var_remap_set([1], 3)
    assert len(kept) == 1


def test_callbacks_are_let_go():
    calls = []

    def callback(value, *rest):
        calls.append(value)
        return value

    gone = weakref.ref(callback)
    structural_map([1], callback)
    structural_map([1], (), callback)
    structural_mutate([1], callback)
    del callback
    gc.collect()
    assert gone() is None
    assert len(calls) == 5
