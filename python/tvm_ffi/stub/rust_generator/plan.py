# SPDX-License-Identifier: Apache-2.0
"""Decide which Rust structs have a member for each field, and find the types of the members."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tvm_ffi.stub import layout
from tvm_ffi.stub.layout import FieldBytes, TypeBytes, Verdict
from tvm_ffi.stub.lib_state import object_info_from_type_key

from .directives import Directives, RustEnum
from .names import member_names
from .types import ANY, SCALAR_SIZES, RustType, TypeNames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tvm_ffi.core import TypeSchema

ROOT = "ffi.Object"
# Types that are as large as a pointer, but are not pointers.
_VALUES = ("tvm_ffi::DLDevice", "tvm_ffi::DLDataType")


@dataclass(frozen=True)
class Member:
    """A field of an object type."""

    field: str
    name: str
    # The type of the values of the Rust member; None if the crate has no type with the layout.
    mirror: RustType | None
    # The result type of the accessor.
    result: RustType
    enum: RustEnum | None = None
    # Whether other code may assign the field.
    is_writable: bool = False


@dataclass
class TypePlan:
    """The data from which the Rust code of a type is generated."""

    type_key: str
    parent: str
    # The ancestors except the root type, the most distant ancestor first.
    ancestors: list[str]
    verdict: Verdict
    members: list[Member]
    total_size: int
    is_final: bool
    depends: list[str] = field(default_factory=list)


class Planner:
    """Makes a `TypePlan` for each type; caches the verdicts and schemas for the run."""

    def __init__(self, names: TypeNames, directives: Directives) -> None:
        self._names = names
        self._directives = directives
        self._types: Mapping[str, TypeBytes] = layout.registered_types()
        self._schemas: dict[str, dict[str, TypeSchema]] = {}
        self._verdicts: dict[str, Verdict] = {}

    def plan(self, type_key: str) -> TypePlan:
        """Return the plan for the Rust code of a registered type.

        Raise ValueError if a directive does not match the size of a field.
        """
        chain = self._chain(type_key)
        entry = self._types[type_key]
        missing: list[str] = []
        members = self._members(entry, missing)
        missing += [key for key in chain[:-1] if self._is_missing(key)]
        return TypePlan(
            type_key=type_key,
            parent=entry.parent or ROOT,
            ancestors=chain[:-1],
            verdict=self._verdict(type_key),
            members=members,
            total_size=entry.total_size or 0,
            is_final=bool(entry.is_final),
            depends=sorted(set(missing)),
        )

    def chain_members(self, type_key: str) -> list[Member]:
        """Return the members of a type and of its ancestors; distant ancestors come first."""
        return [m for key in self._chain(type_key) for m in self._members(self._types[key], [])]

    def _chain(self, type_key: str) -> list[str]:
        chain = [type_key]
        while self._types[chain[0]].parent not in (None, ROOT):
            chain.insert(0, str(self._types[chain[0]].parent))
        return chain

    def _is_missing(self, type_key: str) -> bool:
        """Return whether neither the crate nor a ``ty-map`` nor a file of the run has the type."""
        try:
            self._names.path(type_key)
        except KeyError:
            return True
        return False

    def _verdict(self, type_key: str) -> Verdict:
        if type_key not in self._verdicts:
            keys = [ROOT, *self._chain(type_key)]
            types = {key: self._types[key] for key in keys}
            vetoes = {key: self._veto(key) for key in keys[1:]}
            known = {key: veto for key, veto in vetoes.items() if veto is not None}
            self._verdicts[type_key] = layout.classify(types, known)[type_key]
        return self._verdicts[type_key]

    def _veto(self, type_key: str) -> tuple[str, str] | None:
        """Return why the struct of a type must not have a member for each field.

        The result is a reason and a detail, or None if the struct may have these members.
        """
        if type_key.startswith("ffi.") and self._names.path_of(type_key) is None:
            return "no-mirror", "the crate has no mirror of it"
        if type_key in self._directives.opaque:
            return "by-directive", "vetoed by directive although the layout is reproducible"
        for member in self._members(self._types[type_key], []):
            if member.mirror is None:
                schema = self._schema(type_key, member.field)
                text = f"field {member.field!r} ({schema}) has no native mirror"
                return "unrenderable-field", text
        return None

    def _schema(self, type_key: str, name: str) -> TypeSchema:
        if type_key not in self._schemas:
            info = object_info_from_type_key(type_key)
            fields = [] if info is None else info.fields
            self._schemas[type_key] = {f.name: f.schema for f in fields}
        return self._schemas[type_key][name]

    def _members(self, entry: TypeBytes, missing: list[str]) -> list[Member]:
        fields = sorted(entry.fields, key=lambda f: (f.offset, f.size))
        names = member_names([f.name for f in fields])
        made = (self._member(entry.type_key, f, names[f.name], missing) for f in fields)
        return [replace(m, is_writable=f.is_writable) for f, m in zip(fields, made)]

    def _member(self, key: str, one: FieldBytes, rust_name: str, missing: list[str]) -> Member:
        name, size, full = one.name, one.size, f"{key}.{one.name}"
        schema = self._schema(key, name)
        given = self._directives.fields.get(full)
        enum = self._directives.enums.get(full)
        if enum is not None:
            _check_size(full, size, enum.representation)
            return Member(name, rust_name, RustType(enum.name), RustType(enum.name), enum)
        if given is not None:
            _check_size(full, size, given.name)
            return Member(name, rust_name, given, given)
        try:
            # Code must not assign values of other classes.
            is_unknown = one.is_writable and self._names.widens(schema)
            mirror = None if is_unknown else self._names.member(schema, size)
            result = self._names.element(schema) or ANY
        except KeyError as error:
            missing.append(str(error.args[0]))
            return Member(name, rust_name, ANY, ANY)
        if full in self._directives.nullable:
            _check_nullable(full, size, mirror)
            wrapped = result if result.name == "Option" else RustType("Option", (result,))
            return Member(name, rust_name, wrapped, wrapped)
        return Member(name, rust_name, mirror, result)


def _check_size(full: str, size: int, rust: str) -> None:
    width = SCALAR_SIZES.get(rust, size)
    if width != size:
        raise ValueError(
            f"Directive on `{full}` maps a {size}-byte field to `{rust}` ({width} bytes)"
        )


def _check_nullable(full: str, size: int, mirror: RustType | None) -> None:
    text = f"`nullable` directive on `{full}`: the field is"
    if size != 8:
        raise ValueError(f"{text} {size} bytes, not a pointer-sized object reference")
    if mirror is None or mirror.is_scalar or mirror.name in _VALUES:
        raise ValueError(f"{text} not an object reference")
