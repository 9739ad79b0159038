# SPDX-License-Identifier: Apache-2.0
"""Test the table of the Rust benchmark: best times, and ratios to the peer and to C++."""

import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture
def rust_bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    for name in ("rust_bench", "compare"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import rust_bench

    return rust_bench


MEASURED = {
    "rust": [{"any/a": 4.0, "tensor/b": 9.0}, {"any/a": 2.0, "tensor/b": 9.0}],
    "peer": [{"any/a": 5.0, "tensor/b": 3.0}, {"any/a": 4.0, "tensor/b": 3.0}],
    "cpp": [{"any/a": 1.0, "other/c": 1.0}, {"any/a": 1.0, "other/c": 1.0}],
}


def test_ratios_are_those_of_the_best_times(rust_bench):
    rows, means = rust_bench.table(MEASURED)
    assert rows["rust/any/a"] == {
        "a": 2.0, "unit": "ns", "spread": 1.0, "b": 4.0, "ratio": 0.5, "cpp": 1.0, "cpp_ratio": 2.0,
    }  # fmt: skip
    assert list(rows) == ["rust/any/a", "rust/tensor/b"]
    assert "cpp" not in rows["rust/tensor/b"]
    assert means == {"rust": pytest.approx((0.5 * 3) ** 0.5, abs=1e-4), "rust to C++": 2.0}


def test_the_peer_is_optional(rust_bench):
    rows, means = rust_bench.table({k: v for k, v in MEASURED.items() if k != "peer"})
    assert "ratio" not in rows["rust/any/a"]
    assert list(means) == ["rust to C++"]
    text = rust_bench.markdown(rows, means)
    assert "| rust/any/a | 2.0 ns |  |  | 1.0 ns | 2.00 | 100% |" in text


def test_every_row_of_rust_has_its_cpp_row(rust_bench):
    """Test that the names of the rows agree: a row renamed in one program would lose its ratio."""
    rust = (BENCH / "rust" / "src" / "main.rs").read_text()
    cpp = (BENCH / "cpp" / "ffi_micro.cpp").read_text()
    names = [part.split('"')[1] for part in rust.split("bench.time")[1:]]
    without = {"object/copy + downcast", "tensor/slice of float32"}
    composed = {"map/find short string keys, 1000"}
    assert len(names) > 30 and without | composed < set(names)
    missing = {name for name in names if f'"{name}"' not in cpp}
    assert missing == without | composed
