# SPDX-License-Identifier: Apache-2.0
"""Test walks and visits: visited values, their order, and callbacks that end the traversal."""

from __future__ import annotations

import threading

import pytest

import tvm_ffi
from tvm_ffi import (
    Array,
    List,
    StructuralVisitor,
    VisitInterrupt,
    structural_visit,
    structural_walk,
)
from tvm_ffi.structural import DefRegionKind, WalkOrder, WalkResult

NESTED = [1, [2, "x", None], {"a": 3.0}]


@pytest.fixture(scope="module")
def make_regions():
    """Return a function that makes an object with simple and with pattern regions."""
    return tvm_ffi.get_global_func("testing.make_visit_region_graph")


# ---- structural_walk ----


@pytest.mark.parametrize("order", ["post", WalkOrder.POSTORDER])
def test_m11_postorder_gives_a_value_after_those_in_it(order):
    found = []
    assert structural_walk(NESTED, found.append, order=order) is None
    assert found[:3] == [1, 2, "x"]
    assert found[3] == [2, "x", None]
    assert found[4] == 3.0
    assert dict(found[5]) == {"a": 3.0}
    assert len(found[6]) == 3
    assert len(found) == 7


@pytest.mark.parametrize("order", ["pre", WalkOrder.PREORDER])
def test_m11_preorder_gives_a_value_before_those_in_it(order):
    found = []
    assert structural_walk(NESTED, found.append, order=order) is None
    assert len(found[0]) == 3
    assert found[1:5] == [1, [2, "x", None], 2, "x"]
    assert found[6] == 3.0


def test_m11_none_is_never_visited():
    calls = []
    for call in (structural_walk, structural_visit):
        call(None, lambda *args: calls.append(args))
        call([None, [None], {"a": None}], [(None, lambda *args: calls.append(args))])
    assert calls == []


def test_m11_every_occurrence_is_visited():
    shared = Array([7])
    found = []
    structural_walk([shared, shared, [shared]], (int, found.append))
    assert found == [7, 7, 7]


def test_m11_skip_leaves_out_what_is_in_a_value_in_preorder_alone():
    for order, expected in (("pre", 2), ("post", 4)):
        calls = []

        def skip(value, calls=calls):
            calls.append(value)
            return WalkResult.SKIP if len(calls) > 1 else WalkResult.ADVANCE

        structural_walk([[1, 2]], skip, order=order)
        assert len(calls) == expected


def test_m11_interrupt_ends_the_walk_and_is_returned():
    calls = []

    def stop(value):
        calls.append(value)
        return VisitInterrupt(["found", value]) if value == 2 else None

    interrupt = structural_walk([1, [2, 3], 4], (int, stop))
    assert isinstance(interrupt, VisitInterrupt)
    assert interrupt.value == ["found", 2]
    assert calls == [1, 2]


def test_m11_region_callbacks_get_the_kind_and_come_after_plain_ones(make_regions):
    found = []
    structural_walk(
        make_regions(False), (), [(int, lambda value, kind: found.append((value, kind)))]
    )
    assert found == [
        (1, DefRegionKind.DEF_SIMPLE),
        (2, DefRegionKind.DEF_PATTERN),
        (3, DefRegionKind.NONE),
    ]
    assert all(type(kind) is DefRegionKind for _, kind in found)
    found.clear()
    structural_walk(
        make_regions(False),
        (int, lambda value: found.append(value)),
        lambda value, kind: found.append(kind),
    )
    assert found == [1, 2, 3, DefRegionKind.NONE]


def test_m11_regions_of_a_native_hook(make_regions):
    found = []
    structural_walk(make_regions(True), (), (int, lambda *args: found.append(args)), "pre")
    assert found == [(1, 2), (2, 1), (3, 2), (4, 0)]


def test_m12_keys_are_not_visited():
    found = []
    structural_walk({"key": "value", 1: 2}, ((str, int), found.append))
    assert found == ["value", 2]


@pytest.mark.parametrize("result", ["a", 2.5, [1]])
def test_a_walk_callback_may_not_return_something_else(result):
    with pytest.raises(TypeError, match="result type mismatch, expected WalkResult, but got"):
        structural_walk([1], (int, lambda value: result))


@pytest.mark.parametrize("result", [99, -1, 2, 2**40])
@pytest.mark.parametrize("order", ["pre", "post"])
def test_a_number_that_is_not_a_walk_result_is_refused(result, order):
    with pytest.raises(TypeError) as raised:
        structural_walk([1], (int, lambda value: result), order=order)
    expected = (
        "WalkResult, but got {}: a callback returns None, WalkResult.ADVANCE (0), WalkResult.S"
    )
    assert expected.format(result) in str(raised.value)


def test_exceptions_of_callbacks_arrive_as_they_are():
    class Mine(Exception):
        pass

    thrown = Mine("here")

    def raise_it(*args):
        raise thrown

    for call in (structural_walk, structural_visit):
        with pytest.raises(Mine) as caught:
            call([1, [2]], (int, raise_it))
        assert caught.value is thrown
    with pytest.raises(TypeError, match="takes 0 positional arguments but 1 was given"):
        structural_walk([1], lambda: None)


def test_a_walk_inside_a_walk():
    found = []
    structural_walk([[1], [2]], (Array, lambda a: structural_walk(a, (int, found.append))))
    assert found == [1, 2, 1, 2]


def test_what_changes_while_it_is_walked():
    for change in (List.clear, lambda value: value.append(0)):
        value = List([1, 2, List([3])])
        calls = []

        def meddle(item, calls=calls, value=value, change=change):
            calls.append(item)
            if len(calls) < 100:
                change(value)

        structural_walk(value, meddle)
        assert len(calls) < 110
    mapping = tvm_ffi.Dict({i: List([i]) for i in range(10)})
    structural_walk(mapping, lambda item: mapping.clear())
    assert len(mapping) == 0


