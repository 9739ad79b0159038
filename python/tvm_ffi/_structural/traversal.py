# SPDX-License-Identifier: Apache-2.0
"""Argument and result types of traversal callbacks; public in ``tvm_ffi.structural``."""

from __future__ import annotations

from enum import IntEnum

from .. import core
from ..core import Object
from ..registry import register_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class WalkOrder(IntEnum):
    """Whether a value is visited before or after its contents."""

    PREORDER = 0
    """Before its contents."""
    POSTORDER = 1
    """After its contents."""


class WalkResult(IntEnum):
    """What a callback of ``structural_walk`` may return; ``None`` is ``ADVANCE``."""

    ADVANCE = 0
    """Continue."""
    SKIP = 1
    """Do not visit the contents of this value. Has an effect in preorder only."""


class InplaceMode(IntEnum):
    """Whether a value may be changed in place, because there is no other reference to it."""

    DISALLOW = 0
    """The value must not be changed: return a copy."""
    ALLOW = 1
    """The value may be changed."""


class DefRegionKind(IntEnum):
    """Whether a variable is used or defined at the current position."""

    NONE = 0
    """The variable is used."""
    DEF_PATTERN = 1
    """Everything below is part of the definition."""
    DEF_SIMPLE = 2
    """Only the variable is defined; variables in its fields are used."""


_KINDS = tuple(DefRegionKind)


@register_object("ffi.VisitInterrupt")
class VisitInterrupt(Object):
    """Ends a traversal if a callback returns it; the traversal returns this object.

    Examples
    --------
    >>> from tvm_ffi.structural import VisitInterrupt, structural_walk
    >>> structural_walk([1, 2, 3], (int, lambda x: VisitInterrupt(x) if x > 1 else None)).value
    2

    """

    value: Any
    """The value that the callback passed to the constructor."""

    def __init__(self, value: Any = None) -> None:
        self.__init_handle_by_constructor__(_make_interrupt, value)


@register_object("ffi.StructuralVisitor")
class StructuralVisitor(Object):
    """The state of a visit, passed to its callbacks; created by the library."""

    def visit(self, value: Any) -> VisitInterrupt | None:
        """Visit a value through the callbacks. Return the interrupt if one ended the visit."""
        return _visitor_visit(self, value)

    def default_visit(self, value: Any) -> VisitInterrupt | None:
        """Visit the contents of a value, but not the value itself."""
        return _visitor_default_visit(self, value)

    def def_region_kind(self) -> DefRegionKind:
        """Return whether variables are used or defined at this point."""
        return _KINDS[_visitor_def_region_kind(self)]

    def with_def_region_kind(self, kind: int, callback: Callable[[], Any]) -> Any:
        """Call ``callback`` in a region of the given kind and return its result.

        Inside a ``DEF_PATTERN`` region ``kind`` is ignored. The region ends when the callback
        returns or raises.

        Raises
        ------
        ValueError
            If ``kind`` is not a ``DefRegionKind``.

        """
        return _visitor_with_def_region_kind(self, kind, callback)


@register_object("ffi.StructuralMutator")
class StructuralMutator(Object):
    """The state of a mutation, passed to its callbacks; created by the library."""

    def mutate(self, value: Any) -> Any:
        """Apply the callbacks to a value and return the result."""
        return _mutator_mutate(self, value)

    def default_mutate(self, value: Any) -> Any:
        """Apply the callbacks to the contents of a value and return the new value."""
        return _mutator_default_mutate(self, value)

    def var_remap_get(self, var: Any) -> Any | None:
        """Return the replacement of a variable or shared node, or ``None``.

        Raises
        ------
        TypeError
            If ``var`` is not an object.

        """
        return _mutator_var_remap_get(self, var)

    def var_remap_set(self, var: Any, mapped_value: Any) -> None:
        """Set the replacement of a variable or shared node for the rest of the traversal.

        Raises
        ------
        TypeError
            If ``var`` is not an object.

        """
        _mutator_var_remap_set(self, var, mapped_value)

    def def_region_kind(self) -> DefRegionKind:
        """Return whether variables are used or defined at this point."""
        return _KINDS[_mutator_def_region_kind(self)]

    def with_def_region_kind(self, kind: int, callback: Callable[[], Any]) -> Any:
        """Call ``callback`` in a region of the given kind; see ``StructuralVisitor``."""
        return _mutator_with_def_region_kind(self, kind, callback)


for _public in (
    *(WalkOrder, WalkResult, InplaceMode, DefRegionKind),
    *(VisitInterrupt, StructuralVisitor, StructuralMutator),
):
    _public.__module__ = "tvm_ffi.structural"


def _native(name: str) -> Any:
    return core._get_global_func("ffi." + name, False)


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
