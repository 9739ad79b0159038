# SPDX-License-Identifier: Apache-2.0
"""Fixtures for the tests of builds: separate caches, and sources that compile fast."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest

# A C function that compiles much faster than code with the C++ headers.
C_SOURCE = """\
#include <tvm/ffi/c_api.h>
#ifndef VALUE
#define VALUE 1
#endif
TVM_FFI_DLL_EXPORT int __tvm_ffi_value(void* self, const TVMFFIAny* args, int32_t count,
                                       TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = VALUE;
  return 0;
}
"""


def pytest_collection_modifyitems(items):
    """Skip tests that build something if there is no compiler or no ninja."""
    if all(map(shutil.which, ("cc", "c++", "ninja"))):
        return
    here = Path(__file__).parent
    for item in items:
        if here in Path(item.path).parents:
            item.add_marker(pytest.mark.skip(reason="needs cc, c++ and ninja"))


@pytest.fixture(autouse=True)
def cache_dir(tmp_path, monkeypatch):
    """Use an empty directory as the cache, and clear environment variables that affect builds."""
    directory = tmp_path / "cache"
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(directory))
    for variable in (
        *("CC", "CXX", "MAX_JOBS", "TVM_FFI_CPP_EXTENSION_LOG_BUILD", "TVM_FFI_GPU_BACKEND"),
        *("TVM_FFI_CUDA_ARCH_LIST", "TVM_FFI_ROCM_ARCH_LIST"),
    ):
        monkeypatch.delenv(variable, raising=False)
    return directory


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory):
    """Return a cache for builds that several tests may share."""
    return tmp_path_factory.mktemp("shared")


@pytest.fixture
def c_file(tmp_path):
    """Return a C source file that exports ``value``, which returns 1."""
    path = tmp_path / "value.c"
    path.write_text(C_SOURCE)
    return path


@pytest.fixture
def script(tmp_path):
    """Return a function that writes executable shell scripts."""

    def write(name, *lines):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    return write


@pytest.fixture
def counted_cc(tmp_path, script, monkeypatch):
    """Replace the C compiler by a script; return a function that counts the calls of the script."""
    log = tmp_path / "calls"
    compiler = script("counted_cc", f"echo call >> '{log}'", 'exec cc "$@"')
    monkeypatch.setenv("CC", str(compiler))
    return lambda: len(log.read_text().splitlines()) if log.exists() else 0
