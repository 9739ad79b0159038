# SPDX-License-Identifier: Apache-2.0
"""``Field`` objects for the fields of native types."""

from __future__ import annotations

from tvm_ffi import core
from tvm_ffi._pickle.definition import missing
from tvm_ffi._types.info import _lineage

from . import resolve
from .field import Field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def fields_of(info: core.TypeInfo | None) -> tuple[Field, ...]:
    """Return the ``Field`` of each field of a type; fields of ancestors come first.

    A missing ``Field`` is created from the reflected field.
    """
    made: list[Field] = []
    for owner in _lineage(info):
        for native in owner.fields or ():
            if native.dataclass_field is None:
                native.dataclass_field = _make_field(native, owner.type_cls)
            made.append(native.dataclass_field)
    return _Fields(made)


class _Fields(tuple):  # type: ignore[type-arg]
    """The fields of a class. A pickle contains ``missing`` in their place."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return (missing, ())


class _NativeField(Field):
    """A field whose schema is read from the type's metadata at its first use."""

    __slots__ = ("_native",)

    _native: Any

    def __getattr__(self, name: str) -> Any:
        if name != "_ty_schema":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self._ty_schema = self._native.ty
        return self._ty_schema


def _make_field(native: Any, cls: type | None) -> Field:
    made = _NativeField(
        native.name,
        default=native.c_default,
        default_factory=native.c_default_factory,
        frozen=native.frozen,
        init=native.c_init,
        repr=native.c_repr,
        hash=native.c_hash,
        compare=native.c_compare,
        kw_only=native.c_kw_only,
        structural_eq=native.c_structural_eq,
        doc=native.doc,
    )
    made._native = native
    del made._ty_schema
    if cls is not None and native.name in resolve.own_annotations(cls):
        made.type = _annotated_type(cls, resolve.own_annotations(cls)[native.name])
    return made


def _annotated_type(cls: type, annotation: Any) -> Any:
    """Return the type of an annotation, or None if evaluating it fails."""
    try:
        return resolve.unwrap(resolve.evaluate(annotation, resolve.Scope(cls, (cls,))))[0]
    except Exception:  # The annotation is only documentation, so it may contain any code.
        return None
