# SPDX-License-Identifier: Apache-2.0
"""The global functions of namespace ``ffi``, as attributes."""

from __future__ import annotations

from . import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # Said in this way, too, for the modules that import this one and are imported by it.
    GetGlobalFuncMetadata: Any
    GetRegisteredTypeKeys: Any


def __getattr__(name: str) -> Any:
    """Look a function up when it is first named: most programs need few of a hundred."""
    function = None if name.startswith("__") else core._get_global_func(f"ffi.{name}", True)
    if function is None:
        raise AttributeError(f"module 'tvm_ffi._ffi_api' has no attribute {name!r}")
    function.__name__ = name
    globals()[name] = function
    return function


def __dir__() -> list[str]:
    from .registry import list_global_func_names

    # A name with a further dot belongs to a namespace of its own.
    parts = (name.split(".") for name in list_global_func_names())
    return sorted({*globals(), *(part[1] for part in parts if part[0] == "ffi" and len(part) == 2)})
