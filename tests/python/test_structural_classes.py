# SPDX-License-Identifier: Apache-2.0
"""Test structural operations on classes defined in Python, with each structural kind."""

from __future__ import annotations

from typing import Any, List  # noqa: UP035 - annotations of fields

import pytest

import tvm_ffi
from tvm_ffi import (
    StructuralKey,
    get_first_structural_mismatch,
    structural_equal,
    structural_hash,
    structural_map,
    structural_mutate,
    structural_visit,
    structural_walk,
)
from tvm_ffi.dataclasses import field, py_class
from tvm_ffi.structural import DefRegionKind


@py_class("test_structural.Var", structural_eq="var")
class Var(tvm_ffi.Object):
    name: str = field(structural_eq="ignore")


@py_class("test_structural.TypedVar", structural_eq="var")
class TypedVar(tvm_ffi.Object):
    """A variable that may have another variable in its type."""

    name: str = field(structural_eq="ignore")
    type: Any = None


@py_class("test_structural.Func", structural_eq="tree")
class Func(tvm_ffi.Object):
    params: List[Any] = field(structural_eq="def-pattern")  # noqa: UP006
    body: Any
    comment: str = field(structural_eq="ignore", default="")


@py_class("test_structural.Let", structural_eq="tree")
class Let(tvm_ffi.Object):
    var: Any = field(structural_eq="def-simple")
    value: Any
    body: Any


@py_class("test_structural.Node", structural_eq="tree")
class Node(tvm_ffi.Object):
    kind: int
    children: List[Any]  # noqa: UP006


@py_class("test_structural.Shared", structural_eq="dag")
class Shared(tvm_ffi.Object):
    kind: int


@py_class("test_structural.Single", structural_eq="singleton")
class Single(tvm_ffi.Object):
    kind: int


@py_class("test_structural.Const", structural_eq="const-tree")
class Const(tvm_ffi.Object):
    kind: int
    value: Any = None


@py_class("test_structural.Plain", structural_eq=None)
class Plain(tvm_ffi.Object):
    kind: int


@py_class("test_structural.Frozen", structural_eq="tree", frozen=True)
class Frozen(tvm_ffi.Object):
    count: int
    text: str


hook_calls: list[Any] = []


@py_class("test_structural.Hooked", structural_eq="tree")
class Hooked(tvm_ffi.Object):
    """A class whose hooks only visit and mutate its child."""

    child: Any
    other: Any = 0

    def __s_visit__(visitor, value):
        hook_calls.append((type(visitor), type(value)))
        return visitor.visit(value.child)

    def __s_mutate__(mutator, value):
        hook_calls.append((type(mutator), type(value)))
        return Hooked(mutator.mutate(value.child), value.other)

    def __s_equal__(self, other, compare):
        return compare(self.child, other.child, 0, "child")

    def __s_hash__(self, initial, combine):
        return combine(self.child, initial, 0)


def identity(name: str) -> Func:
    x = Var(name)
    return Func([x], x)


# ---- equality and hash ----


def test_m1_alpha_equivalent_functions_are_equal_and_hash_equal():
    assert structural_equal(identity("x"), identity("y"))
    assert structural_hash(identity("x")) == structural_hash(identity("y"))
    x, y = Var("x"), Var("y")
    first, second = Func([x, y], [x, y]), Func([x, y], [y, x])
    assert not structural_equal(first, second)
    assert structural_hash(first) != structural_hash(second)
    swapped = Func([y, x], [y, x])
    assert structural_equal(first, swapped)
    assert structural_hash(first) == structural_hash(swapped)
    assert StructuralKey(identity("x")) == StructuralKey(identity("y"))


def test_m2_map_free_vars_equates_free_variables():
    x, y = Var("x"), Var("y")
    assert structural_equal([x], [x])
    assert not structural_equal([x], [y])
    assert structural_equal([x, x], [y, y], map_free_vars=True)
    assert not structural_equal([x, x], [x, y], map_free_vars=True)
    assert structural_hash([x, x], map_free_vars=True) == structural_hash([y, y], True)
    assert structural_hash([x]) != structural_hash([y])


def test_m3_ignored_fields_do_not_affect_equality_hash_or_traversal():
    one, other = Func([], 1, "one"), Func([], 1, "other")
    assert structural_equal(one, other)
    assert structural_hash(one) == structural_hash(other)
    assert get_first_structural_mismatch(one, other) is None
    found = []
    structural_walk(one, (str, found.append))
    structural_visit(one, (str, lambda value, visitor: found.append(value)))
    assert found == []
    assert structural_map(one, (str, lambda value: "changed")).same_as(one)


