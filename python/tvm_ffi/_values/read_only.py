# SPDX-License-Identifier: Apache-2.0
"""Decide which functions may get a tensor whose memory must not be written to."""

from __future__ import annotations

from .. import core


def check_call(function: core.Function) -> None:
    """Refuse a read-only tensor as an argument of a native function.

    The functions of the runtime are accepted, because they only read tensors.

    Raises
    ------
    BufferError
        For any other function, because it could write to the memory.

    """
    _, hint, found, _ = core._describe_function(function)
    kind, _, name = [str(part) for part in found[:3]] if len(found) else ("", "", hint)
    if kind == "global" and name.startswith("ffi."):
        return
    called = f"`{name}`" if name else "a native function"
    raise BufferError(
        f"cannot pass a read-only Tensor to {called}, which could write to it; "
        "pass a copy: copy.copy(tensor)"
    )
