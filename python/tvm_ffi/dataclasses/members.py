# SPDX-License-Identifier: Apache-2.0
"""The members that ``@py_class`` and ``@c_class`` give to a class beside its fields."""

from __future__ import annotations

import functools

from tvm_ffi import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .field import Field

_ORDER = ("__lt__", "__le__", "__gt__", "__ge__")


def install_operators(cls: type, options: dict[str, Any], defined: set[str]) -> None:
    """Install repr, comparison and hash as the options say, except where ``defined`` has them.

    ``defined`` holds the names that the body defines; of a family they suppress all.
    """
    default_repr = core.CObject.__repr__
    if options["repr"] and "__repr__" not in defined and cls.__repr__ is not default_repr:
        cls.__repr__ = default_repr  # type: ignore[method-assign]
    wanted: list[str] = []
    if options["eq"] and defined.isdisjoint(("__eq__", "__ne__")):
        wanted += ("__eq__", "__ne__")
    if options["order"] and defined.isdisjoint(_ORDER):
        wanted += _ORDER
    for name in wanted:
        setattr(cls, name, _comparison(name))
    if options["unsafe_hash"] and "__hash__" not in defined:
        cls.__hash__ = _hash  # type: ignore[method-assign,assignment]


@functools.lru_cache(maxsize=None)
def _comparison(name: str) -> Callable[[Any, Any], Any]:
    """Return the method for one operator; all classes share it."""
    from tvm_ffi import _ffi_api

    recursive = {
        "__eq__": _ffi_api.RecursiveEq,
        "__ne__": _ffi_api.RecursiveEq,
        "__lt__": _ffi_api.RecursiveLt,
        "__le__": _ffi_api.RecursiveLe,
        "__gt__": _ffi_api.RecursiveGt,
        "__ge__": _ffi_api.RecursiveGe,
    }[name]

    def compare(self: Any, other: Any) -> Any:
        if not (isinstance(other, type(self)) or isinstance(self, type(other))):
            return NotImplemented
        return recursive(self, other)

    def differ(self: Any, other: Any) -> Any:
        if not (isinstance(other, type(self)) or isinstance(self, type(other))):
            return NotImplemented
        return not recursive(self, other)

    made = differ if name == "__ne__" else compare
    made.__name__ = name
    made.__qualname__ = name
    return made


def _hash(self: Any) -> int:
    from tvm_ffi import _ffi_api

    value: int = _ffi_api.RecursiveHash(self)
    return value


_hash.__name__ = _hash.__qualname__ = "__hash__"

# ---- copies ----


def install_copies(cls: type, defined: set[str]) -> None:
    """Install ``__copy__``, ``__deepcopy__`` and ``__replace__``, except where the body has them."""
    for name, function in (
        ("__copy__", core._copy_method),
        ("__deepcopy__", _deepcopy),
        ("__replace__", core._replace_method),
    ):
        if name not in defined:
            setattr(cls, name, function)


def _deepcopy(self: Any, memo: Any = None) -> Any:
    from tvm_ffi import _ffi_api

    return _ffi_api.DeepCopy(self)


_deepcopy.__name__ = _deepcopy.__qualname__ = "__deepcopy__"

# ---- construction ----


def install_user_init(cls: type) -> None:
    """Wrap the body's ``__init__``, so that it finds an object whose fields have their zero."""
    user: Callable[..., None] = vars(cls)["__init__"]
    allocate = core._allocate

    @functools.wraps(user)
    def __init__(self: Any, /, *args: Any, **kwargs: Any) -> None:
        allocate(self)
        return user(self, *args, **kwargs)

    cls.__init__ = __init__  # type: ignore[misc]


def install_refusal(cls: type) -> None:
    """Give a class with ``init=False`` an ``__init__`` that says so."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        raise TypeError(
            f"`{type(self).__name__}` cannot be constructed directly. "
            "Define a custom __init__ or use a factory method."
        )

    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    __init__.__module__ = cls.__module__
    cls.__init__ = __init__  # type: ignore[misc]


def set_match_args(cls: type, fields: tuple[Field, ...]) -> None:
    """Set ``__match_args__``: what positional patterns stand for, in the order of declaration."""
    names = tuple(f.name for f in fields if f.init and not f.kw_only)
    cls.__match_args__ = names  # type: ignore[attr-defined]


def init_properties_of(cls: type) -> dict[str, Callable[[Any], Any]]:
    """Return the functions of ``init_property`` of a class and its ancestors, these first."""
    found: dict[str, Callable[[Any], Any]] = {}
    for owner in reversed(cls.__mro__):
        found.update(vars(owner).get("__ffi_init_property_funcs__", {}))
    return found
