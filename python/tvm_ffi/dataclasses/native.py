# SPDX-License-Identifier: Apache-2.0
"""``py_class(..., native="auto")``: the class of a native type when a library has it.

The declaration is compared with what the library reflects, so that the two cannot drift apart
unnoticed.
"""

from __future__ import annotations

from tvm_ffi import core

from . import collect, resolve
from ._enum.family import is_native as is_native
from .c_class import c_class
from .field import is_keyword_only_marker
from .registration import _STRUCTURE_KIND_MAP, _parent_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: What may be given for ``native``.
CHOICES = (None, "auto")
_BOUND_OPTIONS = ("frozen", "init", "repr", "eq", "order", "unsafe_hash", "match_args")


class SchemaMismatchError(TypeError):
    """A native class is not what its declaration in Python says."""


def bind(cls: type, type_key: str, options: dict[str, Any]) -> type:
    """Make a class the class of a native type that agrees with its declaration.

    Functions of the body stay, apart from those that the library has as methods.

    Raises
    ------
    SchemaMismatchError
        If parent, fields, their types or the structural kind differ; the class is as before then.

    """
    info = core._lookup_or_register_type_info_from_type_key(type_key)
    parent, parent_info = _parent_of(cls)
    declared = _declared(cls, parent, info)
    differences = _differences(cls, declared, parent_info, info, options)
    if differences:
        raise SchemaMismatchError(_explain(cls, type_key, differences))
    for name in (*declared, *(method.name for method in info.methods)):
        if name in vars(cls):
            delattr(cls, name)
    chosen = {name: options[name] for name in _BOUND_OPTIONS}
    bound: type = c_class(type_key, **chosen)(cls)
    return bound


def _declared(cls: type, parent: type, info: Any) -> dict[str, str | None]:
    """Return the own fields with their schemas; None for one that names what is not there yet."""
    cls.__tvm_ffi_type_info__ = info  # type: ignore[attr-defined]  # annotations may name it
    try:
        return _fields_of(cls, parent)
    finally:
        del cls.__tvm_ffi_type_info__  # type: ignore[attr-defined]


def _fields_of(cls: type, parent: type) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    owners = collect.owners_of(cls, parent)
    for owner in owners:
        scope = resolve.Scope(owner, owners)
        for name, annotation in resolve.own_annotations(owner).items():
            try:
                form = resolve.evaluate(annotation, scope)
            except (NameError, AttributeError):
                found[name] = None
                continue
            if resolve.is_class_var(form) or is_keyword_only_marker(form):
                continue
            if not resolve.is_init_var(form):
                found[name] = repr(core.TypeSchema.from_annotation(resolve.peel(form)[0]))
    return found


def _differences(
    cls: type, declared: dict[str, str | None], parent_info: Any, info: Any, options: dict[str, Any]
) -> list[tuple[str, str, str]]:
    """Return (what, as declared, as in the library) for all that differs."""
    rows = []
    native_parent = info.parent_type_info
    if native_parent is None or native_parent.type_key != parent_info.type_key:
        rows.append(("parent", parent_info.type_key, getattr(native_parent, "type_key", "none")))
    kinds = [name for name, kind in _STRUCTURE_KIND_MAP.items() if kind == _kind_of(info)]
    if options["structural_eq"] not in kinds:
        rows.append(("structural_eq", str(options["structural_eq"]), str(kinds[0])))
    ours = list(declared.items())
    theirs = [(field.name, repr(field.ty)) for field in info.fields or ()]
    for at in range(max(len(ours), len(theirs))):
        left = ours[at] if at < len(ours) else ("", "")
        right = theirs[at] if at < len(theirs) else ("", "")
        if left[0] != right[0] or left[1] not in (None, right[1]):
            rows.append((f"field {at + 1}", _shown(left), _shown(right)))
    return rows


def _kind_of(info: Any) -> int:
    from tvm_ffi import get_global_func

    return int(get_global_func("ffi.schema.StructuralKind")(info.type_index))


def _shown(field: tuple[str, str | None]) -> str:
    return f"{field[0]}: {field[1] or '?'}" if field[0] else "nothing"


def _explain(cls: type, type_key: str, rows: list[tuple[str, str, str]]) -> str:
    head = ("", f"{cls.__module__}.{cls.__qualname__}", "the library")
    table = [head, *rows]
    widths = [max(len(row[at]) for row in table) for at in range(2)]
    lines = [f"  {a:<{widths[0]}}  {b:<{widths[1]}}  {c}".rstrip() for a, b, c in table]
    return "\n".join(
        [
            f"the native class {type_key!r} differs from its declaration:",
            *lines,
            "write its C++ anew with `tvm-ffi-schema promote` and build the library again, or "
            "change the declaration",
        ]
    )
