# SPDX-License-Identifier: Apache-2.0
"""Test modules in pickles: found by path and digest, or sent with their bytes."""

from __future__ import annotations

import os
import pickle
import shutil
import stat

import pytest

import tvm_ffi
from tvm_ffi import distributed, serialization
from tvm_ffi._pickle import library

SOURCE = """
#include <tvm/ffi/tvm_ffi.h>
int64_t add(int64_t a, int64_t b) { return a + b; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(add, add);
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build a library with the function ``add``; return its path."""
    import tvm_ffi.cpp

    source = tmp_path_factory.mktemp("source") / "adds.cc"
    source.write_text(SOURCE)
    return tvm_ffi.cpp.build("adds", cpp_files=[str(source)])


@pytest.fixture
def path(built, tmp_path):
    return shutil.copy(built, tmp_path / "adds.so")


LOAD = """
import pickle, sys
f, module = pickle.load(open({file!r}, "rb"))
print(f(1, 2), module.add(3, 4), f.__name__)
"""


def loaded_elsewhere(run_python, tmp_path, stream, **environment):
    file = tmp_path / "stream"
    file.write_bytes(stream)
    return run_python(LOAD.format(file=str(file)), **environment)


@pytest.mark.spec("DIST-D01", "DIST-D07")
def test_a_module_and_its_function_come_back_by_path_and_digest(path, tmp_path, run_python):
    module = tvm_ffi.load_module(path)
    stream = pickle.dumps((module.add, module))
    assert len(stream) < 500
    function, again = pickle.loads(stream)
    assert again is module
    assert function(1, 2) == 3
    assert loaded_elsewhere(run_python, tmp_path, stream) == "3 7 add"


def test_another_file_at_the_path_is_not_loaded(path, tmp_path, run_python):
    module = tvm_ffi.load_module(path)
    stream = pickle.dumps((module.add, module))
    os.replace(shutil.copy(path, tmp_path / "other"), path)
    with open(path, "ab") as file:
        file.write(b"changed")
    with pytest.raises(
        AssertionError, match=r"LibraryNotFoundError: .*'adds\.so' .*ship\(module\)"
    ):
        loaded_elsewhere(run_python, tmp_path, stream)


def test_a_shipped_module_needs_no_file(path, tmp_path, run_python):
    module = distributed.ship(tvm_ffi.load_module(path))
    stream = pickle.dumps((module.add, module))
    assert len(stream) < os.path.getsize(path) + 1000  # contains the bytes of the library only once
    os.unlink(path)
    cache = tmp_path / "cache"
    for _ in range(2):
        out = loaded_elsewhere(run_python, tmp_path, stream, TVM_FFI_CACHE_DIR=str(cache))
        assert out == "3 7 add"
    (stored,) = (cache / "shipped").glob("*/*")
    assert stored.name == "adds.so"
    assert stat.S_IMODE(stored.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(stored.stat().st_mode) == 0o500
    assert len(list(stored.parent.iterdir())) == 1


def test_changed_bytes_and_changed_files_of_the_store_are_not_loaded(path, tmp_path, run_python):
    module = distributed.ship(tvm_ffi.load_module(path))
    stream = pickle.dumps((module.add, module))
    os.unlink(path)
    cache = tmp_path / "cache"
    damaged = stream.replace(b"GNU", b"GNV", 1)
    assert damaged != stream
    with pytest.raises(AssertionError, match="do not have the SHA-256"):
        loaded_elsewhere(run_python, tmp_path, damaged, TVM_FFI_CACHE_DIR=str(cache))
    loaded_elsewhere(run_python, tmp_path, stream, TVM_FFI_CACHE_DIR=str(cache))
    (stored,) = (cache / "shipped").glob("*/*")
    stored.chmod(0o700)
    stored.write_bytes(b"not a library")
    out = loaded_elsewhere(run_python, tmp_path, stream, TVM_FFI_CACHE_DIR=str(cache))
    assert out == "3 7 add"


def test_a_store_that_others_can_write_to_is_refused(path, tmp_path, run_python):
    module = distributed.ship(tvm_ffi.load_module(path))
    stream = pickle.dumps((module.add, module))
    os.unlink(path)
    cache = tmp_path / "cache"
    (cache / "shipped").mkdir(parents=True)
    (cache / "shipped").chmod(0o777)
    with pytest.raises(AssertionError, match=r"PermissionError.*can be written to by others"):
        loaded_elsewhere(run_python, tmp_path, stream, TVM_FFI_CACHE_DIR=str(cache))


@pytest.mark.parametrize("digest", ["../../x", "", "0" * 63, "G" * 64, None])
def test_a_digest_that_is_none_is_refused(digest):
    with pytest.raises(ValueError, match="the pickle is damaged"):
        serialization.restore_module(digest, "/no/such/file.so", b"x")


def test_the_name_of_the_file_cannot_leave_the_store(tmp_path, monkeypatch):
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(tmp_path / "cache"))
    content = b"not a library"
    digest = library._digest_of(content)
    with pytest.raises(Exception, match=r"x\.so"):
        serialization.restore_module(digest, "/../../../x.so", content)
    assert (tmp_path / "cache" / "shipped" / digest / "x.so").exists()


@pytest.mark.spec("DIST-D13")
def test_modules_without_a_file_say_so():
    module = tvm_ffi.system_lib("testing.")
    with pytest.raises(TypeError, match=r"cannot pickle ffi\.Module of kind 'library': only"):
        pickle.dumps(module)
    with pytest.raises(TypeError, match=r"\Acannot pickle `\[0\]` of Array: ffi\.Module of kind"):
        pickle.dumps(tvm_ffi.Array([module]))
    with pytest.raises(TypeError, match="ship expects a Module, got int"):
        distributed.ship(3)
