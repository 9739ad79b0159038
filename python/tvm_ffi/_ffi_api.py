# SPDX-License-Identifier: Apache-2.0
"""The global functions of namespace ``ffi``, as attributes."""

from __future__ import annotations

from . import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    FunctionListGlobalNamesFunctor: Any
    GetGlobalFuncMetadata: Any
    GetRegisteredTypeKeys: Any


def __getattr__(name: str) -> Any:
    """Look up a function at its first use, because most programs use few functions."""
    function = None if name.startswith("__") else core._get_global_func(f"ffi.{name}", True)
    if function is None:
        raise AttributeError(f"module 'tvm_ffi._ffi_api' has no attribute {name!r}")
    globals()[name] = function
    return function


def __dir__() -> list[str]:
    names = __getattr__("FunctionListGlobalNamesFunctor")()
    # A name with a further dot belongs to another namespace.
    parts = (names(i).split(".") for i in range(names(-1)))
    return sorted({*globals(), *(part[1] for part in parts if part[0] == "ffi" and len(part) == 2)})