def test_depth_alone_is_not_an_error():
    value = Array([1])
    for _ in range(100_000):
        value = Array([value])
    found = []
    structural_walk(value, (int, found.append))
    assert found == [1]
    assert structural_visit(value, (int, lambda x, v: VisitInterrupt(x))).value == 1


# ---- structural_visit ----


def test_m13_visit_callbacks_prune_unless_they_descend():
    found = []
    structural_visit([1, [2]], lambda value, visitor: found.append(value))
    assert found == [[1, [2]]]
    found.clear()

    def descend(value, visitor):
        found.append(value)
        return visitor.default_visit(value)

    structural_visit([1, [2]], descend)
    assert found == [[1, [2]], 1, [2], 2]


def test_visit_chosen_children():
    found = []

    def second_only(value, visitor):
        return visitor.visit(value[1])

    callbacks = [(Array, second_only), (int, lambda x, _: found.append(x))]
    structural_visit([1, [2, [3, 4]]], callbacks)
    assert found == [4]


def test_values_without_a_callback_are_traversed():
    found = []
    structural_visit(NESTED, ((int, float), lambda value, visitor: found.append(value)))
    assert found == [1, 2, 3.0]


def test_an_interrupt_passes_through_visitors():
    def first(value, visitor):
        result = visitor.default_visit(value)
        assert result is None or isinstance(result, VisitInterrupt)
        return result

    callbacks = [(Array, first), (int, lambda x, _: VisitInterrupt(x) if x == 3 else None)]
    assert structural_visit([1, [2, [3]], 4], callbacks).value == 3
    assert structural_visit([1, [2]], callbacks) is None


@pytest.mark.parametrize("result", [5, "a", WalkResult.SKIP])
def test_a_visit_callback_may_not_return_something_else(result):
    with pytest.raises(TypeError, match=r"expected ffi\.VisitInterrupt \| None, but got"):
        structural_visit([1], (int, lambda value, visitor: result))


def test_regions_of_a_visitor(make_regions):
    kinds = []

    def note(value, visitor):
        kinds.append(visitor.def_region_kind())

    structural_visit(make_regions(False), (int, note))
    assert kinds == [DefRegionKind.DEF_SIMPLE, DefRegionKind.DEF_PATTERN, DefRegionKind.NONE]
    assert all(type(kind) is DefRegionKind for kind in kinds)


def test_a_region_ends_with_its_callback():
    kinds = []

    def regions(value, visitor):
        def inside():
            kinds.append(visitor.def_region_kind())
            # Inside a pattern region, a simple region does not change the kind.
            visitor.with_def_region_kind(
                DefRegionKind.DEF_SIMPLE, lambda: kinds.append(visitor.def_region_kind())
            )
            return ["result"]

        assert visitor.with_def_region_kind(DefRegionKind.DEF_PATTERN, inside) == ["result"]
        kinds.append(visitor.def_region_kind())
        with pytest.raises(ZeroDivisionError):
            visitor.with_def_region_kind(2, lambda: 1 / 0)
        kinds.append(visitor.def_region_kind())

    structural_visit([1], (int, regions))
    assert kinds == [1, 1, 0, 0]


def test_a_region_of_an_unknown_kind_is_refused():
    def wrong(value, visitor):
        with pytest.raises(ValueError, match="9 is not a definition region kind"):
            visitor.with_def_region_kind(9, lambda: None)
        with pytest.raises(TypeError, match="Expected `int` but got"):
            visitor.with_def_region_kind("pattern", lambda: None)
        with pytest.raises(TypeError, match=r"Expected `Callable` but got `int`"):
            visitor.with_def_region_kind(1, 5)
        return VisitInterrupt("done")

    assert structural_visit([1], (int, wrong)).value == "done"


# ---- VisitInterrupt and other objects of the traversals ----


def test_an_interrupt_has_a_value():
    assert VisitInterrupt().value is None
    assert VisitInterrupt([1]).value == [1]
    assert VisitInterrupt(value="x").value == "x"
    assert VisitInterrupt(1) != VisitInterrupt(1)
    with pytest.raises(AttributeError):
        VisitInterrupt(1).value = 2
    with pytest.raises(TypeError):
        VisitInterrupt(1, 2)


def test_a_visitor_cannot_be_made():
    for args in ((), (1,)):
        with pytest.raises(TypeError, match="`StructuralVisitor` cannot be constructed directly"):
            StructuralVisitor(*args)
    with pytest.raises(ValueError, match="StructuralVisitor object is empty"):
        StructuralVisitor.visit(StructuralVisitor.__new__(StructuralVisitor), 1)
    with pytest.raises(TypeError, match=r"Expected `ffi.StructuralVisitor` but got `Array`"):
        StructuralVisitor.visit(Array([1]), 1)


def test_a_visitor_that_is_kept_has_no_callbacks_any_more():
    kept = []
    structural_visit([1], lambda value, visitor: kept.append(visitor))
    assert len(kept) == 1
    assert kept[0].visit([1, 2]) is None
    assert kept[0].default_visit([1, 2]) is None
    assert kept[0].def_region_kind() is DefRegionKind.NONE
    assert len(kept) == 1


def test_a_visitor_used_by_another_thread():
    results = []

    def elsewhere(value, visitor):
        thread = threading.Thread(target=lambda: results.append(visitor.def_region_kind()))
        thread.start()
        thread.join()

    structural_visit([1], (int, elsewhere))
    assert results == [DefRegionKind.NONE]
