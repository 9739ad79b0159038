# SPDX-License-Identifier: Apache-2.0
"""Data types."""

from __future__ import annotations

import builtins
import operator
import sys
from enum import IntEnum

from .. import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex

    from typing_extensions import Self

    from ..typing import DTypeLike

__all__ = [
    "DataTypeCode",
    "bfloat16",
    "bool",
    "dtype",
    "float4_e2m1fn",
    "float4_e2m1fn_x2",
    "float4_e2m1fnx2",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "float16",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]


class DataTypeCode(IntEnum):
    """The type codes of DLPack that have a name here."""

    INT = 0
    UINT = 1
    FLOAT = 2
    HANDLE = 3
    BFLOAT = 4
    BOOL = 6
    Float8E3M4 = 7
    Float8E4M3 = 8
    Float8E4M3B11FNUZ = 9
    Float8E4M3FN = 10
    Float8E4M3FNUZ = 11
    Float8E5M2 = 12
    Float8E5M2FNUZ = 13
    Float8E8M0FNU = 14
    Float6E2M3FN = 15
    Float6E3M2FN = 16
    Float4E2M1FN = 17


# NumPy's types that have a counterpart here, then the types that package ml_dtypes adds.
_NUMPY_TYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64"),
)
_ML_DTYPES_TYPES = ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float4_e2m1fn")


class _NumpyNames:
    """Class attribute that maps data types of NumPy to names; empty until NumPy is imported."""

    def __init__(self) -> None:
        self._names: dict[Any, str] = {}

    def __get__(self, instance: object, owner: builtins.type | None = None) -> dict[Any, str]:
        numpy, ml_dtypes = sys.modules.get("numpy"), sys.modules.get("ml_dtypes")
        if numpy is not None and len(self._names) < len(_NUMPY_TYPES):
            self._names.update((numpy.dtype(name), name) for name in _NUMPY_TYPES)
        if numpy is not None and ml_dtypes is not None and len(self._names) == len(_NUMPY_TYPES):
            known = (name for name in _ML_DTYPES_TYPES if hasattr(ml_dtypes, name))
            self._names.update((numpy.dtype(getattr(ml_dtypes, name)), name) for name in known)
        return self._names


# Cache: text -> data type. It has at most `_MOST_PARSED` entries; further texts are parsed each
# time.
_parsed: dict[str, core.DataType] = {}
_MOST_PARSED = 1024


def _parse(text: str) -> core.DataType:
    parsed = core.DataType(text)
    if len(_parsed) < _MOST_PARSED and type(text) is str:
        _parsed[text] = parsed
    return parsed


