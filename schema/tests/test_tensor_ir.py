# SPDX-License-Identifier: Apache-2.0
"""The example `tensor_ir`: build a library of a hundred classes, and compare it with the schema."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi_schema.build import toolchain
from tvm_ffi_schema.diag import Bag
from tvm_ffi_schema.ir import json as ir_json
from tvm_ffi_schema.link import reader

FOLDER = Path(__file__).resolve().parents[1] / "examples/tensor_ir"
FILES = [str(path) for path in sorted((FOLDER / "schema").glob("*.py"))]


def read(frontend: str):
    bag = Bag()
    schema = reader.read(FILES, bag, lambda path: frontend)
    program = reader.linked(schema, bag)
    assert not bag.items, [item.message for item in bag.items]
    return schema, program


def test_both_readers_agree():
    assert ir_json.dumps(read("static")[0]) == ir_json.dumps(read("import")[0])


def test_slots_are_exact():
    _, program = read("static")
    assert len(program.order) > 100
    for cls in program.order:
        assert cls.slots == sum(1 + child.slots for child in cls.children)


@pytest.mark.spec("SC99")
@pytest.mark.skipif(toolchain.find() is None, reason="no C++ compiler")
def test_library_says_what_the_schema_says(tmp_path):
    folder = shutil.copytree(FOLDER, tmp_path / "tensor_ir")
    env = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
    for arguments in (
        ["build", "--debug", "-o", "libtir.so"],
        ["validate", "--lib", "libtir.so"],
        ["generate"],
        ["validate", "--strict"],
    ):
        execute(sys.executable, "-m", "tvm_ffi_schema", *arguments, cwd=folder, env=env)
