# SPDX-License-Identifier: Apache-2.0
"""Test modules, the libraries of functions."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
import subprocess
from pathlib import Path

import pytest

import tvm_ffi
from tvm_ffi import libinfo, registry
from tvm_ffi.module import ModulePropertyMask

LIBRARY = str(libinfo._find_library_by_basename("fast-tvm-ffi", "tvm_ffi_testing"))
NAME = "testing_dll_schema_id_int"
DOCUMENTED = "testing_dll_test_add_with_docstring"


@pytest.fixture
def module():
    return tvm_ffi.load_module(LIBRARY)


# ---- functions of a module ----


@pytest.mark.spec("PY-J250")
@pytest.mark.parametrize("path", [LIBRARY, Path(LIBRARY)], ids=["str", "Path"])
def test_load_and_call(path):
    module = tvm_ffi.load_module(path)
    assert type(module) is tvm_ffi.Module
    assert getattr(module, NAME)(5) == 5
    assert module[NAME](5) == 5
    assert module.get_function(NAME)(5) == 5
    assert getattr(module, NAME) is getattr(module, NAME)
    assert module.implements_function(NAME)


@pytest.mark.spec("PY-J251")
def test_missing_function(module):
    for use in (
        lambda: module.no_such,
        lambda: module["no_such"],
        lambda: module.get_function("no_such"),
        lambda: module.get_function("no_such", query_imports=True),
    ):
        with pytest.raises(AttributeError, match="Module has no function 'no_such'"):
            use()
    assert not hasattr(module, "no_such")
    assert not module.implements_function("no_such")
    for bad in (1, None, b"name"):
        with pytest.raises(ValueError, match="Can only take string as function name"):
            module[bad]
    with pytest.raises(AttributeError, match="Module has no function 'main'"):
        module()


def test_entry_function_is_called():
    class WithEntry(tvm_ffi.Module):
        entry_name = NAME

    entry = WithEntry.__new__(WithEntry)
    entry.__move_handle_from__(tvm_ffi.load_module(LIBRARY))
    assert entry(7) == 7


def test_wrong_arguments_name_the_exported_function(module):
    with pytest.raises(TypeError, match=f"`{NAME}\\(0: int\\) -> int`. Expected 1 but got 2"):
        module[NAME](1, 2)


@pytest.mark.spec("PY-J252")
def test_metadata_and_documentation(module):
    assert "type_schema" in module.get_function_metadata(DOCUMENTED)
    assert module.get_function_metadata("no_such") is None
    text = module.get_function_doc(DOCUMENTED)
    assert isinstance(text, str)
    assert "add" in text.splitlines()[0].lower()
    assert module.get_function_doc("no_such") is None


@pytest.mark.spec("PY-J253", "PY-J254")
def test_description(module):
    assert module.kind == "library"
    assert module.get_property_mask() == 3
    assert module.is_binary_serializable()
    assert module.is_runnable()
    assert not module.is_compilation_exportable()
    assert module.inspect_source() == ""
    assert list(module.get_write_formats()) == []
    assert list(ModulePropertyMask) == [1, 2, 4]
    assert ModulePropertyMask.COMPILATION_EXPORTABLE == tvm_ffi.module._COMPILATION_EXPORTABLE == 4
    assert pickle.loads(pickle.dumps(ModulePropertyMask.RUNNABLE)) == tvm_ffi.module._RUNNABLE
    with pytest.raises(RuntimeError, match=r"Module\[library\] does not support WriteToFile"):
        module.write_to_file("never_written.so")
    assert not os.path.exists("never_written.so")
    assert pickle.loads(pickle.dumps(module)).kind == module.kind


def test_functions_of_the_library_are_attributes_on_first_access():
    api = tvm_ffi._ffi_api
    assert {"ArraySize", "ModuleLoadFromFile"} <= set(dir(api))
    assert not any("." in name for name in dir(api))
    assert api.ArraySize is api.ArraySize
    assert api.ArraySize.__name__ == "ArraySize"
    for name in ("NoSuchFunction", "reflection"):
        with pytest.raises(AttributeError, match=f"tvm_ffi._ffi_api' has no attribute '{name}'"):
            getattr(api, name)


@pytest.mark.spec("PY-J255")
def test_imports(module):
    other = tvm_ffi.load_module(LIBRARY)
    assert not other.same_as(module)
    holder = tvm_ffi.system_lib("pytest.module.none.")
    holder.clear_imports()
    holder.import_module(module)
    assert list(holder.imports) == [module]
    assert holder.imports[0] is module
    assert not holder.implements_function(NAME)
    assert holder.implements_function(NAME, query_imports=True)
    assert holder.get_function(NAME, query_imports=True)(3) == 3
    for importer, imported in ((module, holder), (holder, holder)):
        with pytest.raises(RuntimeError, match="Cyclic dependency detected during import"):
            importer.import_module(imported)
    holder.clear_imports()
    assert len(holder.imports) == 0


@pytest.mark.spec("PY-J258")
def test_function_keeps_its_module_loaded():
    module = tvm_ffi.load_module(LIBRARY, keep_module_alive=False)
    function = module[NAME]
    del module
    gc.collect()
    assert function(5) == 5


@pytest.mark.spec("PY-J256")
def test_system_library():
    assert tvm_ffi.system_lib("testing.")["add_one"](10) == 11
    assert tvm_ffi.system_lib() == tvm_ffi.system_lib()
    assert tvm_ffi.system_lib("testing.") != tvm_ffi.system_lib()


def test_empty_module_is_refused():
    empty = tvm_ffi.Module.__new__(tvm_ffi.Module)
    with pytest.raises(ValueError, match="is empty"):
        empty.get_function("name")
    with pytest.raises(ValueError, match="is empty"):
        _ = empty.kind


def test_class_can_be_registered_again():
    class Mine(tvm_ffi.Module):
        pass

    try:
        registry.register_object("ffi.Module")(Mine)
        assert type(tvm_ffi.load_module(LIBRARY)) is Mine
    finally:
        registry.register_object("ffi.Module")(tvm_ffi.Module)


# ---- paths that cannot be loaded ----


@pytest.mark.spec("PY-J257")
def test_path_without_format():
    with pytest.raises(RuntimeError, match="Failed to get file format from abc"):
        tvm_ffi.load_module("abc")


@pytest.mark.spec("PY-J257")
def test_format_without_loader():
    with pytest.raises(RuntimeError, match=r"Loader for `\.xyz` files is not registered"):
        tvm_ffi.load_module("library.xyz")


@pytest.mark.parametrize("name", ["src/fastk.cc", "fastk.cpp", "fastk.cu"])
def test_source_file_is_not_a_library(name):
    suffix = name.rpartition(".")[2]
    loader = rf"resolved to \(ffi\.Module\.load_from_file\.{suffix}\) in the global registry\. "
    hint = r"The file is source code: compile it first, or use tvm_ffi\.cpp\.load"
    with pytest.raises(RuntimeError, match=rf"^Loader for `\.{suffix}` .*{loader}{hint}"):
        tvm_ffi.load_module(name)


@pytest.mark.parametrize("bad", [None, 5])
def test_path_of_another_type(bad):
    with pytest.raises(TypeError):
        tvm_ffi.load_module(bad)


def one_sentence(path):
    with pytest.raises(RuntimeError) as caught:
        tvm_ffi.load_module(path)
    text = str(caught.value)
    assert "\n" not in text
    assert str(path) in text
    return text


@pytest.mark.spec("PY-J257")
def test_missing_file(tmp_path):
    text = one_sentence(tmp_path / "missing.so")
    assert "Failed to load dynamic shared library" in text


@pytest.mark.parametrize("content", [b"", b"just text\n", b"\x7fELF", b"\x7fELF" + bytes(200)])
def test_file_that_is_not_a_library(tmp_path, content):
    path = tmp_path / "library.so"
    path.write_bytes(content)
    assert "Failed to load dynamic shared library" in one_sentence(path)


@pytest.mark.parametrize("kept", [0.05, 0.1, 0.2])
def test_truncated_library_does_not_kill_the_process(tmp_path, kept):
    whole = Path(libinfo.find_libtvm_ffi()).read_bytes()
    path = tmp_path / "library.so"
    path.write_bytes(whole[: int(len(whole) * kept)])
    assert "the file is truncated" in one_sentence(path)


@pytest.mark.spec("PY-J275")
def test_failed_native_check_does_not_end_the_process(run_python):
    out = run_python(
        """
