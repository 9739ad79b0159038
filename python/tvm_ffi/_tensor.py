# SPDX-License-Identifier: Apache-2.0
"""Tensors and the devices they live on."""

# ruff: noqa: N815 - the names are those of DLPack
from __future__ import annotations

from enum import IntEnum

from . import core
from .core import Device, Tensor, from_dlpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsIndex

__all__ = ["DLDeviceType", "Device", "Tensor", "device", "from_dlpack"]


class DLDeviceType(IntEnum):
    """The device types of DLPack."""

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17
    kDLTrn = 18


def device(device_type: str | int | DLDeviceType, index: SupportsIndex | None = None) -> Device:
    """Make a device.

    Parameters
    ----------
    device_type
        A name such as ``"cuda"``, optionally with an index as in ``"cuda:1"``, which then counts;
        or the number of the device type.
    index
        The index of the device among those of its type; 0 when left out.

    Raises
    ------
    ValueError
        If the text names no device.
    TypeError
        If the index is no integer.

    Examples
    --------
    >>> import tvm_ffi
    >>> tvm_ffi.device("cuda:1")
    device(type='cuda', index=1)

    """
    return core._CLASS_DEVICE(device_type, index)
