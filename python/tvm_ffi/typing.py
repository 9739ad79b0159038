# SPDX-License-Identifier: Apache-2.0
"""Annotations for arguments: the types that a call converts to the type of a native parameter.

``tvm-ffi-stubgen`` writes these names for parameters. Using them does not need NumPy or PyTorch.

Examples
--------
>>> from tvm_ffi.typing import DeviceLike, TensorLike
>>> def fill(x: TensorLike, value: float, device: DeviceLike = "cpu") -> None: ...

"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from ._values.dtype import dtype
from .core import Device, Object, ObjectConvertible

__all__ = ["DTypeLike", "DeviceLike", "ObjectLike", "SupportsDLPack", "TensorLike"]


@runtime_checkable
class SupportsDLPack(Protocol):
    """A tensor of any framework: NumPy, PyTorch, JAX, CuPy, or this package.

    Examples
    --------
    >>> import tvm_ffi
    >>> from tvm_ffi.typing import SupportsDLPack
    >>> isinstance(tvm_ffi.Shape((2, 3)), SupportsDLPack)
    False

    """

    # Hidden from type checkers: NumPy declares `__dlpack__` only for arrays of numbers, so type
    # checkers would reject arrays of `bool`.
    if not TYPE_CHECKING:

        @property
        def __dlpack__(self) -> Callable[..., Any]:
            """The method that exports the tensor."""

    # A property, because the frameworks declare this method with different types.
    @property
    def __dlpack_device__(self) -> Callable[..., Any]:
        """The method that returns the type and the number of the device."""


class _NumPyDType(Protocol):
    """``numpy.dtype``."""

    @property
    def kind(self) -> str: ...
    @property
    def itemsize(self) -> int: ...


class _TorchDType(Protocol):
    """``torch.dtype``."""

    @property
    def is_floating_point(self) -> bool: ...
    @property
    def itemsize(self) -> int: ...


#: A parameter of type ``Tensor``, ``TensorView`` or ``DLTensor*``, or of a const form of these.
TensorLike: TypeAlias = SupportsDLPack
#: A parameter of type ``DLDevice``: a device, or text such as ``"cuda:1"``.
DeviceLike: TypeAlias = Device | str
#: A parameter of type ``DLDataType``: a data type of any framework, or text such as ``"float32"``.
DTypeLike: TypeAlias = dtype | str | _NumPyDType | _TorchDType
#: A parameter of type ``ObjectRef``: an object, or a value that a call converts to one.
ObjectLike: TypeAlias = (
    Object
    | ObjectConvertible
    | Sequence[Any]
    | Mapping[Any, Any]
    | Callable[..., Any]
    | SupportsDLPack
)
