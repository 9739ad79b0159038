# SPDX-License-Identifier: Apache-2.0
"""Convert data types of other packages, without importing those packages."""

from __future__ import annotations

import sys

from .dtype import dtype

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_COMMON = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
    "complex64 complex128"
)
_NUMPY = frozenset(_COMMON.split())
_SMALL_FLOATS = "bfloat16 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu"
_ML_DTYPES = frozenset(
    (
        f"{_SMALL_FLOATS} float8_e3m4 float8_e4m3 float8_e4m3b11fnuz "
        "float6_e2m3fn float6_e3m2fn float4_e2m1fn int2 int4 uint2 uint4"
    ).split()
)
_TORCH = frozenset(f"{_COMMON} {_SMALL_FLOATS} float4_e2m1fn_x2 complex32".split())


def _convert_numpy_dtype_to_ffi_dtype(numpy_dtype: Any) -> dtype:
    """Return the data type for a data type of NumPy or of package ml_dtypes.

    Raise KeyError if this package has no such data type, for example for structures, text and
    non-native byte orders.
    """
    name = numpy_dtype.name
    if name in _NUMPY:
        scalar_type: Any = name
    elif name in _ML_DTYPES:
        scalar_type = getattr(sys.modules.get("ml_dtypes"), name, None)
    else:
        scalar_type = None
    # A name determines neither byte order nor package, so compare with the data type of that name.
    if scalar_type is None or sys.modules["numpy"].dtype(scalar_type) != numpy_dtype:
        raise KeyError(numpy_dtype)
    return dtype(name)


def _convert_torch_dtype_to_ffi_dtype(torch_dtype: Any) -> dtype:
    """Return the data type for a data type of PyTorch.

    Raise KeyError if this package has no such data type, for example for quantized types.
    """
    name = str(torch_dtype).partition(".")[2]
    if name not in _TORCH:
        raise KeyError(torch_dtype)
    return dtype(name)
