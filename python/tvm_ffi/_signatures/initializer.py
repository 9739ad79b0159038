# SPDX-License-Identifier: Apache-2.0
"""Signatures of initializers that are generated from the fields of a type."""

from __future__ import annotations

from inspect import Parameter, Signature

from .. import core
from .._types import info as infos
from . import annotation, function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._types.field import TypeField
    from .._types.info import TypeInfo


def init_signature(type_index: int) -> Signature:
    """Return the signature of ``__init__`` of the class of a type; the extension calls this.

    Required fields come first, then optional ones, then keyword-only fields; within each group,
    fields of ancestors come first. A default that a factory makes is shown as ``<factory>``.
    """
    info = infos._info_of(type_index)
    fields = [field for field in infos._all_fields(info) if field.c_init]
    constructor = _constructor_signature(info, fields)
    if constructor is not None:
        return constructor
    fields.sort(key=lambda field: (field.c_kw_only, field.c_has_default))
    receiver = _receiver({field.name for field in fields})
    try:
        return Signature([receiver, *map(_parameter, fields)])
    except ValueError:  # A name is not an identifier, or occurs twice.
        return Signature([*_ANYTHING, Parameter("kwargs", Parameter.VAR_KEYWORD)])


def ffi_init_signature(type_index: int) -> Signature:
    """Return the signature of a native ``__ffi_init__``, whose parameters are unknown."""
    del type_index
    return Signature([*_ANYTHING, Parameter("kwargs", Parameter.VAR_KEYWORD)])


def _constructor_signature(info: TypeInfo | None, fields: Sequence[TypeField]) -> Signature | None:
    """Return the signature of a constructor that ``refl::init`` registers; None if there is none.

    If the constructor does not name its parameters, it takes no keywords. For such a constructor,
    the signature shows the names of the first fields, if the parameters have the types of these
    fields.
    """
    methods = [] if info is None else [m for m in info.methods or () if m.name == "__ffi_init__"]
    if not methods:
        return None
    if len(methods) > 1:
        return Signature(_ANYTHING)
    signature = function.of_metadata(methods[0].metadata)
    parameters = list(signature.parameters.values())
    if parameters and parameters[0].kind is Parameter.POSITIONAL_ONLY:
        parameters = _called_like_fields(parameters, fields)
        receiver = _receiver({p.name for p in parameters}).replace(kind=Parameter.POSITIONAL_ONLY)
    else:
        receiver = _receiver({p.name for p in parameters})
    return Signature([receiver, *parameters])


def _called_like_fields(
    parameters: list[Parameter], fields: Sequence[TypeField]
) -> list[Parameter]:
    fits = len(parameters) <= len(fields) and all(
        field.name.isidentifier()
        and (schema := function.schema_of(field.metadata)) is not None
        and annotation.of_schema(schema, is_input=True) == parameter.annotation
        for parameter, field in zip(parameters, fields)
    )
    if not fits:
        return parameters
    return [p.replace(name=field.name) for p, field in zip(parameters, fields)]


_ANYTHING = (
    Parameter("self", Parameter.POSITIONAL_ONLY),
    Parameter("args", Parameter.VAR_POSITIONAL),
)


class _MadeByFactory(Parameter):
    """A parameter with a default factory: the default is ``MISSING``, shown as ``<factory>``."""

    def __str__(self) -> str:
        return super().__str__().replace(repr(core.MISSING), "<factory>")

    def _format(self, **options: object) -> str:
        # In Python 3.14, a signature calls this method, and not `str`, to write its parameters.
        text: str = super()._format(**options)  # type: ignore[misc]
        return text.replace(repr(core.MISSING), "<factory>")


def _parameter(field: TypeField) -> Parameter:
    kind = Parameter.KEYWORD_ONLY if field.c_kw_only else Parameter.POSITIONAL_OR_KEYWORD
    schema = function.schema_of(field.metadata)
    type_ = Parameter.empty if schema is None else annotation.of_schema(schema, is_input=True)
    if not field.c_has_default:
        return Parameter(field.name, kind, annotation=type_)
    made = _MadeByFactory if field.c_default is core.MISSING else Parameter
    return made(field.name, kind, annotation=type_, default=field.c_default)


def _receiver(taken: set[str]) -> Parameter:
    """Return the receiver parameter; its name differs from all fields."""
    name = "self"
    if name not in taken:
        return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD)
    while name in taken:
        name = f"_{name}"
    return Parameter(name, Parameter.POSITIONAL_ONLY)
