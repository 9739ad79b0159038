# SPDX-License-Identifier: Apache-2.0
"""Test the readers of pickles, JSON, graphs and names with damaged or unexpected input."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable
from typing import Any

from child import in_child, note


def ordinary(action: Callable[[], Any]) -> bool:
    """Return whether an action succeeds; it may raise any `Exception`."""
    try:
        action()
    except Exception as error:
        assert type(error).__name__
        return False
    return True


def samples() -> list[Any]:
    import tvm_ffi
    from tvm_ffi import Array, Dict, List, Map, access_path, testing

    assert access_path
    return [
        testing.TestIntPair(1, 2),
        testing.TestObjectDerived({"a": 1}, [1, "x"], 1, 2.5, "text"),
        List([1, [2, "three"], {"k": 4.0}]),
        Map({"a": Array([1, 2]), "b": "text"}),
        Dict({1: tvm_ffi.Shape((1, 2))}),
        tvm_ffi.dtype("float32"),
        tvm_ffi.device("cuda", 1),
        tvm_ffi.get_global_func("testing.echo"),
    ]


def mutate(rng: random.Random, data: bytes) -> bytes:
    """Change, remove, insert or duplicate a few bytes."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(changed) + 1)
        kind = rng.randrange(5)
        if kind == 0 and at < len(changed):
            changed[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del changed[at : at + rng.randrange(1, 20)]
        elif kind == 2:
            changed[at:at] = rng.randbytes(rng.randrange(1, 5))
        elif kind == 3:
            changed[at:at] = changed[rng.randrange(len(changed) + 1) :][:20]
        elif at < len(changed):
            changed[at] = rng.choice(b'0123456789{}[]",:-.eE\\nul')
    return bytes(changed)


RESTORING = (
    *("_new_object", "restore_graph", "restore_data_type", "restore_function"),
    *("restore_global_function", "restore_variant"),
)


class _Careful(pickle.Unpickler):
    """An unpickler that uses only classes of the package, and functions in `RESTORING`."""

    def find_class(self, module: str, name: str) -> Any:
        if module.split(".")[0] != "tvm_ffi" or name.split(".")[0] == "cpp":
            raise pickle.UnpicklingError(f"{module}.{name} is not asked for")
        found = super().find_class(module, name)
        if not isinstance(found, type) and name not in RESTORING:
            raise pickle.UnpicklingError(f"{name} is not asked for")
        return found


@in_child(seconds=90)
def test_pickles_with_changed_bytes() -> None:
    import io

    rng = random.Random(7)
    good = 0
    for sample in samples():
        try:
            data = pickle.dumps(sample)
        except Exception:
            continue
        for i in range(1500):
            # Remove the opcode BYTEARRAY8: CPython 3.11 itself writes to standard error when it
            # reads a truncated BYTEARRAY8, and this would fail the test.
            changed = mutate(rng, data).replace(b"\x96", b"")
            note(type(sample), i, changed)
            result: list[Any] = []
            if ordinary(lambda d=changed, r=result: r.append(_Careful(io.BytesIO(d)).load())):
                good += 1
                ordinary(lambda r=result: (repr(r), hash(r[0]), r[0] == r[0]))
    assert good > 100


@in_child()
def test_states_that_are_garbage() -> None:
    import odd

    states: list[Any] = [make() for make in odd.ALL]
    states += [{"handle": make()} for make in odd.ALL]
    states += [{"handle": text} for text in (None, "", "{}", "[]", "null", "5", '"x"', "[1", "{")]
    states += [{b"handle": "{}"}, {"other": "{}"}, {"handle": "{}", "more": 1}]
    for sample in samples():
        for state in states:
            cls = type(sample)
            note(cls, odd.describe(state))
            x: list[Any] = []
            ordinary(lambda c=cls, r=x: r.append(c.__new__(c)))
            if x and hasattr(x[0], "__setstate__"):
                ordinary(lambda r=x, s=state: r[0].__setstate__(s))
                ordinary(lambda r=x: repr(r))


def graphs() -> list[Any]:
    """Return the JSON graphs of the samples."""
    from tvm_ffi import serialization

    texts: list[str] = []
    for sample in samples():
        ordinary(lambda s=sample: texts.append(serialization.to_json_graph_str(s)))
    assert len(texts) > 4
    return [json.loads(t) for t in texts]


@in_child(seconds=90)
def test_graphs_with_changed_values() -> None:
    """Read graphs in which one value is replaced by a value of an unexpected type or size."""
    from tvm_ffi import get_global_func

    read = get_global_func("ffi.FromJSONGraphString")
    odd_values = [None, True, 0, -1, 1, 3, 2**31, 2**40, -(2**63), 0.5, "", "x", "ffi.List",
                  "ffi.Function", "ffi.Tensor", "int", "None", "nonsense", [], [0], [5], [[]],
                  {}, {"a": 1}, {"type": "ffi.List"}]  # fmt: skip

    def places(x: Any) -> list[tuple[Any, Any]]:
        keys = list(x) if isinstance(x, dict) else range(len(x)) if isinstance(x, list) else []
        found = [(x, k) for k in keys]
        return found + [p for k in keys for p in places(x[k])]

    for graph in graphs():
        for holder, key in places(graph):
            before = holder[key]
            for value in odd_values:
                holder[key] = value
                text = json.dumps(graph)
                note(text[-1500:])
                ordinary(lambda t=text: repr(read(t)))
            if isinstance(holder, dict):
                del holder[key]
                ordinary(lambda g=graph: read(json.dumps(g)))
            holder[key] = before


@in_child(seconds=90)
def test_graphs_with_changed_bytes() -> None:
    from tvm_ffi import get_global_func

    read = get_global_func("ffi.FromJSONGraphString")
    parse = get_global_func("ffi.json.Parse")
    rng = random.Random(8)
    for graph in graphs():
        data = json.dumps(graph).encode()
        for i in range(1500):
            text = mutate(rng, data).decode("utf-8", "surrogateescape" if i % 7 == 0 else "replace")
            note(text)
            ordinary(lambda t=text: repr(read(t)))
            ordinary(lambda t=text: repr(parse(t)))


@in_child()
def test_names_that_are_garbage() -> None:
    import tvm_ffi
    from tvm_ffi import core

    rng = random.Random(9)
    seeds = [b"float32x4", b"bfloat16", b"cuda:1", b"handle", b"custom[x]8", b"ffi.Array", b"int8",
             b"float8_e4m3b11fnuz", b"uint65535x65535", b"cpu:-1", b"bool"]  # fmt: skip
    takers: list[Callable[[str], Any]] = [
        tvm_ffi.dtype,
        core.DataType,
        tvm_ffi.device,
        lambda t: tvm_ffi.get_global_func(t, allow_missing=True),
        core._object_type_key_to_index,
        tvm_ffi.load_module,
        lambda t: core._create_device_from_tuple(core.Device, len(t), 0),
        lambda t: tvm_ffi.get_global_func("testing.schema_id_dtype")(t),
        lambda t: tvm_ffi.get_global_func("testing.schema_id_device")(t),
    ]
    for i in range(1500):
        text = mutate(rng, rng.choice(seeds)).decode("latin-1")
        for taker in takers:
            note(i, taker, repr(text))
            ordinary(lambda f=taker, t=text: repr(f(t)))