def test_m4_def_simple_does_not_bind_variables_inside_the_fields_of_the_variable():
    def make(kind, name):
        inner = Var(name)
        var = TypedVar(name, inner)
        return Let(var, 1, [var, inner]) if kind == "simple" else Func([var], [var, inner])

    assert structural_equal(make("pattern", "a"), make("pattern", "b"))
    assert not structural_equal(make("simple", "a"), make("simple", "b"))
    shared = Var("t")
    lets = [Let(var, 1, var) for var in (TypedVar("a", shared), TypedVar("b", shared))]
    assert structural_equal(*lets)
    assert structural_hash(lets[0]) == structural_hash(lets[1])


def test_m5_dag_distinguishes_sharing_and_tree_does_not():
    for cls, expected in ((Shared, False), (Const, True)):
        one, two, three = cls(1), cls(1), cls(1)
        shared, apart = [one, one], [two, three]
        assert structural_equal(shared, apart) is expected
        assert structural_equal(shared, [two, two])
        assert (structural_hash(shared) == structural_hash(apart)) is expected
    tree = Node(1, [])
    assert structural_equal([tree, tree], [Node(1, []), Node(1, [])])


def test_m6_singleton_is_pointer_identity_and_const_tree_has_content_equality():
    one = Single(1)
    assert structural_equal(one, one)
    assert not structural_equal(one, Single(1))
    assert structural_hash(one) == structural_hash(one)
    assert structural_equal(Const(1, [2]), Const(1, [2]))
    assert structural_hash(Const(1, [2])) == structural_hash(Const(1, [2]))
    assert not structural_equal(Const(1), Const(2))


def test_m7_no_structural_kind_raises_type_error_for_equality_and_hash():
    for call in (lambda: structural_equal(Plain(1), Plain(1)), lambda: structural_hash(Plain(1))):
        with pytest.raises(
            TypeError,
            match=r"is not set for type `test_structural.Plain`, so StructuralHash is not "
            "supported for this type",
        ):
            call()
    assert not structural_equal(Plain(1), Node(1, []))


def test_m8_mismatch_paths_go_through_fields():
    def paths(lhs, rhs):
        return [str(path) for path in get_first_structural_mismatch(lhs, rhs)]

    one = Node(1, [Node(2, []), {"k": Const(3)}])
    assert paths(one, Node(1, [Node(5, []), {"k": Const(3)}])) == ["<root>.children[0].kind"] * 2
    other = Node(1, [Node(2, []), {"k": Const(4)}])
    assert paths(one, other) == ['<root>.children[1]["k"].kind'] * 2
    assert paths(one, Node(1, [Node(2, [])])) == [
        "<root>.children[1]",
        "<root>.children[<missing:1>]",
    ]
    assert paths(identity("x"), Func([Var("x")], Var("y"))) == ["<root>.body"] * 2


def test_a_cycle_of_objects_is_refused():
    node = Node(1, [])
    node.children.append(node)
    for call in (
        lambda: structural_equal(node, Node(1, [node])),
        lambda: structural_hash(node),
        lambda: structural_walk(node),
        lambda: structural_map(node),
    ):
        with pytest.raises(ValueError, match=r"cyclic reference|contains itself"):
            call()
    node.children.clear()


# ---- walks and visits ----


def test_m11_regions_of_classes():
    x, y = Var("x"), TypedVar("y", Var("t"))
    seen = []
    structural_walk(
        Func([x], Let(y, 1, x)), (), ((Var, TypedVar), lambda v, kind: seen.append((v.name, kind)))
    )
    assert seen == [
        ("x", DefRegionKind.DEF_PATTERN),
        ("t", DefRegionKind.NONE),
        ("y", DefRegionKind.DEF_SIMPLE),
        ("x", DefRegionKind.NONE),
    ]


def test_m13_visits_of_classes_prune():
    inner = Node(2, [Node(3, [])])
    kinds = []

    def note(node, visitor):
        kinds.append(node.kind)
        return visitor.visit(node.children) if node.kind == 1 else None

    structural_visit(Node(1, [inner, Node(4, [])]), (Node, note))
    assert kinds == [1, 2, 4]


# ---- maps and mutations ----


def test_m14_map_returns_the_identical_object_when_unchanged():
    function = identity("x")
    assert structural_map(function, lambda value: value).same_as(function)
    assert structural_map(function, (float, lambda value: 1.5)).same_as(function)


def test_m14_map_rewrites_uses_of_variables_consistently():
    x, y, free = TypedVar("x", 1), TypedVar("y", "text"), TypedVar("free", 1)
    function = Func([x, y], [x, [y, x], free])
    renamed = structural_map(function, (int, lambda value: value + 1))
    new_x, new_y = renamed.params
    assert (new_x.name, new_x.type) == ("x", 2)
    assert new_y.same_as(y)
    assert renamed.body[0].same_as(new_x)
    assert renamed.body[1][0].same_as(y)
    assert renamed.body[1][1].same_as(new_x)
    # No definition inside the value defines this variable, so it is free.
    assert renamed.body[2].same_as(free)
    assert (x.type, function.body[0].same_as(x)) == (1, True)


