# SPDX-License-Identifier: Apache-2.0
"""Type keys that no test has used, and classes of native types put back after each test."""

from __future__ import annotations

import uuid
from typing import Callable

import pytest

import tvm_ffi.testing
from tvm_ffi import _type_info, core


@pytest.fixture(scope="session")
def key() -> Callable[[str], str]:
    """Return a fresh type key that ends in the given name; registering one is for good."""
    return lambda name="T": f"tests.k{uuid.uuid4().hex[:12]}.{name}"


@pytest.fixture(autouse=True)
def _native_classes_are_put_back():
    """Let other tests find the classes of `tvm_ffi.testing` that one here has replaced."""
    assert tvm_ffi.testing
    before = {i: (info, info.type_cls) for i, info in _type_info._infos.items()}
    yield
    for index, (info, cls) in before.items():
        if _type_info._infos.get(index) is not info and cls is not None:
            _type_info._infos[index] = info
            core._class_rebind(index, cls)
