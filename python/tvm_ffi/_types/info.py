# SPDX-License-Identifier: Apache-2.0
"""``TypeInfo``, the Python record of a type of the type table, and its lookup.

Registering a class creates a ``TypeInfo`` with little more than the type index. At their first use,
the other members are read from the type table, and metadata is parsed.
"""

from __future__ import annotations

import sys

from .. import _abi, core
from .record import _Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .field import TypeField, TypeMethod

    TypeSpec = tuple[str, list[int], int, list[tuple[Any, ...]], list[tuple[Any, ...]], str | None]

# Size in bytes of the header of every object.
_HEADER_SIZE = 24


class TypeInfo(_Record):
    """The entry of one type in the type table, and its Python class.

    ``fields`` and ``methods`` do not include the members of ancestors. ``fields`` is None until the
    fields of a type defined in Python are registered. ``type_ancestors`` begins with the root.
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
        key, ancestors, _, fields, methods, _ = spec
        from .field import _field, _method

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
        """Register the fields of a class defined in Python; may be called only once."""
        core._register_fields(self, fields, structure_kind)

    def _register_py_methods(
        self, py_methods: Iterable[Any] | None = None, type_attr_names: Iterable[str] = frozenset()
    ) -> None:
        """Register methods and type attributes of a class defined in Python."""
        core._register_py_methods(self, py_methods, type_attr_names)

    @property
    def _has_type_metadata(self) -> bool:
        """Whether metadata (size, structural kind) is registered for the type."""
        spec: TypeSpec | None = core._describe_type(self.type_index)
        return spec is not None and spec[2] > 0

    @property
    def total_size(self) -> int:
        """The size of an object of the type in bytes, including its header."""
        spec: TypeSpec | None = core._describe_type(self.type_index)
        if spec is not None and spec[2] > 0:
            return spec[2]
        if self.type_index < _abi.TYPE_STATIC_OBJECT_BEGIN:
            raise ValueError(
                f"values of type {self.type_key} are not objects, so the type has no size"
            )
        end = self.parent_type_info.total_size if self.parent_type_info else _HEADER_SIZE
        for field in self.fields or ():
            end = max(end, field.offset + field.size)
        return (end + 7) // 8 * 8


TypeInfo.__module__ = "tvm_ffi.core"


def _check_field_names(key: str, fields: list[TypeField] | None, parent: TypeInfo | None) -> None:
    """Reject a duplicate field name of a type; warn if an ancestor has a field of this name."""
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

# Classes defined in C, which do not have `__tvm_ffi_type_info__`.
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

#: The infos that were requested or that belong to a registered class, by type index.
by_index: dict[int, TypeInfo] = {}


def _make_info(type_index: int, cls: type | None) -> TypeInfo:
    info = TypeInfo.__new__(TypeInfo)
    vars(info).update(type_cls=cls, type_index=type_index)
    by_index[type_index] = info
    return info


def _bind_class(type_index: int, cls: type) -> TypeInfo:
    """Set the info of a class that has just been registered; the extension calls this."""
    info = by_index.get(type_index)
    if info is not None and info.type_cls is None:
        info.type_cls = cls  # The info is older than the class, and other code may refer to it.
    else:
        info = _make_info(type_index, cls)
    cls.__tvm_ffi_type_info__ = info  # type: ignore[attr-defined]
    return info


def _info_of(type_index: int) -> TypeInfo | None:
    """Return the info of a type of the type table, with its class if there is one."""
    known = by_index.get(type_index)
    if known is not None:
        return known
    spec = core._describe_type(type_index)
    if spec is None:
        return None
    module = core._lazy_class_module.get(spec[0])
    if module is not None and type_index >= _abi.TYPE_STATIC_OBJECT_BEGIN:
        from importlib import import_module

        import_module(module)  # The import registers the class, which sets the info.
        known = by_index.get(type_index)
        if known is not None:
            return known
    return _make_info(type_index, _BUILTIN_CLASSES.get(spec[0]))


def _lineage(info: TypeInfo | None) -> list[TypeInfo]:
    """Return the infos of a type and of its ancestors, root first."""
    found: list[TypeInfo] = []
    while info is not None:
        found.append(info)
        info = info.parent_type_info
    return found[::-1]


def _all_fields(info: TypeInfo | None) -> list[TypeField]:
    """Return the fields of a type and of its ancestors, root first."""
    return [field for one in _lineage(info) for field in one.fields or ()]


def _set_type_cls(type_info: TypeInfo, cls: type) -> None:
    """Set the Python class of a type: values of the type become instances of this class."""
    type_info.type_cls = cls
    core._class_rebind(type_info.type_index, cls)


def _print_debug_info() -> None:
    """Print 0 as the size of a cache of argument conversions; this package has no such cache."""
    sys.stdout.write("TVMFFIPyGetArgDispatchMapSize: 0\n")


def _type_index_to_type_info(type_index: int) -> TypeInfo | None:
    """Return the info of a type; None if the type is unknown or does not have a Python class."""
    info = _info_of(type_index)
    return None if info is None or info.type_cls is None else info


def _type_cls_to_type_info(type_cls: type) -> TypeInfo | None:
    """Return the info of a class, or None if it is not the class of a type."""
    info: TypeInfo | None = vars(type_cls).get("__tvm_ffi_type_info__")
    if info is not None:
        return info
    key = _KEYS_OF_BUILTIN.get(type_cls)
    return None if key is None else _info_of(core._object_type_key_to_index(key) or 0)


def _lookup_or_register_type_info_from_type_key(type_key: str) -> TypeInfo:
    """Return the info of a type, with or without a Python class.

    Raise ValueError if there is no type with that key.
    """
    type_index = core._object_type_key_to_index(type_key)
    info = None if type_index is None else _info_of(type_index)
    if info is None:
        raise ValueError(f"Cannot find type key: {type_key}")
    return info
