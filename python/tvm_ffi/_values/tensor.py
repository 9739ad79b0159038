# SPDX-License-Identifier: Apache-2.0
"""Tensors and devices."""

# ruff: noqa: N815 - the names are those of DLPack
from __future__ import annotations

import types
from enum import IntEnum

from .. import core
from ..core import Device, Tensor, from_dlpack
from ..registry import register_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, SupportsIndex

    _IntTuple = tuple[int, ...]
else:
    _IntTuple = tuple

__all__ = ["DLDeviceType", "Device", "Shape", "Tensor", "device", "from_dlpack"]


class DLDeviceType(IntEnum):
    """The device types of DLPack."""

    kDLCPU = 1
    """Main memory."""
    kDLCUDA = 2
    """The memory of a CUDA GPU."""
    kDLCUDAHost = 3
    """Pinned main memory of CUDA."""
    kDLOpenCL = 4
    """An OpenCL device."""
    kDLVulkan = 7
    """A Vulkan device."""
    kDLMetal = 8
    """A Metal device."""
    kDLVPI = 9
    """A Verilog simulator."""
    kDLROCM = 10
    """The memory of a ROCm GPU."""
    kDLROCMHost = 11
    """Pinned main memory of ROCm."""
    kDLExtDev = 12
    """A device that an extension defines."""
    kDLCUDAManaged = 13
    """Managed memory of CUDA."""
    kDLOneAPI = 14
    """A oneAPI device."""
    kDLWebGPU = 15
    """A WebGPU device."""
    kDLHexagon = 16
    """A Hexagon processor."""
    kDLMAIA = 17
    """A MAIA accelerator."""
    kDLTrn = 18
    """A Trainium accelerator."""


def device(device_type: str | int | DLDeviceType, index: SupportsIndex | None = None) -> Device:
    """Create a device.

    Parameters
    ----------
    device_type
        A name such as ``"cuda"``, or the number of the device type. An index in the name, as in
        ``"cuda:1"``, takes precedence over ``index``.
    index
        The index of the device among those of its type; 0 when left out.

    Raises
    ------
    ValueError
        If the text is not the name of a device, or the number is negative or not integral.
    TypeError
        If the index is not an integer.

    Examples
    --------
    >>> import tvm_ffi
    >>> tvm_ffi.device("cuda:1")
    device(type='cuda', index=1)

    """
    return core._CLASS_DEVICE(device_type, index)


@register_object("ffi.Shape", init=False)
class Shape(_IntTuple, core.PyNativeObject):
    """The sizes of a tensor: a tuple of integers that keeps a reference to its native object.

    Parameters
    ----------
    content
        The sizes: integers that fit 64 bits. The tuple contains the given objects.

    Raises
    ------
    ValueError
        If a size is not an integer, or does not fit 64 bits.

    Examples
    --------
    >>> import tvm_ffi
    >>> tvm_ffi.Shape([1, 2]) == (1, 2)
    True

    """

    _tvm_ffi_cached_object: core.Object

    __class_getitem__: Any = classmethod(types.GenericAlias)

    def __new__(cls, content: Iterable[SupportsIndex]) -> Shape:
        """Create a shape; see the class."""
        sizes = tuple(content)
        for size in sizes:
            if type(size) is not int and not _is_integral(size):
                raise ValueError("Shape must be a tuple of integers")
        made = tuple.__new__(cls, sizes)
        made._tvm_ffi_cached_object = core._shape_object(sizes)
        return made

    def __from_tvm_ffi_object__(cls: Any, obj: core.Object) -> Any:  # noqa: N805 - the class
        """Create the shape of a native object, and keep a reference to that object."""
        made: Any = tuple.__new__(cls, core._shape_obj_get_py_tuple(obj))
        made._tvm_ffi_cached_object = obj
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (tuple(self),)

    def __repr__(self) -> str:
        if len(self) <= 1000:
            return super().__repr__()
        first, last = (", ".join(map(repr, part)) for part in (self[:3], self[-3:]))
        return f"({first}, ..., {last}; length {len(self)})"


def _is_integral(x: object) -> bool:
    from numbers import Integral

    return isinstance(x, Integral)


# Pickles must contain the public path.
for _public in (DLDeviceType, Shape, device):
    _public.__module__ = "tvm_ffi"
