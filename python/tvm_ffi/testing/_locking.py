# SPDX-License-Identifier: Apache-2.0
"""A lock for tests that share a GPU."""

from __future__ import annotations

import getpass
import os
import tempfile
from pathlib import Path

from tvm_ffi.utils import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _R = TypeVar("_R")


def _lock_directory() -> Path:
    named = os.environ.get("TVM_FFI_TEST_LOCK_DIR")
    if named:
        return Path(named)
    return Path(tempfile.gettempdir()) / f"tvm-ffi-test-locks-{getpass.getuser()}"


def run_with_gpu_lock(func: Callable[..., _R], /, *args: Any, **kwargs: Any) -> _R:
    """Call ``func`` while no other process of this user holds the lock, and return its result.

    The lock is the file ``gpu.lock`` in the directory ``TVM_FFI_TEST_LOCK_DIR``, or in a directory
    of the user below the directory of temporary files.
    """
    directory = _lock_directory()
    directory.mkdir(parents=True, exist_ok=True)
    with FileLock(str(directory / "gpu.lock")):
        return func(*args, **kwargs)
