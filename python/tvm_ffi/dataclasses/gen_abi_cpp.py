# SPDX-License-Identifier: Apache-2.0
"""The public import path of ``gen_abi_cpp``, which ``tvm_ffi.stub.cpp`` implements."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def gen_abi_cpp(type_keys: str | Sequence[str]) -> str:
    """Return a C++ header of plain structs with the layout of registered object types.

    Parameters
    ----------
    type_keys
        Type keys, or shell patterns that match type keys.

    Raises
    ------
    ValueError
        If a selector does not match any object type, or the layout of a type is not supported.

    """
    from tvm_ffi.stub import cpp

    return cpp.gen_abi_cpp(type_keys)
