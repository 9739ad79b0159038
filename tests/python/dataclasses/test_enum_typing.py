# SPDX-License-Identifier: Apache-2.0
"""Type checkers understand enums without a plugin."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tvm_ffi

PROGRAM = """
from __future__ import annotations

from typing import ClassVar

from tvm_ffi.dataclasses import Enum, EnumAttrMap, EnumObject, IntEnum, entry, py_enum

@py_enum("nn.Activation")
class Activation(EnumObject):
    approximate: bool = False

    ReLU: ClassVar[Activation] = entry()
    GeLU: ClassVar[Activation] = entry(approximate=True)

class Level(IntEnum, type_key="nn.Level"):
    low: ClassVar[Level] = entry(1)

relu: Activation = Activation.ReLU
flag: bool = Activation.GeLU.approximate
got: Activation = Activation.get("ReLU")
subscripted: Activation = Activation["ReLU"]
listing: dict[str, Activation] = Activation.entries()
for name, member in Activation.entries():
    member.approximate
for text in Activation.entries():
    text.upper()
members: list[Activation] = list(Activation)
column: EnumAttrMap[Activation] = Activation.def_attr("f")
column[Activation.ReLU] = 1

@column.register(Activation.GeLU)
def compute(x: int) -> int:
    return x

number: int = Level.low.value + compute(1)
title: str = Level.low.__entry_name__
column["ReLU"] = 2  # WRONG
wrong: int = Activation.get("ReLU")  # WRONG
"""


def test_mypy(tmp_path):
    pytest.importorskip("mypy")
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    package_parent = str(Path(tvm_ffi.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", path.name],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": package_parent, "MYPYPATH": package_parent},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = PROGRAM.splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# WRONG")}
    reported = [line for line in done.stdout.splitlines() if line.startswith("program.py:")]
    assert {int(line.split(":")[1]) for line in reported} == wrong, done.stdout + done.stderr
