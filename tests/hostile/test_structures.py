# SPDX-License-Identifier: Apache-2.0
"""Test every operation on structures that contain themselves, or have a million levels."""

from __future__ import annotations

import copy
import gc
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from child import SANITIZED, STACK_FOR_RECURSION, in_child, note

DEPTH = 1_000_000


def ordinary(action: Callable[[], Any]) -> str:
    """Run an action that may fail with an ordinary exception; return how it ended."""
    try:
        action()
    except (ValueError, TypeError, RecursionError, RuntimeError, KeyError, MemoryError) as error:
        assert str(error), type(error)
        return type(error).__name__
    except (AttributeError, pickle.PicklingError) as error:
        assert "local object" in str(error)  # Python does not pickle objects of local classes.
        return type(error).__name__
    return "done"


def cycles() -> dict[str, Callable[[], Any]]:
    """Return makers of structures that contain themselves."""
    from tvm_ffi import Array, Dict, List, Map

    def own_list() -> Any:
        x = List([1])
        x.append(x)
        return x

    def own_value() -> Any:
        x = Dict({1: 2})
        x["self"] = x
        return x

    def own_key() -> Any:
        x = Dict({1: 2})
        x[x] = 3
        return x

    def two() -> Any:
        x, y = List([1]), List([2])
        x.append(y)
        y.append(x)
        return x

    def through_array() -> Any:
        x = List([1])
        x.append(Array([x, x]))
        return x

    def through_map() -> Any:
        x = Dict({})
        x["m"] = Map({"x": x, "l": List([x])})
        return x

    def through_opaque() -> Any:
        class Box:
            pass

        box = Box()
        box.held = List([box])  # type: ignore[attr-defined]
        return box.held  # type: ignore[attr-defined]

    makers = (own_list, own_value, own_key, two, through_array, through_map, through_opaque)
    return {f.__name__: f for f in makers}


def deep(depth: int) -> dict[str, Callable[[], Any]]:
    """Return makers of structures with a given depth."""
    from tvm_ffi import Array, Dict, List, Map

    def nest(wrap: Callable[[Any], Any]) -> Callable[[], Any]:
        def make() -> Any:
            x = wrap(0)
            for _ in range(depth):
                x = wrap(x)
            return x

        return make

    return {
        "lists": nest(lambda x: List([x])),
        "arrays": nest(lambda x: Array([x])),
        "maps": nest(lambda x: Map({"k": x})),
        "dicts": nest(lambda x: Dict({1: x})),
        "mixed": nest(lambda x: Array([Dict({"k": List([x])})]) if depth < 1000 else List([x])),
    }


def operations() -> dict[str, Callable[[Any, Any], Any]]:
    """Return the operations; each gets a structure, and a second structure that is equal to it."""
    import tvm_ffi
    from tvm_ffi import access_path, core, serialization

    assert access_path

    def call(name: str, *more: Any) -> Callable[[Any, Any], Any]:
        function = tvm_ffi.get_global_func(name)
        return lambda x, y: function(x, *more)

    def call_two(name: str, *more: Any) -> Callable[[Any, Any], Any]:
        function = tvm_ffi.get_global_func(name)
        return lambda x, y: function(x, y, *more)

    walk = tvm_ffi.get_global_func("ffi.StructuralWalk")
    visit = tvm_ffi.get_global_func("ffi.StructuralVisit")
    map_ = tvm_ffi.get_global_func("ffi.StructuralMap")
    mutate = tvm_ffi.get_global_func("ffi.StructuralMutate")
    keep = tvm_ffi.convert(lambda *a: None)
    same = tvm_ffi.convert(lambda *a: a[0])
    return {
        "repr": lambda x, y: repr(x),
        "str": lambda x, y: str(x),
        "hash": lambda x, y: hash(x),
        "==": lambda x, y: x == y,
        "!=": lambda x, y: x != y,
        "<": lambda x, y: x < y,
        "in": lambda x, y: y in x,
        "copy": lambda x, y: copy.copy(x),
        "deepcopy": lambda x, y: copy.deepcopy(x),
        "pickle": lambda x, y: pickle.loads(pickle.dumps(x)),
        "json graph": lambda x, y: serialization.from_json_graph_str(
            serialization.to_json_graph_str(x)
        ),
        "ToJSONGraph": lambda x, y: tvm_ffi.get_global_func("ffi.FromJSONGraph")(
            tvm_ffi.get_global_func("ffi.ToJSONGraph")(x, None)
        ),
        "Stringify": call("ffi.json.Stringify", None),
        "Stringify indented": call("ffi.json.Stringify", 2),
        "DeepCopy": call("ffi.DeepCopy"),
        "ReprPrint": call("ffi.ReprPrint"),
        "RecursiveEq": call_two("ffi.RecursiveEq"),
        "RecursiveLt": call_two("ffi.RecursiveLt"),
        "RecursiveLe": call_two("ffi.RecursiveLe"),
        "RecursiveHash": call("ffi.RecursiveHash"),
        "StructuralEqual": call_two("ffi.StructuralEqual", False, False),
        "StructuralEqual mapped": call_two("ffi.StructuralEqual", True, False),
        "Mismatch": call_two("ffi.GetFirstStructuralMismatch", False, False),
        "StructuralHash": call("ffi.StructuralHash", False, False),
        "StructuralKey": lambda x, y: hash(tvm_ffi.get_global_func("ffi.StructuralKey")(x)),
        "StructuralKeyEqual": call_two("ffi.StructuralKeyEqual"),
        "Walk": lambda x, y: walk(x, [(-1, keep)], [(-1, keep)], 0),
        "Visit": lambda x, y: visit(x, []),
        "Map": lambda x, y: map_(x, [], [], 0),
        "Map post": lambda x, y: map_(x, [(-1, same)], [], 0),
        "Mutate": lambda x, y: mutate(x, []),
        "find device": call("ffi.ContainerFindFirstNonCPUDevice"),
        "object_repr": lambda x, y: core.object_repr(x),
        "call": lambda x, y: tvm_ffi.get_global_func("testing.echo")(x),
        "callback": lambda x, y: tvm_ffi.convert(lambda a: a)(x),
        "gc": lambda x, y: gc.collect(),
        "list": lambda x, y: list(x),
        "as key": lambda x, y: tvm_ffi.Map({x: 1})[x],
        "looked for": lambda x, y: tvm_ffi.Dict({x: 1}).get(y),
    }


