# SPDX-License-Identifier: Apache-2.0
"""Extend the error for wrong arguments of a subclass whose decorator was forgotten."""

from __future__ import annotations

from . import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def extend(error: TypeError, cls: type, defined: Any) -> None:
    """Add a hint to the message if annotations of ``cls`` did not become fields.

    ``cls`` is a class that is not decorated, so it does not have its own type: it has the type and
    the fields of its ancestor ``defined``. A call of ``cls`` raises ``error``.
    """
    for owner in cls.__mro__[: cls.__mro__.index(defined)]:
        names = ", ".join(name for name in resolve.own_annotations(owner) if name[:1] != "_")
        if names:
            error.args = (
                f"{error}\n`{owner.__name__}` annotates {names}, but is not decorated, so it has "
                f"only the fields of `{defined.__name__}`: decorate it with @py_class",
            )
            return
