# SPDX-License-Identifier: Apache-2.0
"""The objects of the example project."""

from tvm_ffi.schema import Object, declare, module, ty

__tschema__ = module(namespace="shapes", type_key_prefix="example.")


@declare
class PointNode(Object):
    """A point in the plane.

    Attributes
    ----------
    x
        Distance to the right.
    y
        Distance upwards.
    """

    type_key = "Point"
    x: ty.float64
    y: ty.float64 = 0.0


@declare
class PathNode(Object):
    """Points in order.

    Attributes
    ----------
    points
        The points; at least two.
    """

    type_key = "Path"
    points: ty.Array[PointNode]
