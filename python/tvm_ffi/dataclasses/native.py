# SPDX-License-Identifier: Apache-2.0
"""``py_class(..., native="auto")``: use the native type if a library has registered it.

The declaration is compared with the fields that the library reflects; a difference is an error.
"""

from __future__ import annotations

from tvm_ffi import core

from . import collect, members, methods, resolve
from .c_class import c_class
from .library_type import SchemaMismatchError
from .library_type import is_native as is_native
from .registration import _STRUCTURE_KIND_MAP, _parent_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .field import Field

    # One difference: the name of the item, its declaration in Python, its definition in the
    # library, and the edit that corrects the declaration.
    Row = tuple[str, str, str, str]

_BOUND_OPTIONS = ("frozen", "init", "repr", "eq", "order", "unsafe_hash", "match_args")


def bind(cls: type, type_key: str, options: dict[str, Any]) -> type:
    """Register a class as the Python class of a native type, after comparing its declaration.

    A function of the body is removed if the library defines a method with the same name. The
    remaining methods and hooks of the body are registered, as ``py_class`` does. ``options`` are
    those of ``py_class``; with ``types_only``, options and defaults of fields are not compared.
    Raise SchemaMismatchError if parent, structural kind or fields differ; then the class is
    unchanged.
    """
    info = core._lookup_or_register_type_info_from_type_key(type_key)
    declared = compared(cls, type_key, options)
    of_python = vars(info).get("_python_methods", frozenset())
    native = [method.name for method in info.methods if method.name not in of_python]
    for name in (*declared, *native):
        if name in vars(cls):
            delattr(cls, name)
    body = dict(vars(cls))
    functions = _functions_of(cls, options)
    chosen = {name: options[name] for name in _BOUND_OPTIONS}
    bound: type = c_class(type_key, **chosen)(cls)
    _keep_metadata(bound, declared)
    _register_functions(info, *functions)
    _install_init(bound, body, options)
    return bound


def compared(cls: type, type_key: str, options: dict[str, Any]) -> dict[str, Field | None]:
    """Compare the declaration of a class with a native type; return the declared fields.

    Raise SchemaMismatchError if parent, structural kind or fields differ.
    """
    info = core._lookup_or_register_type_info_from_type_key(type_key)
    parent, parent_info = _parent_of(cls)
    declared = _declared(cls, parent, info, options)
    differences = [
        *_of_class(parent_info, info, options),
        *_of_fields(declared, info, options),
    ]
    if differences:
        raise SchemaMismatchError(_explain(cls, type_key, differences))
    return declared


# ---- members of the body other than fields


def _keep_metadata(cls: type, declared: dict[str, Field | None]) -> None:
    """Copy the metadata of declared fields, because a library does not store it."""
    for field in cls.__ffi_fields__:  # type: ignore[attr-defined]
        own = declared.get(field.name)
        if own is not None and own.metadata:
            field.metadata = dict(own.metadata)


def _functions_of(
    cls: type, options: dict[str, Any]
) -> tuple[list[methods.Entry], list[tuple[str, Any]]]:
    """Return the (methods, type attributes) that the body defines."""
    names, _ = methods._type_attr_options(cls)
    entries = methods.entries_of_body(cls, names, {}, options.get("auto_methods", False))
    own = [entry for entry in entries if entry[0] not in names]
    attributes = [(entry[0], entry[1]) for entry in entries if entry[0] in names]
    return own, [*attributes, *methods.hooks_of_body(cls, names)]


def _register_functions(
    info: Any, own: list[methods.Entry], attributes: list[tuple[str, Any]]
) -> None:
    if own:
        info._register_py_methods(own)
    registered = {entry[0] for entry in own}
    vars(info)["_python_methods"] = registered | vars(info).get("_python_methods", set())
    store: Any = core._get_global_func("ffi.TypeAttrSet", False)
    for name, function in attributes:  # Replaces the attributes of a former definition.
        store(info.type_index, name, function)


def _install_init(cls: type, body: dict[str, Any], options: dict[str, Any]) -> None:
    """Wrap or replace ``__init__`` unless the body defines it.

    With ``init=False``, the new ``__init__`` rejects every call. Otherwise, it also calls
    ``__post_init__`` if the class has this method.
    """
    if "__init__" in body:
        return
    if not options["init"]:
        members.install_refusal(cls)
        return
    if hasattr(cls, "__post_init__"):
        members.install_post_init(cls)


# ---- the declaration


def _declared(
    cls: type, parent: type, info: Any, options: dict[str, Any]
) -> dict[str, Field | None]:
    """Return the own fields; None for a field whose annotation uses an undefined name."""
    cls.__tvm_ffi_type_info__ = info  # type: ignore[attr-defined]  # annotations may name `cls`
    try:
        owners = collect.owners_of(cls, parent)
        found = collect.collect(cls, info.parent_type_info, owners, {"kw_only": False, **options})
        if found.unresolved:
            collect._complete_options(cls, found, options)
        own = {field.name: field for field in found.fields}
        waiting = {text.partition(":")[0] for text in found.unresolved}
        return {
            name: own.get(name)
            for owner in owners
            for name in resolve.own_annotations(owner)
            if name in own or name in waiting
        }
    finally:
        del cls.__tvm_ffi_type_info__  # type: ignore[attr-defined]