def test_m14_callbacks_run_at_every_occurrence_of_a_variable():
    x = Var("x")
    seen = []

    def rename(var, kind):
        seen.append(kind)
        return Var("new") if kind == DefRegionKind.DEF_PATTERN else var

    result = structural_map(Func([x], [x, x]), (), (Var, rename))
    assert seen == [DefRegionKind.DEF_PATTERN, DefRegionKind.NONE, DefRegionKind.NONE]
    assert result.params[0].name == "new"


def test_m14_shared_nodes_are_descended_once():
    shared = Shared(1)
    result = structural_map([shared, shared], (int, lambda value: value + 1))
    assert result[0].kind == 2
    assert result[0].same_as(result[1])
    tree = Const(1)
    result = structural_map([tree, tree], (int, lambda value: value + 1))
    assert [x.kind for x in result] == [2, 2]


def test_m15_map_writes_through_setters_and_ignores_frozen():
    frozen = Frozen(1, "a")
    result = structural_map(frozen, (int, lambda value: value + 1))
    assert (result.count, result.text) == (2, "a")
    assert (frozen.count, frozen.text) == (1, "a")
    assert type(result) is Frozen
    with pytest.raises(TypeError):
        structural_map(frozen, (int, lambda value: "text"))
    with pytest.raises(TypeError):
        structural_map(frozen, (str, lambda value: 5))
    assert (frozen.count, frozen.text) == (1, "a")


def test_m16_mutation_of_classes():
    modes = []

    def add(node, mutator, mode):
        modes.append(mode)
        changed = mutator.default_mutate(node)
        return Node(changed.kind, [*changed.children, Const(9)])

    result = structural_mutate(Node(1, [Node(2, [])]), [(Node, add), (int, lambda x, m: x * 10)])
    assert result.kind == 10
    assert [type(x) for x in result.children] == [Node, Const]
    assert result.children[0].kind == 20
    assert set(modes) == {0}


def test_what_a_variable_becomes():
    x, y = Var("x"), Var("y")

    def replace(node, mutator):
        mutator.var_remap_set(x, y)
        assert mutator.var_remap_get(x).same_as(y)
        return mutator.default_mutate(node)

    result = structural_mutate(Func([x], [x]), (Func, replace))
    assert result.params[0].same_as(y)
    assert result.body[0].same_as(y)


def test_m17_a_moved_list_in_a_class_is_reused():
    values = tvm_ffi.List([Const(1), Const(2)])
    address = values.__chandle__()
    result = structural_map(values._move(), (int, lambda value: value + 1))
    assert [x.kind for x in result] == [2, 3]
    assert result.__chandle__() == address


# ---- hooks ----


def test_m18_visit_and_mutate_hooks_receive_the_traversal_first():
    value = Hooked(1, 2)
    found = []
    hook_calls.clear()
    structural_walk(value, (int, found.append))
    structural_visit(value, (int, lambda x, visitor: found.append(x)))
    assert found == [1, 1]
    assert hook_calls == [(tvm_ffi.StructuralVisitor, Hooked)] * 2
    hook_calls.clear()
    for result in (
        structural_map(value, (int, lambda x: x + 1)),
        structural_mutate(value, (int, lambda x, mutator: x + 1)),
    ):
        assert (result.child, result.other) == (2, 2)
    assert hook_calls == [(tvm_ffi.StructuralMutator, Hooked)] * 2


def test_equality_and_hash_hooks_replace_the_fields():
    assert structural_equal(Hooked(1, 2), Hooked(1, 3))
    assert structural_hash(Hooked(1, 2)) == structural_hash(Hooked(1, 3))
    assert not structural_equal(Hooked(1, 2), Hooked(2, 2))
    pair = get_first_structural_mismatch([Hooked([1])], [Hooked([2])])
    assert [str(path) for path in pair] == ["<root>[0].child[0]"] * 2


def test_exceptions_of_hooks_arrive_as_they_are():
    thrown = LookupError("in a hook")

    @py_class("test_structural.Failing", structural_eq="tree")
    class Failing(tvm_ffi.Object):
        kind: int

        def fail(*args):
            raise thrown

        __s_visit__ = __s_mutate__ = __s_equal__ = __s_hash__ = fail

    value = Failing(1)
    for call in (
        lambda: structural_equal(value, Failing(1)),
        lambda: structural_hash(value),
        lambda: StructuralKey([value]),
        lambda: structural_walk([value]),
        lambda: structural_map([value]),
    ):
        with pytest.raises(LookupError) as caught:
            call()
        assert caught.value is thrown
