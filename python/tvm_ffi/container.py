# SPDX-License-Identifier: Apache-2.0
"""Containers of FFI values."""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Mapping,
    MutableMapping,
    MutableSequence,
    Sequence,
)
from collections.abc import ItemsView as _ItemsView
from collections.abc import KeysView as _KeysView
from collections.abc import Set as AbstractSet
from collections.abc import ValuesView as _ValuesView
from typing import Any, TypeVar

from . import core
from .registry import register_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Array", "Dict", "List", "Map"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
K = TypeVar("K")
V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)

# If the class of a field's type defines `__set__`, type checkers use it for assignments to the
# field. So a field of type `Array[T]` is read as an array, and accepts any sequence, also as an
# argument of the constructor.

# The value of an argument that was not given.
MISSING = core.MISSING


def normalize_index(length: int, idx: object) -> int:
    """Return an index counted from the front.

    Parameters
    ----------
    length
        Length of the sequence.
    idx
        Anything with ``__index__``; negative values count from the end.

    Raises
    ------
    TypeError
        If `idx` is not an integer.
    IndexError
        If the index is out of range.

    """
    try:
        index = idx.__index__()  # type: ignore[attr-defined]
    except AttributeError:
        kind = type(idx).__name__
        raise TypeError(f"indices must be integers or slices, not {kind}") from None
    if not -length <= index < length:
        raise IndexError(f"Index out of range. size: {length}, got index {index}")
    return int(index) % length


def getitem_helper(
    obj: Any, elem_getter: Callable[[Any, int], T], length: int, idx: object
) -> T | list[T]:
    """Return ``obj[idx]``: an element or a ``list``. ``elem_getter(obj, i)`` reads an element."""
    if isinstance(idx, slice):
        return [elem_getter(obj, i) for i in range(*idx.indices(length))]
    return elem_getter(obj, normalize_index(length, idx))


@register_object("ffi.Array", init=False)
class Array(core._ArrayBase[T_co], core.Object, Sequence[T_co]):
    """An immutable sequence of FFI values, made from an iterable.

    An array equals a Python sequence of equal elements; a slice of an array is a ``list``. The
    extension implements all operations on the cells of the native array.

    Examples
    --------
    >>> import tvm_ffi
    >>> a = tvm_ffi.Array([1, 2, 3])
    >>> a[-1], a[1:], a + [4], a == [1, 2, 3]
    (3, [2, 3], (1, 2, 3, 4), True)

    """

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: Any, /) -> Self: ...
        def __set__(self, instance: object, value: Sequence[T_co], /) -> None: ...


@register_object("ffi.List", init=False)
class List(core._ListBase[T], core.Object, MutableSequence[T]):
    """A mutable sequence of FFI values, shared by all references to it.

    Assignment and deletion by index and slice work as for ``list``; a slice is a ``list``. An
    iteration ends at the length that the list had when the iteration began.

    Examples
    --------
    >>> import tvm_ffi
    >>> x = tvm_ffi.List([1, 2])
    >>> x.append(3)
    >>> x[1:] = ["b"]
    >>> x
    [1, "b"]

    """

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: Any, /) -> Self: ...
        def __set__(self, instance: object, value: Sequence[T], /) -> None: ...


class KeysView(core._KeysView, AbstractSet[Any]):
    """A live view of the keys of a mapping."""

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> set[Any]:
        return set(it)


class ItemsView(core._ItemsView, AbstractSet[Any]):
    """A live view of the (key, value) pairs of a mapping."""

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> set[Any]:
        return set(it)


class ValuesView(core._ValuesView, Collection[Any]):
    """A live view of the values of a mapping."""


_KeysView.register(KeysView)
_ItemsView.register(ItemsView)
_ValuesView.register(ValuesView)
core._set_view_classes(KeysView, ValuesView, ItemsView)


@register_object("ffi.Map", init=False)
class Map(core._MapBase[K, V_co], core.Object, Mapping[K, V_co]):
    """An immutable mapping of FFI values in insertion order.

    A map is made from another mapping, or from an iterable of pairs.

    Keys are FFI values: ``1``, ``1.0`` and ``True`` are three keys, and objects are compared by
    identity. A missing key raises ``KeyError``.

    Examples
    --------
    >>> import tvm_ffi
    >>> m = tvm_ffi.Map({"a": 1, "b": 2})
    >>> m["a"], m.get("c"), list(m.items())
    (1, None, [('a', 1), ('b', 2)])

    """

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: Any, /) -> Self: ...
        def __set__(self, instance: object, value: Mapping[K, V_co], /) -> None: ...


@register_object("ffi.Dict", init=False)
class Dict(  # type: ignore[misc]  # update() does not take keywords
    core._DictBase[K, V], core.Object, MutableMapping[K, V]
):
    """A mutable mapping of FFI values in insertion order, shared by all references to it.

    A dict is made from another mapping, or from an iterable of pairs; by default it is empty.

    An iteration visits the keys that existed when it began, and skips keys that were deleted in
    the meantime.

    Examples
    --------
    >>> import tvm_ffi
    >>> d = tvm_ffi.Dict({"a": 1})
    >>> d["b"] = 2
    >>> d.pop("a"), d
    (1, {"b": 2})

    """

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: Any, /) -> Self: ...
        def __set__(self, instance: object, value: Mapping[K, V], /) -> None: ...
