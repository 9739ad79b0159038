# SPDX-License-Identifier: Apache-2.0
"""Collect the fields that the bodies of a class and its mixins declare."""

from __future__ import annotations

import copy
import types
import typing

from tvm_ffi import core
from tvm_ffi._types.info import _lineage

from . import resolve
from .field import MISSING, Field, is_keyword_only_marker
from .init_property import init_property

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


class Declarations:
    """The declarations of class bodies. Collecting them does not change the classes.

    Attributes
    ----------
    parameters
        Fields and ``InitVar`` parameters in order, by name.
    init_vars
        The names of the ``InitVar`` parameters.
    init_properties
        The functions of ``init_property``, by name.
    overridden
        Names of ``init_property`` that are already fields of an ancestor.
    markers
        ``(marker, owner, name, index)`` of each annotation that is a class listed in
        ``__ffi_field_markers__``.
    to_remove
        Attributes of the decorated class that descriptors will replace.
    unresolved
        A line for each annotation that cannot be evaluated, the first because of an unknown name.
        If there are any, the other attributes are incomplete.
    missing
        The first unknown name of annotations in ``unresolved``; None if it is not a plain name.

    """

    def __init__(self) -> None:
        self.parameters: dict[str, Field] = {}
        self.init_vars: set[str] = set()
        self.init_properties: dict[str, Callable[[Any], Any]] = {}
        self.overridden: set[str] = set()
        self.markers: list[tuple[type, type, str, int]] = []
        self.to_remove: list[str] = []
        self.unresolved: list[str] = []
        self.missing: set[str | None] = set()

    @property
    def fields(self) -> list[Field]:
        """The own fields in order."""
        return [f for name, f in self.parameters.items() if name not in self.init_vars]


def owners_of(cls: type, parent: type) -> list[type]:
    """Return the classes whose annotations become own fields of ``cls``, base first."""
    covered = set(parent.__mro__)
    return [owner for owner in reversed(cls.__mro__) if owner not in covered]


def collect(
    cls: type, parent_info: core.TypeInfo, owners: Iterable[type], options: dict[str, Any]
) -> Declarations:
    """Read the declarations of ``owners``, the last of which is ``cls``.

    Raise TypeError if an annotation has no schema, or a field has the name of an inherited field.
    """
    found = Declarations()
    ancestors = inherited_fields(parent_info)
    marker_types = _marker_types(cls)
    for owner in owners:
        scope = resolve.Scope(owner, owners)
        keyword_only = options["kw_only"]
        for name, annotation in resolve.own_annotations(owner).items():
            try:
                form = resolve.evaluate(annotation, scope)
            except Exception as error:
                may_resolve = isinstance(error, (NameError, AttributeError))
                # After an unknown name, list all other errors with it, as apache-tvm-ffi does.
                if not (may_resolve or found.unresolved):
                    raise
                found.unresolved.append(resolve.unresolved(name, annotation, error))
                if may_resolve:
                    is_name = isinstance(error, NameError)
                    found.missing.add(getattr(error, "name", None) if is_name else None)
                continue
            if resolve.is_class_var(form):
                continue
            if is_keyword_only_marker(form):
                keyword_only = True
                _remove_own(found, cls, owner, name)
            elif any(form is marker for marker in marker_types):
                index = len(ancestors) + len(found.fields)
                found.markers.append((form, owner, name, index))
            else:
                made = _declare(found, cls, owner, name, form)
                if name in ancestors:
                    _refuse_or_override(found, cls, name, ancestors)
                elif made.kw_only is None:
                    made.kw_only = keyword_only
        _refuse_bare_fields(cls, owner)
    if not found.unresolved:
        _complete_options(cls, found, options)
    return found


def _refuse_bare_fields(cls: type, owner: type) -> None:
    """Raise TypeError for ``x = field(...)`` without an annotation, which declares nothing."""
    bare = [name for name, value in vars(owner).items() if isinstance(value, Field)]
    if not bare:
        return
    annotated = resolve.own_annotations(owner)
    for name in bare:
        if name not in annotated:
            raise TypeError(
                f"{cls.__name__}.{name} is a field without an annotation: write "
                f"`{name}: TYPE = field(...)`"
            )


def check_name(cls: type, kind: str, name: str, reason: str | None = None) -> None:
    """Raise TypeError if a field or a variant (``kind``) cannot have a name.

    ``reason`` is a further reason against the name.
    """
    reason = core._reason_against_name(name, isinstance(cls, core._EnumMeta)) or reason
    if reason is not None:
        raise TypeError(
            f"{cls.__name__}.{name}: `{name}` is {reason}; give the {kind} another name"
        )


