# SPDX-License-Identifier: Apache-2.0
"""Register classes that are defined in Python; the decorators call this module.

A class is validated completely before it is registered, so that a rejected class leaves its type
key free.
"""

from __future__ import annotations

from .. import _abi, core
from . import field as type_field
from . import info as infos
from .field import TypeField, TypeMethod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from .info import TypeInfo

    MethodEntry = tuple[str, Any, bool, "str | None"]

_STRUCTURAL_EQ_BITS = {
    None: 0,
    "ignore": _abi.FIELD_SEQ_HASH_IGNORE,
    "def": _abi.FIELD_SEQ_HASH_DEF_PATTERN,
    "def-pattern": _abi.FIELD_SEQ_HASH_DEF_PATTERN,
    "def-simple": _abi.FIELD_SEQ_HASH_DEF_SIMPLE,
}


# ---- registering and unregistering a type ----


def _register_py_class(
    parent_type_info: TypeInfo, type_key: str, type_cls: type, former: TypeInfo | None = None
) -> TypeInfo:
    """Allocate a type index for a class, as a child of another type.

    Return the class's ``TypeInfo``, whose ``fields`` are still None, and set it as the attribute
    ``__tvm_ffi_type_info__`` of the class. If ``former`` is given, the class replaces that class,
    which keeps the key until :func:`_take_type_key`. Raise ValueError if the key belongs to another
    class or to a native type.
    """
    type_index = core._class_open(
        parent_type_info.type_index, type_key, type_cls, -1 if former is None else former.type_index
    )
    try:
        _set_origin(type_index, type_cls)
        info = infos._make_info(type_index, type_cls)
    except BaseException:
        core._class_close(type_index, type_cls)
        raise
    vars(info).update(
        type_key=type_key,
        type_ancestors=[*parent_type_info.type_ancestors, parent_type_info.type_index],
        fields=None,
        methods=[],
        parent_type_info=parent_type_info,
    )
    type_cls.__tvm_ffi_type_info__ = info  # type: ignore[attr-defined]
    return info


def _set_origin(type_index: int, cls: type) -> None:
    """Tell the runtime which class defines a type, so that error messages can name the class.

    Do nothing if the runtime does not support this.
    """
    set_origin = core._get_global_func("ffi._TypeSetOrigin", True)
    if set_origin is not None:
        set_origin(type_index, f"the Python class `{cls.__module__}.{cls.__qualname__}`")


def _take_type_key(type_info: TypeInfo, former: TypeInfo | None) -> None:
    """Assign the type key to the new definition of a class, replacing the former one, if any."""
    core._class_take_key(type_info.type_index, -1 if former is None else former.type_index)
    vars(type_info)["_former"] = former


def _rollback_py_class(type_info: TypeInfo) -> None:
    """Unregister a class, so that its key can be used again; its index is not reused.

    If the class replaced another class, the other class is restored.
    """
    cls = type_info.type_cls
    if infos.by_index.get(type_info.type_index) is type_info:
        del infos.by_index[type_info.type_index]
    if cls is not None:
        core._class_close(type_info.type_index, cls)
        if vars(cls).get("__tvm_ffi_type_info__") is type_info:
            del cls.__tvm_ffi_type_info__  # type: ignore[attr-defined]
    former: TypeInfo | None = vars(type_info).pop("_former", None)
    if former is None:
        return
    index = former.type_index
    if infos.by_index.get(index) is former:
        core._class_take_key(index, -1)


# ---- fields ----


def _register_fields(
    type_info: TypeInfo, fields: Iterable[Any], structure_kind: int | str | None = None
) -> None:
    """Lay out and register the fields of a class, and its initializer.

    ``fields`` are the class's own fields as ``tvm_ffi.dataclasses.Field`` objects with their
    schemas. ``structure_kind`` is a number or name; None or 0 disables structural comparison. Raise
    TypeError or ValueError if a field cannot be registered; then no field is registered.
    """
    if type_info.fields is not None:
        raise AssertionError(f"fields of {type_info.type_key!r} are registered already")
    own = list(fields)
    _check_names(type_info, own)
    entries = tuple(_entry(field) for field in own)
    kind = (
        _abi.STRUCTURAL_KINDS[structure_kind] if isinstance(structure_kind, str) else structure_kind
    )
    cls = type_info.type_cls
    if cls is None:
        raise ValueError(f"{type_info.type_key} has no class")
    places = core._class_fields(type_info.type_index, cls, entries, kind or 0)
    type_info.fields = [
        _record(field, entry, place) for field, entry, place in zip(own, entries, places)
    ]


