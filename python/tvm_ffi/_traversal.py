# SPDX-License-Identifier: Apache-2.0
"""What callbacks of structural traversals are given and give back; public as ``structural``."""

from __future__ import annotations

from enum import IntEnum

from . import core
from .core import Object
from .registry import register_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


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