@in_child(seconds=120)
def test_structures_that_hold_themselves() -> None:
    for name, make in cycles().items():
        for what, operation in operations().items():
            note(name, what)
            x, y = make(), make()
            ordinary(lambda o=operation, x=x, y=y: o(x, y))
            ordinary(lambda o=operation, x=x: o(x, x))
            x.clear()
            y.clear()


@pytest.mark.parametrize(
    ("kind", "depth"),
    [("lists", DEPTH), ("arrays", DEPTH // 10), ("maps", DEPTH // 10), ("dicts", DEPTH // 10)],
)
@in_child(seconds=240)
def test_a_million_deep(kind: str, depth: int) -> None:
    make = deep(depth)[kind]
    pair = [make(), make()]
    for what, operation in operations().items():
        note(kind, what)
        ordinary(lambda o=operation: o(*pair))
    note(kind, "destroy")
    pair.clear()
    gc.collect()


@in_child()
def test_every_depth_to_six_hundred() -> None:
    """Test depths below and above the limits at which operations stop using recursion."""
    chosen = operations()
    for depth in range(1, 600, 7):
        for kind, make in deep(depth).items():
            x, y = make(), make()
            for what in ("repr", "deepcopy", "json graph", "RecursiveEq", "StructuralHash"):
                note(depth, kind, what)
                assert ordinary(lambda w=what, x=x, y=y: chosen[w](x, y)) == "done"


@in_child(stack=STACK_FOR_RECURSION)
def test_deep_python_values_are_refused_or_converted() -> None:
    import tvm_ffi

    echo = tvm_ffi.get_global_func("testing.echo")
    for depth in (100, 900, 1100, 10_000, DEPTH):
        for wrap in (
            lambda x: [x],
            lambda x: (x,),
            lambda x: {"k": x},
            lambda x: tvm_ffi.List([x]),
        ):
            x: Any = wrap(1)
            for _ in range(depth):
                x = wrap(x)
            for taker in (echo, tvm_ffi.convert, lambda x: tvm_ffi.Array([x])):
                note(depth, taker)
                ordinary(lambda t=taker, x=x: t(x))


@in_child()
def test_python_values_that_hold_themselves() -> None:
    import tvm_ffi
    from tvm_ffi import Array, Dict, List, Map

    own_list: list[Any] = [1]
    own_list.append(own_list)
    own_dict: dict[Any, Any] = {}
    own_dict["k"] = own_dict
    own_tuple = ([],)
    own_tuple[0].append(own_tuple)  # type: ignore[attr-defined]
    echo = tvm_ffi.get_global_func("testing.echo")
    for value in (own_list, own_dict, own_tuple):
        for taker in (echo, tvm_ffi.convert, lambda v: Array([v]), lambda v: List([v]),
                      lambda v: Map({1: v}), lambda v: Dict({1: v}), List([]).append,
                      lambda v: Dict({1: 2}).update({3: v}), lambda v: v in List([1])):  # fmt: skip
            note(type(value), taker)
            ordinary(lambda t=taker, v=value: t(v))


@in_child()
def test_deep_json_text() -> None:
    import tvm_ffi

    parse = tvm_ffi.get_global_func("ffi.json.Parse")
    from_graph = tvm_ffi.get_global_func("ffi.FromJSONGraphString")
    for depth in (10, 1000, 100_000, DEPTH):
        for opening, closing in (("[", "]"), ('{"a":', "}"), ("[[", ""), ("[1,[", "]]")):
            note(depth, opening)
            text = opening * depth + "1" + closing * depth
            ordinary(lambda t=text: parse(t))
            ordinary(lambda t=text: from_graph(t))


@in_child()
def test_a_graph_that_is_a_million_deep_comes_back() -> None:
    import tvm_ffi

    n = 200_000
    nodes = [{"type": "ffi.List", "data": [i + 1]} for i in range(n)] + [{"type": "int", "data": 1}]
    text = json.dumps({"root_index": 0, "nodes": nodes, "metadata": {"tvm_ffi_version": "0.1.15"}})
    note("deep list graph")
    ordinary(lambda: tvm_ffi.get_global_func("ffi.FromJSONGraphString")(text))


@in_child()
def test_a_million_callbacks_deep() -> None:
    import tvm_ffi

    apply = tvm_ffi.get_global_func("testing.apply")
    depths = []

    def deeper(n: int) -> int:
        depths.append(n)
        return int(apply(deeper, n + 1))

    with pytest.raises(RecursionError):
        deeper(0)
    assert len(depths) > 50


@pytest.mark.parametrize("kib", [256, 1024])
@in_child()
def test_endless_recursion_on_the_small_stack_of_a_thread(kib: int) -> None:
    import sys
    import threading

    import tvm_ffi
    from tvm_ffi.dataclasses import py_class

    @py_class("hostile.EndlessInit")
    class Endless(tvm_ffi.Object):
        def __post_init__(self) -> None:
            Endless()

    class Value:
        def __tvm_ffi_value__(self) -> Value:
            return Value()

    items: list[Any] = []
    items.append(items)
    pairs: dict[int, Any] = {}
    pairs[0] = pairs
    again = tvm_ffi.convert(lambda: again())
    # Without a limit on levels, only the size of the stack ends the recursion.
    sys.setrecursionlimit(10**7)
    endless: dict[str, Callable[[], Any]] = {
        "converting a sequence": lambda: tvm_ffi.convert(items),
        "converting a dict": lambda: tvm_ffi.convert(pairs),
        "making an object": Endless,
        "__tvm_ffi_value__": lambda: tvm_ffi.convert(Value()),
        "calling a Python function": again,
    }
    seen = dict.fromkeys(endless, "")

    def run() -> None:
        for what, action in endless.items():
            note(what)
            try:
                action()
            except RecursionError as error:
                seen[what] = str(error)

    threading.stack_size(kib * 1024 * (8 if SANITIZED else 1))
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert all(seen.values()), seen


@in_child()
def test_exceptions_that_hold_themselves_or_are_deep() -> None:
    import tvm_ffi

    apply = tvm_ffi.get_global_func("testing.apply")
    first, second = ValueError("first"), KeyError("second")
    first.__context__, second.__context__ = second, first
    first.__cause__ = first

    def raises(error: BaseException) -> None:
        raise error

    with pytest.raises(ValueError) as caught:
        apply(lambda: raises(first))
    assert caught.value is first
    chain: BaseException = ValueError("deepest")
    for _ in range(100_000):
        above = ValueError("above")
        above.__context__ = chain
        chain = above
    with pytest.raises(ValueError):
        apply(lambda: raises(chain))
    # Python 3.11 frees such a chain recursively, so the test releases the links one by one.
    while chain.__context__ is not None:
        chain.__context__, chain = None, chain.__context__


@in_child(seconds=120)
def test_wide_containers() -> None:
    import tvm_ffi

    wide = tvm_ffi.List(range(2_000_000))
    for what in ("repr", "copy", "deepcopy", "RecursiveEq", "StructuralHash", "gc", "==", "in"):
        note(what)
        ordinary(lambda w=what: operations()[w](wide, wide))
    table = tvm_ffi.Dict({i: i for i in range(300_000)})
    for what in ("repr", "deepcopy", "RecursiveHash", "json graph", "gc"):
        note(what)
        ordinary(lambda w=what: operations()[w](table, table))
