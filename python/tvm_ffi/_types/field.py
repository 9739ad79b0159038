# SPDX-License-Identifier: Apache-2.0
"""The records ``TypeField`` and ``TypeMethod`` for the members of a type.

Imported at the first use of the fields or methods of a type.
"""

from __future__ import annotations

from .. import _abi, core
from .record import _WithMetadata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_STRUCTURAL_EQ = (
    (_abi.FIELD_SEQ_HASH_IGNORE, "ignore"),
    (_abi.FIELD_SEQ_HASH_DEF_PATTERN, "def-pattern"),
    (_abi.FIELD_SEQ_HASH_DEF_SIMPLE, "def-simple"),
)


class _FieldAccessor:
    """Base class of accessors. Like functions, they have names and accept arbitrary attributes."""

    def __init__(self, field: core.FFIProperty) -> None:
        self.__name__ = self.__qualname__ = field.__name__
        self.__doc__ = field.__doc__
        owner = field.__objclass__
        if owner is not None:
            self.__qualname__ = f"{owner.__qualname__}.{self.__name__}"
            self.__module__ = owner.__module__


class FieldGetter(_FieldAccessor):
    """Reads one field: ``getter(obj)``. Accepts arbitrary attributes."""

    def __init__(self, field: core.FFIProperty) -> None:
        super().__init__(field)
        self._get = field.get

    def __call__(self, obj: Any) -> Any:
        return self._get(obj)


class FieldSetter(_FieldAccessor):
    """Writes one field, even a read-only one: ``setter(obj, value)``.

    Like a function, a setter can be given attributes.
    """

    def __init__(self, field: core.FFIProperty) -> None:
        super().__init__(field)
        self._set = field.set

    def __call__(self, obj: Any, value: Any) -> None:
        self._set(obj, value)


class TypeField(_WithMetadata):
    """One reflected field of a type.

    ``c_default`` and ``c_default_factory`` are ``MISSING`` if not given; ``doc`` is None if not
    given. ``ty`` is the schema in the metadata, or None.
    ``c_structural_eq`` is None, ``"ignore"``, ``"def-pattern"`` or ``"def-simple"``.
    """

    name: str
    doc: str | None
    size: int
    alignment: int
    offset: int
    field_static_type_index: int
    frozen: bool
    metadata: dict[str, Any]
    getter: Callable[[Any], Any]
    setter: Callable[[Any, Any], None]
    ty: core.TypeSchema | None
    c_init: bool
    c_kw_only: bool
    c_has_default: bool
    c_default: Any
    c_default_factory: Any
    c_repr: bool
    c_compare: bool
    c_hash: bool
    c_structural_eq: str | None
    dataclass_field: Any

    _DEFAULTS = {  # noqa: RUF012 - see the base class
        "ty": None,
        "c_init": True,
        "c_kw_only": False,
        "c_has_default": False,
        "c_default": core.MISSING,
        "c_default_factory": core.MISSING,
        "c_repr": True,
        "c_compare": True,
        "c_hash": True,
        "c_structural_eq": None,
        "dataclass_field": None,
    }
    _property: core.FFIProperty | None

    def as_property(self, cls: type) -> core.FFIProperty:
        """Return the descriptor of the field, and record ``cls`` as the class that has it."""
        descriptor: core.FFIProperty | None = vars(self).get("_property")
        if descriptor is None:
            return core.FFIProperty(self.getter, self.setter, self.frozen, doc=self.doc)
        descriptor.__objclass__ = cls
        return descriptor

    def _fill(self, name: str) -> dict[str, Any]:
        described = vars(self).get("_described")
        if described is not None:  # a function and its arguments
            describe, *args = described
            made: dict[str, Any] = describe(*args)
            if name in made:
                return made
            # `metadata` is parsed from this text below.
            vars(self).setdefault("_metadata_text", made["_metadata_text"])
        if name == "ty":
            return {"ty": core.TypeSchema.from_metadata(self.metadata)}
        descriptor = vars(self).get("_property")
        if name in ("getter", "setter") and descriptor is not None:
            return {"getter": descriptor.fget, "setter": descriptor._fset}
        return super()._fill(name)

    def normalize_value(self, value: Any) -> Any:
        """Return the variant for a raw payload, if this is a field for an enum with payloads.

        Return other values, and values of other fields, unchanged.
        """
        return value if self.ty is None else self.ty._normalize_payload(value)


class TypeMethod(_WithMetadata):
    """One reflected method of a type. ``func`` takes the receiver first unless ``is_static``."""

    name: str
    doc: str | None
    func: core.Function
    metadata: dict[str, Any]
    is_static: bool

    def as_callable(self, cls: type) -> Any:
        """Return an attribute of ``cls`` for the method: a function or a staticmethod."""
        func = self.func

        def call(*args: Any) -> Any:
            return func(*args)

        call.__name__ = self.name
        call.__qualname__ = f"{cls.__qualname__}.{self.name}"
        call.__module__ = cls.__module__
        call.__doc__ = self.doc
        return staticmethod(call) if self.is_static else call


for _public in (FieldGetter, FieldSetter, TypeField, TypeMethod):
    _public.__module__ = "tvm_ffi.core"

# ---- records from the type table ----


def _field(
    name: str,
    doc: str | None,
    size: int,
    alignment: int,
    offset: int,
    static_type_index: int,
    flags: int,
    metadata_text: str,
    default: Any,
    descriptor: core.FFIProperty,
) -> TypeField:
    factory = core.MISSING
    if flags & _abi.FIELD_DEFAULT_FROM_FACTORY:
        default, factory = core.MISSING, default
    field = TypeField.__new__(TypeField)
    vars(field).update(
        name=name,
        doc=doc,
        size=size,
        alignment=alignment,
        offset=offset,
        field_static_type_index=static_type_index,
        frozen=not flags & _abi.FIELD_WRITABLE,
        _metadata_text=metadata_text,
        _property=descriptor,
        **_flag_values(flags),
        c_default=default,
        c_default_factory=factory,
        dataclass_field=None,
    )
    return field


def _flag_values(flags: int) -> dict[str, Any]:
    """Return the members of a field's record that its flags determine."""
    structural_eq = None
    for bit, word in _STRUCTURAL_EQ:
        if flags & bit:
            structural_eq = word
    return {
        "c_init": not flags & _abi.FIELD_INIT_OFF,
        "c_kw_only": bool(flags & _abi.FIELD_KW_ONLY),
        "c_has_default": bool(flags & _abi.FIELD_HAS_DEFAULT),
        "c_repr": not flags & _abi.FIELD_REPR_OFF,
        "c_compare": not flags & _abi.FIELD_COMPARE_OFF,
        "c_hash": not flags & _abi.FIELD_HASH_OFF,
        "c_structural_eq": structural_eq,
    }


def _method(
    name: str, doc: str | None, metadata_text: str, func: core.Function, is_static: bool
) -> TypeMethod:
    method = TypeMethod.__new__(TypeMethod)
    vars(method).update(
        name=name, doc=doc, _metadata_text=metadata_text, func=func, is_static=is_static
    )
    return method
