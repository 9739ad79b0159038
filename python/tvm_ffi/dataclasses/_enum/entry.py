# SPDX-License-Identifier: Apache-2.0
"""Sentinels that declare variants in a class body."""

from __future__ import annotations

from ... import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    _T = TypeVar("_T")

    # For type checkers, `X = entry()` in the body of class `A` is an instance of `A`. The base
    # class `Any` allows `X: ClassVar[A] = entry()`: such a value fits each type.
    class _Base(Any):  # type: ignore[misc]
        def __get__(self, instance: object, owner: type[_T], /) -> _T: ...
else:

    class _Base:
        __slots__ = ()

        def __get__(self, instance: object, owner: type) -> Any:
            # The registration of a class replaces its entries by variants. This entry was not
            # replaced, so `owner` is not registered.
            if isinstance(owner, core._EnumMeta):
                raise _not_registered(self, owner)
            return self


class _EnumEntry(_Base):
    """The arguments of a variant, stored until its class is registered."""

    __slots__ = ("args", "kwargs")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args = args
        self.kwargs = kwargs

    def __repr__(self) -> str:
        parts = [repr(arg) for arg in self.args]
        parts += [f"{name}={value!r}" for name, value in self.kwargs.items()]
        return f"entry({', '.join(parts)})"


def _not_registered(found: Any, owner: type) -> TypeError:
    """Return the error for reading an entry of a class that is not registered."""
    for cls in owner.__mro__:
        name = next((name for name, value in vars(cls).items() if value is found), None)
        if name is not None:
            derive = "" if hasattr(cls, "_str_index") else "derive it from Enum and "
            return TypeError(
                f"{cls.__name__}.{name} is not a variant yet: decorate the class "
                f"`{cls.__name__}` with @py_enum, or {derive}write `type_key=` in its class "
                "statement"
            )
    return TypeError(f"an entry of `{owner.__name__}` is not a variant")


def entry(*args: Any, **kwargs: Any) -> _EnumEntry:
    """Declare a variant in the body of an enum class.

    Parameters
    ----------
    *args
        Values of the fields in the order of declaration; in an ``IntEnum`` or ``StrEnum``
        the first one is the payload.
    **kwargs
        Values of fields by name; ``value`` is the payload.

    Returns
    -------
    A new sentinel with attributes ``args`` and ``kwargs``. Type checkers see a descriptor that
    returns an instance of the class, so both ``ReLU = entry()`` and
    ``ReLU: ClassVar[Activation] = entry()`` declare an ``Activation``.

    Examples
    --------
    >>> from tvm_ffi.dataclasses import entry
    >>> entry(1, approximate=True)
    entry(1, approximate=True)

    """
    return _EnumEntry(*args, **kwargs)


def auto() -> _EnumEntry:
    """Declare a variant with default values only; the same as ``entry()``.

    Unlike ``enum.auto``, it does not choose a value: in an ``IntEnum`` or ``StrEnum``, which need
    one, write ``X = 1``.

    Examples
    --------
    >>> from tvm_ffi.dataclasses import auto
    >>> auto()
    entry()

    """
    return _EnumEntry()
