# SPDX-License-Identifier: Apache-2.0
"""Test that Rust code from `tvm-ffi-stubgen --target rust` compiles."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
TYPES = HERE.parent / "python" / "stub" / "rust_types.py"
TESTING = Path(os.environ.get("TVM_FFI_LIBDIR", "")) / "libtvm_ffi_testing.so"
MARK = "// tvm-ffi-stubgen"
DENY = "#![deny(warnings)]\n"


@pytest.fixture
def demo(make_crate, tmp_path):
    """Return a function that makes a crate; the stub generator fills the source files."""
    shutil.copy(TYPES, tmp_path)
    crate = make_crate("demo")

    def generate(*options, lib=DENY):
        crate.write(lib=lib)
        command = [sys.executable, "-m", "tvm_ffi.stub.cli", "--target", "rust"]
        path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
        done = subprocess.run(
            [*command, "--imports", "rust_types;tvm_ffi.testing", *options, crate.folder / "src"],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return crate

    return generate


def init(prefix):
    return ("--init-pypkg", "demo", "--init-lib", "demo", "--init-prefix", prefix)


@pytest.mark.spec("TOOL-SR10", "RUST-R42")
@pytest.mark.parametrize("prefix", ["rust", "testing"])
def test_packages_compile_and_the_sizes_are_right(demo, prefix):
    crate = demo(*init(prefix))
    result = crate.cargo("check")
    assert result.returncode == 0, result.stderr
    assert "warning" not in result.stderr
    path = crate.folder / "src" / prefix / "mod.rs"
    path.write_text(re.sub(r"(size_of::<\w+>\(\) == )", r"\1 1 + ", path.read_text(), count=1))
    result = crate.cargo("check")
    assert result.returncode != 0, "the compiler does not look at the assertions"


@pytest.mark.spec("TOOL-SR10")
def test_directives_compile(demo):
    directives = [
        "enum): testing.TestCxxClassBase.v_i32 -> Mode(i32) { A=0, B=7 }",
        "opaque): testing.TestCxxClassBase",
        "nullable): testing.TestVisitHook.child",
        "custom-new): testing.TestIntPair",
        "upcast): testing.TestIntPair -> tvm_ffi::object::ObjectRef",
    ]
    keys = ("testing.TestCxxClassBase", "testing.TestVisitHook", "testing.TestIntPair")
    blocks = ["import-section", *(f"object/{key}" for key in keys)]
    lines = [f"{MARK}({directive}" for directive in directives]
    lines += [f"{MARK}(begin): {block}\n{MARK}(end)" for block in blocks]
    crate = demo(lib=DENY + "\n".join(lines) + "\n")
    result = crate.cargo("check")
    assert result.returncode == 0, result.stderr
    assert "warning" not in result.stderr


@pytest.mark.spec("RUST-R42")
def test_a_program_uses_the_generated_types(demo):
    crate = demo(*init("testing"))
    crate.write(main=(HERE / "programs" / "stubgen.rs").read_text())
    done = crate.run(TESTING)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
