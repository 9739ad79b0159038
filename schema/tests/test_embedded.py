# SPDX-License-Identifier: Apache-2.0
"""Schemas in libraries and images: queries at run time, and reading a file without loading it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import libinfo
from tvm_ffi_schema.build import toolchain
from tvm_ffi_schema.commands import cli
from tvm_ffi_schema.ir import record
from tvm_ffi_schema.ir.image_bytes import HEADER

from .conftest import PRELUDE

pytestmark = pytest.mark.skipif(
    toolchain.find() is None or sys.platform != "linux", reason="needs a C++ compiler of Linux"
)
SCHEMA = '''
@declare
class PointNode(Object):
    """A point."""
    type_key = "emb.Point"
    x: ty.int32_t
    y: ty.Optional[ty.String] = None
    next: "ty.Optional[PointNode]" = None
'''


def run(folder: Path, *arguments: str) -> None:
    before = os.getcwd()
    os.chdir(folder)
    try:
        assert cli.main([*arguments, "-q"]) == 0
    finally:
        os.chdir(before)


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """Return a directory with a library and two images; `bare.tfs` has no embedded schema."""
    folder = tmp_path_factory.mktemp("embedded")
    (folder / "ir.py").write_text(PRELUDE + SCHEMA)
    run(folder, "export", "ir.py", "-o", "ir.tschema.json")
    run(folder, "build", "ir.py", "-o", "ir.tfs")
    run(folder, "build", "ir.py", "-o", "ir.so", "--debug", "--keep-sources", "kept")
    (folder / "tschema.toml").write_text("embed_ir = false\n")
    run(folder, "build", "ir.py", "-o", "bare.tfs")
    return folder


def python(folder: Path, program: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
    done = execute(sys.executable, "-c", program, cwd=folder, env=env)
    return done.stdout


# ---- at run time

ASK = """
import tvm_ffi
from tvm_ffi import schema
try:
    schema.of("emb.Point")
except KeyError:
    print("not yet")
tvm_ffi.load_module("./NAME")
print(schema.of("emb.Point").doc.summary, schema.layout("emb.Point").size)
print([(s.name, s.offset, s.size, s.align, s.carrier) for s in schema.layout("emb.Point").slots])
found = tvm_ffi.get_global_func("ffi.schema.Layout")("emb.Point")
print([(f["name"], f["offset"], f["size"], f["alignment"], f["carrier"]) for f in found["fields"]])
print(found["type_key"], found["size"], found["child_slots"])
"""


@pytest.mark.spec("SC103.22")
@pytest.mark.parametrize("name", ["ir.so", "ir.tfs"])
def test_definition_and_layout_of_a_library_and_of_an_image(built, name):
    lines = python(built, ASK.replace("NAME", name)).splitlines()
    assert lines == [
        "not yet",
        "A point. 56",
        "[('x', 24, 4, 4, 'int32_t'), ('y', 32, 16, 8, 'TVMFFIAny'),"
        " ('next', 48, 8, 8, 'TVMFFIObject*')]",
        "[('x', 24, 4, 4, 'int'), ('y', 32, 16, 8, 'any'), ('next', 48, 8, 8, 'object')]",
        "emb.Point 56 0",
    ]


def test_classes_of_a_library_without_python_code(built):
    program = """
from tvm_ffi import schema
lib = schema.load("ir.so")
point = lib.Point(3, next=lib["emb.Point"](4))
print(point, list(lib), schema.load("./ir.so").Point is lib.Point, lib.Point.__doc__)
try:
    schema.load("kept/none.so")
except ValueError as error:
    print(error)
"""
    (built / "kept/none.so").write_bytes(b"\x7fELF")
    assert python(built, program).splitlines() == [
        "emb.Point(x=3, y=None, next=emb.Point(x=4, y=None, next=None)) ['emb.Point'] True"
        " A point.",
        "kept/none.so holds no schema; it was built by something else, or with embed_ir = false",
    ]


def test_a_library_whose_schema_is_damaged_loads_without_it(built):
    data = bytearray((built / "ir.so").read_bytes())
    data[data.index(record.MAGIC) + 60] ^= 1
    (built / "damaged.so").write_bytes(data)
    program = """
import tvm_ffi
from tvm_ffi import schema
tvm_ffi.load_module("./damaged.so")
assert tvm_ffi.core._object_type_key_to_index("emb.Point") is not None
try:
    schema.of("emb.Point")
except KeyError as error:
    print(error)
