# SPDX-License-Identifier: Apache-2.0
"""``init_property``: a stored field whose value is computed when an object is constructed."""

from __future__ import annotations

import sys

from .field import Field
from .resolve import function_annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Generic, TypeVar, overload

    from typing_extensions import Self

    _T = TypeVar("_T")

    class _Base(Generic[_T]):
        def __init__(self, func: Callable[[Any], _T]) -> None: ...
        @overload
        def __get__(self, obj: None, owner: type, /) -> Self: ...
        @overload
        def __get__(self, obj: object, owner: type, /) -> _T: ...
        def __get__(self, obj: object, owner: type, /) -> Any: ...
else:  # At run time, `_Base[_T]` is `object`.
    _T = None
    _Base = {_T: object}


class init_property(_Base[_T]):  # noqa: N801 - used as a decorator, as `property` is
    """Turn a method of a ``@py_class`` body into a stored field with the result of the method.

    The field has the name and the annotated return type of the method. The method is called once,
    after the generated ``__init__`` has set the ordinary fields and before ``__post_init__``.
    ``__init__``, repr, comparison and hash ignore the field.

    Examples
    --------
    >>> import tvm_ffi
    >>> from tvm_ffi.dataclasses import init_property, py_class
    >>> @py_class("doc.init_property.Square")
    ... class Square(tvm_ffi.Object):
    ...     side: int
    ...
    ...     @init_property
    ...     def area(self) -> int:
    ...         return self.side**2
    >>> Square(3).area
    9

    """

    def __init__(self, func: Callable[[Any], _T]) -> None:
        if not callable(func):
            raise TypeError(
                f"init_property expects a method, got {type(func).__name__}: write @init_property "
                "without parentheses above the method"
            )
        self.func = func
        self.name: str | None = None
        self.__doc__ = getattr(func, "__doc__", None)

    def __set_name__(self, owner: type, name: str) -> None:
        """Add an annotation for the field to the class."""
        self.name = name
        _own_annotation_dict(owner)[name] = self._return_annotation

    @property
    def _return_annotation(self) -> Any:
        from typing import Any

        return function_annotations(self.func).get("return", Any)

    def _make_field(self) -> Field:
        return Field(
            init=False,
            repr=False,
            hash=False,
            compare=False,
            structural_eq="ignore",
            doc=self.__doc__,
        )


def _own_annotation_dict(owner: type) -> dict[str, Any]:
    """Return the dictionary of a class's own annotations; create it if there is none."""
    if sys.version_info >= (3, 14):
        from annotationlib import Format, get_annotations

        if "__annotations_cache__" not in vars(owner):
            owner.__annotations__ = get_annotations(owner, format=Format.FORWARDREF)
        found: dict[str, Any] = owner.__annotations__
        return found
    if "__annotations__" not in vars(owner):
        owner.__annotations__ = {}
    return owner.__annotations__
