# SPDX-License-Identifier: Apache-2.0
"""Signatures of initializers that are generated from the fields of a type."""

from __future__ import annotations

from inspect import Parameter, Signature

from .. import core
from .._types import info as infos

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .._types.field import TypeField
    from .._types.info import TypeInfo


def init_signature(type_index: int) -> Signature:
    """Return the signature of ``__init__`` of the class of a type; the extension calls this.

    Required fields come first, then optional ones, then keyword-only fields; within each group,
    fields of ancestors come first. The default ``MISSING`` means that the argument was not given.
    """
    fields = [field for field in _fields_of(infos._info_of(type_index)) if field.c_init]
    fields.sort(key=lambda field: (field.c_kw_only, field.c_has_default))
    receiver = _receiver({field.name for field in fields})
    try:
        return Signature([receiver, *map(_parameter, fields)])
    except ValueError:  # A name is not an identifier, or occurs twice.
        return Signature([*_ANYTHING, Parameter("kwargs", Parameter.VAR_KEYWORD)])


def method_signature() -> Signature:
    """Return the signature of a reflected method, whose parameters only native code knows."""
    return Signature(_ANYTHING)


def ffi_init_signature(type_index: int) -> Signature:
    """Return the signature of ``__ffi_init__``, whose parameters only native code knows."""
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
    """Return the first parameter, named differently from all fields."""
    name = "self"
    if name not in taken:
        return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD)
    while name in taken:
        name = f"_{name}"
    return Parameter(name, Parameter.POSITIONAL_ONLY)
