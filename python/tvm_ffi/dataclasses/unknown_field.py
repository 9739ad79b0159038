# SPDX-License-Identifier: Apache-2.0
"""The errors for fields that a class does not have."""

from __future__ import annotations

from .._nearest import hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


class UnknownFieldError(TypeError, AttributeError):
    """The error of ``replace`` for a name that is not a field.

    The error is both a ``TypeError``, as in :mod:`dataclasses`, and an ``AttributeError``, as in
    ``apache-tvm-ffi``.
    """


def refuse(cls: type, name: str) -> NoReturn:
    """Raise the error for a name; the extension calls this."""
    what = "field" if hasattr(cls, name) else "attribute"
    raise UnknownFieldError(
        f"type object {cls.__name__!r} has no {what} {name!r}: replace() sets fields of "
        f"{cls.__qualname__}{_hint(cls, name)}"
    )


def _hint(cls: type, name: str) -> str:
    names = [field.name for field in getattr(cls, "__ffi_fields__", ())]
    return hint(name, names, f"; it has {', '.join(names) or 'no fields'}")


def extend(error: AttributeError, cls: type) -> None:
    """Add the fields of ``cls`` to an error of its ``__init__`` about an unknown attribute."""
    prefix, text = f"'{cls.__name__}' object has no attribute '", str(error)
    name = text.removeprefix(prefix).partition("'")[0]  # CPython 3.13 adds "and no __dict__ ..."
    if text.startswith(prefix) and name.isidentifier() and not hasattr(cls, name):
        error.args = (f"{prefix}{name}': a field is annotated in the class body{_hint(cls, name)}",)
