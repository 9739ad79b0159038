# SPDX-License-Identifier: Apache-2.0
"""What the type table knows of a type, as Python sees it: ``TypeInfo`` and its parts.

Registering a class makes a ``TypeInfo`` that knows little more than its index. The rest is read
from the table, and metadata is parsed, when somebody asks.
"""

from __future__ import annotations

import sys

from . import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    TypeSpec = tuple[str, list[int], int, list[tuple[Any, ...]], list[tuple[Any, ...]]]

# Bits of TVMFFIFieldInfo::flags in c_api.h.
_WRITABLE = 1 << 0
_HAS_DEFAULT = 1 << 1
_SEQ_HASH_IGNORE = 1 << 3
_SEQ_HASH_DEF_PATTERN = 1 << 4
_DEFAULT_FROM_FACTORY = 1 << 5
_REPR_OFF = 1 << 6
_COMPARE_OFF = 1 << 7
_HASH_OFF = 1 << 8
_INIT_OFF = 1 << 9
_KW_ONLY = 1 << 10
_SEQ_HASH_DEF_SIMPLE = 1 << 12

# Bytes of the header that every object begins with.
_HEADER_SIZE = 24

# ---- records ----


class _DataclassFields:
    """``__dataclass_fields__`` of a record, made when :mod:`dataclasses` wants it.

    That module takes longer to import than this whole package, and no record needs it.
    """

    def __get__(self, instance: object, owner: type[_Record]) -> Any:
        import dataclasses

        defaults = owner._DEFAULTS
        spec: list[Any] = [
            (name, kind, dataclasses.field(default=defaults[name]))
            if name in defaults
            else (name, kind)
            for name, kind in owner.__annotations__.items()
            if name in owner.__match_args__
        ]
        made = dataclasses.make_dataclass(owner.__name__, spec, eq=False)
        return made.__dataclass_fields__  # type: ignore[attr-defined]


class _Record:
    """Base of classes that behave like data classes with ``eq=False``.

    The annotated names of a subclass are its fields, except private ones. Those without a value in
    the instance are made by ``_fill`` when they are first read.
    """

    __match_args__: tuple[str, ...] = ()
    __dataclass_fields__ = _DataclassFields()
    _DEFAULTS: dict[str, Any] = {}  # noqa: RUF012 - replaced by subclasses, not changed

    def __init_subclass__(cls) -> None:
        names = tuple(name for name in cls.__annotations__ if name[0] != "_")
        cls.__match_args__ = names  # type: ignore[misc]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        names = self.__match_args__
        title = f"{type(self).__name__}.__init__()"
        if len(args) > len(names):
            raise TypeError(f"{title} takes at most {len(names)} arguments, got {len(args)}")
        values = {**self._DEFAULTS, **dict(zip(names, args))}
        for name, value in kwargs.items():
            if name not in names:
                raise TypeError(f"{title} got an unexpected keyword argument {name!r}")
            if name in names[: len(args)]:
                raise TypeError(f"{title} got multiple values for argument {name!r}")
            values[name] = value
        missing = [name for name in names if name not in values]
        if missing:
            raise TypeError(f"{title} missing required arguments: {', '.join(missing)}")
        vars(self).update(values)

    def __getattr__(self, name: str) -> Any:
        if name in self.__match_args__:
            for made, value in self._fill(name).items():
                vars(self).setdefault(made, value)
            if name in vars(self):
                return vars(self)[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _fill(self, name: str) -> dict[str, Any]:
        """Make a value that the instance was made without, and those that come with it."""
        return {}

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__qualname__}({values})"


class _WithMetadata(_Record):
    """A record whose ``metadata`` may be given as JSON text, to be parsed when it is read."""

    _metadata_text: str

    def _fill(self, name: str) -> dict[str, Any]:
        import json

        text = vars(self).get("_metadata_text")
        return {"metadata": json.loads(text) if text else {}}


class _FieldAccessor:
    """What the two have in common: the names that functions have, and room for attributes."""

    def __init__(self, field: core.FFIProperty) -> None:
        self.__name__ = self.__qualname__ = field.__name__
        self.__doc__ = field.__doc__
        owner = field.__objclass__
        if owner is not None:
            self.__qualname__ = f"{owner.__qualname__}.{self.__name__}"
            self.__module__ = owner.__module__


class FieldGetter(_FieldAccessor):
    """Reads one field: ``getter(obj)``. It accepts attributes."""

    def __init__(self, field: core.FFIProperty) -> None:
        super().__init__(field)
        self._get = field.get

    def __call__(self, obj: Any) -> Any:
        return self._get(obj)


class FieldSetter(_FieldAccessor):
    """Writes one field, also a read-only one: ``setter(obj, value)``. It accepts attributes."""

    def __init__(self, field: core.FFIProperty) -> None:
        super().__init__(field)
        self._set = field.set

    def __call__(self, obj: Any, value: Any) -> None:
        self._set(obj, value)


