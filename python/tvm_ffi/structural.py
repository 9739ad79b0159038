# SPDX-License-Identifier: Apache-2.0
"""Equality, hash and traversal by structure.

Each type declares how its objects are compared: as trees, as shared nodes, as variables that a
field defines, or by identity. Traversals visit the contents of containers and the fields of
objects, except fields that the type ignores.
"""

from __future__ import annotations

from . import core
from ._structural.callbacks import normalize, takes_inplace_mode
from ._structural.traversal import (
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

    from ._structural.callbacks import Callbacks

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
    """A value as a dictionary key that is compared by structure, in Python and in FFI mappings.

    The hash is computed once, so the value must not be changed afterwards.

    Examples
    --------
    >>> from tvm_ffi import StructuralKey
    >>> {StructuralKey([1, 2]): "found"}[StructuralKey([1, 2])]
    'found'

    """

    key: Any
    """The value."""
    hash_i64: int
    """The structural hash of the value, as a signed number of 64 bits."""


def structural_walk(
    root: Any,
    callbacks: Callbacks = (),
    with_def_region_kind: Callbacks = (),
    order: str | WalkOrder = "post",
) -> VisitInterrupt | None:
    """Call callbacks for a value and for each occurrence of a value inside it.

    The values of mappings are visited, but not the keys; ``None`` is never visited.

    Parameters
    ----------
    root
        The value.
    callbacks
        A callable for every value; a tuple ``(type, callable)`` or ``((type1, type2, ...),
        callable)`` for values of the given types; or a sequence of these tuples, in which the first
        match is used. A class also matches its subclasses, ``typing.Any`` matches all values. Each
        callable takes the value and returns a ``WalkResult``, a ``VisitInterrupt`` or ``None``.
    with_def_region_kind
        Like ``callbacks``, but each callable also takes a ``DefRegionKind``; tried after
        ``callbacks``.
    order
        ``"pre"``, ``"post"`` or a ``WalkOrder``.

    Returns
    -------
    The interrupt that ended the walk, or ``None``.

    Raises
    ------
    TypeError
        If the callbacks do not have this form, or a callback returned another value.
    ValueError
        If ``order`` is invalid, or a value contains itself.

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
    """Visit a value with callbacks that control the traversal.

    Parameters
    ----------
    root
        The value.
    callbacks
        The same as for ``structural_walk``, except that each callable takes the value and a
        ``StructuralVisitor`` and returns a ``VisitInterrupt`` or ``None``. Contents that the
        callback does not visit are skipped. Values without a callback are traversed by default.

    Returns
    -------
    The interrupt that ended the visit, or ``None``.

    Raises
    ------
    TypeError
        If the callbacks do not have this form, or a callback returned another value.
    ValueError
        If a value contains itself.

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
    """Return a value in which callbacks have replaced parts.

    Unchanged parts are shared with the original, which is not modified; if nothing changes, the
    original is returned. If the contents of a variable change at its definition, the variable is
    also replaced in its uses. A callback for the variable itself is called at the definition and at
    each use, and must return the same object each time, for example from a dict. The keys of
    mappings are not mapped.

    Parameters
    ----------
    root
        The value. If it is passed as ``value._move()``, it may be changed instead of copied.
    callbacks
        The same as for ``structural_walk``, except that each callable takes the value and returns
        the replacement.
    with_def_region_kind
        Like ``callbacks``, but each callable also takes a ``DefRegionKind``; tried after
        ``callbacks``.
    order
        ``"pre"``, ``"post"`` or a ``WalkOrder``: whether a callback sees a value before or after
        its contents are mapped.

    Raises
    ------
    TypeError
        If the callbacks do not have this form, or a field cannot hold the result of a callback.
    ValueError
        If ``order`` is invalid, or a value contains itself.

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
    """Return a value whose parts callbacks have replaced or changed.

    The callbacks control the traversal.

    Parameters
    ----------
    root
        The value. If it is passed as ``value._move()``, it may be changed instead of copied.
    callbacks
        The same as for ``structural_walk``, except that each callable takes the value, a
        ``StructuralMutator`` and, if the callable has a third parameter, an ``InplaceMode``. The
        callable returns the replacement, which is not traversed again. Values without a callback
        are traversed by default.

    Raises
    ------
    TypeError
        If the callbacks do not have this form, or a field cannot hold the result of a callback.
    ValueError
        If a value contains itself.

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
