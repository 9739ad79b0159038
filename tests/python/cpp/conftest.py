# SPDX-License-Identifier: Apache-2.0
"""What the tests of building share: a cache of their own, sources that compile fast."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest

# A function of the ABI in C, which compiles in a fraction of the time that the C++ headers take.
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
    """Skip what builds where nothing can be built."""
    if all(map(shutil.which, ("cc", "c++", "ninja"))):
        return
    here = Path(__file__).parent
    for item in items:
        if here in Path(item.path).parents:
            item.add_marker(pytest.mark.skip(reason="needs cc, c++ and ninja"))


@pytest.fixture(autouse=True)
def cache_dir(tmp_path, monkeypatch):
    """Point the cache to an empty directory, and clear what the environment says about builds."""
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
    """Give a cache for builds whose repetition proves nothing."""
    return tmp_path_factory.mktemp("shared")


@pytest.fixture
def c_file(tmp_path):
    """Write a C source that exports ``value``, which returns 1."""
    path = tmp_path / "value.c"
    path.write_text(C_SOURCE)
    return path


@pytest.fixture
def script(tmp_path):
    """Write programs of a few lines of shell."""

    def write(name, *lines):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    return write


@pytest.fixture
def counted_cc(tmp_path, script, monkeypatch):
    """Replace the C compiler by one that counts its calls; return the function that tells them."""
    log = tmp_path / "calls"
    compiler = script("counted_cc", f"echo call >> '{log}'", 'exec cc "$@"')
    monkeypatch.setenv("CC", str(compiler))
    return lambda: len(log.read_text().splitlines()) if log.exists() else 0
