# SPDX-License-Identifier: Apache-2.0
"""Test `pip install -e .`: import, call, compile, and edit a Python file."""

import shutil
from pathlib import Path

import pytest
from outside import BUILT_HERE, ROOT, Installed, run

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Copy the files that Python imports and those that describe the distribution."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("include", "python", "cmake"):
        leave = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=leave)
    return folder


@pytest.fixture(scope="module")
def editable(wheel, builder, checkout):
    """Install the copy; the native code comes from the build tree of the wheel."""
    places = (f"cmake.source-dir={ROOT}", f"build-dir={ROOT}/build/wheel/{{wheel_tag}}")
    settings = (f"--config-settings={place}" for place in places)
    run(builder / "bin" / "pip", "install", *BUILT_HERE, *settings, "-e", checkout, cwd=builder)
    return Installed(builder)


def test_an_editable_installation_is_imported_and_called(editable, checkout):
    program = (
        "import tvm_ffi, tvm_ffi.testing; print(tvm_ffi.__file__)\n"
        "print(tvm_ffi.get_global_func('testing.add_one')(41), tvm_ffi.Array([1]))"
    )
    said = run(editable.python, "-c", program, cwd=editable.folder).split("\n")
    assert said[:2] == [str(checkout / "python" / "tvm_ffi" / "__init__.py"), "42 (1,)"]


def test_an_editable_installation_has_all_parts(editable):
    for flag in ("includedir", "pkgconfigdir", "libfiles", "ldflags"):
        assert editable.config(f"--{flag}")
    # Beside the libraries, which the CMake package looks for near itself; the checkout has none.
    place = editable.package / "share" / "cmake" / "tvm_ffi"
    assert Path(editable.config("--cmakedir").strip()) == place.resolve()


def test_an_edit_is_seen(editable, checkout):
    path = checkout / "python" / "tvm_ffi" / "registry.py"
    with path.open("a") as stream:
        stream.write("\nEDITED = 'yes'\n")
    program = f"import tvm_ffi.{path.stem} as edited; print(edited.EDITED)"
    assert run(editable.python, "-c", program, cwd=editable.folder).strip() == "yes"
