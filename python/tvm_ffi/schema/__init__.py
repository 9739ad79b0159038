# SPDX-License-Identifier: Apache-2.0
"""Object schemas: re-exports the package ``tvm_ffi_schema``.

The tool is a separate distribution, ``tvm-ffi-schema``; ``pip install . ./schema`` in a
clone of the repository installs both. Each name here is the same object as in that package::

    from tvm_ffi.schema import declare, ty, Object
"""

from __future__ import annotations

try:
    import tvm_ffi_schema as _package
except ModuleNotFoundError as error:
    if error.name != "tvm_ffi_schema":
        raise
    raise ModuleNotFoundError(
        "tvm_ffi.schema forwards to the distribution tvm-ffi-schema, which is not installed: "
        "run `pip install ./schema` in a clone of the repository",
        name="tvm_ffi_schema",
    ) from None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tvm_ffi_schema import *  # noqa: F403 - type checkers see its names here

__all__ = _package.__all__


def __getattr__(name: str) -> Any:
    """Import a name of the package at its first use."""
    if name.startswith("__"):
        raise AttributeError(f"module 'tvm_ffi.schema' has no attribute {name!r}")
    return getattr(_package, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
