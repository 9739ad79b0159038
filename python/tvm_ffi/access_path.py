# SPDX-License-Identifier: Apache-2.0
"""Where something lies inside a value: the fields, indices and keys that lead to it."""

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
    """What one step of a path does."""

    ATTR = 0
    ARRAY_ITEM = 1
    MAP_ITEM = 2
    # The step leads to something that is not there, though it is in the value compared with.
    ATTR_MISSING = 3
    ARRAY_ITEM_MISSING = 4
    MAP_ITEM_MISSING = 5


@register_object("ffi.reflection.AccessStep")
class AccessStep(Object):
    """One step: its kind, an ``AccessKind``, and the name, index or key that it takes."""

    kind: int
    key: Any


@register_object("ffi.reflection.AccessPath")
class AccessPath(Object):
    """An immutable path; each extension of it is a path of its own that refers to this one.

    Paths of equal steps are equal. Their hash is that of the object, so that paths made separately
    are different keys all the same.

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
    step: AccessStep | None
    depth: int

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
        """Return a path of no steps."""
        path: AccessPath = AccessPath._root()
        return path

    def __eq__(self, other: object) -> bool:
        """Tell whether the other is a path of equal steps."""
        return isinstance(other, AccessPath) and self._path_equal(other)

    def __ne__(self, other: object) -> bool:
        """Tell whether the other is something else than a path of equal steps."""
        return not self == other

    __hash__ = Object.__hash__

    def is_prefix_of(self, other: AccessPath) -> bool:
        """Tell whether the other path begins with the steps of this one."""
        return self._is_prefix_of(other)

    def attr(self, attr_key: str) -> AccessPath:
        """Return this path and a step to a field."""
        return self._attr(attr_key)

    def attr_missing(self, attr_key: str) -> AccessPath:
        """Return this path and a step to a field that is not there."""
        return self._attr_missing(attr_key)

    def array_item(self, index: int) -> AccessPath:
        """Return this path and a step to an element of a sequence."""
        return self._array_item(index)

    def array_item_missing(self, index: int) -> AccessPath:
        """Return this path and a step to an element that is not there."""
        return self._array_item_missing(index)

    def map_item(self, key: Any) -> AccessPath:
        """Return this path and a step to the value of a key."""
        return self._map_item(key)

    def map_item_missing(self, key: Any) -> AccessPath:
        """Return this path and a step to the value of a key that is not there."""
        return self._map_item_missing(key)

    def to_steps(self) -> Array[AccessStep]:
        """Return the steps, the one at the root first."""
        return self._to_steps()
