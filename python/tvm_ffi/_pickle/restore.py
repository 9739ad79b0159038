# SPDX-License-Identifier: Apache-2.0
"""Look up the functions that pickles call by name.

``tvm_ffi.serialization`` defines these functions, because their names in pickles must not change.
``tvm_ffi.serialization`` imports this package, so the functions are looked up on first use.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def function(name: str) -> Callable[..., Any]:
    """Return a function of ``tvm_ffi.serialization``."""
    found: Callable[..., Any] = getattr(import_module("tvm_ffi.serialization"), name)
    return found