class TypeField(_WithMetadata):
    """One reflected field of a type.

    ``c_default`` and ``c_default_factory`` are ``MISSING`` where there is none; ``doc`` is None
    where there is none. ``ty`` is the schema that the metadata names, None where it names none.
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
        """Return the field as a descriptor for ``cls``, with the names that its functions show."""
        descriptor: core.FFIProperty | None = vars(self).get("_property")
        if descriptor is None:
            return core.FFIProperty(self.getter, self.setter, self.frozen, doc=self.doc)
        descriptor.__objclass__ = cls
        return descriptor

    def _fill(self, name: str) -> dict[str, Any]:
        registered = vars(self).get("_registered")
        if registered is not None:
            from ._py_class import _describe

            made = _describe(*registered)
            if name in made:
                return made
            # What the text says is made of it below.
            vars(self).setdefault("_metadata_text", made["_metadata_text"])
        if name == "ty":
            return {"ty": core.TypeSchema.from_metadata(self.metadata)}
        descriptor = vars(self).get("_property")
        if name in ("getter", "setter") and descriptor is not None:
            return {"getter": descriptor.fget, "setter": descriptor._fset}
        return super()._fill(name)

    def normalize_value(self, value: Any) -> Any:
        """Return the entry that a raw payload stands for in a field of an enum with payloads.

        Other values, and those of other fields, come back as they are.
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
        """Return the method as an attribute for ``cls``: a function, or a staticmethod."""
        func = self.func

        def call(*args: Any) -> Any:
            return func(*args)

        call.__name__ = self.name
        call.__qualname__ = f"{cls.__qualname__}.{self.name}"
        call.__module__ = cls.__module__
        call.__doc__ = self.doc
        return staticmethod(call) if self.is_static else call


class TypeInfo(_Record):
    """What the type table knows of one type, and the Python class that stands for it.

    ``fields`` and ``methods`` are the type's own; ``fields`` is None as long as a type that is
    defined in Python has not got its fields. ``type_ancestors`` begins with the root.
    """

    type_cls: type | None
    type_index: int
    type_key: str
    type_ancestors: list[int]
    fields: list[TypeField] | None
    methods: list[TypeMethod]
    parent_type_info: TypeInfo | None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _check_field_names(self.type_key, self.fields, self.parent_type_info)

    def _fill(self, name: str) -> dict[str, Any]:
        spec = core._describe_type(self.type_index)
        if spec is None:
            raise ValueError(f"there is no type with index {self.type_index}")
        key, ancestors, _, fields, methods = spec
        own = [_field(*field) for field in fields]
        parent = _info_of(ancestors[-1]) if ancestors else None
        _check_field_names(key, own, parent)
        return {
            "type_key": key,
            "type_ancestors": ancestors,
            "fields": own,
            "methods": [_method(*method) for method in methods],
            "parent_type_info": parent,
        }

    def _register_fields(
        self, fields: Iterable[Any], structure_kind: int | str | None = None
    ) -> None:
        """Register the fields of a class defined in Python; once only."""
        from ._py_class import _register_fields

        _register_fields(self, fields, structure_kind)

    def _register_py_methods(
        self, py_methods: Iterable[Any] | None = None, type_attr_names: Iterable[str] = frozenset()
    ) -> None:
        """Register methods and type attributes of a class defined in Python."""
        from ._py_class import _register_py_methods

        _register_py_methods(self, py_methods, type_attr_names)

    @property
    def _has_type_metadata(self) -> bool:
        """Whether metadata (size, structural kind) is registered for the type."""
        spec: TypeSpec | None = core._describe_type(self.type_index)
        return spec is not None and spec[2] > 0

    @property
    def total_size(self) -> int:
        """The size of an object of the type in bytes, with its header."""
        spec: TypeSpec | None = core._describe_type(self.type_index)
        if spec is not None and spec[2] > 0:
            return spec[2]
        if self.type_index < _FIRST_OBJECT:
            raise ValueError(f"{self.type_key} is a value without an object, and has no size")
        end = self.parent_type_info.total_size if self.parent_type_info else _HEADER_SIZE
        for field in self.fields or ():
            end = max(end, field.offset + field.size)
        return (end + 7) // 8 * 8


for _public in (FieldGetter, FieldSetter, TypeField, TypeMethod, TypeInfo):
    _public.__module__ = "tvm_ffi.core"

# ---- from the table ----


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
    if flags & _DEFAULT_FROM_FACTORY:
        default, factory = core.MISSING, default
    field = TypeField.__new__(TypeField)
    vars(field).update(
        name=name,
        doc=doc,
        size=size,
        alignment=alignment,
        offset=offset,
        field_static_type_index=static_type_index,
        frozen=not flags & _WRITABLE,
        _metadata_text=metadata_text,
        _property=descriptor,
        **_flag_values(flags),
        c_default=default,
        c_default_factory=factory,
        dataclass_field=None,
    )
    return field


def _flag_values(flags: int) -> dict[str, Any]:
    """Return what the flags of a field say, as its record has it."""
    structural_eq = None
    for bit, word in _STRUCTURAL_EQ:
        if flags & bit:
            structural_eq = word
    return {
        "c_init": not flags & _INIT_OFF,
        "c_kw_only": bool(flags & _KW_ONLY),
        "c_has_default": bool(flags & _HAS_DEFAULT),
        "c_repr": not flags & _REPR_OFF,
        "c_compare": not flags & _COMPARE_OFF,
        "c_hash": not flags & _HASH_OFF,
        "c_structural_eq": structural_eq,
    }


