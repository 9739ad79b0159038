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
from running import execute

from tvm_ffi import libinfo

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
    manifest = crate.folder / "Cargo.toml"
    text = manifest.read_text()
    manifest.write_text(re.sub("(tvm-ffi = { .*) }", r"\1, default-features = false }", text))

    def generate(*options, lib=DENY):
        crate.write(lib=lib)
        command = [sys.executable, "-m", "tvm_ffi.stub.cli", "--target", "rust"]
        path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
        execute(
            *command,
            "--imports",
            "rust_types;tvm_ffi.testing",
            *options,
            crate.folder / "src",
            env={**os.environ, "PYTHONPATH": path},
        )
        return crate

    return generate


@pytest.fixture(scope="module")
def stubs(tmp_path_factory):
    """Build the library whose methods have difficult names and types."""
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        pytest.skip("no C++ compiler")
    library = tmp_path_factory.mktemp("stubs") / "libstubs.so"
    libraries = os.environ["TVM_FFI_LIBDIR"]
    subprocess.run(
        [
            *(compiler, "-std=c++17", "-O0", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"),
            *(f"-I{libinfo.find_include_path()}", HERE / "programs" / "stubgen_methods.cc"),
            *("-o", library, f"-L{libraries}", "-ltvm_ffi", f"-Wl,-rpath,{libraries}"),
        ],
        check=True,
    )
    return library


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
        "enum): testing.TestCompare.key -> Key(i64) { A=0 }",
        "enum): testing.TestCxxKwOnly.w -> Width(i64) { A=0 }",
        "opaque): testing.TestCxxClassBase",
        "nullable): testing.TestVisitHook.child",
        "custom-new): testing.TestIntPair",
        "upcast): testing.TestIntPair -> tvm_ffi::object::ObjectRef",
    ]
    names = ("CxxClassBase", "VisitHook", "IntPair", "Compare", "CxxKwOnly")
    keys = tuple(f"testing.Test{name}" for name in names)
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


def blocks(*keys):
    """Return the empty blocks of types."""
    return "".join(f"{MARK}(begin): object/{key}\n{MARK}(end)\n" for key in keys)


@pytest.mark.spec("RUST-R42")
def test_methods_and_entries_of_enums_work(demo, stubs):
    crate = demo("--dlls", stubs, *init("stubs"))
    crate.write(main=(HERE / "programs" / "stubgen_methods.rs").read_text())
    done = crate.run(stubs)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    done = crate.cargo("clippy", "--lib")
    assert done.returncode == 0, done.stderr
    # The documentation of a method has a code block, which must not become a test.
    done = crate.cargo("test", "--doc")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "running 0 tests" in done.stdout


# The second file imports some of the names itself, and uses others for items of its own.
WRITTEN = """\
use std::ops::Deref;
use tvm_ffi::{reflection::{self, EnumDef}, Function, Result};

pub struct Object;
pub fn call(f: &Function) -> Result<()> {
    f.call_tuple(())?.try_into()
}
pub fn fast() -> Result<Mode> {
    EnumDef::<Mode>::get("fast")
}
pub fn parent<T: Deref<Target = ModeObj>>(mode: &T) -> &reflection::EnumObj {
    mode
}
"""
KEYS = ("stubs.Gauge", "stubs.FineGauge", "stubs.odd_names", "stubs.type", "stubs.Mode")
KEYS_OF_PYTHON = ("rust.Opaque", "rust.Plain", "rust.Step", "rust.OtherStep", "rust.Level")


@pytest.mark.spec("RUST-R42")
@pytest.mark.parametrize("section", ["", f"{MARK}(begin): import-section\n{MARK}(end)\n"])
@pytest.mark.parametrize("written", ["", WRITTEN])
def test_files_compile_with_any_imports(demo, stubs, section, written):
    crate = demo("--dlls", stubs, lib=DENY + section + written + blocks(*KEYS, *KEYS_OF_PYTHON))
    result = crate.cargo("check")
    assert result.returncode == 0, result.stderr
    assert "warning" not in result.stderr
    text = (crate.folder / "src" / "lib.rs").read_text()
    assert "pub fn fast() -> " in text
    assert text.count("struct FfiReflectionAccessStepObj") == 1