class dtype(str):  # noqa: N801 - published name
    """A data type: a string with the text from which it was created.

    Equality and hash are those of the text, so ``dtype("f32") != dtype("float32")``; native code
    always returns data types with the canonical text.

    Parameters
    ----------
    content
        The text, such as ``"float32"``, ``"int8x4"``, ``"bool"`` or ``"float8_e4m3fn"``, or an
        object with this text, such as ``numpy.dtype("int8")`` or ``torch.float32``.

    Raises
    ------
    ValueError
        If the text is not the name of a data type.

    Examples
    --------
    >>> import tvm_ffi
    >>> t = tvm_ffi.dtype("float32x4")
    >>> t.bits, t.lanes, t.itemsize
    (32, 4, 16)

    """

    __slots__ = ["_tvm_ffi_dtype"]
    _tvm_ffi_dtype: core.DataType

    if TYPE_CHECKING:
        # For type checkers: a data class field of this type accepts every value that a call
        # converts to the type.
        def __get__(self, instance: object, owner: Any, /) -> Self: ...
        def __set__(self, instance: object, value: DTypeLike, /) -> None: ...

    _NUMPY_DTYPE_TO_STR = _NumpyNames()

    def __new__(cls, content: object) -> Self:
        """Parse the text of ``content``."""
        text = str(content)
        parsed = _parsed.get(text)
        if parsed is None:
            if not isinstance(content, str):
                text = text.removeprefix("torch.")  # a dtype of PyTorch
            parsed = _parse(text)
        self = str.__new__(cls, text)
        self._tvm_ffi_dtype = parsed
        return self

    @staticmethod
    def from_dlpack_data_type(dltype_data_type: tuple[int, int, int]) -> dtype:
        """Create a data type from DLPack's (type code, bits, lanes)."""
        native = core._create_cdtype_from_tuple(core.DataType, *dltype_data_type)
        self = str.__new__(dtype, str(native))
        self._tvm_ffi_dtype = native
        return self

    @staticmethod
    def is_dtype(arg: object) -> builtins.bool:
        """Return whether ``arg`` is a data type, or the text of one."""
        if isinstance(arg, str):
            try:
                dtype(arg)
            except ValueError:
                return False
            return True
        return isinstance(arg, core.DataType)

    def __repr__(self) -> str:
        return f"dtype({str.__repr__(self)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self),)

    def with_lanes(self, lanes: SupportsIndex) -> dtype:
        """Return the vector type with these lanes; negative ``lanes`` mean scalable vectors.

        Raises
        ------
        OverflowError
            If ``lanes`` does not fit 16 bits.

        """
        return dtype.from_dlpack_data_type((self.type_code, self.bits, operator.index(lanes)))

    @property
    def bits(self) -> int:
        """The width of one lane in bits."""
        return self._tvm_ffi_dtype.bits

    @property
    def lanes(self) -> int:
        """The number of lanes; negative for scalable vectors."""
        return self._tvm_ffi_dtype.lanes

    @property
    def type_code(self) -> int:
        """The type code, one of ``DataTypeCode``."""
        return self._tvm_ffi_dtype.type_code

    @property
    def itemsize(self) -> int:
        """The size of one element in bytes, rounded up; ``ValueError`` for scalable vectors."""
        return self._tvm_ffi_dtype.itemsize

    @property
    def is_bool(self) -> builtins.bool:
        """Whether elements are Booleans."""
        return self.type_code == DataTypeCode.BOOL

    @property
    def is_integer(self) -> builtins.bool:
        """Whether elements are integers, signed or not."""
        return self.type_code in (DataTypeCode.INT, DataTypeCode.UINT)

    @property
    def is_float(self) -> builtins.bool:
        """Whether elements are floating-point numbers of any format."""
        code = self.type_code
        return code in (DataTypeCode.FLOAT, DataTypeCode.BFLOAT) or code >= DataTypeCode.Float8E3M4

    @property
    def is_handle(self) -> builtins.bool:
        """Whether elements are pointers."""
        return self.type_code == DataTypeCode.HANDLE


# Pickles must contain the public path.
dtype.__module__ = "tvm_ffi"
DataTypeCode.__module__ = "tvm_ffi._dtype"

# A client may have set another class before this module was imported.
if core._CLASS_DTYPE is None:
    core._set_class_dtype(dtype)

# From here on, `bool` is the data type.
bool = dtype("bool")
int8 = dtype("int8")
int16 = dtype("int16")
int32 = dtype("int32")
int64 = dtype("int64")
uint8 = dtype("uint8")
uint16 = dtype("uint16")
uint32 = dtype("uint32")
uint64 = dtype("uint64")
float16 = dtype("float16")
float32 = dtype("float32")
float64 = dtype("float64")
bfloat16 = dtype("bfloat16")
float8_e3m4 = dtype("float8_e3m4")
float8_e4m3 = dtype("float8_e4m3")
float8_e4m3b11fnuz = dtype("float8_e4m3b11fnuz")
float8_e4m3fn = dtype("float8_e4m3fn")
float8_e4m3fnuz = dtype("float8_e4m3fnuz")
float8_e5m2 = dtype("float8_e5m2")
float8_e5m2fnuz = dtype("float8_e5m2fnuz")
float8_e8m0fnu = dtype("float8_e8m0fnu")
float6_e2m3fn = dtype("float6_e2m3fn")
float6_e3m2fn = dtype("float6_e3m2fn")
float4_e2m1fn = dtype("float4_e2m1fn")
float4_e2m1fnx2 = dtype("float4_e2m1fnx2")
float4_e2m1fn_x2 = float4_e2m1fnx2
