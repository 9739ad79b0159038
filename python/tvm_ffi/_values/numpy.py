# SPDX-License-Identifier: Apache-2.0
"""Convert tensors from and to NumPy arrays, including data types that NumPy's DLPack lacks.

Package ``ml_dtypes`` adds small floating-point types to NumPy. NumPy cannot exchange arrays of
these types through DLPack, so their elements are passed as unsigned integers of the same width.
"""

from __future__ import annotations

import sys
from importlib import import_module

from .. import core
from .dtype import DataTypeCode, dtype
from .foreign_dtype import _convert_numpy_dtype_to_ffi_dtype

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_COMPLEX = 5  # DLPack's code, which DataTypeCode does not name.
_PLAIN_CODES = (
    *(DataTypeCode.INT, DataTypeCode.UINT, DataTypeCode.FLOAT, DataTypeCode.BOOL),
    _COMPLEX,
)


def view_of(tensor: core.Tensor) -> Any:
    """Return a NumPy array over the memory of a tensor on the CPU.

    Raise ImportError if NumPy is missing, or ``ml_dtypes`` is missing and the data type is one of
    its types. Raise TypeError if NumPy has no such data type.
    """
    import numpy

    kind: dtype = tensor.dtype
    if kind.type_code in _PLAIN_CODES and kind.lanes == 1 and kind.bits >= 8:
        return numpy.from_dlpack(tensor)
    if kind.bits * kind.lanes not in (8, 16) or kind.lanes != 1:
        raise TypeError(f"NumPy has no data type for elements of {kind}")
    ml_dtypes = import_module("ml_dtypes")
    scalar = getattr(ml_dtypes, kind, None)
    if scalar is None:
        raise TypeError(f"package ml_dtypes {ml_dtypes.__version__} has no {kind}")
    plain = core._tensor_with_dtype(tensor, (DataTypeCode.UINT, kind.bits, 1))
    return numpy.from_dlpack(plain).view(scalar)


def array_of(tensor: core.Tensor, kind: Any, copy: bool | None) -> Any:
    """Return a CPU tensor as an array: the implementation of ``Tensor.__array__``.

    The array shares the memory of the tensor, unless ``kind`` is a different data type or ``copy``
    is true.

    Raise ValueError if the data type needs a copy and ``copy`` is false.
    """
    import numpy

    view = view_of(tensor)
    if kind is not None and view.dtype != numpy.dtype(kind):
        if copy is not None and not copy:
            raise ValueError(
                f"cannot convert a tensor of {tensor.dtype} to an array of {numpy.dtype(kind)} "
                "without a copy (copy=False)"
            )
        return view.astype(kind)
    return view.copy() if copy else view


def tensor_of(array: Any, alignment: int, contiguous: int) -> core.Tensor | None:
    """Return a tensor over an array whose data type NumPy itself does not export.

    Return None if the element type is not from ``ml_dtypes``, or if it is a type such as ``int4``:
    a tensor stores several such elements in a byte, but NumPy stores one.
    """
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(array, numpy.ndarray):
        return None
    # NumPy refused an array of its own types for another reason, such as its strides.
    if array.dtype.type.__module__ != "ml_dtypes":
        return None
    try:
        kind = _convert_numpy_dtype_to_ffi_dtype(array.dtype)
    except KeyError:
        return None
    if kind.bits != 8 * array.dtype.itemsize:
        return None
    plain = core.from_dlpack(
        array.view(f"u{array.dtype.itemsize}"),
        require_alignment=alignment,
        require_contiguous=bool(contiguous),
    )
    return core._tensor_with_dtype(plain, (kind.type_code, kind.bits, kind.lanes))


def samples_of_layout(cls: type) -> list[tuple[Any, ...]]:
    """Return sample arrays, each with the values that the members of its C struct must have.

    The extension compares the values with the struct before it reads any array in place. The result
    is empty if ``cls`` is not ``numpy.ndarray``.
    """
    numpy = sys.modules.get("numpy")
    if numpy is None or getattr(numpy, "ndarray", None) is not cls:
        return []
    frozen = numpy.zeros(3, "int16")
    frozen.flags.writeable = False
    arrays = (
        numpy.zeros((2, 3), "int16")[:, ::-1],
        numpy.zeros((4, 1, 5), "float32").transpose(2, 0, 1),
        numpy.zeros((), "complex128"),
        numpy.zeros(3, ">f8"),
        numpy.zeros(9, "uint8")[1:].view("float64"),
        frozen,
    )
    return [_sample(array) for array in arrays]


def _sample(array: Any) -> tuple[Any, ...]:
    kind, flags = array.dtype, array.flags
    return (
        array,
        array.__array_interface__["data"][0],
        array.shape,
        array.strides,
        kind,
        kind.num,
        kind.byteorder,
        flags.aligned << 8 | flags.writeable << 10,
    )
