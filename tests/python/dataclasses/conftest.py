# SPDX-License-Identifier: Apache-2.0
"""Fixtures: unused type keys, and classes of native types that are restored after each test."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

import tvm_ffi.testing
from tvm_ffi import core
from tvm_ffi._types import info as infos


@pytest.fixture(scope="session")
def key() -> Callable[[str], str]:
    """Return a function that makes unused type keys; a registered key is never free again."""
    return lambda name="T": f"tests.k{uuid.uuid4().hex[:12]}.{name}"


@pytest.fixture(autouse=True)
def _native_classes_are_put_back():
    """Restore the classes of `tvm_ffi.testing` that a test here has replaced."""
    assert tvm_ffi.testing
    before = {i: (info, info.type_cls) for i, info in infos.by_index.items()}
    yield
    for index, (info, cls) in before.items():
        if infos.by_index.get(index) is not info and cls is not None:
            infos.by_index[index] = info
            core._class_rebind(index, cls)


@pytest.fixture(scope="session")
def enum_library(tmp_path_factory) -> str:
    """Build the library of native enums and traits; return its path."""
    if not all(map(shutil.which, ("c++", "ninja"))):
        pytest.skip("needs c++ and ninja")
    from tvm_ffi import cpp

    return cpp.build(
        "enum_library",
        cpp_files=[str(Path(__file__).parent / "native" / "enum_library.cc")],
        build_directory=str(tmp_path_factory.mktemp("enum_library")),
    )


@pytest.fixture
def run_enum_program(enum_library, run_python) -> Callable[[str], str]:
    """Run a program in a new interpreter with the library of native enums; return its output.

    ``load()`` loads the library, and ``lib`` has its functions.
    """
    prelude = f"""
from __future__ import annotations
import tvm_ffi
def load():
    return tvm_ffi.load_module({enum_library!r})
class lib:
    def __getattr__(self, name):
        return tvm_ffi.get_global_func("enum_library." + name)
lib = lib()
"""
    return lambda program: run_python(prelude + program)
