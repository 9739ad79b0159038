# SPDX-License-Identifier: Apache-2.0
"""User-defined values by variant: one column of an enum."""

from __future__ import annotations

from ... import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Generic, TypeVar

    _E = TypeVar("_E")
    _F = TypeVar("_F")

    class _Base(core._EnumAttrMap, Generic[_E]):
        @property
        def _enum_cls(self) -> type[_E]: ...
        def __getitem__(self, variant: _E, /) -> Any: ...
        def __setitem__(self, variant: _E, value: Any, /) -> None: ...
        def __iter__(self) -> Iterator[_E]: ...
else:

    class _Base(core._EnumAttrMap):
        __slots__ = ()


class EnumAttrMap(_Base["_E"]):
    """A column of values by variant, as ``A.def_attr(name)`` returns it.

    The map is a live view: all maps of a column, the views of other languages and ``A.attr_dict``
    share the same values. Values are converted like arguments, so a stored Python function is read
    as a ``Function``. ``tvm/ffi/enum.h`` describes the thread safety.

    Parameters
    ----------
    enum_cls
        The enum class.
    attr_name
        The name of the column.
    default
        The result of ``map[variant]`` for a variant without a value; without a default,
        ``map[variant]`` raises ``KeyError``.

    Raises
    ------
    TypeError
        If ``[]`` is used with a key that is not a variant of the enum.

    Examples
    --------
    >>> from tvm_ffi.dataclasses import Enum, entry
    >>> class Color(Enum, type_key="doc.EnumAttrMap.Color"):
    ...     red = entry()
    ...     green = entry()
    >>> cost = Color.def_attr("cost", default=1)
    >>> cost[Color.red] = 5
    >>> cost[Color.red], cost[Color.green], cost.get(Color.green), Color.green in cost
    (5, 1, None, False)

    """

    __slots__ = ()

    def register(self, variant: _E) -> Callable[[_F], _F]:
        """Return a decorator that stores the decorated function, and returns it unchanged."""

        def store(value: _F) -> _F:
            self[variant] = value
            return value

        return store

    def _refuse_key(self, key: Any, is_instance: bool) -> None:
        """Raise KeyError for an instance of the enum without a value, TypeError for another key."""
        if is_instance:
            raise KeyError(
                f"{self.name} not set for {getattr(key, '__entry_name__', None)!r}: {key!r} has no "
                f"extensible attribute {self.name!r}"
            )
        own, other = _earlier(self._enum_cls), _earlier(type(key))
        expected = f"a variant of {own}" if own else self._enum_cls.__name__
        got = f"an object of {other}" if other else type(key).__name__
        hint = "; call def_attr of the new class" if own else ""
        raise TypeError(f"expected {expected}, got {got}{hint}")

    def __repr__(self) -> str:
        return f"EnumAttrMap({self._enum_cls.__name__}, {self.name!r})"


def _earlier(cls: type) -> str:
    """Return text for a class that was defined again, or an empty text for another class."""
    info = getattr(cls, "__tvm_ffi_type_info__", None)
    if info is None or core._object_type_key_to_index(info.type_key) == info.type_index:
        return ""
    return f"an earlier definition of `{info.type_key}`"
