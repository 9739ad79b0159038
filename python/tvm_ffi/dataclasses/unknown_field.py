# SPDX-License-Identifier: Apache-2.0
"""The error for a change to a field that a class does not have."""

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
    names = [field.name for field in getattr(cls, "__ffi_fields__", ())]
    known = f"; it has {', '.join(names) or 'no fields'}"
    what = "field" if hasattr(cls, name) else "attribute"
    raise UnknownFieldError(
        f"type object {cls.__name__!r} has no {what} {name!r}: replace() sets fields of "
        f"{cls.__qualname__}{hint(name, names, known)}"
    )