import tvm_ffi
for fail in (
    lambda: tvm_ffi.get_global_func("testing.test_raise_error")("InternalError", "text"),
    lambda: tvm_ffi.load_module("/no/such/library.so"),
):
    try:
        fail()
    except RuntimeError as error:
        print("alive")
"""
    )
    assert out.split() == ["alive", "alive"]


def test_directory_is_not_a_library(tmp_path):
    (tmp_path / "library.so").mkdir()
    one_sentence(tmp_path / "library.so")


def compile_c(directory, source):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    library = directory / "library.so"
    (directory / "library.c").write_text(source)
    command = [compiler, "-shared", "-fPIC", str(directory / "library.c"), "-o", str(library)]
    subprocess.run(command, check=True)
    return library


def test_library_of_another_abi_version(tmp_path):
    path = compile_c(
        tmp_path, "const unsigned __tvm_ffi__abi_version[3] = {99, 3, 1}; int symbol = 1;"
    )
    text = one_sentence(path)
    assert "99.3" in text
    assert ".".join(map(str, tvm_ffi.__version_tuple__[:2])) in text


def test_library_that_exports_nothing(tmp_path):
    module = tvm_ffi.load_module(compile_c(tmp_path, "int symbol = 1;"))
    assert not module.implements_function("symbol")


@pytest.mark.parametrize("name", ["lib.so.6", "lib.so.1.2.3"])
def test_library_with_a_version_is_a_library(tmp_path, name):
    """Before the fix, the error was that the loader for `.6` is not registered."""
    path = tmp_path / name
    path.symlink_to(LIBRARY)  # a copy would register its functions again
    assert tvm_ffi.load_module(path)[NAME](5) == 5


@pytest.mark.parametrize("name", ["lib.so.", "lib.so6.1", "lib.so..6", "lib.so.6.", "6"])
def test_name_that_only_resembles_a_version_is_not_a_library(tmp_path, name):
    with pytest.raises(RuntimeError, match=r"Loader for|Failed to get file format"):
        tvm_ffi.load_module(tmp_path / name)
