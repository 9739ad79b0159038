# SPDX-License-Identifier: Apache-2.0
"""Signatures of the initializers that classes get from their type's fields."""

from __future__ import annotations

from inspect import Parameter, Signature

from . import _type_info, core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._type_field import TypeField
    from ._type_info import TypeInfo


def init_signature(type_index: int) -> Signature:
    """Return the signature of ``__init__`` of the class of a type; the extension calls this.

    Fields of ancestors come first; among them required ones before optional ones, and those that
    are given by name alone last. ``MISSING`` stands for "nothing was given".
    """
    fields = [field for field in _fields_of(_type_info._info_of(type_index)) if field.c_init]
    fields.sort(key=lambda field: (field.c_kw_only, field.c_has_default))
    receiver = _receiver({field.name for field in fields})
    try:
        return Signature([receiver, *map(_parameter, fields)])
    except ValueError:  # A name that Python code cannot write, or that two fields have.
        return Signature([*_ANYTHING, Parameter("kwargs", Parameter.VAR_KEYWORD)])


def method_signature() -> Signature:
    """Return the signature of a reflected method: what it takes is known to the native side."""
    return Signature(_ANYTHING)


def ffi_init_signature(type_index: int) -> Signature:
    """Return the signature of ``__ffi_init__``: what it takes is known to the native side."""
    del type_index
    return Signature([*_ANYTHING, Parameter("kwargs", Parameter.VAR_KEYWORD)])


_ANYTHING = (
    Parameter("self", Parameter.POSITIONAL_ONLY),
    Parameter("args", Parameter.VAR_POSITIONAL),
)


def _fields_of(info: TypeInfo | None) -> list[TypeField]:
    own = []
    while info is not None:
        own.append(info.fields or [])
        info = info.parent_type_info
    return [field for fields in reversed(own) for field in fields]


def _parameter(field: TypeField) -> Parameter:
    kind = Parameter.KEYWORD_ONLY if field.c_kw_only else Parameter.POSITIONAL_OR_KEYWORD
    default = core.MISSING if field.c_has_default else Parameter.empty
    return Parameter(field.name, kind, default=default)


def _receiver(taken: set[str]) -> Parameter:
    """Make the first parameter, under a name that no field has."""
    name = "self"
    if name not in taken:
        return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD)
    while name in taken:
        name = f"_{name}"
    return Parameter(name, Parameter.POSITIONAL_ONLY)
