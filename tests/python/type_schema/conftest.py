# SPDX-License-Identifier: Apache-2.0
"""Fixtures with types for the tests of schemas."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable

import pytest
from layouts import ByteArray

import tvm_ffi  # noqa: F401 - makes the C functions global

_numbers = itertools.count()


@pytest.fixture
def fresh_type() -> Callable[[], tuple[str, int]]:
    """Return a function that registers an object type with a new key; it returns key and index."""

    def make() -> tuple[str, int]:
        key = f"testing.type_schema.T{next(_numbers)}"
        text = key.encode()
        register = ctypes.CDLL(None).TVMFFITypeGetOrAllocIndex
        return key, register(ctypes.byref(ByteArray(text, len(text))), -1, 1, 0, 1, 64)

    return make
