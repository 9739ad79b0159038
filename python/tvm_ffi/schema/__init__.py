# SPDX-License-Identifier: Apache-2.0
"""The words of object schemas, and what reads them at run time: a forward to ``tvm_ffi_schema``.

The tool is a distribution of its own, ``tvm-ffi-schema``; ``pip install tvm-ffi[schema]`` installs
it too. Each name here is the very object of that package::

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
        "pip install tvm-ffi[schema]",
        name="tvm_ffi_schema",
    ) from None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tvm_ffi_schema import *  # noqa: F403 - type checkers see its names here

__all__ = _package.__all__


def __getattr__(name: str) -> Any:
    """Names of the package, imported when they are first used."""
    if name.startswith("__"):
        raise AttributeError(f"module 'tvm_ffi.schema' has no attribute {name!r}")
    return getattr(_package, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
