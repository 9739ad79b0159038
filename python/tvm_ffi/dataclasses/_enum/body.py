# SPDX-License-Identifier: Apache-2.0
"""The namespace in which the body of an enum class runs."""

from __future__ import annotations

from ... import core
from .entry import _EnumEntry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def payload_type(cls: Any) -> type | None:
    """Return ``int`` or ``str`` if plain values in the body of a class declare variants."""
    if not isinstance(cls, type):
        return None
    if issubclass(cls, core._IntPayload):
        return int
    return str if issubclass(cls, core._StrPayload) else None


def is_variant_name(name: str) -> bool:
    """Return whether a plain value with this name may declare a variant."""
    return name[:1] != "_" and name != "value"


class Body(dict[str, "Any"]):
    """A namespace that rejects a second assignment to the name of a variant.

    ``payload`` is ``int`` or ``str`` if plain values declare variants, else ``None``.
    """

    __slots__ = ("cls_name", "payload")

    def __init__(self, cls_name: str, payload: type | None) -> None:
        self.cls_name = cls_name
        self.payload = payload

    def __setitem__(self, name: str, value: Any) -> None:
        if name in self and (self._declares(name, self[name]) or self._declares(name, value)):
            raise TypeError(
                f"{self.cls_name}.{name} is assigned twice: a variant is declared once, "
                "so give the second one another name"
            )
        super().__setitem__(name, value)

    def _declares(self, name: str, value: Any) -> bool:
        """Return whether an assignment declares a variant."""
        if isinstance(value, _EnumEntry):
            return True
        is_field = name in self.get("__annotations__", ())
        return type(value) is self.payload and is_variant_name(name) and not is_field
