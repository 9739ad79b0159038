# SPDX-License-Identifier: Apache-2.0
"""Map data types to C++ types."""

from __future__ import annotations

import functools
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["CPU_DTYPE_MAP", "CUDA_DTYPE_MAP", "ROCM_DTYPE_MAP", "to_cpp_dtype"]

CPU_DTYPE_MAP = {
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "float32": "float",
    "float64": "double",
    "bool": "bool",
}
"""Data type to the C++ type on the CPU."""

CUDA_DTYPE_MAP = {
    "float16": "__half",
    "bfloat16": "__nv_bfloat16",
    "float8_e4m3fn": "__nv_fp8_e4m3",
    "float8_e5m2": "__nv_fp8_e5m2",
    "float8_e8m0fnu": "__nv_fp8_e8m0",
    "float4_e2m1": "__nv_fp4_e2m1",
    "float4_e2m1fn_x2": "__nv_fp4x2_e2m1",
}
"""Data type to the type of CUDA; it extends ``CPU_DTYPE_MAP``."""

ROCM_DTYPE_MAP = {
    "float16": "__half",
    "bfloat16": "__hip_bfloat16",
    "float8_e4m3fn": "__hip_fp8_e4m3",
    "float8_e4m3fnuz": "__hip_fp8_e4m3_fnuz",
    "float8_e5m2": "__hip_fp8_e5m2",
    "float8_e5m2fnuz": "__hip_fp8_e5m2_fnuz",
    "float4_e2m1": "__hip_fp4_e2m1",
    "float4_e2m1fn_x2": "__hip_fp4x2_e2m1",
}
"""Data type to the type of ROCm; it extends ``CPU_DTYPE_MAP``."""

_GPU_DTYPE_MAPS = {"cuda": CUDA_DTYPE_MAP, "hip": ROCM_DTYPE_MAP}


@functools.lru_cache(maxsize=1)
def _determine_backend_once() -> str:
    """Return the kind of GPU that torch uses, or ``cpu``; determined once."""
    if "torch" not in sys.modules:
        import importlib.util

        if importlib.util.find_spec("torch") is None:
            return "cpu"
    import torch  # a third-party package, which is installed here

    if not torch.cuda.is_available():
        return "cpu"
    return "hip" if torch.version.hip is not None else "cuda"


def to_cpp_dtype(dtype_str: str | Any) -> str:
    """Return the C++ type of a data type, for use in a kernel.

    GPU types are supported if torch finds a GPU.

    Parameters
    ----------
    dtype_str
        A name, a data type of torch, or any object whose ``str()`` is a name.

    Raises
    ------
    ValueError
        If the data type does not have a C++ type.

    Examples
    --------
    >>> from tvm_ffi.cpp import to_cpp_dtype
    >>> to_cpp_dtype("int32"), to_cpp_dtype("torch.float32")
    ('int32_t', 'float')

    """
    name = str(dtype_str)
    if name.startswith("torch."):
        name = name[len("torch.") :]
    found = CPU_DTYPE_MAP.get(name)
    if found is not None:
        return found
    backend = _determine_backend_once()
    found = _GPU_DTYPE_MAPS.get(backend, {}).get(name)
    if found is None:
        raise ValueError(f"Unsupported dtype string: {name} for backend = {backend!r}")
    return found
