# SPDX-License-Identifier: Apache-2.0
"""Test `pip install -e .`: import, call, compile, and edit a Python file."""

import shutil
import venv
from pathlib import Path

import pytest
from outside import ROOT, SETTINGS, Installed, run

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
def editable(wheel, checkout, tmp_path_factory):
    """Install the copy; the native code comes from the build tree of the wheel."""
    folder = tmp_path_factory.mktemp("editable")
    venv.create(folder, with_pip=True, symlinks=True)
    build = f"{ROOT}/build/wheel/{{wheel_tag}}"
    places = [f"cmake.source-dir={ROOT}", f"build-dir={build}"]
    settings = [*SETTINGS, *(f"--config-settings={place}" for place in places)]
    pip = (folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check")
    run(*pip, "install", "--no-deps", *settings, "-e", checkout, cwd=folder)
    return Installed(folder)


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
