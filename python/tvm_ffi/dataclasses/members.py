# SPDX-License-Identifier: Apache-2.0
"""The members other than fields that ``@py_class`` and ``@c_class`` add to a class."""

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
    """Install the repr, comparison and hash methods that the options select.

    ``defined`` contains the names that the body defines. The groups are repr, equality, order and
    hash. If the body defines one method of a group, no method of that group is installed.
    """
    default_repr: Any = core.CObject.__repr__
    if options["repr"] and "__repr__" not in defined and cls.__repr__ is not default_repr:
        cls.__repr__ = default_repr  # type: ignore[method-assign]
    wanted: list[str] = []
    if options["eq"] and defined.isdisjoint(("__eq__", "__ne__")):
        wanted += ("__eq__", "__ne__")
    if options["order"] and defined.isdisjoint(_ORDER):
        wanted += _ORDER
    if options["unsafe_hash"] and "__hash__" not in defined:
        wanted.append("__hash__")
    for name in wanted:
        setattr(cls, name, core._operators[name])
    if wanted:
        core._use_operators(cls)


# ---- copies ----


def install_copies(cls: type, defined: set[str]) -> None:
    """Install ``__copy__``, ``__deepcopy__`` and ``__replace__``, unless the body defines them."""
    for name, function in _COPIES.items():
        if name not in defined:
            setattr(cls, name, function)


_COPIES = {
    "__copy__": core._copy_method,
    "__deepcopy__": core._operators["__deepcopy__"],
    "__replace__": core._replace_method,
}

# ---- construction ----


def install_user_init(cls: type) -> None:
    """Wrap the body's ``__init__``: first allocate an object with zero-initialized fields."""
    user: Callable[..., None] = vars(cls)["__init__"]
    allocate = core._allocate

    @functools.wraps(user)
    def init(self: Any, /, *args: Any, **kwargs: Any) -> None:
        allocate(self)
        try:
            return user(self, *args, **kwargs)
        except AttributeError as error:
            from . import unknown_field  # Only this error needs it, and it imports difflib.

            unknown_field.extend(error, type(self))
            raise

    cls.__init__ = init  # type: ignore[misc]


def install_post_init(cls: type) -> None:
    """Install an ``__init__`` that calls the native ``__init__``, then ``__post_init__``."""
    native: Callable[..., None] = cls.__init__  # type: ignore[misc]

    @functools.wraps(native)
    def init(self: Any, /, *args: Any, **kwargs: Any) -> None:
        native(self, *args, **kwargs)
        self.__post_init__()

    set_init(cls, init)


def set_init(cls: type, init: Any) -> None:
    """Set the ``__init__`` of a class."""
    init.__name__ = "__init__"
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__module__ = cls.__module__
    cls.__init__ = init  # type: ignore[misc]


def install_refusal(cls: type) -> None:
    """Install an ``__init__`` that raises ``TypeError``, for a class with ``init=False``."""

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        raise TypeError(
            f"`{type(self).__name__}` cannot be constructed directly. "
            "Define a custom __init__ or use a factory method."
        )

    set_init(cls, init)


def set_match_args(cls: type, fields: tuple[Field, ...]) -> None:
    """Set ``__match_args__``, the fields that positional patterns match, in declaration order."""
    names = tuple(f.name for f in fields if f.init and not f.kw_only)
    setattr(cls, "__match_args__", names)  # noqa: B010 - mypy reserves the name


class _SignatureDoc:
    """The documentation of a class without a docstring: the name and parameters of the class.

    Without this text, ``help`` and notebooks show the documentation of a base class.
    """

    def __reduce__(self) -> str:
        return "_SIGNATURE_DOC"

    def __get__(self, instance: object, owner: type) -> str:
        import inspect  # Imported here because only documentation needs it.

        try:
            return f"{owner.__name__}{inspect.signature(owner)}"
        except (TypeError, ValueError):
            return owner.__name__


_SIGNATURE_DOC: Any = _SignatureDoc()


def install_doc(cls: type) -> None:
    """Set ``__doc__`` unless the body has a docstring or the class is an enum."""
    if vars(cls).get("__doc__") is None and not isinstance(cls, core._EnumMeta):
        cls.__doc__ = _SIGNATURE_DOC


def update_abstract(cls: type) -> None:
    """Update the abstract methods of a class after installing members."""
    if getattr(cls, "__abstractmethods__", None):
        import abc

        abc.update_abstractmethods(cls)


def init_properties_of(cls: type) -> dict[str, Callable[[Any], Any]]:
    """Return the ``init_property`` functions of a class and its ancestors, ancestors first."""
    found: dict[str, Callable[[Any], Any]] = {}
    if hasattr(cls, "__ffi_init_property_funcs__"):
        for owner in reversed(cls.__mro__):
            found.update(vars(owner).get("__ffi_init_property_funcs__", {}))
    return found
