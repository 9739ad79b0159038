# SPDX-License-Identifier: Apache-2.0
"""Test the example of a package with a Rust library: build the wheel and use it."""

from __future__ import annotations

import importlib.metadata
import inspect
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from running import execute

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "07_rust_extension"
PRINTED = re.compile(r"print\(.*\)  # (.*)$", re.MULTILINE)


@pytest.fixture(scope="module")
def sources():
    """Copy the example, and make the copy use the Debian packages of its Rust dependencies."""
    # Use the same directory each time, so that cargo replaces its earlier output.
    sources = Path(os.environ["CARGO_TARGET_DIR"]) / "crates" / "07_rust_extension"
    shutil.rmtree(sources, ignore_errors=True)
    shutil.copytree(EXAMPLE, sources, ignore=shutil.ignore_patterns("target", "Cargo.lock"))
    manifest = (sources / "Cargo.toml").read_text()
    crate = str(ROOT / "rust" / "tvm-ffi")
    (sources / "Cargo.toml").write_text(manifest.replace("../../rust/tvm-ffi", crate))
    (sources / ".cargo").mkdir()
    shutil.copy(ROOT / "rust" / "offline.toml", sources / ".cargo" / "config.toml")
    return sources


@pytest.fixture(scope="module")
def wheel(sources, tmp_path_factory):
    """Build the wheel without a package registry."""
    out = tmp_path_factory.mktemp("wheel")
    execute(
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "-t",
        "wheel",
        "-d",
        out,
        cwd=sources,
        env={**os.environ, "CARGO_NET_OFFLINE": "true"},
    )
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Install the wheel into a directory."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def rust_tools(installed):
    """Import the package from that directory."""
    sys.path.insert(0, str(installed))
    try:
        import rust_tools
    finally:
        sys.path.remove(str(installed))
    return rust_tools


def test_clippy_has_no_advice(sources):
    done = execute(
        "cargo", "clippy", "--offline", "--quiet", "--", "-D", "warnings", status=None, cwd=sources
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_wheel_serves_every_python(wheel, installed):
    assert wheel.name.startswith("rust_tools_example-1.0-py3-none-")
    (found,) = importlib.metadata.distributions(name="rust-tools-example", path=[str(installed)])
    files = {str(file) for file in found.files or () if file.parts[0] == "rust_tools"}
    python = {"rust_tools/__init__.py", "rust_tools/_ffi_api.py"}
    assert files == {*python, "rust_tools/py.typed", "rust_tools/librust_tools.so"}


def test_the_readme_prints_what_it_says(installed):
    pytest.importorskip("numpy")
    (program,) = re.findall(r"```python\n(.*?)```", (EXAMPLE / "README.md").read_text(), re.DOTALL)
    path = os.pathsep.join([str(installed), os.environ["PYTHONPATH"]])
    done = execute(sys.executable, "-c", program, env={**os.environ, "PYTHONPATH": path})
    assert done.stdout.splitlines() == PRINTED.findall(program)


def test_kernel_checks_its_arguments(rust_tools):
    np = pytest.importorskip("numpy")
    x = np.arange(6, dtype="float32")
    rust_tools.axpy(0.5, x, x, x)
    assert x.tolist() == [0, 1.5, 3, 4.5, 6, 7.5]
    with pytest.raises(ValueError, match=r"^y: expected the shape of x, \[6\], got \[2, 3\]$"):
        rust_tools.axpy(1.0, x, x.reshape(2, 3), x)
    with pytest.raises(TypeError, match=r"^Tensor has data type float64, expected float32$"):
        rust_tools.axpy(1.0, x, x.astype("float64"), x)
    with pytest.raises(RuntimeError, match=r"^Tensor is not contiguous$"):
        rust_tools.axpy(1.0, x[::2], x[:3], x[:3])
    with pytest.raises(TypeError, match="Argument #3: Cannot convert from type `int` to `Tensor`"):
        rust_tools.axpy(1.0, x, x, 3)


@pytest.mark.spec("RUST-R26")
def test_functions_and_classes_have_signatures(rust_tools):
    signature = "(arg0: float, arg1: Tensor, arg2: Tensor, arg3: Tensor, /)"
    assert repr(rust_tools.axpy) == f"<Function rust_tools.axpy{signature}>"
    assert rust_tools.axpy.__doc__ == "Store alpha * x + y in out."
    assert list(inspect.signature(rust_tools.Add).parameters) == ["lhs", "rhs"]
    assert inspect.signature(rust_tools.Var).parameters["name"].default == "x"


def test_expressions(rust_tools):
    a, b = rust_tools.Var("a"), rust_tools.Var()
    total = rust_tools.Add(a, rhs=b)
    assert total.lhs.same_as(a)
    assert total.rhs.name == "x"
    assert isinstance(total, rust_tools.Expr)
    swapped = total.swapped()
    assert type(swapped) is rust_tools.Add
    assert list(rust_tools.names(swapped)) == ["x", "a"]
    with pytest.raises(TypeError, match=r"Cannot convert from type `int` to `rust_tools\.Expr`"):
        rust_tools.Add(a, 1)


def test_stubs_are_up_to_date(installed, tmp_path):
    """Test that the generated blocks in the committed file are up to date."""
    shutil.copytree(EXAMPLE / "python", tmp_path / "python")
    path = os.pathsep.join([str(installed), os.environ["PYTHONPATH"]])
    command = [sys.executable, "-m", "tvm_ffi.stub.cli", "--imports", "rust_tools", "--check"]
    execute(*command, tmp_path / "python", env={**os.environ, "PYTHONPATH": path})
