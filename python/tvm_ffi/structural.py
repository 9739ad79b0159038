# SPDX-License-Identifier: Apache-2.0
"""Equality, hash and traversal by structure.

Each type says how its objects take part: as trees, as nodes that may be shared, as variables that a
field defines, or by identity. Traversals go through containers and through the fields of objects,
those left out that a type ignores.
"""

from __future__ import annotations

from . import core
from ._structural_callbacks import normalize, takes_inplace_mode
from ._traversal import (
    _KINDS,
    DefRegionKind,
    InplaceMode,
    StructuralMutator,
    StructuralVisitor,
    VisitInterrupt,
    WalkOrder,
    WalkResult,
    _native,
)
from .core import Function, Object
from .registry import register_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._structural_callbacks import Callbacks

__all__ = [
    "DefRegionKind",
    "InplaceMode",
    "StructuralKey",
    "StructuralMutator",
    "StructuralVisitor",
    "VisitInterrupt",
    "WalkOrder",
    "WalkResult",
    "get_first_structural_mismatch",
    "structural_equal",
    "structural_hash",
    "structural_map",
    "structural_mutate",
    "structural_visit",
    "structural_walk",
]

structural_equal = core._structural_equal
structural_hash = core._structural_hash
get_first_structural_mismatch = core._get_first_structural_mismatch
_traverse = core._traverse


@register_object("ffi.StructuralKey", init=False)
class StructuralKey(core._StructuralKeyBase, Object):
    """A value as a key that is found by its structure, in Python's dictionaries and in ours.

    The hash is computed once, so the value must not be changed any more.

    Examples
    --------
    >>> from tvm_ffi import StructuralKey
    >>> {StructuralKey([1, 2]): "found"}[StructuralKey([1, 2])]
    'found'

    """

    key: Any
    hash_i64: int


def structural_walk(
    root: Any,
    callbacks: Callbacks = (),
    with_def_region_kind: Callbacks = (),
    order: str | WalkOrder = "post",
) -> VisitInterrupt | None:
    """Call back for a value and everything in it, every time that it occurs.

    The values of mappings are in them and their keys are not; ``None`` is never visited.

    Parameters
    ----------
    root
        The value.
    callbacks
        A callable for every value; ``(type, callable)`` or ``((type1, type2, ...), callable)`` for
        values of those types; or a sequence of such tuples, of which the first that fits counts. A
        class stands for those derived from it too, ``typing.Any`` for all. Each takes the value and
        returns a ``WalkResult``, a ``VisitInterrupt`` or ``None``.
    with_def_region_kind
        The same for callables that take a ``DefRegionKind`` as well; tried after ``callbacks``.
    order
        ``"pre"``, ``"post"`` or a ``WalkOrder``.

    Returns
    -------
    The interrupt that ended the walk, or ``None``.

    Raises
    ------
    TypeError
        The callbacks are not as described, or one of them returned something else.
    ValueError
        ``order`` is something else, or a value contains itself.

    Examples
    --------
    >>> from tvm_ffi import structural_walk
    >>> found = []
    >>> structural_walk([1, {"a": 2}, "b"], (int, found.append))
    >>> found
    [1, 2]

    """
    return _traverse(
        _walk,
        root,
        normalize("structural_walk", callbacks),
        normalize("structural_walk", with_def_region_kind, _with_region),
        _order("walk", order),
    )


def structural_visit(root: Any, callbacks: Callbacks = ()) -> VisitInterrupt | None:
    """Visit a value by callbacks that decide themselves how to go on.

    Parameters
    ----------
    root
        The value.
    callbacks
        As for ``structural_walk``. Each takes the value and a ``StructuralVisitor`` and returns a
        ``VisitInterrupt`` or ``None``. What it does not visit is left out. Values that no callback
        is for are gone into by default.

    Returns
    -------
    The interrupt that ended the visit, or ``None``.

    Raises
    ------
    TypeError
        The callbacks are not as described, or one of them returned something else.
    ValueError
        A value contains itself.

    Examples
    --------
    >>> from tvm_ffi import Array, structural_visit
    >>> found = []
    >>> def skip_short(value, visitor):
    ...     return visitor.default_visit(value) if len(value) > 1 else None
    >>> structural_visit([[1], [2, 3]], [(int, lambda x, _: found.append(x)), (Array, skip_short)])
    >>> found
    [2, 3]

    """
    return _traverse(_visit, root, normalize("structural_visit", callbacks))


