# SPDX-License-Identifier: Apache-2.0
"""Index, iterate and list tensors as arrays: the slots of ``core.Tensor``."""

from __future__ import annotations

from math import prod
from operator import index

from .. import core
from .elements import Elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def item(tensor: core.Tensor, key: Any) -> Any:
    """Return ``tensor[key]``: one element, or a tensor over a part of the memory.

    Raise IndexError if an index is out of bounds, or there are more indices than dimensions. Raise
    TypeError if the key is something else than integers, slices, ``...`` and None; or if it selects
    one element that cannot be read, see :class:`Elements`.
    """
    keys = key if isinstance(key, tuple) else (key,)
    sizes, steps = tensor.shape, tensor.strides
    num_ellipses = sum(k is ... for k in keys)
    num_skipped = len(sizes) - sum(k is not None and k is not ... for k in keys)
    if num_skipped < 0:
        raise IndexError(
            f"too many indices: the tensor has {len(sizes)} dimensions, the key selects from "
            f"{len(sizes) - num_skipped}"
        )
    if num_ellipses > 1:
        raise IndexError("an index can have only one ellipsis (`...`)")
    shape: list[int] = []
    strides: list[int] = []
    offset = axis = 0
    for k in keys if num_ellipses else (*keys, ...):
        if k is None:
            shape.append(1)
            strides.append(0)
        elif k is ...:
            shape += sizes[axis : axis + num_skipped]
            strides += steps[axis : axis + num_skipped]
            axis += num_skipped
        elif isinstance(k, slice):
            places = range(*k.indices(sizes[axis]))
            shape.append(len(places))
            # With fewer than two elements the stride is not used, and the product may overflow.
            strides.append(places.step * steps[axis] if len(places) > 1 else steps[axis])
            offset += places.start * steps[axis] if places else 0
            axis += 1
        else:
            offset += _place(k, axis, sizes[axis]) * steps[axis]
            axis += 1
    if shape or num_ellipses:
        return core._tensor_strided(tensor, tuple(shape), tuple(strides), offset)
    return Elements(tensor).value(offset)


def _place(key: Any, axis: int, size: int) -> int:
    try:
        if isinstance(key, bool):
            raise TypeError
        place = index(key)
    except TypeError:
        raise TypeError(
            f"a tensor is indexed by integers, slices, `...` and None, not by "
            f"`{type(key).__name__}`: use numpy.asarray(x)[key]"
        ) from None
    if not -size <= place < size:
        raise IndexError(f"index {place} is out of bounds for dimension {axis} of size {size}")
    return place + size if place < 0 else place


def items(tensor: core.Tensor) -> Iterator[Any]:
    """Return an iterator over the first dimension."""
    if not tensor.ndim:
        raise TypeError("a tensor of 0 dimensions cannot be iterated")
    return map(tensor.__getitem__, range(tensor.shape[0]))


def list_of(tensor: core.Tensor) -> Any:
    """Return the elements as nested lists; the element itself if there are no dimensions."""
    shape = tensor.shape
    offsets = [0]
    for size, stride in zip(shape, tensor.strides):
        offsets = [offset + i * stride for offset in offsets for i in range(size)]
    values: list[Any] = [*map(Elements(tensor).value, offsets)]
    for axis in range(len(shape) - 1, 0, -1):
        size, count = shape[axis], prod(shape[:axis])
        values = [values[i * size : (i + 1) * size] for i in range(count)]
    return values if shape else values[0]


def number_of(tensor: core.Tensor, kind: type[Any]) -> Any:
    """Return the only element of a tensor, converted to ``kind``: ``int``, ``float`` or ``bool``.

    Raise TypeError if the tensor does not have exactly one element; for ``bool``, a ``ValueError``.
    """
    if tensor.numel() == 1:
        return kind(Elements(tensor).value(0))
    shape = tuple(tensor.shape)
    if kind is bool:
        raise ValueError(
            f"the truth value of a tensor of shape {shape} is ambiguous: test `x is not None`, or "
            "use numpy.asarray(x).any() or .all()"
        )
    raise TypeError(
        f"{kind.__name__}() needs a tensor with one element, this one has the shape {shape}"
    )
