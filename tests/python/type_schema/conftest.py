# SPDX-License-Identifier: Apache-2.0
"""Fixtures with types for the tests of schemas."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable

import pytest

import tvm_ffi  # noqa: F401 - makes the C functions global

_numbers = itertools.count()


class _Text(ctypes.Structure):
    _fields_ = (("data", ctypes.c_char_p), ("size", ctypes.c_size_t))


@pytest.fixture
def fresh_type() -> Callable[[], tuple[str, int]]:
    """Return a function that registers an object type with a new key; it returns key and index."""

    def make() -> tuple[str, int]:
        key = f"testing.type_schema.T{next(_numbers)}"
        text = key.encode()
        register = ctypes.CDLL(None).TVMFFITypeGetOrAllocIndex
        return key, register(ctypes.byref(_Text(text, len(text))), -1, 1, 0, 1, 64)

    return make