def structural_map(
    root: Any,
    callbacks: Callbacks = (),
    with_def_region_kind: Callbacks = (),
    order: str | WalkOrder = "post",
) -> Any:
    """Return a value with what callbacks make of everything in it.

    What does not change is shared with the original, which stays as it is; if nothing changes it is
    returned. A variable that its definition replaces is replaced in its uses too. The keys of
    mappings are not mapped.

    Parameters
    ----------
    root
        The value. One that is given as ``value._move()`` may be changed instead of copied.
    callbacks
        As for ``structural_walk``. Each takes the value and returns what to put for it.
    with_def_region_kind
        The same for callables that take a ``DefRegionKind`` as well; tried after ``callbacks``.
    order
        ``"pre"``, ``"post"`` or a ``WalkOrder``: whether a callback sees a value before or after
        what is in it was mapped.

    Raises
    ------
    TypeError
        The callbacks are not as described, or a field cannot hold what one of them returned.
    ValueError
        ``order`` is something else, or a value contains itself.

    Examples
    --------
    >>> from tvm_ffi import structural_map
    >>> structural_map([1, [2, "a"]], (int, lambda x: x * 10))
    (10, (20, "a"))

    """
    return _traverse(
        _map,
        root,
        normalize("structural_map", callbacks),
        normalize("structural_map", with_def_region_kind, _with_region),
        _order("map", order),
    )


def structural_mutate(root: Any, callbacks: Callbacks = ()) -> Any:
    """Return what callbacks, which decide themselves how to go on, make of a value.

    Parameters
    ----------
    root
        The value. One that is given as ``value._move()`` may be changed instead of copied.
    callbacks
        As for ``structural_walk``. Each takes the value, a ``StructuralMutator`` and, where it has
        a third parameter, an ``InplaceMode``, and returns what to put for the value; that is final.
        Values that no callback is for are gone into by default.

    Raises
    ------
    TypeError
        The callbacks are not as described, or a field cannot hold what one of them returned.
    ValueError
        A value contains itself.

    Examples
    --------
    >>> from tvm_ffi import Array, structural_mutate
    >>> def drop_last(value, mutator):
    ...     return mutator.default_mutate(list(value)[:-1])
    >>> structural_mutate([1, [2, 3], 4], (Array, drop_last))
    (1, (2,))

    """
    return _traverse(_mutate, root, normalize("structural_mutate", callbacks, _with_mode))


def _order(what: str, order: str | WalkOrder) -> WalkOrder:
    if isinstance(order, WalkOrder):
        return order
    if isinstance(order, str) and order in ("pre", "post"):
        return WalkOrder.PREORDER if order == "pre" else WalkOrder.POSTORDER
    raise ValueError(f"Unknown structural {what} order: {order!r}")


def _with_region(callback: Callable[..., Any]) -> tuple[Callable[..., Any]]:
    if isinstance(callback, Function):
        return (callback,)
    return (lambda value, kind: callback(value, _KINDS[kind]),)


def _with_mode(callback: Callable[..., Any]) -> tuple[Callable[..., Any], bool]:
    return callback, takes_inplace_mode(callback)


_walk: Callable[..., VisitInterrupt | None] = _native("StructuralWalk")
_visit: Callable[..., VisitInterrupt | None] = _native("StructuralVisit")
_map = _native("StructuralMap")
_mutate = _native("StructuralMutate")
