# SPDX-License-Identifier: Apache-2.0
"""Fields, and entries of enums."""

from __future__ import annotations

from typing import Any

from .checks import check_choice, check_options
from .values import MISSING

STRUCTURAL = ("ignore", "def", "def-pattern", "def-simple")
ACCESS = ("public", "protected", "private")
STORAGE = ("", "any", "objectptr")


class FieldSpec:
    """The arguments of `field`."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options


_FIELD_TYPES: dict[str, tuple[type, ...]] = {
    "cpp_default": (str, type(None)),
    "frozen": (bool, type(None)),
    "init": (bool,),
    "kw_only": (bool, type(None)),
    "repr": (bool,),
    "compare": (bool,),
    "hash": (bool, type(None)),
    "structural_eq": (str, type(None)),
    "doc": (str, type(None)),
    "metadata": (dict, type(None)),
    "name": (str, type(None)),
    "access": (str,),
    "storage": (str, type(None)),
    "reflect": (bool,),
    "renamed_from": (str, type(None)),
    "since": (str, type(None)),
    "deprecated": (str, type(None)),
}


def field(*, default: Any = MISSING, default_factory: Any = MISSING, **options: Any) -> Any:
    """Describe a field beyond its type.

    Parameters
    ----------
    default, default_factory
        Its default: a literal or ``cpp(...)``; a callable without parameters for mutable values.
    **options
        ``cpp_default``, ``frozen``, ``init``, ``kw_only``, ``repr``, ``compare``, ``hash``,
        ``structural_eq``, ``doc``, ``metadata``, ``name``, ``access``, ``storage``, ``reflect``,
        ``renamed_from``, ``since``, ``deprecated``.

    Raises
    ------
    TypeError, ValueError
        For an unknown option, a value of another type, or two defaults.

    """
    check_options("field()", options, _FIELD_TYPES)
    given = [
        default is not MISSING,
        default_factory is not MISSING,
        bool(options.get("cpp_default")),
    ]
    if sum(given) > 1:
        raise ValueError("field() takes one of default, default_factory and cpp_default")
    if default_factory is not MISSING and not callable(default_factory):
        raise TypeError("field(): default_factory must be callable without arguments")
    check_choice("field()", options, "structural_eq", (None, *STRUCTURAL))
    check_choice("field()", options, "access", ACCESS)
    check_choice("field()", options, "storage", (None, *STORAGE))
    return FieldSpec({"default": default, "default_factory": default_factory, **options})


class EntrySpec:
    """The arguments of `entry`; `owner` and `name` are known once the class is made."""

    def __init__(self, value: Any, attrs: dict[str, Any], fields: dict[str, Any]) -> None:
        self.value = value
        self.attrs = attrs
        self.fields = fields
        self.owner = ""
        self.name = ""
        self.doc = ""  # the comment above it, known to those who read the source

    def __set_name__(self, owner: type, name: str) -> None:
        if not self.owner:  # as the default of a field it is assigned once more
            self.owner, self.name = owner.__name__, name


def entry(value: Any = MISSING, *, attrs: dict[str, Any] | None = None, **fields: Any) -> Any:
    """Describe an entry of an enum: its value, its field values, its extensible attributes.

    Raises
    ------
    TypeError
        If `attrs` is no dict.

    """
    if attrs is not None and not isinstance(attrs, dict):
        raise TypeError(f"entry(): attrs must be a dict, not {attrs!r}")
    return EntrySpec(value, attrs or {}, fields)


def auto() -> Any:
    """Return an entry that takes the next integer, or its own name."""
    return EntrySpec(MISSING, {}, {})
