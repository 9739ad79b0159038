# SPDX-License-Identifier: Apache-2.0
"""Equality, hash and traversal by structure.

Each type says how its objects take part: as trees, as nodes that may be shared, as variables that a
field defines, or by identity. Traversals go through containers and through the fields of objects,
those left out that a type ignores.
"""

from __future__ import annotations

from enum import IntEnum

from . import core
from ._structural_callbacks import normalize, takes_inplace_mode
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


class WalkOrder(IntEnum):
    """Whether a value comes before or after those in it."""

    PREORDER = 0
    POSTORDER = 1


class WalkResult(IntEnum):
    """What a callback of ``structural_walk`` may return; ``None`` is ``ADVANCE``."""

    ADVANCE = 0
    # Do not go into this value. Only a walk in preorder can still do that.
    SKIP = 1


class InplaceMode(IntEnum):
    """Whether a value may be changed, because nobody else refers to it."""

    DISALLOW = 0
    ALLOW = 1


class DefRegionKind(IntEnum):
    """What a variable means where it stands: a use of it, or a definition."""

    NONE = 0
    # Everything below is part of the definition.
    DEF_PATTERN = 1
    # The variable alone is defined, what is in its own fields is used.
    DEF_SIMPLE = 2


_KINDS = tuple(DefRegionKind)


@register_object("ffi.VisitInterrupt")
class VisitInterrupt(Object):
    """Ends a traversal, whose result it becomes.

    Examples
    --------
    >>> from tvm_ffi.structural import VisitInterrupt, structural_walk
    >>> structural_walk([1, 2, 3], (int, lambda x: VisitInterrupt(x) if x > 1 else None)).value
    2

    """

    value: Any

    def __init__(self, value: Any = None) -> None:
        self.__init_handle_by_constructor__(_make_interrupt, value)


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


@register_object("ffi.StructuralVisitor")
class StructuralVisitor(Object):
    """A visit in progress, as its callbacks see it; the library makes it."""

    def visit(self, value: Any) -> VisitInterrupt | None:
        """Visit a value by the callbacks. An interrupt that is returned ends the visit."""
        return _visitor_visit(self, value)

    def default_visit(self, value: Any) -> VisitInterrupt | None:
        """Visit what is in a value, and not the value itself."""
        return _visitor_default_visit(self, value)

    def def_region_kind(self) -> DefRegionKind:
        """Return what variables mean at this point."""
        return _KINDS[_visitor_def_region_kind(self)]

    def with_def_region_kind(self, kind: int, callback: Callable[[], Any]) -> Any:
        """Call ``callback`` in a region of that kind and return its result.

        Inside a pattern the request is ignored. The region ends when the callback returns or
        raises.

        Raises
        ------
        ValueError
            ``kind`` is no ``DefRegionKind``.

        """
        return _visitor_with_def_region_kind(self, kind, callback)


@register_object("ffi.StructuralMutator")
class StructuralMutator(Object):
    """A mutation in progress, as its callbacks see it; the library makes it."""

    def mutate(self, value: Any) -> Any:
        """Return what the callbacks make of a value."""
        return _mutator_mutate(self, value)

    def default_mutate(self, value: Any) -> Any:
        """Return a value with what the callbacks make of what is in it."""
        return _mutator_default_mutate(self, value)

    def var_remap_get(self, var: Any) -> Any | None:
        """Return what is put for a variable, or for a shared node; ``None`` where nothing is.

        Raises
        ------
        TypeError
            ``var`` is no object.

        """
        return _mutator_var_remap_get(self, var)

    def var_remap_set(self, var: Any, mapped_value: Any) -> None:
        """Put something for a variable, or for a shared node, wherever it is met from now on.

        Raises
        ------
        TypeError
            ``var`` is no object.

        """
        _mutator_var_remap_set(self, var, mapped_value)

    def def_region_kind(self) -> DefRegionKind:
        """Return what variables mean at this point."""
        return _KINDS[_mutator_def_region_kind(self)]

    def with_def_region_kind(self, kind: int, callback: Callable[[], Any]) -> Any:
        """Call ``callback`` in a region of that kind, as ``StructuralVisitor`` does."""
        return _mutator_with_def_region_kind(self, kind, callback)


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


def _native(name: str) -> Any:
    return core._get_global_func("ffi." + name, False)


_walk: Callable[..., VisitInterrupt | None] = _native("StructuralWalk")
_visit: Callable[..., VisitInterrupt | None] = _native("StructuralVisit")
_map = _native("StructuralMap")
_mutate = _native("StructuralMutate")
_make_interrupt = _native("VisitInterrupt")
_visitor_visit: Callable[..., VisitInterrupt | None] = _native("StructuralVisitorVisit")
_visitor_default_visit: Callable[..., VisitInterrupt | None] = _native(
    "StructuralVisitorDefaultVisit"
)
_visitor_def_region_kind: Callable[..., int] = _native("StructuralVisitorDefRegionKind")
_visitor_with_def_region_kind = _native("StructuralVisitorWithDefRegionKind")
_mutator_mutate = _native("StructuralMutatorMutate")
_mutator_default_mutate = _native("StructuralMutatorDefaultMutate")
_mutator_var_remap_get = _native("StructuralMutatorVarRemapGet")
_mutator_var_remap_set = _native("StructuralMutatorVarRemapSet")
_mutator_def_region_kind: Callable[..., int] = _native("StructuralMutatorDefRegionKind")
_mutator_with_def_region_kind = _native("StructuralMutatorWithDefRegionKind")
