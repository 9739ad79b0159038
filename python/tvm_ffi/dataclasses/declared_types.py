# SPDX-License-Identifier: Apache-2.0
"""Compare the types that a ``@c_class`` declares with those that native code has registered.

Only types that have no value in common are refused: a declared type may be wider than the
registered one (``Any``), or narrower (a subclass, or a type without None).
"""

from __future__ import annotations

import sys

from tvm_ffi import _ffi_api, core

from . import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tvm_ffi.core import TypeSchema

_SEQUENCES = frozenset({"Array", "List", "list", "tuple"})
_MAPPINGS = frozenset({"Map", "Dict", "dict"})
#: Types whose values are not objects.
_PLAIN = frozenset({"int", "bool", "float", "None", "dtype", "Device", "ctypes.c_void_p"})
#: (Declared, registered) -> values of the registered type are instances of the declared one.
_WIDER = frozenset({("int", "bool"), ("str", "dtype")})
#: Enums with payloads, whose fields native code may register as their payloads.
_ENUMS = {"int": "ffi.IntEnum", "str": "ffi.StrEnum"}


def check_types(cls: type, type_index: int, type_key: str) -> None:
    """Raise TypeError if a declared type cannot be that of the registered field."""
    from json import loads

    spec = core._describe_type(type_index)
    metadata = {} if spec is None else {field[0]: field[7] for field in spec[3] if field[7]}
    for owner in cls.__mro__:
        if owner is not cls and core._type_cls_to_type_info(owner) is not None:
            continue  # A registered base is checked on its own.
        for name, declared in _declared(owner, cls, metadata):
            registered = core.TypeSchema.from_metadata(loads(metadata[name]))
            if registered is not None and not _may_share(declared, registered):
                raise TypeError(
                    _message(cls, owner, type_index, type_key, name, declared, registered)
                )


def _declared(owner: type, cls: type, names: Collection[str]) -> Iterator[tuple[str, TypeSchema]]:
    """Yield the schemas of annotations; skip those that cannot be evaluated or have no schema."""
    annotations = resolve.own_annotations(owner)
    scope = resolve.Scope(owner, (cls,))
    for name in annotations:
        if name in names and name not in vars(owner):  # A value in the body hides the field.
            try:
                form = resolve.unwrap(resolve.evaluate(annotations[name], scope))[0]
                if not resolve.is_class_var(form):
                    yield name, core.TypeSchema.from_annotation(form)
            except Exception:  # The annotation is only documentation, so it may contain any code.
                continue


def _may_share(declared: TypeSchema, registered: TypeSchema) -> bool:
    """Return whether some value may be of both types."""
    one, two = declared.origin, registered.origin
    if "Any" in (one, two):
        return True
    for schema, other in ((declared, registered), (registered, declared)):
        if schema.origin in ("Optional", "Union"):
            return any(_may_share(member, other) for member in schema.args or ())
    if one == two or (one, two) in _WIDER:
        return _may_share_items(declared, registered)
    for family in (_SEQUENCES, _MAPPINGS):
        if one in family and two in family:
            return _may_share_items(declared, registered)
    if one in _PLAIN or two in _PLAIN or "str" in (one, two):
        return _is_payload(declared, registered) or _is_payload(registered, declared)
    return _is_related(declared, registered)


def _may_share_items(declared: TypeSchema, registered: TypeSchema) -> bool:
    """Compare the arguments of containers; a tuple has its own number of them."""
    one, two = declared.args or (), registered.args or ()
    return len(one) != len(two) or all(map(_may_share, one, two))


def _is_payload(plain: TypeSchema, other: TypeSchema) -> bool:
    """Return whether a type of payloads and an enum, or a text and any object, may be equal."""
    if plain.origin == "str" and other.origin == "Object":
        return True
    spec = core._describe_type(other.origin_type_index)
    base = core._object_type_key_to_index(_ENUMS.get(plain.origin, ""))
    return spec is not None and base is not None and base in spec[1]


def _is_related(declared: TypeSchema, registered: TypeSchema) -> bool:
    """Return whether one type derives from the other; True if one of them is not known."""
    one, two = declared.origin_type_index, registered.origin_type_index
    first, second = core._describe_type(one), core._describe_type(two)
    if one == two or first is None or second is None:
        return True
    return one in second[1] or two in first[1]


def _message(
    cls: type,
    owner: type,
    type_index: int,
    type_key: str,
    name: str,
    declared: TypeSchema,
    registered: TypeSchema,
) -> str:
    module = sys.modules.get(owner.__module__)
    file = getattr(module, "__file__", None) or f"module {owner.__module__}"
    library = str(_ffi_api._LibraryOfType(type_index)) or "the code that defines the class"
    return (
        f"@c_class({type_key!r}): class `{cls.__qualname__}` declares the field `{name}` as "
        f"`{declared}`, but {library} registers it as `{registered}`. {file} and the library are "
        "of different versions: run tvm-ffi-stubgen again if it wrote the class, otherwise correct "
        "the annotation or rebuild the library"
    )