"""
    assert python(built, program) == "\"no schema of 'emb.Point' was loaded\"\n"


def test_two_libraries_with_one_schema_disturb_nothing(built):
    command = [*(toolchain.find() or []), "-std=c++17", "-shared", "-fPIC", "kept/src/schema_ir.cc"]
    command += ["-I", libinfo.find_include_path(), "-I", libinfo.find_dlpack_include_path()]
    subprocess.run([*command, "-Wall", "-Werror", "-o", "more.so"], cwd=built, check=True)
    program = ASK.replace("NAME", "ir.so") + 'tvm_ffi.load_module("./more.so")\n'
    assert "A point. 56" in python(built, program)


RUNTIME = """
#include <tvm/ffi/c_api.h>
extern "C" {
// A runtime that keeps no schemas.
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray*, TVMFFIObjectHandle* out) {
  *out = nullptr;
  return 0;
}
int TVMFFIFunctionCall(TVMFFIObjectHandle, TVMFFIAny*, int32_t, TVMFFIAny*) { __builtin_trap(); }
int TVMFFIObjectDecRef(TVMFFIObjectHandle) { __builtin_trap(); }
void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle*) { __builtin_trap(); }
}
int main() { return 0; }
"""


def test_a_runtime_that_keeps_no_schemas_is_left_alone(built):
    (built / "runtime.cc").write_text(RUNTIME)
    command = [*(toolchain.find() or []), "-std=c++17", "runtime.cc", "kept/src/schema_ir.cc"]
    command += ["-I", libinfo.find_include_path(), "-I", libinfo.find_dlpack_include_path()]
    subprocess.run([*command, "-o", "runtime"], cwd=built, check=True)
    subprocess.run(["./runtime"], cwd=built, check=True)


# ---- from files


@pytest.fixture
def project(project, built):
    project.root = built
    return project


@pytest.mark.spec("SC103.24")
def test_export_says_the_same_of_every_kind_of_file(project, built):
    text = (built / "ir.tschema.json").read_text()
    for name in ("ir.so", "ir.tfs", "ir.tschema.json", "ir.py"):
        assert project.run("export", name) == 0, project.err
        assert project.out == text


def test_export_in_other_forms(project):
    assert project.run("export", "ir.so", "--as", "layout") == 0
    assert project.out.splitlines() == [
        "emb.Point (ffi.Object): 56 bytes",
        "     24   4  x: int32_t",
        "     32  16  y: TVMFFIAny",
        "     48   8  next: TVMFFIObject*",
    ]
    assert project.run("export", "ir.so", "--as", "schema") == 0
    assert project.out.startswith("# ---- ir.py\n")
    project.write("again/ir.py", project.out)
    assert project.run("export", "again/ir.py") == 0
    again = project.out
    assert project.run("export", "ir.so") == 0
    assert again.replace('   "doc": "Objects of ir.",\n', "") == project.out


@pytest.mark.spec("SC102.29", "SC103.24")
def test_breaking_against_what_was_built(project):
    project.write("new/ir.py", PRELUDE + SCHEMA)
    for old in ("ir.so", "ir.tfs"):
        assert project.run("breaking", "new/ir.py", "--against", old) == 0, project.err
    project.write("new/ir.py", PRELUDE + SCHEMA.replace("x: ty.int32_t", "x: ty.String"))
    for old in ("ir.so", "ir.tfs"):
        assert project.run("breaking", "new/ir.py", "--against", old) == 1
        assert "FIELD_SAME_TYPE" in project.err
    assert project.run("breaking", "new/ir.py", "--against", "bare.so") == 2


@pytest.mark.spec("SC103.23")
def test_without_embed_ir_there_is_no_schema(project, built):
    assert project.run("export", "bare.tfs") == 3
    assert project.ids() == ["TS003"] and "was written without its schema" in project.err
    data = (built / "ir.so").read_bytes().replace(record.MAGIC, b"\x00" * len(record.MAGIC))
    (built / "bare.so").write_bytes(data)
    assert project.run("export", "bare.so") == 3
    assert project.ids() == ["TS003"]
    assert "bare.so holds no schema" in project.err
    assert project.run("generate", "ir.py", "--to", "ir", "--dry-run") == 0
    assert project.out == ""


def test_files_that_are_none(project):
    assert project.run("export", "no.so") == 2
    assert "there is no file" in project.err


@pytest.mark.parametrize("at", range(40))
def test_records_that_are_damaged_are_not_taken(built, at):
    data = (built / "ir.so").read_bytes()
    start = data.index(record.MAGIC)
    data = data[: start + HEADER.unpack_from(data, start)[3]]
    assert len(record.schemas_in(data)) == 1
    wrong = bytearray(data)
    wrong[start + at] ^= 0xFF
    found = record.schemas_in(bytes(wrong))
    # Bytes 28 to 31 are the size of the schema, which the checksum does not cover.
    assert found == [] or 28 <= at < 32
    assert record.schemas_in(data[: start + at]) == []
