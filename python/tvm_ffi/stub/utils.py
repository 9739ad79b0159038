# SPDX-License-Identifier: Apache-2.0
"""Descriptions of functions, objects and options for generators."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from .. import core
from .._signatures.keywords import fault_of, of_entries
from .._types.info import _all_fields
from ..core import TypeSchema
from . import consts
from .type_text import read_schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tvm_ffi._signatures.keywords import Parameters
    from tvm_ffi.core import TypeInfo


@dataclass(frozen=True)
class InitConfig:
    """The options of init mode: the package, its library, and the prefix of the names."""

    pkg: str
    shared_target: str
    prefix: str


@dataclass
class Options:
    """The options of a run."""

    imports: list[str] = field(default_factory=list)
    dlls: list[str] = field(default_factory=list)
    init: InitConfig | None = None
    indent: int = 4
    files: list[Path] = field(default_factory=list)
    target: str = "python"
    verbose: bool = False
    dry_run: bool = False
    check: bool = False
    coverage_out: Path | None = None
    pyi: bool = False


@dataclass(frozen=True)
class NamedTypeSchema:
    """A name and its type."""

    name: str
    schema: TypeSchema


@dataclass(frozen=True)
class FuncInfo:
    """A function with its full name, or a method with its short name."""

    schema: NamedTypeSchema
    is_member: bool = False
    doc: str | None = None
    # Names and defaults of the parameters without the receiver; None if the names are unknown.
    parameters: Parameters | None = None
    # The reason why the parameter names in the metadata are not used; None if they are used.
    fault: str | None = None

    def __post_init__(self) -> None:
        if self.schema.schema.origin != "Callable":
            raise ValueError(f"Expected Callable type schema, but got: {self.schema.schema}")


@dataclass(frozen=True)
class InitFieldInfo:
    """A parameter of a native constructor."""

    name: str
    schema: TypeSchema
    kw_only: bool
    has_default: bool


@dataclass
class ObjectInfo:
    """An object type: its own fields and methods, and the parameters of its constructor."""

    type_key: str
    parent_type_key: str | None = None
    fields: list[NamedTypeSchema] = field(default_factory=list)
    methods: list[FuncInfo] = field(default_factory=list)
    init_fields: list[InitFieldInfo] = field(default_factory=list)
    has_init: bool = False
    doc: str | None = None
    # The names of the variants that are attributes of the class in Python, or None if the type is
    # not an enum.
    variants: list[str] | None = None
    # The names of all variants.
    entries: list[str] = field(default_factory=list)

    @staticmethod
    def from_type_info(info: TypeInfo) -> ObjectInfo:
        """Describe a registered type."""
        parent = info.parent_type_info
        fields = [NamedTypeSchema(f.name, _schema_of(f)) for f in info.fields or ()]
        methods = [_method(m, info.type_key) for m in info.methods or ()]
        return ObjectInfo(
            type_key=str(info.type_key),
            parent_type_key=None if parent is None else str(parent.type_key),
            fields=fields,
            methods=methods,
            init_fields=_init_fields(info),
            has_init=any(m.schema.name == "__ffi_init__" for m in methods)
            or _has_native_init(info),
            doc=_type_doc(info),
            variants=_variants(info),
            entries=_entries(info),
        )


def _schema_of(holder: Any) -> TypeSchema:
    """Return the type in the metadata of a field, method or function; Any if it has none."""
    value = (holder.metadata or {}).get("type_schema")
    return TypeSchema("Any") if value is None else read_schema(value)


def _method(method: Any, type_key: str) -> FuncInfo:
    schema = _schema_of(method)
    if schema.origin == "Any":
        schema = TypeSchema("Callable")
    named, fault = parameters_of(method.metadata or {}, schema, not method.is_static)
    name = NamedTypeSchema(str(method.name), schema)
    return FuncInfo(name, not method.is_static, method.doc, named, fault)


def _init_fields(info: TypeInfo) -> list[InitFieldInfo]:
    return [
        InitFieldInfo(f.name, _schema_of(f), f.c_kw_only, f.c_has_default)
        for f in _all_fields(info)
        if f.c_init
    ]


def _has_native_init(info: TypeInfo) -> bool:
    return core._lookup_type_attr(info.type_index, "__ffi_init__") is not None


def _type_doc(info: TypeInfo) -> str | None:
    spec = core._describe_type(info.type_index)
    return None if spec is None else spec[5]


def parameters_of(
    metadata: dict[str, Any], schema: TypeSchema, is_member: bool = False
) -> tuple[Parameters | None, str | None]:
    """Return the names and defaults of the parameters of a function or method, if they are valid.

    Otherwise, return why they do not fit ``schema``. The receiver of a member has a type, but no
    name.
    """
    size = len((schema.named_args or {}).get("params", ())) - is_member
    return of_entries(metadata, size), fault_of(metadata, size)


def _variants(info: TypeInfo) -> list[str] | None:
    """Return the names of the variants in order of registration; None if this is not an enum."""
    if info.type_key in ("ffi.Enum", "ffi.IntEnum", "ffi.StrEnum"):
        return []
    if core._type_get_attr(info.type_index, "__ffi_enum__") is None:
        return None
    return [name for name in _entries(info) if not _is_enum_member(name)]


def _entries(info: TypeInfo) -> list[str]:
    """Return the names of all variants in order of registration."""
    state = core._type_get_attr(info.type_index, "__ffi_enum__")
    if state is None:
        return []
    name_of: dict[Any, str] = {}
    for index, variant in state.indexes.items():
        if isinstance(index, str):
            name_of.setdefault(variant.__chandle__(), str(index))
    return [name_of[v.__chandle__()] for v in state.entries if v.__chandle__() in name_of]


def _is_enum_member(name: str) -> bool:
    """Return whether the name is an attribute of every enum class, which would hide the variant."""
    return name in consts.ENUM_MEMBERS or hasattr(core.Object, name)
