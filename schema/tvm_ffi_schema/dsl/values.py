# SPDX-License-Identifier: Apache-2.0
"""Base classes and values that schema files use directly."""

from __future__ import annotations

from typing import Any


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING: Any = _Missing()


class _KwOnly:
    """A marker: after ``_: KW_ONLY``, all later fields are keyword-only."""


TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import KW_ONLY as KW_ONLY
else:
    KW_ONLY = _KwOnly


class Object:
    """Stand-in for `tvm_ffi.Object` as a base of schema classes, without native code."""

    if TYPE_CHECKING:  # declare the settings of a class, for completion in editors
        type_key: Any
        ref: Any
        cpp_name: Any
        nullable: Any
        mutable: Any
        final: Any
        abstract: Any
        sealed: Any
        ctor: Any
        default_visit_attrs: Any
        default_sequal_reduce: Any
        default_shash_reduce: Any
        structural_eq: Any
        namespace: Any
        header: Any
        renamed_from: Any
        deprecated: Any
        child_slots: Any
        registration: Any
        type_attrs: Any
        traits: Any
        includes: Any


class Enum(Object):
    """Stand-in for the base class of enums whose entries have fields."""


class IntEnum(Enum):
    """Stand-in for the base class of enums whose entries are integers."""


class StrEnum(Enum):
    """Stand-in for the base class of enums whose entries are texts."""


class CppText:
    """A C++ expression as text, used as a value."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str) or not text.strip():
            raise TypeError(f"cpp() takes C++ text, not {text!r}")
        self.text = text


def cpp(text: str) -> Any:
    """Return a value that is a C++ expression; the generated C++ contains the text unchanged.

    Raises
    ------
    TypeError
        If `text` is not a str, or is empty.

    """
    return CppText(text)


class AutoSlots:
    """A request to compute the child slots, and to reserve `extra` more slots.

    Child slots are the type indices that a class reserves for its subclasses.
    """

    def __init__(self, extra: int) -> None:
        self.extra = extra


def auto_slots(extra: int = 0) -> Any:
    """Request that the tool computes the child slots, and reserves `extra` more slots.

    Raises
    ------
    TypeError
        If `extra` is not an integer, or is negative.

    """
    if type(extra) is not int or extra < 0:
        raise TypeError(f"auto_slots(): extra must be a count, not {extra!r}")
    return AutoSlots(extra)


class Trait:
    """A type attribute: a name and a value."""

    def __init__(self, name: str, value: Any = True) -> None:
        if not isinstance(name, str) or not name:
            raise TypeError(f"Trait(): the name must be a text, not {name!r}")
        self.name = name
        self.value = value
