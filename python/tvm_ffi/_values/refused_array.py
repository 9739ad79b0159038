# SPDX-License-Identifier: Apache-2.0
"""Explain why a framework did not export an array; the extension calls this module."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# PyTorch appends this line and the frames of its C++ code to messages.
_NATIVE_FRAMES = "\nException raised from "


def explain(error: BaseException, array: Any) -> None:
    """Complete the message of the exception that the framework of ``array`` raised.

    An explanation is added at the end. Frames of native code are removed.
    """
    if len(error.args) != 1 or not isinstance(error.args[0], str):
        return
    text = error.args[0].partition(_NATIVE_FRAMES)[0].rstrip()
    error.args = (text + _reason(array),)


def _reason(array: Any) -> str:
    if type(array).__name__ in ("FakeTensor", "FunctionalTensor"):
        return (
            ". PyTorch traces a graph, so the tensor has no data: make the function an operator "
            "with tvm_ffi.torch.register_ops"
        )
    device = str(getattr(array, "device", ""))
    if device == "meta" or device.startswith("meta:"):
        return (
            ": a tensor on device meta has a shape and a dtype but no data; create it on a real "
            'device, for example with torch.empty_like(x, device="cpu")'
        )
    kind = getattr(array, "dtype", None)
    if _is_without_numbers(kind):
        name = type(array).__name__
        return (
            f" This {name} has dtype {kind}; convert it to a dtype of numbers, for example with "
            'x.astype("float32")'
        )
    if getattr(kind, "isnative", True) is False:
        return ' Convert it, for example with x.astype(x.dtype.newbyteorder("="))'
    if _has_odd_strides(array, kind):
        return " Copy it, for example with numpy.ascontiguousarray(x)"
    return ""


def _is_without_numbers(kind: Any) -> bool:
    """Return whether a data type of NumPy is for objects, text, dates or records."""
    return getattr(kind, "kind", None) in tuple("OSUMmVT")


def _has_odd_strides(array: Any, kind: Any) -> bool:
    """Return whether ``array`` is a NumPy array with strides that are not whole elements."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(array, numpy.ndarray):
        return False
    return any(stride % kind.itemsize for stride in array.strides)