# ---- the differences


def _of_class(parent_info: Any, info: Any, options: dict[str, Any]) -> Iterator[Row]:
    native = info.parent_type_info
    key = native.type_key if native is not None else "none"
    if key != parent_info.type_key:
        yield "parent", parent_info.type_key, key, f"derive from the class of {key!r}"
    kinds = [name for name, kind in _STRUCTURE_KIND_MAP.items() if kind == _kind_of(info)]
    if options["structural_eq"] not in kinds:
        kind = kinds[0]
        edit = f"pass structural_eq={kind!r}"
        yield "structural_eq", str(options["structural_eq"]), str(kind), edit


def _kind_of(info: Any) -> int:
    kind_of: Any = core._get_global_func("ffi.schema.StructuralKind", False)
    return int(kind_of(info.type_index))


def _of_fields(
    declared: dict[str, Field | None], info: Any, options: dict[str, Any]
) -> Iterator[Row]:
    ours = list(declared.items())
    theirs = list(info.fields or ())
    for at in range(max(len(ours), len(theirs))):
        name, field = ours[at] if at < len(ours) else ("", None)
        native = theirs[at] if at < len(theirs) else None
        type_ = "?" if field is None else repr(field._ty_schema)
        left = f"{name}: {type_}" if name else "nothing"
        if native is None:
            yield f"field {at + 1}", left, "nothing", f"remove {name}"
            continue
        right = f"{native.name}: {native.ty!r}"
        if not name or name != native.name or (field is not None and type_ != repr(native.ty)):
            where = f" in place of {name}" if name and name != native.name else ""
            yield f"field {at + 1}", left, right, f"write {right}{where}"
        elif field is not None and not options.get("types_only", False):
            for option, mine, other in _options_of(field, native, options):
                edit = _edit_of(name, option, other)
                yield f"{name}: {option}", mine, other, edit


def _edit_of(name: str, option: str, other: str) -> str:
    """Return how to edit the declaration so that a field's option matches the library."""
    if option == "default" and other == _NO_DEFAULT:
        return f"write {name} without a default"
    if option == "default" and other == _FACTORY:
        return f"write {name} with a default_factory"
    return f"write {name} with {option}={other}"


def _options_of(field: Field, native: Any, options: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield (name, declared value, value in the library) of each option with different values."""
    pairs = {
        "init": (field.init, native.c_init),
        "kw_only": (field.kw_only, native.c_kw_only),
        "repr": (field.repr, native.c_repr),
        "compare": (field.compare, native.c_compare),
        "hash": (field.hash and field.compare, native.c_hash and native.c_compare),
        "structural_eq": (_full(field.structural_eq), native.c_structural_eq),
    }
    if not options["frozen"]:  # `frozen` overrides the library for all fields
        pairs["frozen"] = (field.frozen, native.frozen)
    for option, (mine, other) in pairs.items():
        if mine != other:
            yield option, repr(mine), repr(other)
    mine, other = _default_of(field), _default_of(native, "c_")
    if mine != other and not _is_same_default(field, native):
        yield "default", mine, other


def _full(structural_eq: str | None) -> str | None:
    return "def-pattern" if structural_eq == "def" else structural_eq


def _default_of(field: Any, prefix: str = "") -> str:
    """Return the text of a default: its value, ``made for each object`` or ``none``."""
    value = getattr(field, f"{prefix}default")
    if value is not core.MISSING:
        return repr(value)
    is_none = getattr(field, f"{prefix}default_factory") is core.MISSING
    return _NO_DEFAULT if is_none else _FACTORY


_NO_DEFAULT, _FACTORY = "none", "made for each object"


def _is_same_default(field: Field, native: Any) -> bool:
    """Return whether two defaults with different texts are equal as values of the field's type.

    A value and a default factory are considered equal, because they cannot be compared.
    """
    mine, other = field.default, native.c_default
    if mine is core.MISSING or other is core.MISSING:
        has_mine = mine is not core.MISSING or field.default_factory is not core.MISSING
        return has_mine is bool(native.c_has_default)
    try:
        convert = field._ty_schema.convert
        values = [core._to_py_class_value(convert(one)) for one in (mine, other)]
        return core._structural_equal(*values)
    except (TypeError, ValueError):
        return False


def _explain(cls: type, type_key: str, rows: list[Row]) -> str:
    head = ("", f"{cls.__module__}.{cls.__qualname__}", "the library", "")
    table = [head, *rows]
    widths = [max(len(row[at]) for row in table) for at in range(2)]
    lines = [f"  {a:<{widths[0]}}  {b:<{widths[1]}}  {c}".rstrip() for a, b, c, _ in table]
    return "\n".join(
        [
            f"the native class {type_key!r} differs from its declaration:",
            *lines,
            "if the declaration is right, build the library again from it: `tvm-ffi-schema build "
            f"{_file_of(cls)} -o LIBRARY`, or `tvm-ffi-schema promote {_file_of(cls)} --cpp DIR` "
            "and the project's own build",
            "if the library is right, change the declaration: " + "; ".join(row[3] for row in rows),
        ]
    )


def _file_of(cls: type) -> str:
    import sys

    path = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return str(path) if path else "FILE"
