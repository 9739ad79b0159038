# SPDX-License-Identifier: Apache-2.0
"""Test the sizes and tokens that `tvm_ffi.distributed` gives to Dask."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map, _ffi_api
from tvm_ffi.dataclasses import py_class


@py_class("test.distributed.hooks.Point")
class Point(tvm_ffi.Object):
    x: int
    weight: Any = None


def double(x: int) -> int:
    return 2 * x


BIG = 1 << 20
REAL = {
    "Tensor": (lambda: tvm_ffi.from_dlpack(np.zeros(BIG, "uint8")), BIG),
    "Array of tensors": (
        lambda: Array([tvm_ffi.from_dlpack(np.zeros(BIG, "uint8")) for _ in range(3)]),
        3 * BIG,
    ),
    "shared tensor": (lambda: Array([tvm_ffi.from_dlpack(np.zeros(BIG, "uint8"))] * 3), BIG),
    "Array of ints": (lambda: Array(range(100_000)), 1_600_000),
    "List of texts": (
        lambda: List(["x" * 1000] * 1 + ["y" * 1000 + str(i) for i in range(999)]),
        1_063_000,
    ),
}


@pytest.mark.spec("DIST-D12")
@pytest.mark.parametrize("name", [name for name, (_, size) in REAL.items() if size is not None])
def test_sizes_are_within_ten_percent(name):
    make, size = REAL[name]
    assert _ffi_api._MemorySize(make()) == pytest.approx(size, rel=0.1)


@pytest.mark.spec("DIST-D12")
@pytest.mark.unsanitized("a sanitizer adds memory to each block")
def test_the_size_of_a_map_is_that_of_its_table(run_python):
    out = run_python(
        """
import resource, tvm_ffi
from tvm_ffi import Map, _ffi_api
def used():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
entries = {key: key for key in range(700_000)}
Map({1: 2})
before = used()
value = Map(entries)
print(_ffi_api._MemorySize(value) / (used() - before))
"""
    )
    # The limits are wide, since resident memory includes memory that the conversion has used.
    assert 0.5 < float(out) < 1.5


@pytest.mark.spec("DIST-D12")
def test_dask_asks_for_sizes_and_tokens():
    pytest.importorskip("dask", exc_type=ImportError)
    from dask.sizeof import sizeof
    from dask.tokenize import tokenize

    from tvm_ffi import distributed

    assert "dask" in distributed.register()
    data = np.arange(100_000.0)
    assert sizeof(tvm_ffi.from_dlpack(data)) == pytest.approx(data.nbytes, rel=0.1)
    assert sizeof(Array([tvm_ffi.from_dlpack(data)])) == pytest.approx(data.nbytes, rel=0.1)

    def tensor(first=0):
        return tvm_ffi.from_dlpack(np.array([first, 1, 2]))

    values = {
        "tensor": tensor,
        "array": lambda: Array([1, tensor()]),
        "list": lambda: List([1, tensor()]),
        "map": lambda: Map({"a": tensor()}),
        "dict": lambda: Dict({"a": tensor()}),
        "other tensor": lambda: tensor(5),
        "object": lambda: Point(1, tensor()),
        "other object": lambda: Point(2, tensor()),
        "global function": lambda: tvm_ffi.get_global_func("testing.echo"),
        "function": lambda: tvm_ffi.convert(double),
    }
    tokens = {name: tokenize(make()) for name, make in values.items()}
    assert len(set(tokens.values())) == len(values)
    assert tokens == {name: tokenize(make()) for name, make in values.items()}
