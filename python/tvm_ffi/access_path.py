# SPDX-License-Identifier: Apache-2.0
"""Access paths: the fields, indices and keys that lead to a part of a value."""

from __future__ import annotations

from enum import IntEnum

from .core import Object
from .registry import register_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .container import Array

__all__ = ["AccessKind", "AccessPath", "AccessStep"]


class AccessKind(IntEnum):
    """The kind of one step of a path."""

    ATTR = 0
    """A field of an object."""
    ARRAY_ITEM = 1
    """An element of a sequence."""
    MAP_ITEM = 2
    """The value of a key."""
    ATTR_MISSING = 3
    """A field that is missing here, but present in the other value."""
    ARRAY_ITEM_MISSING = 4
    """An element that is missing here, but present in the other value."""
    MAP_ITEM_MISSING = 5
    """A key that is missing here, but present in the other value."""


@register_object("ffi.reflection.AccessStep")
class AccessStep(Object):
    """One step: its kind, an ``AccessKind``, and the name, index or key of the step."""

    kind: int
    """The kind of the step, an ``AccessKind``."""
    key: Any
    """The name of the field, the index of the element, or the key."""


def _hashed_key(key: Any) -> str | bytes | int | None:
    """Return the key of a step, or None for a kind of key that may lack a consistent hash."""
    return key if isinstance(key, (str, bytes, int)) else None


@register_object("ffi.reflection.AccessPath")
class AccessPath(Object):
    """An immutable path; an extension of it is a new path that refers to this one.

    Paths with equal steps are equal and have equal hashes, so a path can be a key of a ``dict``.

    Examples
    --------
    >>> from tvm_ffi.access_path import AccessPath
    >>> path = AccessPath.root().attr("layers").array_item(2)
    >>> path
    <root>.layers[2]
    >>> AccessPath.root().is_prefix_of(path), path.depth, path.step
    (True, 2, [2])

    """

    parent: AccessPath | None
    """The path without its last step; None for the root."""
    step: AccessStep | None
    """The last step; None for the root."""
    depth: int
    """The number of steps."""

    if TYPE_CHECKING:
        # Reflected methods of the type.
        _root: Callable[[], AccessPath]
        _extend: Callable[[AccessStep], AccessPath]
        _attr: Callable[[str], AccessPath]
        _attr_missing: Callable[[str], AccessPath]
        _array_item: Callable[[int], AccessPath]
        _array_item_missing: Callable[[int], AccessPath]
        _map_item: Callable[[Any], AccessPath]
        _map_item_missing: Callable[[Any], AccessPath]
        _is_prefix_of: Callable[[AccessPath], bool]
        _to_steps: Callable[[], Array[AccessStep]]
        _path_equal: Callable[[AccessPath], bool]

    def __init__(self) -> None:
        raise ValueError(
            "AccessPath can't be initialized directly. "
            "Use AccessPath.root() to create a path to the root object"
        )

    @staticmethod
    def root() -> AccessPath:
        """Return the path without steps."""
        path: AccessPath = AccessPath._root()
        return path

    def __eq__(self, other: object) -> bool:
        """Return whether ``other`` is a path with equal steps."""
        return isinstance(other, AccessPath) and self._path_equal(other)

    def __ne__(self, other: object) -> bool:
        """Return whether ``other`` is not a path with equal steps."""
        return not self == other

    def __hash__(self) -> int:
        """Hash the kinds of the steps, and the keys that are strings, bytes or integers."""
        return hash(tuple((step.kind, _hashed_key(step.key)) for step in self.to_steps()))

    def is_prefix_of(self, other: AccessPath) -> bool:
        """Return whether ``other`` begins with the steps of this path."""
        return self._is_prefix_of(other)

    def attr(self, attr_key: str) -> AccessPath:
        """Return this path extended by a step to a field."""
        return self._attr(attr_key)

    def attr_missing(self, attr_key: str) -> AccessPath:
        """Return this path extended by a step to a missing field."""
        return self._attr_missing(attr_key)

    def array_item(self, index: int) -> AccessPath:
        """Return this path extended by a step to an element of a sequence."""
        return self._array_item(index)

    def array_item_missing(self, index: int) -> AccessPath:
        """Return this path extended by a step to a missing element."""
        return self._array_item_missing(index)

    def map_item(self, key: Any) -> AccessPath:
        """Return this path extended by a step to the value of a key."""
        return self._map_item(key)

    def map_item_missing(self, key: Any) -> AccessPath:
        """Return this path extended by a step to the value of a missing key."""
        return self._map_item_missing(key)

    def to_steps(self) -> Array[AccessStep]:
        """Return the steps, beginning at the root."""
        return self._to_steps()
