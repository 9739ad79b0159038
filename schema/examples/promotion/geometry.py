# SPDX-License-Identifier: Apache-2.0
"""A prototype in Python. It stays as it is when its classes become native ones."""

from __future__ import annotations

from tvm_ffi import Object
from tvm_ffi.dataclasses import auto_class, field


@auto_class("example.geometry.Point")
class Point(Object):
    """A point in the plane.

    Attributes
    ----------
    x
        Distance to the right.
    y
        Distance upwards.
    """

    x: float
    y: float = 0.0


@auto_class("example.geometry.Path")
class Path(Object):
    """Points one after the other.

    Attributes
    ----------
    points
        The points.
    name
        What users call it.
    """

    points: list[Point] = field(default_factory=list)
    name: str | None = None

    def length(self) -> float:
        """Return the length of the way along the points."""
        pairs = zip(self.points, self.points[1:])
        return sum(((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5 for a, b in pairs)
