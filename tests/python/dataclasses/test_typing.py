# SPDX-License-Identifier: Apache-2.0
"""What type checkers make of data classes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tvm_ffi

CLIENT = """
from typing import Optional
import tvm_ffi
from tvm_ffi.dataclasses import KW_ONLY, c_class, field, fields, py_class, replace

@py_class("client.Point", frozen=True, eq=True)
class Point(tvm_ffi.Object):
    x: int
    y: int = 0
    _: KW_ONLY
    tags: list[str] = field(default_factory=list)

@py_class
class Bare(tvm_ffi.Object):
    next: Optional["Bare"] = None

    @tvm_ffi.method
    def length(self) -> int:
        return 1

@tvm_ffi.py_class("client.Auto")
class Auto(tvm_ffi.Object):
    a: float

@c_class("testing.TestIntPair")
class Pair(tvm_ffi.Object):
    a: int
    b: int

point: Point = replace(Point(1, tags=["a"]), y=2)
total: int = Point(1, 2).x + Pair(1, 2).b + Bare(Bare()).length()
number: float = Auto(1.0).a
names: list[Optional[str]] = [f.name for f in fields(Point)]
"""

MISTAKES = """
Point("x")
Point(1, 2, ["a"])
Point(1).x = 3
Pair(1)
Auto()
"""


def test_mypy_knows_fields_and_constructors(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    source = CLIENT + MISTAKES
    (tmp_path / "client.py").write_text(source)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-incremental", "--follow-imports=silent", "client.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(Path(tvm_ffi.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if ": error:" in line]
    found = [int(line.split(":")[1]) for line in lines]
    first = len(CLIENT.splitlines()) + 2
    assert found == [first + n for n in range(5)], done.stdout
