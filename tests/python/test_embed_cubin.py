# SPDX-License-Identifier: Apache-2.0
"""Test CUDA binaries inside object files; arbitrary bytes replace a binary here."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi.utils.embed_cubin import embed_cubin, main

COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(
    COMPILER is None or not (shutil.which("ld") and shutil.which("objcopy")),
    reason="needs a C compiler and GNU binutils",
)
DATA = bytes(range(256)) * 5 + b"end"
SOURCE = """
extern const char __tvm_ffi__cubin_kernel[];
extern const char __tvm_ffi__cubin_kernel_end[];
const char* begin(void) { return __tvm_ffi__cubin_kernel; }
long size(void) { return __tvm_ffi__cubin_kernel_end - __tvm_ffi__cubin_kernel; }
"""


@pytest.fixture
def inputs(tmp_path):
    (tmp_path / "user.c").write_text(SOURCE)
    (tmp_path / "kernel.cubin").write_bytes(DATA)
    command = [COMPILER, "-fPIC", "-c", "user.c", "-o", "user.o"]
    subprocess.run(command, cwd=tmp_path, check=True)
    return tmp_path


def link(directory, name):
    library = directory / "library.so"
    subprocess.run([COMPILER, "-shared", str(directory / name), "-o", str(library)], check=True)
    return library


def test_bytes_are_found_by_their_name(inputs):
    embed_cubin(inputs / "kernel.cubin", inputs / "user.o", inputs / "new" / "out.o", name="kernel")
    library = ctypes.CDLL(str(link(inputs / "new", "out.o")))
    library.size.restype = ctypes.c_long
    library.begin.restype = ctypes.c_void_p
    assert library.size() == len(DATA)
    assert ctypes.string_at(library.begin(), len(DATA)) == DATA
    assert library.begin() % 16 == 0


def test_paths_may_be_relative(inputs, monkeypatch):
    monkeypatch.chdir(inputs)
    embed_cubin("kernel.cubin", "user.o", "out.o", name="kernel")
    assert ctypes.CDLL(str(link(inputs, "out.o"))).size() == len(DATA)


def test_output_may_be_the_input_and_nothing_else_is_left(inputs):
    embed_cubin(inputs / "kernel.cubin", inputs / "user.o", inputs / "user.o", name="kernel")
    assert sorted(p.name for p in inputs.iterdir()) == ["kernel.cubin", "user.c", "user.o"]
    assert ctypes.CDLL(str(link(inputs, "user.o"))).size() == len(DATA)


@pytest.mark.spec("TOOL-TO9")
@pytest.mark.skipif(not shutil.which("readelf"), reason="needs readelf")
def test_symbols_are_local_and_data_is_read_only(inputs):
    embed_cubin(inputs / "kernel.cubin", inputs / "user.o", inputs / "out.o", name="kernel")

    def read(flag):
        command = ["readelf", "-W", flag, str(inputs / "out.o")]
        return execute(*command).stdout

    symbols = {line.split()[-1]: line.split()[4] for line in read("-s").splitlines() if ":" in line}
    assert symbols["__tvm_ffi__cubin_kernel"] == "LOCAL"
    assert symbols["__tvm_ffi__cubin_kernel_end"] == "LOCAL"
    assert not any("_binary_" in name for name in symbols)
    stack = [line for line in read("-S").splitlines() if ".note.GNU-stack" in line]
    assert stack
    assert not any(" X " in line.partition("PROGBITS")[2] for line in stack)


def test_two_cubins_in_one_object(inputs):
    (inputs / "second.c").write_text(
        SOURCE + "extern const char __tvm_ffi__cubin_other[], __tvm_ffi__cubin_other_end[];"
        "long other(void) { return __tvm_ffi__cubin_other_end - __tvm_ffi__cubin_other; }"
    )
    (inputs / "other.cubin").write_bytes(b"12345")
    command = [COMPILER, "-fPIC", "-c", "second.c", "-o", "0.o"]
    subprocess.run(command, cwd=inputs, check=True)
    embed_cubin(inputs / "kernel.cubin", inputs / "0.o", inputs / "1.o", name="kernel")
    embed_cubin(inputs / "other.cubin", inputs / "1.o", inputs / "2.o", name="other")
    library = ctypes.CDLL(str(link(inputs, "2.o")))
    assert (library.size(), library.other()) == (len(DATA), 5)


@pytest.mark.spec("TOOL-TO9")
def test_missing_inputs(inputs):
    with pytest.raises(FileNotFoundError, match="CUBIN file not found: "):
        embed_cubin(inputs / "absent", inputs / "user.o", inputs / "out.o", name="k")
    with pytest.raises(FileNotFoundError, match="Input object file not found: "):
        embed_cubin(inputs / "kernel.cubin", inputs / "absent", inputs / "out.o", name="k")


def test_name_must_be_an_identifier(inputs):
    for name in ("", "a b", "a=b", "é"):
        with pytest.raises(ValueError, match="must be a C identifier"):
            embed_cubin(inputs / "kernel.cubin", inputs / "user.o", inputs / "out.o", name=name)


def test_a_file_that_is_not_an_object_is_not_replaced(inputs):
    before = (inputs / "user.c").read_text()
    with pytest.raises(FileExistsError, match="is not an object file; move it away"):
        embed_cubin(inputs / "kernel.cubin", inputs / "user.o", inputs / "user.c", name="kernel")
    assert (inputs / "user.c").read_text() == before


def test_failing_tool_leaves_nothing(inputs):
    (inputs / "bad.o").write_text("not an object")
    before = sorted(p.name for p in inputs.iterdir())
    with pytest.raises(RuntimeError, match=r"Command failed with status \d+: ld -r"):
        embed_cubin(inputs / "kernel.cubin", inputs / "bad.o", inputs / "out.o", name="k")
    assert sorted(p.name for p in inputs.iterdir()) == before


def test_missing_tool_is_explained(inputs, monkeypatch):
    monkeypatch.setenv("PATH", str(inputs))
    with pytest.raises(RuntimeError, match="`ld` is not installed"):
        embed_cubin(inputs / "kernel.cubin", inputs / "user.o", inputs / "out.o", name="k")


# ---- the command ----


def options(directory, **changed):
    values = {
        "output-obj": directory / "out.o",
        "input-obj": directory / "user.o",
        "cubin": directory / "kernel.cubin",
        "name": "kernel",
        **changed,
    }
    return [text for key, value in values.items() for text in (f"--{key}", str(value))]


@pytest.mark.spec("TOOL-TO9")
def test_command_line(inputs):
    environment = dict(os.environ, PYTHONPATH=str(Path(tvm_ffi.__file__).parents[1]))
    done = execute(
        sys.executable,
        "-m",
        "tvm_ffi.utils.embed_cubin",
        *options(inputs),
        "--verbose",
        status=None,
        env=environment,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "+ objcopy" in done.stdout
    assert (inputs / "out.o").is_file()


@pytest.mark.spec("PY-J274")
def test_exit_status_says_what_failed(inputs, capsys):
    (inputs / "bad.o").write_text("not an object")
    assert main(options(inputs)) == 0
    assert main(options(inputs, cubin=inputs / "absent")) == 1
    assert main(options(inputs, **{"input-obj": inputs / "absent.o"})) == 1
    assert main(options(inputs, **{"input-obj": inputs / "bad.o"})) == 2
    assert main(options(inputs, name="a b")) == 3
    assert "CUBIN file not found" in capsys.readouterr().err
