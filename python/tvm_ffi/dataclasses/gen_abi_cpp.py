# SPDX-License-Identifier: Apache-2.0
"""``gen_abi_cpp`` under its published path; ``tvm_ffi.stub.cpp`` writes the header."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def gen_abi_cpp(type_keys: str | Sequence[str]) -> str:
    """Return a C++ header of plain structs that view objects of registered types.

    Parameters
    ----------
    type_keys
        Type keys or shell patterns of them.

    Raises
    ------
    ValueError
        If a selector matches no object type, or a type cannot be viewed.

    """
    from tvm_ffi.stub import cpp

    return cpp.gen_abi_cpp(type_keys)
