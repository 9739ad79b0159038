# SPDX-License-Identifier: Apache-2.0
"""The options of the class decorators, for type checkers.

``py_class`` and ``c_class`` have them as parameters, with defaults and documentation; the other
decorators and the overloads refer to this list.
"""

from __future__ import annotations

from typing import TypedDict


class MemberOptions(TypedDict, total=False):
    """Which members a class gets: the options of ``c_class`` and ``c_enum``."""

    frozen: bool
    init: bool
    repr: bool
    eq: bool
    order: bool
    unsafe_hash: bool
    match_args: bool


class ClassOptions(MemberOptions, total=False):
    """The options of a class that Python defines: ``auto_class`` and ``py_enum``."""

    kw_only: bool
    structural_eq: str | None
    slots: bool
    weakref_slot: bool
    auto_methods: bool


class PyClassOptions(ClassOptions, total=False):
    """The options of ``py_class``."""

    native: str | None
