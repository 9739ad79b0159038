# SPDX-License-Identifier: Apache-2.0
"""Test init mode, which writes files for prefixes that do not have files yet."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi.dataclasses import py_class
from tvm_ffi.stub import consts, lib_state

FLAGS = [
    *("--init-pypkg", "fast-tvm-ffi", "--init-lib", "tvm_ffi_testing", "--init-prefix", "testing"),
]
JSON_FLAGS = ["--init-pypkg", "p", "--init-lib", "l", "--init-prefix", "ffi."]


def keys_of(path):
    lines = path.read_text().splitlines()
    return [line.partition("object/")[2] for line in lines if "begin): object/" in line]


def files_in(directory):
    return {str(path.relative_to(directory)) for path in Path(directory).rglob("*.py")}


@pytest.mark.spec("TOOL-V1")
def test_files_of_each_prefix(stubgen, tmp_path):
    assert stubgen(*JSON_FLAGS, tmp_path / "new")[0] == 0
    folders = {str(Path(name).parent) for name in files_in(tmp_path / "new")}
    assert {"ffi", "ffi/json"} <= folders
    assert all(folder.split("/")[0] == "ffi" for folder in folders)
    assert files_in(tmp_path / "new" / "ffi" / "json") == {"_ffi_api.py", "__init__.py"}


def test_a_new_package_is_marked_as_typed(stubgen, tmp_path):
    assert stubgen(*JSON_FLAGS, "--dry-run", tmp_path)[0] == 0
    assert list(tmp_path.iterdir()) == []
    assert stubgen(*JSON_FLAGS, tmp_path)[0] == 0
    assert [path.relative_to(tmp_path) for path in tmp_path.rglob("py.typed")] == [
        Path("ffi/py.typed")
    ]
    (tmp_path / "ffi" / "py.typed").write_text("partial\n")
    (tmp_path / "ffi" / "json" / "_ffi_api.py").unlink()
    assert stubgen(*JSON_FLAGS, tmp_path)[0] == 0
    assert (tmp_path / "ffi" / "py.typed").read_text() == "partial\n"


@pytest.mark.spec("TOOL-V2")
def test_only_the_root_loads_the_library(stubgen, tmp_path):
    assert stubgen(*JSON_FLAGS, tmp_path)[0] == 0
    root = (tmp_path / "ffi" / "_ffi_api.py").read_text()
    assert root.startswith('"""FFI API bindings for ffi."""\n')
    assert root.count('LIB = _FFI_LOAD_LIB("p", "l")') == 1
    assert "from tvm_ffi.libinfo import load_lib_module as _FFI_LOAD_LIB" in root
    assert "LIB =" not in (tmp_path / "ffi" / "json" / "_ffi_api.py").read_text()
    assert '"LIB",' in root


@pytest.mark.spec("TOOL-V3")
def test_parents_come_first_and_foreign_ones_are_imported(stubgen, tmp_path):
    assert stubgen(*FLAGS, tmp_path)[0] == 0
    text = (tmp_path / "testing" / "_ffi_api.py").read_text()
    keys = keys_of(tmp_path / "testing" / "_ffi_api.py")
    assert keys.index("testing.TestObjectBase") < keys.index("testing.TestObjectDerived")
    assert "class TestObjectDerived(TestObjectBase):" in text
    assert "class TestObjectBase(_ffi_Object):" in text
    assert "# tvm-ffi-stubgen(import-object): ffi.Object;False;_ffi_Object" in text
    assert "Object as _ffi_Object" in text


@pytest.mark.spec("TOOL-TO20")
def test_types_that_python_cannot_name_get_no_class(stubgen, tmp_path):
    @py_class("pytest_unnameable.class")
    class Parent(tvm_ffi.Object):
        x: int

    @py_class("pytest_unnameable.Child")
    class Child(Parent):
        y: int

    flags = ["--init-pypkg", "p", "--init-lib", "l", "--init-prefix", "pytest_unnameable"]
    assert stubgen(*flags, tmp_path)[0] == 0
    path = tmp_path / "pytest_unnameable" / "_ffi_api.py"
    text = path.read_text()
    compile(text, str(path), "exec")
    assert keys_of(path) == ["pytest_unnameable.Child"]
    assert "class Child(_ffi_Object):" in text
    assert stubgen(*flags, tmp_path)[0] == 0
    assert path.read_text() == text


@pytest.mark.spec("TOOL-V4")
def test_second_run_changes_nothing(stubgen, tmp_path):
    assert stubgen(*FLAGS, tmp_path)[0] == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.py")}
    assert stubgen(*FLAGS, tmp_path)[0] == 0
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.py")} == before


@pytest.mark.spec("TOOL-V4")
def test_new_types_are_added_before_the_exports(stubgen, tmp_path):
    assert stubgen(*FLAGS, tmp_path)[0] == 0
    path = tmp_path / "testing" / "_ffi_api.py"
    lines = path.read_text().splitlines()
    begin = lines.index('@_FFI_REG_OBJ("testing.TestIntPair")')
    end = next(i for i in range(begin, len(lines)) if "stubgen(end)" in lines[i]) + 2
    path.write_text("\n".join(lines[:begin] + lines[end:]) + "\n")
    assert "testing.TestIntPair" not in keys_of(path)
    assert stubgen(*FLAGS, tmp_path)[0] == 0
    text = path.read_text()
    assert "testing.TestIntPair" in keys_of(path)
    assert text.count("LIB = ") == 1
    assert text.count(";_FFI_LOAD_LIB") == 1
    assert text.index('@_FFI_REG_OBJ("testing.TestIntPair")') < text.index("__all__ = [")


@pytest.mark.spec("TOOL-V5")
def test_what_exists_or_is_skipped_is_left_out(stubgen, stub_file, tmp_path):
    stub_file(
        "object/testing.TestIntPair",
        "global/testing",
        "# tvm-ffi-stubgen(skip): testing.TestCompare",
        name="mine.py",
    )
    assert stubgen(*FLAGS, tmp_path)[0] == 0
    path = tmp_path / "testing" / "_ffi_api.py"
    keys = keys_of(path)
    assert not {"testing.TestIntPair", "testing.TestCompare"} & set(keys)
    assert "global/testing" not in path.read_text()


@pytest.mark.spec("TOOL-V5")
def test_types_of_the_package_never_appear(stubgen, tmp_path):
    assert stubgen(*JSON_FLAGS, tmp_path)[0] == 0
    assert not consts.BUILTIN_TYPE_KEYS & set(keys_of(tmp_path / "ffi" / "_ffi_api.py"))


@pytest.mark.spec("TOOL-V6")
def test_generated_package_can_be_imported(stubgen, stub_file, tmp_path, run_python):
    if importlib.util.find_spec("tvm_ffi.dataclasses") is None:
        # Skip the enums: generated enum classes import their bases from the missing module.
        infos = map(lib_state.object_info_from_type_key, lib_state.collect_type_keys()["testing"])
        enums = [i.type_key for i in infos if str(i.parent_type_key).endswith("Enum")]
        stub_file(*(f"# tvm-ffi-stubgen(skip): {key}" for key in enums), name="skips.py")
    assert stubgen(*FLAGS, tmp_path)[0] == 0
    (tmp_path / "testing").rename(tmp_path / "generated_testing")
    out = run_python(
        "import sys; sys.path.insert(0, sys.argv[1] if len(sys.argv) > 1 else "
        f"{str(tmp_path)!r})\n"
        "import generated_testing as g\n"
        "print(g.add_one(1), g.TestIntPair(1, 2).sum(), 'LIB' in g.__all__)"
    )
    assert out == "2 3 True"


@pytest.mark.skipif(sys.platform == "win32", reason="paths")
def test_base_is_the_directory_of_a_file(stubgen, stub_file, tmp_path):
    path = stub_file("__all__", name="pkg/mod.py")
    assert stubgen(*JSON_FLAGS, path)[0] == 0
    assert (tmp_path / "pkg" / "ffi" / "_ffi_api.py").is_file()


@pytest.fixture(scope="module")
def clashing_types():
    """Register types whose names or field names equal the names of types that they use."""

    @py_class("pytest_clash.Shape")
    class Shape(tvm_ffi.Object):
        dtype: tvm_ffi.dtype
        again: tvm_ffi.dtype
        shape: tvm_ffi.Shape

    @py_class("pytest_clash.Device")
    class Device(Shape):
        device: tvm_ffi.Device
        own: Shape

    return Shape, Device


@pytest.mark.spec("TOOL-TO20")
@pytest.mark.parametrize("prefix", ["testing", "pytest_clash"])
@pytest.mark.parametrize("whole", [False, True])
def test_type_checker_accepts_what_is_written(stubgen, tmp_path, clashing_types, prefix, whole):
    pytest.importorskip("mypy", reason="mypy is not installed")
    flags = [
        "--init-pypkg",
        "fast-tvm-ffi",
        "--init-lib",
        "tvm_ffi_testing",
        "--init-prefix",
        prefix,
    ]
    assert stubgen(*flags, tmp_path)[0] == 0
    if whole:
        assert stubgen("--pyi", tmp_path)[0] == 0
    # The constructor of a native subclass has more parameters than that of its base.
    options = ["--follow-imports=silent", "--no-incremental", "--disable-error-code=override"]
    execute(
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        os.devnull,
        *options,
        "-p",
        prefix,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(Path(tvm_ffi.__file__).parents[1])},
    )
