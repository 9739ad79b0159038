# SPDX-License-Identifier: Apache-2.0
"""Test the paths of the parts of the package, and the command that prints them."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import libinfo
from tvm_ffi.module import LibraryNotFoundError


@pytest.mark.spec("PY-J270")
@pytest.mark.parametrize(
    ("find", "entry"),
    [
        (libinfo.find_include_path, "tvm/ffi/c_api.h"),
        (libinfo.find_dlpack_include_path, "dlpack/dlpack.h"),
        (libinfo.find_python_helper_include_path, "tvm_ffi_python_helpers.h"),
        (libinfo.find_cmake_path, "tvm_ffi-config.cmake"),
        (libinfo.find_pkgconfig_path, "tvm-ffi.pc"),
        (libinfo.find_source_path, "CMakeLists.txt"),
    ],
)
def test_directory_holds_what_it_is_for(find, entry):
    directory = find()
    assert isinstance(directory, str)
    assert directory == str(Path(directory).resolve())
    assert (Path(directory) / entry).is_file()


def test_library_and_extension_exist():
    library, extension = Path(libinfo.find_libtvm_ffi()), Path(libinfo.find_cython_lib())
    assert library.is_file()
    assert library.name.startswith(("libtvm_ffi.", "tvm_ffi."))
    assert extension.is_file()
    assert extension.name.startswith("core.")


def test_include_paths_are_sorted_and_unique():
    paths = libinfo.include_paths()
    assert paths == sorted(set(paths))
    assert libinfo.find_include_path() in paths


@pytest.mark.parametrize(
    ("find", "message"),
    [
        (libinfo.find_include_path, "include path"),
        (libinfo.find_dlpack_include_path, "dlpack include path"),
        (libinfo.find_cmake_path, "cmake path"),
        (libinfo.find_pkgconfig_path, "pkg-config path"),
        (libinfo.find_source_path, "home path"),
        (libinfo.find_python_helper_include_path, "python helper include path"),
    ],
)
def test_absent_directory_is_an_error(find, message, monkeypatch, tmp_path):
    monkeypatch.setattr(libinfo, "_roots", lambda: (str(tmp_path), str(tmp_path)))
    with pytest.raises(RuntimeError, match=f"Cannot find {message}"):
        find()


def test_absent_library_is_an_error(monkeypatch, tmp_path):
    monkeypatch.setattr(libinfo, "_roots", lambda: (str(tmp_path), str(tmp_path)))
    monkeypatch.setattr(libinfo, "_find_installed_file", lambda package, names: None)
    monkeypatch.setenv("LD_LIBRARY_PATH", "")
    with pytest.raises(RuntimeError, match="Cannot find libtvm_ffi"):
        libinfo.find_libtvm_ffi()


# ---- libraries of other packages ----


@pytest.mark.spec("PY-J269")
def test_library_is_found_in_an_extra_path(tmp_path):
    (tmp_path / "sub").mkdir()
    library = tmp_path / "sub" / "libdummy.so"
    library.touch()
    # This path is not in resolved form, so the result shows whether it was resolved.
    extra = [tmp_path / "absent", tmp_path / "sub" / ".." / "sub"]
    found = libinfo._find_library_by_basename("nonexistent", "dummy", extra_lib_paths=extra)
    assert found == library.resolve()


def test_library_is_found_through_the_environment(monkeypatch, tmp_path):
    library = tmp_path / "libdummy.so"
    library.touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/no/such/directory: {tmp_path} :")
    assert libinfo._find_library_by_basename("nonexistent", "dummy") == library.resolve()
    with pytest.raises(RuntimeError):
        libinfo._find_library_by_basename("nonexistent", "dummy", use_env_path=False)


def test_installed_file_comes_before_extra_path(monkeypatch, tmp_path):
    (tmp_path / "site" / "pkg").mkdir(parents=True)
    (tmp_path / "site" / "pkg-1.0.dist-info").mkdir()
    (tmp_path / "site" / "pkg-1.0.dist-info" / "METADATA").write_text("Name: pkg\nVersion: 1.0\n")
    (tmp_path / "site" / "pkg-1.0.dist-info" / "RECORD").write_text(
        "pkg/gone/libdummy.so,,\npkg/libdummy.so,,\n"
    )
    (tmp_path / "site" / "pkg" / "libdummy.so").touch()
    (tmp_path / "libdummy.so").touch()
    monkeypatch.syspath_prepend(tmp_path / "site")
    found = libinfo._find_library_by_basename("pkg", "dummy", extra_lib_paths=[tmp_path])
    assert found == (tmp_path / "site" / "pkg" / "libdummy.so").resolve()


@pytest.mark.spec("PY-J269")
def test_extra_path_of_another_type_is_refused_before_anything_else(tmp_path):
    with pytest.raises(
        TypeError, match=r"extra_lib_paths\[1\] must be a pathlib\.Path, got str: 'there'"
    ):
        libinfo._find_library_by_basename("x", "dummy", extra_lib_paths=[tmp_path, "there"])


def test_missing_library_error_lists_the_directories(tmp_path):
    with pytest.raises(RuntimeError) as caught:
        libinfo._find_library_by_basename(
            "nonexistent",
            "dummy",
            extra_lib_paths=[tmp_path],
            use_fallback_build_path=False,
            use_env_path=False,
        )
    assert str(caught.value).splitlines() == [
        "Cannot find library libdummy.so; searched directories:",
        f"  {tmp_path}",
    ]


def _installed(folder, record):
    """Write the metadata of an installed distribution with these files."""
    info = folder / "fastk_demo-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fastk-demo\nVersion: 1.2\n")
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in record))


def test_distribution_without_its_library_is_named(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    _installed(tmp_path, ["fastk/__init__.py"])
    with pytest.raises(LibraryNotFoundError) as caught:
        libinfo.load_lib_module("fastk-demo", "fastk")
    assert str(caught.value).splitlines()[0] == (
        "Cannot find library libfastk.so: distribution fastk-demo 1.2 is installed, but has no "
        "such file: add install(TARGETS fastk DESTINATION ...) to the CMakeLists.txt of the "
        "package, or list the library as package data, and install it again; searched directories:"
    )


def test_distribution_whose_library_was_removed_is_named(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    _installed(tmp_path, ["fastk/libfastk.so"])
    with pytest.raises(LibraryNotFoundError, match=r"its file fastk/libfastk\.so was removed: "):
        libinfo.load_lib_module("fastk-demo", "fastk")


def test_missing_library_error_lists_no_directory_twice(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}:/no/such/bin:{tmp_path}")
    with pytest.raises(LibraryNotFoundError) as caught:
        libinfo.load_lib_module("nonexistent", "dummy", extra_lib_paths=[tmp_path])
    lines = str(caught.value).splitlines()[1:]
    assert len(lines) == len(set(lines))
    assert f"  {tmp_path}" in lines


def test_own_distribution_answers_to_both_names():
    names = {
        libinfo._find_library_by_basename(package, "tvm_ffi").name
        for package in ("fast-tvm-ffi", "apache-tvm-ffi")
    }
    assert names == {Path(libinfo.find_libtvm_ffi()).name}


def test_load_lib_ctypes():
    library = libinfo.load_lib_ctypes("apache-tvm-ffi", "tvm_ffi", "RTLD_LOCAL")
    assert isinstance(library, ctypes.CDLL)
    assert library.TVMFFIGetVersion is not None
    with pytest.raises(RuntimeError, match="Cannot find library"):
        libinfo.load_lib_ctypes("fast-tvm-ffi", "no_such_library", "RTLD_GLOBAL")
    with pytest.raises(AttributeError):
        libinfo.load_lib_ctypes("fast-tvm-ffi", "tvm_ffi", "RTLD_NO_SUCH_MODE")


def test_load_lib_module():
    module = libinfo.load_lib_module("apache-tvm-ffi", "tvm_ffi_testing")
    assert module.kind == "library"


# ---- helpers that clients use ----


def test_resolve_and_validate(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()

    def raises(path):
        raise OSError

    def asserts(path):
        raise AssertionError

    resolve = libinfo._resolve_and_validate
    assert resolve([tmp_path / "absent", inside], Path.is_dir) == str(inside.resolve())
    assert resolve([inside], lambda path: path / "more") == str(inside.resolve() / "more")
    assert resolve([inside], lambda path: 1) is None
    assert resolve([inside], raises) is None
    assert resolve([inside], asserts) is None
    assert resolve([], Path.is_dir) is None


def test_split_env_var(monkeypatch):
    monkeypatch.setenv("TVM_FFI_TEST_PARTS", os.pathsep.join(["a", "", " b ", ""]))
    assert libinfo._split_env_var("TVM_FFI_TEST_PARTS", os.pathsep) == ["a", "b"]
    assert libinfo._split_env_var("TVM_FFI_TEST_NOT_SET", ":") == []


# ---- the command ``tvm-ffi-config``

INCLUDES = f"-I{libinfo.find_include_path()} -I{libinfo.find_dlpack_include_path()}"
LIBRARY = libinfo.find_libtvm_ffi()


ENTRY = "from tvm_ffi_commands.config import __main__; __main__()"


def run_config(*arguments, python=(), module=("-m", "tvm_ffi.config")):
    environment = dict(os.environ, PYTHONPATH=str(Path(tvm_ffi.__file__).parents[1]))
    return execute(sys.executable, *python, *module, *arguments, status=None, env=environment)


@pytest.mark.spec("PY-J267", "TOOL-TO8")
@pytest.mark.parametrize(
    ("flag", "line"),
    [
        ("--includedir", libinfo.find_include_path()),
        ("--dlpack-includedir", libinfo.find_dlpack_include_path()),
        ("--cmakedir", libinfo.find_cmake_path()),
        ("--pkgconfigdir", libinfo.find_pkgconfig_path()),
        ("--libdir", os.path.dirname(LIBRARY)),
        ("--libfiles", LIBRARY),
        ("--sourcedir", libinfo.find_source_path()),
        ("--cython-lib-path", libinfo.find_cython_lib()),
        ("--cxxflags", f"{INCLUDES} -std=c++17"),
        ("--cflags", INCLUDES),
        ("--libs", "-ltvm_ffi"),
        ("--ldflags", f"-L{os.path.dirname(LIBRARY)}"),
    ],
)
def test_flag_prints_one_line_and_nothing_else(flag, line):
    done = run_config(flag)
    assert (done.returncode, done.stdout, done.stderr) == (0, line + "\n", "")


@pytest.mark.spec("PY-J268", "TOOL-TO8")
def test_lines_come_in_a_fixed_order():
    done = run_config("--ldflags", "--libs", "--cflags", "--libdir", "--includedir")
    assert done.stdout.splitlines() == [
        libinfo.find_include_path(),
        os.path.dirname(LIBRARY),
        INCLUDES,
        "-ltvm_ffi",
        f"-L{os.path.dirname(LIBRARY)}",
    ]


@pytest.mark.spec("PY-J268")
def test_without_arguments_it_explains_itself():
    done = run_config()
    assert done.returncode == 0
    assert done.stdout.startswith("usage:")
    assert "--cxxflags" in done.stdout
    assert run_config("--help").stdout == done.stdout


@pytest.mark.spec("PY-J268")
def test_unknown_argument_is_refused():
    done = run_config("--no-such-flag")
    assert done.returncode == 2
    assert "--no-such-flag" in done.stderr


@pytest.mark.spec("TOOL-TO8")
def test_no_native_code_and_no_third_party_is_loaded():
    flags = ("--cxxflags", "--libs", "--cython-lib-path")
    done = run_config(*flags, python=("-v",), module=("-c", ENTRY))
    assert (done.returncode, done.stdout) == (0, run_config(*flags).stdout)
    imported = set(re.findall(r"^import '([^']+)'", done.stderr, re.MULTILINE))
    assert "tvm_ffi.libinfo" in imported
    assert not {"tvm_ffi.core", "numpy", "torch"} & imported


@pytest.mark.parametrize("name", ["my-tvm-ffi-config", "tvm-ffi-cache", "tvm-ffi-schema.exe"])
def test_script_called_like_a_command_has_the_native_part(tmp_path, name, package_environment):
    script = tmp_path / name
    script.write_text("import tvm_ffi; print(tuple(tvm_ffi.Shape((1, 2))))")
    done = execute(sys.executable, script, status=None, env=package_environment)
    assert (done.stdout, done.stderr) == ("(1, 2)\n", "")
