# SPDX-License-Identifier: Apache-2.0
"""A listing of variants that reads as a dictionary and iterates as pairs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeVar

    _V = TypeVar("_V")


class EntryName(str):
    """The name of a variant in a listing.

    It is a ``str`` like any other, but iterating over it gives the name and the variant in place of
    the characters. That makes ``for name, variant in A.entries()`` unpack, while the listing stays
    a dictionary whose keys are names. ``str(name)`` is a plain string.
    """

    __slots__ = ("_variant",)
    _variant: Any

    def __iter__(self) -> Iterator[Any]:
        return iter((str(self), self._variant))

    def __str__(self) -> str:
        return self[:]

    def __reduce__(self) -> tuple[Any, ...]:
        return (str, (str(self),))


if TYPE_CHECKING:

    class _Base(dict[str, _V]):
        # Names to those who take one, pairs to those who take two.
        def __iter__(self) -> Iterator[Any]: ...
else:
    _Base = dict


class EnumEntries(_Base["_V"]):
    """Names and variants of an enum in order of registration: a snapshot.

    A ``dict`` in every respect; ``for name, variant in entries`` works besides.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return (dict, ({str(name): variant for name, variant in self.items()},))


def make_entries(pairs: Iterator[tuple[str, _V]]) -> EnumEntries[_V]:
    """List pairs of names and variants."""
    entries: EnumEntries[_V] = EnumEntries()
    for name, variant in pairs:
        key = EntryName(name)
        key._variant = variant
        entries[key] = variant
    return entries