def _declare(found: Declarations, cls: type, owner: type, name: str, form: Any) -> Field:
    """Add one field or ``InitVar``."""
    check_name(cls, "field", name)
    value = vars(owner).get(name, MISSING)
    if type(value).__module__ == "dataclasses" and type(value).__name__ == "Field":
        raise TypeError(
            f"{cls.__name__}.{name} is a field of the standard library: use "
            "tvm_ffi.dataclasses.field in place of dataclasses.field"
        )
    made = _field_of(value, is_copy=owner is not cls)
    found.init_vars.discard(name)
    found.init_properties.pop(name, None)
    if isinstance(value, init_property):
        found.init_properties[name] = value.func
    if resolve.is_init_var(form) or _is_bare_init_var(form):
        if made.default_factory is not MISSING:
            raise TypeError(f"field {name} cannot have a default factory")
        found.init_vars.add(name)
        form = getattr(form, "type", typing.Any)
    made.name = name
    made.type, is_final = resolve.unwrap(form)
    made.frozen = made.frozen or is_final
    found.parameters[name] = made  # A later owner replaces the entry and keeps its position.
    if value is not MISSING:
        _remove_own(found, cls, owner, name)
    return made


def _field_of(value: Any, is_copy: bool) -> Field:
    if isinstance(value, Field):
        return copy.copy(value) if is_copy or value.name is not None else value
    if isinstance(value, init_property):
        return value._make_field()
    if value is MISSING or isinstance(value, (types.MemberDescriptorType, core.FFIProperty)):
        return _plain_field(MISSING)
    return _plain_field(value)


def _plain_field(default: Any) -> Field:
    return Field(default=default, hash=None, compare=True, kw_only=None)


def _is_bare_init_var(form: Any) -> bool:
    return getattr(form, "__name__", "") == "InitVar" and form.__module__ == "dataclasses"


def _remove_own(found: Declarations, cls: type, owner: type, name: str) -> None:
    if owner is cls and name in vars(cls) and name not in found.to_remove:
        found.to_remove.append(name)


def _refuse_or_override(
    found: Declarations, cls: type, name: str, ancestors: dict[str, core.TypeInfo]
) -> None:
    """Let an ``init_property`` replace an inherited one; reject any other repeated field."""
    ancestor = ancestors[name]
    if name in found.init_properties and name in _init_properties_of(ancestor.type_cls):
        del found.parameters[name]
        found.overridden.add(name)
        return
    if name in found.init_vars:
        return
    owner = ancestor.type_key if ancestor.type_cls is None else ancestor.type_cls.__name__
    raise TypeError(f"{cls.__name__}.{name}: field is already declared by ancestor {owner}")


def _init_properties_of(cls: type | None) -> dict[str, Any]:
    own: dict[str, Any] = vars(cls).get("__ffi_init_property_funcs__", {}) if cls else {}
    return own


def _complete_options(cls: type, found: Declarations, options: dict[str, Any]) -> None:
    """Set the missing options of fields, after all annotations are resolved."""
    for field in found.parameters.values():
        try:
            field._ty_schema = core.TypeSchema.from_annotation(field.type)
        except TypeError as error:
            raise TypeError(
                f"{error} for field `{field.name}` of class `{cls.__qualname__}`: {_POSSIBLE_TYPES}"
            ) from error
        field.frozen = bool(field.frozen or options["frozen"])
        field.kw_only = bool(field.kw_only)
        if field.hash is None:
            field.hash = field.compare


_POSSIBLE_TYPES = (
    "a field is of type Any, bool, int, float, str, bytes, list[T], dict[K, V], tuple[...], "
    "Optional[T], Union[...], Literal[...], Callable[...], Tensor, dtype, Device or a class that "
    "is registered, for example with @py_class"
)


def inherited_fields(info: core.TypeInfo | None) -> dict[str, core.TypeInfo]:
    """Return the type that declares each field of a type and its ancestors, root first."""
    return {field.name: owner for owner in _lineage(info) for field in owner.fields or ()}


def _marker_types(cls: type) -> tuple[type, ...]:
    markers = getattr(cls, "__ffi_field_markers__", ())
    if not isinstance(markers, (tuple, list)) or not all(isinstance(m, type) for m in markers):
        raise TypeError("__ffi_field_markers__ must be a tuple or list of types")
    return tuple(markers)
