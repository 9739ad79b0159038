# SPDX-License-Identifier: Apache-2.0
"""A prototype in Python. This file is not changed when its classes become native classes."""

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
    """A sequence of points.

    Attributes
    ----------
    points
        The points.
    name
        The name of the path.
    """

    points: list[Point] = field(default_factory=list)
    name: str | None = None

    def length(self) -> float:
        """Return the length of the path."""
        pairs = zip(self.points, self.points[1:])
        return sum(((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5 for a, b in pairs)
