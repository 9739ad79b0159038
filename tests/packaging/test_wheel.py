# SPDX-License-Identifier: Apache-2.0
"""Test the content of the wheel, and its use in an environment without other packages."""

import csv
import email
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from outside import ROOT, clean_environment, run
from running import execute

from tvm_ffi import _distribution

pytestmark = pytest.mark.packaging

SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
CONFIG_FLAGS = [
    *("--includedir", "--dlpack-includedir", "--cmakedir", "--pkgconfigdir", "--libdir"),
    *("--libfiles", "--sourcedir", "--cython-lib-path", "--cxxflags", "--cflags"),
    *("--libs", "--ldflags"),
]


def dynamic_section(path):
    return execute("readelf", "-d", path).stdout


def entries(path, tag):
    return re.findall(rf"\({tag}\)[^\[]*\[([^\]]*)\]", dynamic_section(path))


def test_layout(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for name in (
        "include/tvm/ffi/c_api.h",
        "include/tvm/ffi/tvm_ffi.h",
        "include/dlpack/dlpack.h",
        "include/tvm_ffi_python_helpers.h",
        "lib/libtvm_ffi.so",
        "lib/libtvm_ffi_testing.so",
        "share/cmake/tvm_ffi/tvm_ffi-config.cmake",
        "share/cmake/tvm_ffi/tvm_ffi-config-version.cmake",
        "share/cmake/tvm_ffi/Utils/Library.cmake",
        f"core{SUFFIX}",
        "core.pyi",
        "py.typed",
        "__init__.py",
        "CMakeLists.txt",
    ):
        assert f"tvm_ffi/{name}" in names, name
    packaged = {n for n in names if n.startswith("tvm_ffi/")}
    for folder, inside in (("include", "include"), ("src", "src"), ("python/tvm_ffi", ".")):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                name = Path("tvm_ffi", inside, path.relative_to(ROOT / folder)).as_posix()
                assert name in packaged, name
    # If the package has lost its `__init__.py`, Python imports `tvm_ffi.py`, which tells the user.
    outside = {n.split("/")[0] for n in names} - {"tvm_ffi", "tvm_ffi.py", "tvm_ffi_commands"}
    assert "tvm_ffi.py" in names
    assert {n.rpartition(".")[2] for n in outside} == {"dist-info"}
    assert not [n for n in names if "__pycache__" in n or n.startswith("tvm_ffi/python")]


def test_metadata(wheel, installed):
    meta = email.message_from_string((installed.dist_info / "METADATA").read_text())
    assert meta["Name"] == "fast-tvm-ffi"
    assert meta["Version"] == _distribution.VERSION
    assert meta["Requires-Python"] == ">=3.10"
    # Only extras have requirements.
    assert all("extra ==" in one for one in meta.get_all("Requires-Dist", []))
    assert meta["License-Expression"] == "Apache-2.0"
    assert list(installed.dist_info.rglob("LICENSE"))
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.name.startswith(f"fast_tvm_ffi-{_distribution.VERSION}-{tag}-{tag}{sys.abiflags}-")
    record = (installed.dist_info / "RECORD").read_text().splitlines()
    listed = [row[0] for row in csv.reader(record)]
    assert "tvm_ffi/lib/libtvm_ffi.so" in listed


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads ELF files")
def test_libraries_find_one_another(installed):
    runtime = installed.package / "lib" / "libtvm_ffi.so"
    testing = installed.package / "lib" / "libtvm_ffi_testing.so"
    core = installed.package / f"core{SUFFIX}"
    assert entries(runtime, "SONAME") == ["libtvm_ffi.so"]
    assert entries(runtime, "RUNPATH") + entries(runtime, "RPATH") == []
    assert not [n for n in entries(runtime, "NEEDED") if "python" in n]
    assert "libtvm_ffi.so" in entries(testing, "NEEDED")
    assert entries(testing, "RUNPATH") == ["$ORIGIN"]
    assert "libtvm_ffi.so" in entries(core, "NEEDED")
    assert entries(core, "RUNPATH") == ["$ORIGIN/lib"]
    assert not [n for n in entries(core, "NEEDED") if "python" in n]


def test_import_loads_nothing_third_party(installed):
    program = (
        "import sys, tvm_ffi; from tvm_ffi import core; print(tvm_ffi.__version__);"
        "print(sorted(n for n in ('numpy', 'torch', 'subprocess') if n in sys.modules))"
    )
    out = run(installed.python, "-c", program, cwd=installed.folder)
    assert out.split("\n")[:2] == ["0.1.16", "[]"]


def test_a_function_of_the_runtime_is_called(installed):
    program = (
        "import tvm_ffi; f = tvm_ffi.get_global_func('ffi.Array');"
        "a = f(1, 'two', None); print(type(a).__name__, len(a), a[1])"
    )
    assert run(installed.python, "-c", program, cwd=installed.folder) == "Array 3 two\n"


@pytest.mark.parametrize("flag", CONFIG_FLAGS)
def test_config_prints_one_line(installed, flag):
    result = execute(
        installed.bin / "tvm-ffi-config",
        flag,
        status=None,
        cwd=installed.folder,
        env=clean_environment(),
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) == 1
    if flag.endswith(("dir", "files", "path")):
        assert Path(result.stdout.strip()).exists()
        assert str(installed.package) in result.stdout


def test_config_order_usage_and_errors(installed):
    both = installed.config("--ldflags", "--libs", "--includedir").splitlines()
    lines = [installed.config(f).strip() for f in ("--includedir", "--libs", "--ldflags")]
    assert both == lines
    assert "usage" in installed.config()
    command = [installed.bin / "tvm-ffi-config", "--no-such"]
    bad = subprocess.run(command, capture_output=True, env=clean_environment())
    assert bad.returncode == 2
    module = run(installed.python, "-m", "tvm_ffi.config", "--libdir", cwd=installed.folder)
    assert module == installed.config("--libdir")
