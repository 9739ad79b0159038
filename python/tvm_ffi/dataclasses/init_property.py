# SPDX-License-Identifier: Apache-2.0
"""``init_property``: a stored field whose value is computed when an object is constructed."""

from __future__ import annotations

import sys

from .field import Field
from .resolve import function_annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class init_property:  # noqa: N801 - used as a decorator, as `property` is
    """Make a method of a ``@py_class`` body the source of a stored field.

    The field has the name of the method and the type that it is annotated to return. The method
    is called once, after the generated ``__init__`` has filled the ordinary fields and before
    ``__post_init__``. The field takes no part in ``__init__``, repr, comparison and hashing.

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

    def __init__(self, func: Callable[[Any], Any]) -> None:
        self.func = func
        self.name: str | None = None
        self.__doc__ = getattr(func, "__doc__", None)

    def __set_name__(self, owner: type, name: str) -> None:
        """Annotate the field on the class whose body this is."""
        self.name = name
        _own_annotation_dict(owner)[name] = self._return_annotation

    if TYPE_CHECKING:
        # What a type checker sees of the field.
        def __get__(self, obj: Any, owner: type) -> Any: ...

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
    """Return the dictionary of a class's own annotations, making one if there is none."""
    if sys.version_info >= (3, 14):
        from annotationlib import Format, get_annotations

        if "__annotations_cache__" not in vars(owner):
            owner.__annotations__ = get_annotations(owner, format=Format.FORWARDREF)
        found: dict[str, Any] = owner.__annotations__
        return found
    if "__annotations__" not in vars(owner):
        owner.__annotations__ = {}
    return owner.__annotations__
