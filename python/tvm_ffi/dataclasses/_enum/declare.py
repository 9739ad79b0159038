# SPDX-License-Identifier: Apache-2.0
"""Collect the declarations in the body of an enum class."""

from __future__ import annotations

from ... import core
from ..collect import check_name
from .annotations import is_class_var, names_own_class, own_annotations
from .body import is_variant_name
from .entry import _EnumEntry
from .enum_object import EnumObject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Declarations:
    """The declarations of one body, in order.

    ``binders`` are the names annotated ``ClassVar`` without a value; ``entries`` maps the other
    names to their sentinels.
    """

    __slots__ = ("binders", "entries")

    def __init__(self) -> None:
        self.binders: list[str] = []
        self.entries: dict[str, _EnumEntry] = {}

    def in_order(self) -> dict[str, _EnumEntry]:
        """Return all declarations as entries, the binders first."""
        return {**{name: _EnumEntry() for name in self.binders}, **self.entries}


def _is_special(name: str) -> bool:
    """Return whether a name is a special name of Python."""
    return name.startswith("__") and name.endswith("__")


def _is_payload(value: Any) -> bool:
    """Return whether a value in a payload enum's body is short for ``entry(value=...)``."""
    return not isinstance(value, (staticmethod, classmethod, property)) and not callable(value)


def collect(cls: type, payload: type | None, *, any_annotation: bool = False) -> Declarations:
    """Read the declarations of a class's own body.

    ``payload`` is ``int`` or ``str`` if plain values declare variants, else ``None``. With
    ``any_annotation``, a sentinel declares a variant even if its annotation is not a ``ClassVar``.

    Raise TypeError if the body of a payload enum uses the name ``value``, or if a variant has a
    field annotation or the name of a member of the base class.
    """
    found = Declarations()
    body = vars(cls)
    annotations = own_annotations(cls)
    class_vars = {name for name, form in annotations.items() if is_class_var(form, cls)}
    if payload is not None and ("value" in annotations or "value" in body):
        family = {int: "IntEnum", str: "StrEnum"}[payload]
        raise TypeError(f"{family} reserves `value` as its canonical index alias")
    for name, annotation in annotations.items():
        if name not in class_vars or name in body or _is_special(name):
            continue
        # A name with an underscore declares a variant only if the annotation names the class;
        # otherwise it is a private class variable.
        if name[:1] != "_" or names_own_class(annotation, cls):
            found.binders.append(name)
    for name, value in body.items():
        if _is_special(name) and not isinstance(value, _EnumEntry):
            continue
        is_field = name in annotations and name not in class_vars
        if isinstance(value, _EnumEntry):
            if is_field and not any_annotation:
                raise TypeError(f"{cls.__name__}.{name}: annotate an enum entry as ClassVar")
            found.entries[name] = value
        elif payload is not None and name[:1] != "_" and not is_field and _is_payload(value):
            found.entries[name] = _EnumEntry(value=value)
    for name in (*found.binders, *found.entries):
        _check_free(cls, name)
    return found


def _check_free(cls: type, name: str) -> None:
    """Reject a variant whose name would hide a member of a base class."""
    reason = None
    for owner in cls.__mro__[1:]:
        if name in vars(owner):
            # The names of variants of a base class, and the former names of the index fields, may
            # be used again.
            is_variant = isinstance(vars(owner)[name], (_EnumEntry, EnumObject))
            if not is_variant and name not in ("_value", "_name"):
                reason = f"a member of {owner.__name__}"
            break
    check_name(cls, "variant", name, reason)


def refuse_plain_values(cls: type, found: Declarations, payload: type | None) -> None:
    """Raise TypeError if an enum has plain values in place of variants.

    These are ``X = 1``, and in a payload enum ``X: int = 1``.
    """
    if found.entries or found.binders:
        return  # Beside variants, a plain value is a class attribute or the default of a field.
    annotations = own_annotations(cls)
    if payload is not None:
        for name, annotation in annotations.items():
            value = vars(cls).get(name)
            if type(value) is payload and is_variant_name(name):
                shown = annotation if isinstance(annotation, str) else annotation.__name__
                raise TypeError(
                    f"{cls.__name__}.{name}: {shown} = {value!r} declares a field, and the enum "
                    f"has no variants: write {name} = {value!r} to declare a variant"
                )
        return
    for name, value in vars(cls).items():
        if name[:1] == "_" or name in annotations:
            continue
        is_standard_auto = type(value).__module__ == "enum"
        if type(value) in (int, str, tuple) or is_standard_auto:
            shown = "entry()" if is_standard_auto else f"entry({value!r})"
            raise TypeError(
                f"{cls.__name__}.{name} = {value!r} does not declare a variant, and the enum has "
                f"no other variants: write {name} = {shown} with `tvm_ffi.dataclasses.entry`, or "
                "derive from IntEnum or StrEnum, where plain values declare variants"
            )


def remove_defaults(cls: type, type_key: str) -> None:
    """Remove the defaults in the class body that would hide the fields of a native type."""
    info = core._lookup_or_register_type_info_from_type_key(type_key)
    annotated = own_annotations(cls)
    for field in info.fields or ():
        if field.name in annotated and field.name in vars(cls):
            delattr(cls, field.name)


def declares_fields(cls: type, base: type) -> bool:
    """Return whether a class, or one of its unregistered bases, annotates a field.

    The annotations of ``base`` and of the bases of ``base`` are ignored.
    """
    for owner in cls.__mro__:
        if owner in base.__mro__ or "__tvm_ffi_type_info__" in vars(owner):
            continue
        annotations = own_annotations(owner).values()
        if any(not is_class_var(one, owner) and not _is_marker(one) for one in annotations):
            return True
    return False


def _is_marker(annotation: Any) -> bool:
    """Return whether an annotation is ``KW_ONLY``, which does not declare a field."""
    if isinstance(annotation, str):
        return annotation.replace(" ", "").rsplit(".", 1)[-1] == "KW_ONLY"
    return getattr(annotation, "__name__", type(annotation).__name__).strip("_") == "KW_ONLY"
