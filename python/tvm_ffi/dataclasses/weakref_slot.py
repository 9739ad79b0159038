# SPDX-License-Identifier: Apache-2.0
"""Create a copy of a class with a slot for weak references."""

from __future__ import annotations

import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def added_to(cls: type) -> type:
    """Return a class like ``cls`` whose instances support weak references.

    Return ``cls`` itself if its instances already support weak references. Otherwise, create a new
    class, and set the ``__class__`` cells of its functions to the new class, so that ``super()``
    works.
    """
    if cls.__weakrefoffset__ != 0:
        return cls
    body: dict[str, Any] = dict(vars(cls))
    slots = body.get("__slots__", ())
    slots = (slots,) if isinstance(slots, str) else tuple(slots)
    for name in (*slots, "__dict__", "__weakref__", "_abc_impl", "__abstractmethods__"):
        body.pop(name, None)
    body["__slots__"] = (*slots, "__weakref__")
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    for value in vars(made).values():
        for function in _functions_of(value):
            _point_to(function, cls, made)
    return made


def _functions_of(value: Any) -> list[types.FunctionType]:
    found = [value, getattr(value, "__func__", None), getattr(value, "func", None)]
    found += [getattr(value, name, None) for name in ("fget", "fset", "fdel")]
    return [function for function in found if isinstance(function, types.FunctionType)]


def _point_to(function: types.FunctionType, old: type, new: type) -> None:
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    cell = cells.get("__class__")
    try:
        if cell is not None and cell.cell_contents is old:
            cell.cell_contents = new
    except ValueError:  # The cell is empty.
        pass
