# SPDX-License-Identifier: Apache-2.0
"""Test small inputs that once needed far too much time.

Each body takes a fraction of a second; before the fix, each exceeded the time limit of the child.
"""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from child import in_child, note

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map, core, structural
from tvm_ffi.dataclasses import py_class
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str


def colliding_keys() -> list[str]:
    """Return 39,304 strings of seven characters that have the same hash.

    The hash of a short string is its payload modulo M = 2^31 - 1. Since 2^32 = 2 modulo M, byte 4
    has twice the weight of byte 0. When one of the last three characters increases by n, one of the
    first three decreases by 2 n, so the hash stays the same.
    """
    last = range(0x5D, 0x7F)
    return [
        "".join(chr(126 - 2 * (c - 0x5D)) for c in chars) + " " + "".join(map(chr, chars))
        for chars in itertools.product(last, repeat=3)
    ]


def parse(text: str) -> Any:
    return tvm_ffi.get_global_func("ffi.json.Parse")(text)


@in_child(seconds=30)
def test_json_object_whose_keys_have_one_hash() -> None:
    keys = colliding_keys()
    assert len({int.from_bytes(k.encode(), "little") % (2**31 - 1) for k in keys}) == 1
    assert len(set(keys)) == len(keys) == 39304
    parsed = parse(json.dumps({key: i for i, key in enumerate(keys)}))
    assert list(parsed) == keys
    assert list(parsed.values()) == list(range(len(keys)))
    for i in (0, 1, 5000, len(keys) - 1):
        assert parsed[keys[i]] == i
    assert "missing" not in parsed


@in_child(seconds=30)
def test_graph_json_of_a_mapping_whose_keys_have_one_hash() -> None:
    keys = colliding_keys()
    nodes: list[dict[str, Any]] = [{"type": "ffi.String", "data": key} for key in keys]
    for kind, cls in (("ffi.Map", Map), ("ffi.Dict", Dict)):
        entries = list(itertools.chain.from_iterable((i, i) for i in range(len(keys))))
        root = {"type": kind, "data": entries}
        made = from_json_graph_str(json.dumps({"root_index": len(keys), "nodes": [*nodes, root]}))
        assert type(made) is cls
        assert len(made) == len(keys)
        assert all(made[key] == key for key in (keys[0], keys[7], keys[-1]))


def test_repeated_keys_of_a_json_object_end_where_setting_them_puts_them() -> None:
    collide = colliding_keys()[:40]
    spread = [f"key {i}" for i in range(40)]
    for keys in (collide, spread, collide[:3], spread[:4], spread[:5]):
        for repeated in ([], keys[:1], keys[-1:], keys, keys[::-1], keys[1:3] * 2):
            for pairs in (keys + repeated, repeated + keys):
                text = ",".join(f"{json.dumps(key)}:{i}" for i, key in enumerate(pairs))
                expected = Dict({})
                for i, key in enumerate(pairs):
                    expected[key] = i
                assert list(parse("{" + text + "}").items()) == list(expected.items())


@in_child(seconds=20)
def test_text_of_a_huge_integer_is_hexadecimal() -> None:
    number = 3**2_000_000  # a million digits
    huge = List([number, -number])
    text = tvm_ffi.format_full(huge)
    assert text == f"[{number:#x}, {-number:#x}]"


def test_text_of_an_integer_is_decimal_where_python_reads_it() -> None:
    for number in (2**64, -(10**4000), 2**14078):
        assert repr(List([number])) == f"[{number}]"
    # This number fills 220 words and needs one more for the sign, so it is over the limit.
    assert repr(List([2**14079])) == f"[{2**14079:#x}]"


# ---- shared objects ----

LEVELS = 64


@py_class("hostile.cpu_time.Pair", eq=True, unsafe_hash=True, structural_eq="tree")
class Pair(core.Object):
    a: object
    b: object


@py_class("hostile.cpu_time.Shared", eq=True, unsafe_hash=True, structural_eq="dag")
class Shared(core.Object):
    a: object
    b: object


SHAPES: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {
    "Array": (lambda x: Array([x, x]), lambda: Array([1])),
    "List": (lambda x: List([x, x]), lambda: List([1])),
    "Map": (lambda x: Map({1: x, 2: x}), lambda: Map({1: 1})),
    "Dict": (lambda x: Dict({1: x, 2: x}), lambda: Dict({1: 1})),
    "tree": (lambda x: Pair(x, x), lambda: Pair(1, 1)),
    "dag": (lambda x: Shared(x, x), lambda: Shared(1, 1)),
}


def shared(shape: str) -> Any:
    """Make an object below which another object occurs 2^64 times."""
    below, leaf = SHAPES[shape]
    x = leaf()
    for _ in range(LEVELS):
        x = below(x)
    return x


@pytest.mark.parametrize("shape", SHAPES)
@in_child(seconds=60)
def test_shared_objects_are_visited_one_time(shape: str) -> None:
    a, b = shared(shape), shared(shape)
    operations: dict[str, Callable[[], Any]] = {
        "equal": lambda: a == b,
        "structural equal": lambda: structural.structural_equal(a, b),
        "mismatch": lambda: structural.get_first_structural_mismatch(a, b) is None,
        "structural hash": lambda: structural.structural_hash(a) == structural.structural_hash(b),
        "recursive hash": lambda: tvm_ffi.get_global_func("ffi.RecursiveHash")(a) != 0,
        "deepcopy": lambda: structural.structural_equal(copy.deepcopy(a), b),
        "pickle": lambda: structural.structural_equal(pickle.loads(pickle.dumps(a)), b),
        "json": lambda: len(to_json_graph_str(a)) < 10_000,
    }
    for name, run in operations.items():
        note(shape, name)
        assert run(), name


@in_child(seconds=30)
def test_text_of_shared_objects_is_bounded() -> None:
    for shape in SHAPES:
        note(shape)
        assert len(repr(shared(shape))) < 1 << 29


@in_child(seconds=30)
def test_dag_nodes_are_mapped_once() -> None:
    seen: list[int] = []
    mapped = tvm_ffi.structural_map(shared("dag"), [(int, lambda x: seen.append(x) or x + 1)])
    assert seen == [1, 1]
    assert mapped.a is mapped.b
