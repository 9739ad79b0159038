# SPDX-License-Identifier: Apache-2.0
"""Describe fields, and entries of enums."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .table import FIELD, given, options_of
from .values import MISSING


class FieldSpec:
    """The arguments of `field`."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options


@options_of(FIELD)
def field(
    *,
    default: Any = MISSING,
    default_factory: Callable[[], Any] = MISSING,
    init: bool = True,
    repr: bool = True,
    compare: bool = True,
    reflect: bool = True,
    frozen: bool | None = None,
    hash: bool | None = None,
    kw_only: bool | None = None,
    structural_eq: str | None = None,
    renamed_from: str | None = None,
    access: str = "public",
    name: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    doc: str | None = None,
) -> Any:
    """State options of a field; `docs/settings.md` describes each option.

    Raises
    ------
    TypeError, ValueError
        If an option is unknown, if a value has a wrong type, or if there are two defaults.

    """
    options = given(locals(), FIELD)
    if {"default", "default_factory"} <= set(options):
        raise ValueError("field() takes one of default and default_factory")
    options.setdefault("default", MISSING)
    options.setdefault("default_factory", MISSING)
    return FieldSpec(options)


class EntrySpec:
    """The arguments of `entry`; `owner` and `name` are set when the class is created."""

    def __init__(self, value: Any, attrs: dict[str, Any], fields: dict[str, Any]) -> None:
        self.value = value
        self.attrs = attrs
        self.fields = fields
        self.owner = ""
        self.name = ""
        self.doc = ""  # the comment above the entry; the readers set it from the source text

    def __set_name__(self, owner: type, name: str) -> None:
        if not self.owner:  # ignore later names, such as a field with the entry as its default
            self.owner, self.name = owner.__name__, name


def entry(value: Any = MISSING, *, attrs: dict[str, Any] | None = None, **fields: Any) -> Any:
    """Describe an entry of an enum: its value, the values of its fields, its type attributes.

    Raises
    ------
    TypeError
        If `attrs` is not a dict.
    """
    if attrs is not None and not isinstance(attrs, dict):
        raise TypeError(f"entry(): attrs must be a dict, not {attrs!r}")
    return EntrySpec(value, attrs or {}, fields)


def auto() -> Any:
    """Return an entry: its value is the next integer, or in an enum of strings the entry's name."""
    return EntrySpec(MISSING, {}, {})