def _check_names(info: TypeInfo, fields: Sequence[Any]) -> None:
    title = info.type_cls.__name__ if info.type_cls is not None else info.type_key
    seen: set[str] = set()
    for field in fields:
        name = field.name
        if not isinstance(name, str) or not name or "\0" in name:
            raise TypeError(f"{title}: {name!r} is not a name for a field")
        if name in seen:
            raise TypeError(f"{title}.{name}: field is declared twice")
        seen.add(name)
    parent = info.parent_type_info
    while parent is not None:
        if parent.fields is None:
            raise TypeError(f"{title}: the fields of {parent.type_key} are not registered yet")
        for inherited in parent.fields:
            if inherited.name in seen:
                owner = parent.type_key if parent.type_cls is None else parent.type_cls.__name__
                raise TypeError(
                    f"{title}.{inherited.name}: field is already declared by ancestor {owner}"
                )
        parent = parent.parent_type_info


def _entry(field: Any) -> tuple[Any, ...]:
    """Return the entry for one field in the argument of ``core._class_fields``."""
    schema = field._ty_schema
    flags = _STRUCTURAL_EQ_BITS[field.structural_eq]
    initial = field.default
    if initial is not core.MISSING:
        flags |= _abi.FIELD_HAS_DEFAULT
    elif field.default_factory is not core.MISSING:
        flags |= _abi.FIELD_HAS_DEFAULT | _abi.FIELD_DEFAULT_FROM_FACTORY
        initial = field.default_factory
    if not field.repr:
        flags |= _abi.FIELD_REPR_OFF
    if not field.compare:
        flags |= _abi.FIELD_COMPARE_OFF
    if not _is_hashed(field):
        flags |= _abi.FIELD_HASH_OFF
    if not field.init:
        flags |= _abi.FIELD_INIT_OFF
    if field.kw_only:
        flags |= _abi.FIELD_KW_ONLY
    text = _metadata_text(schema)
    return field.name, field.doc, text, schema._converter, initial, flags, bool(field.frozen)


def _is_hashed(field: Any) -> bool:
    return bool(field.compare if field.hash is None else field.hash)


# Cache: schema that consists of a name only -> its text.
_plain_texts: dict[str, str] = {}


def _metadata_text(schema: Any) -> str:
    plain = not schema.args and schema.named_args is None and schema.type_key is None
    known = _plain_texts.get(schema.origin) if plain else None
    if known is None:
        import json

        form = schema.to_json()
        known = json.dumps({"type_schema": form})
        if len(form) == 1:
            _plain_texts[schema.origin] = known
    return known


def _record(field: Any, entry: tuple[Any, ...], place: tuple[int, int, int, int, Any]) -> TypeField:
    """Return the record of a field; rarely used members are filled in at their first use."""
    record = TypeField.__new__(TypeField)
    values = vars(record)
    values["name"] = entry[0]
    values["dataclass_field"] = field
    values["_property"] = place[4]
    values["_described"] = (_describe, field, entry, place)
    return record


def _describe(
    field: Any, entry: tuple[Any, ...], place: tuple[int, int, int, int, Any]
) -> dict[str, Any]:
    """Return the members of a field's record that are filled in later."""
    _, doc, metadata, _, _, flags, frozen = entry
    size, alignment, offset, static_type_index, _ = place
    return dict(
        doc=doc,
        size=size,
        alignment=alignment,
        offset=offset,
        field_static_type_index=static_type_index,
        frozen=frozen,
        _metadata_text=metadata,
        ty=field._ty_schema,
        **type_field._flag_values(flags),
        c_default=field.default,
        c_default_factory=field.default_factory,
    )


# ---- methods and type attributes ----


def _register_py_methods(
    type_info: TypeInfo,
    py_methods: Iterable[MethodEntry] | None = None,
    type_attr_names: Iterable[str] = frozenset(),
) -> None:
    """Register methods of a class; a name in ``type_attr_names`` becomes a type attribute.

    ``py_methods`` has entries of (name, function or value, is static, metadata as JSON text or
    None).
    """
    methods = []
    attributes = frozenset(type_attr_names)
    for name, value, is_static, metadata in py_methods or ():
        if name in attributes:
            core._register_type_attr(type_info.type_index, name, value)
        else:
            core._class_method(type_info.type_index, name, value, is_static, metadata or "")
            methods.append(name)
    if methods:
        spec: Any = core._describe_type(type_info.type_index)
        own: list[TypeMethod] = [type_field._method(*method) for method in spec[4]]
        type_info.methods = own