_STRUCTURAL_EQ = (
    (_SEQ_HASH_IGNORE, "ignore"),
    (_SEQ_HASH_DEF_PATTERN, "def-pattern"),
    (_SEQ_HASH_DEF_SIMPLE, "def-simple"),
)


def _method(
    name: str, doc: str | None, metadata_text: str, func: core.Function, is_static: bool
) -> TypeMethod:
    method = TypeMethod.__new__(TypeMethod)
    vars(method).update(
        name=name, doc=doc, _metadata_text=metadata_text, func=func, is_static=is_static
    )
    return method


def _check_field_names(key: str, fields: list[TypeField] | None, parent: TypeInfo | None) -> None:
    """Refuse a name that the type has twice, and warn of one that an ancestor has as well."""
    names = [field.name for field in fields or ()]
    for name in names:
        if names.count(name) > 1:
            raise AssertionError(
                f"duplicate field name {name!r} in TypeInfo for {key!r}; "
                "TypeInfo.fields must only contain the type's own fields"
            )
    while names and parent is not None:
        for field in parent.fields or ():
            if field.name in names:
                _warn_of_inherited_field(field.name, key)
        parent = parent.parent_type_info


def _warn_of_inherited_field(name: str, key: str) -> None:
    import warnings

    warnings.warn(
        f"Field {name!r} in {key!r} duplicates an ancestor field. "
        "Child types should not re-register inherited fields.",
        stacklevel=2,
    )


# ---- the registry of infos ----

_FIRST_OBJECT = 64

# Classes made in C, which carry no `__tvm_ffi_type_info__`.
_BUILTIN_CLASSES: dict[str, type] = {
    "ffi.Object": core.Object,
    "ffi.Function": core.Function,
    "ffi.Tensor": core.Tensor,
    "ffi.Error": core.Error,
    "ffi.String": core.String,
    "ffi.Bytes": core.Bytes,
    "DataType": core.DataType,
    "Device": core.Device,
}

_KEYS_OF_BUILTIN = {cls: key for key, cls in _BUILTIN_CLASSES.items()}

# The infos that somebody asked for or that a registered class belongs to, by type index.
_infos: dict[int, TypeInfo] = {}


def _make_info(type_index: int, cls: type | None) -> TypeInfo:
    info = TypeInfo.__new__(TypeInfo)
    vars(info).update(type_cls=cls, type_index=type_index)
    _infos[type_index] = info
    return info


def _bind_class(type_index: int, cls: type) -> TypeInfo:
    """Give a class that has just been registered its info; the extension calls this."""
    info = _infos.get(type_index)
    if info is not None and info.type_cls is None:
        info.type_cls = cls  # Asked for before there was a class; others may hold it.
    else:
        info = _make_info(type_index, cls)
    cls.__tvm_ffi_type_info__ = info  # type: ignore[attr-defined]
    return info


def _info_of(type_index: int) -> TypeInfo | None:
    """Return the info of a type of the table, with its class as far as there is one."""
    known = _infos.get(type_index)
    if known is not None:
        return known
    spec = core._describe_type(type_index)
    if spec is None:
        return None
    module = core._lazy_class_module.get(spec[0])
    if module is not None and type_index >= _FIRST_OBJECT:
        from importlib import import_module

        import_module(module)  # Registers the class, and with it the info.
        known = _infos.get(type_index)
        if known is not None:
            return known
    return _make_info(type_index, _BUILTIN_CLASSES.get(spec[0]))


def _set_type_cls(type_info: TypeInfo, cls: type) -> None:
    """Make ``cls`` the class of a type: values of the type come back as its instances."""
    type_info.type_cls = cls
    core._class_rebind(type_info.type_index, cls)


def _print_debug_info() -> None:
    """Print how many conversions are kept by argument type; here they are compiled in."""
    sys.stdout.write("TVMFFIPyGetArgDispatchMapSize: 0\n")


def _type_index_to_type_info(type_index: int) -> TypeInfo | None:
    """Return the info of a type that has a Python class; None for others and unknown indices."""
    info = _info_of(type_index)
    return None if info is None or info.type_cls is None else info


def _type_cls_to_type_info(type_cls: type) -> TypeInfo | None:
    """Return the info of a class, None for one that is not the class of a type."""
    info: TypeInfo | None = vars(type_cls).get("__tvm_ffi_type_info__")
    if info is not None:
        return info
    key = _KEYS_OF_BUILTIN.get(type_cls)
    return None if key is None else _info_of(core._object_type_key_to_index(key) or 0)


def _lookup_or_register_type_info_from_type_key(type_key: str) -> TypeInfo:
    """Return the info of a type, with or without a Python class.

    Raises
    ------
    ValueError
        If the library knows no such type.

    """
    type_index = core._object_type_key_to_index(type_key)
    info = None if type_index is None else _info_of(type_index)
    if info is None:
        raise ValueError(f"Cannot find type key: {type_key}")
    return info
