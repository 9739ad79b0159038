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

    The name is a ``str``, but iteration over a name gives the name and the variant instead of the
    characters. So ``for name, variant in A.entries()`` works, although the listing is a dictionary
    whose keys are names. ``str(name)`` is a plain string.
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

    class _NameOrPair(str, tuple[str, _V]):  # type: ignore[misc]
        """A listing name for type checkers, usable as one loop variable or as two."""

    class _Base(dict[str, _V]):
        def __iter__(self) -> Iterator[_NameOrPair[_V]]: ...
else:
    _Base = dict


class EnumEntries(_Base["_V"]):
    """A snapshot of the names and variants of an enum in order of registration.

    The listing is a ``dict``; ``for name, variant in entries`` works as well.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return (dict, ({str(name): variant for name, variant in self.items()},))


def make_entries(pairs: Iterator[tuple[str, _V]]) -> EnumEntries[_V]:
    """Create the listing of pairs of names and variants."""
    entries: EnumEntries[_V] = EnumEntries()
    for name, variant in pairs:
        key = EntryName(name)
        key._variant = variant
        entries[key] = variant
    return entries
