# SPDX-License-Identifier: Apache-2.0
"""Compile libraries with the layouts of older releases; the sources use only the C ABI."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import tvm_ffi
from tvm_ffi import libinfo

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tvm_ffi.Module]:
    """Return a function that compiles and loads a source file, once for each set of flags."""
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    loaded: dict[tuple[str, ...], tvm_ffi.Module] = {}

    def load(source: str, *flags: str) -> tvm_ffi.Module:
        if compiler is None:
            pytest.skip("no C++ compiler")
        key = (source, *flags)
        if key not in loaded:
            library = tmp_path_factory.mktemp("probe") / f"lib{Path(source).stem}.so"
            command = [compiler, "-std=c++17", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
            command += [
                f"-I{libinfo.find_include_path()}",
                f"-I{libinfo.find_dlpack_include_path()}",
            ]
            command += [*flags, str(HERE / source), libinfo.find_libtvm_ffi(), "-o", str(library)]
            subprocess.run(command, check=True)
            loaded[key] = tvm_ffi.load_module(library)
        return loaded[key]

    return load
