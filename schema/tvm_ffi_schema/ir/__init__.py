# SPDX-License-Identifier: Apache-2.0
"""The intermediate form (IR) of a schema: frozen records without behaviour.

Readers create the IR, linking adds facts, and backends convert the IR to text. The span of a record
is its place in a file; comparison, JSON and hashes ignore spans.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

#: Version tag of the JSON form; a reader accepts its own version and all older versions.
IR_VERSION = "tschema-ir/1"

ROOT_KEY = "ffi.Object"


class Span(NamedTuple):  # a tuple, since reading C++ makes very many
    """A range of a file; lines and columns count from 1, the end column is exclusive."""

    file: str
    line: int = 1
    col: int = 1
    end_line: int = 0
    end_col: int = 0


def _span() -> Any:
    """Return the declaration of a record field for a span; comparison ignores this field."""
    return field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class CppType:
    """A C++ type as the user wrote it."""

    text: str
    include: str = ""
    as_type: TypeRef | None = None
    size: int = 0
    align: int = 0


@dataclass(frozen=True)
class TypeRef:
    """A type.

    `origin` is the name of the type in `ty.TABLE`. It is `class` for a class, whose name is in
    `name`, and `Cpp` for a C++ type, which is in `cpp`.
    """

    origin: str
    args: tuple[TypeRef, ...] = ()
    name: str = ""
    cpp: CppType | None = None
    #: The values of a `Literal`. Values are checked where they enter: defaults, fields.
    literals: tuple[Any, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Default:
    """The default of a field. `kind` is `value`, `factory`, `cpp` or `entry`.

    `value` is a literal for `value` and `factory`, C++ text for `cpp`, and `[type key, entry name]`
    for `entry`.
    """

    kind: str
    value: Any = None

    def __eq__(self, other: object) -> bool:
        """Compare as tuples do, for which a NaN equals itself. Dataclasses do not since 3.13."""
        if not isinstance(other, Default):
            return NotImplemented
        return (self.kind, self.value) == (other.kind, other.value)


@dataclass(frozen=True)
class DocItem:
    """A named entry in a section of a docstring: a field, a parameter or a raised error."""

    name: str
    text: str
    span: Span | None = _span()


@dataclass(frozen=True)
class Doc:
    """A docstring, divided into its sections."""

    summary: str = ""
    text: str = ""
    see_also: tuple[str, ...] = ()
    attributes: tuple[DocItem, ...] = ()
    params: tuple[DocItem, ...] = ()
    returns: str = ""
    raises: tuple[DocItem, ...] = ()
    notes: str = ""
    examples: str = ""
    deprecated: str = ""


@dataclass(frozen=True)
class FieldDef:
    """A field, with the flags of reflection. `None` means that a setting of the class applies."""

    name: str
    type: TypeRef
    default: Default | None = None
    doc: str = ""
    reflected_name: str = ""
    frozen: bool | None = None
    init: bool = True
    kw_only: bool = False
    repr: bool = True
    compare: bool = True
    hash: bool | None = None
    structural_eq: str = ""
    access: str = "public"
    reflect: bool = True
    metadata: dict[str, Any] = field(default_factory=dict)
    mixin: str = ""
    renamed_from: str = ""
    span: Span | None = _span()


@dataclass(frozen=True)
class ParamDef:
    """A parameter of a method."""

    name: str
    type: TypeRef
    default: Default | None = None


@dataclass(frozen=True)
class MethodDef:
    """A method. A native method is declared in the schema and written in C++.

    For a method that is not native, `python_code` is the whole definition in Python, and
    `python_imports` has the import lines for the definition.
    """

    name: str
    params: tuple[ParamDef, ...] = ()
    returns: TypeRef = TypeRef("None")
    cpp_name: str = ""
    renamed_from: str = ""
    const: bool = True
    static: bool = False
    short: bool = False
    native: bool = True
    python_code: str = ""
    python_imports: tuple[str, ...] = ()
    doc: Doc = Doc()
    span: Span | None = _span()


@dataclass(frozen=True)
class EntryDef:
    """An entry of an enum."""

    name: str
    value: Any = None
    fields: dict[str, Any] = field(default_factory=dict)
    attrs: dict[str, Any] = field(default_factory=dict)
    doc: str = ""
    span: Span | None = _span()


@dataclass(frozen=True)
class EnumDef:
    """The enum of an object class. `base` is `object`, `enum`, `int` or `str`."""

    base: str = "enum"
    entries: tuple[EntryDef, ...] = ()


@dataclass(frozen=True)
class RefDef:
    """The reference class of an object class."""

    name: str
    nullable: bool = True
    #: Whether a field of the class accepts None without `Optional`.
    accepts_none: bool = False


@dataclass(frozen=True)
class ObjectDef:
    """An object class. `parent` is a type key; `fields` does not contain inherited fields."""

    name: str
    type_key: str
    parent: str = ROOT_KEY
    ref: RefDef | None = None
    cpp_name: str = ""
    doc: Doc = Doc()
    fields: tuple[FieldDef, ...] = ()
    methods: tuple[MethodDef, ...] = ()
    enum: EnumDef | None = None
    mixins: tuple[str, ...] = ()
    visit_attrs: bool = True
    sequal_reduce: bool = True
    shash_reduce: bool = True
    structural_eq: str = ""
    mutable: bool = False
    final: bool | None = None
    abstract: bool = False
    child_slots: str = "auto"
    sealed: bool = False
    ctor: bool = True
    registration: str = "init-block"
    namespace: str = ""
    header: str = ""
    includes: tuple[str, ...] = ()
    type_attrs: dict[str, Any] = field(default_factory=dict)
    renamed_from: str = ""
    deprecated: str = ""
    allow: tuple[str, ...] = ()
    span: Span | None = _span()


@dataclass(frozen=True)
class ExternDef:
    """A class of another library; `slots` is negative if the number of slots is not known."""

    type_key: str
    obj: str
    ref: str
    header: str = ""
    parent: str = ROOT_KEY
    slots: int = -1
    name: str = ""
    span: Span | None = _span()


@dataclass(frozen=True)
class MixinDef:
    """Fields that several classes share; C++ declares them in each class."""

    name: str
    doc: Doc = Doc()
    fields: tuple[FieldDef, ...] = ()
    span: Span | None = _span()


@dataclass(frozen=True)
class Module:
    """One schema file."""

    stem: str
    namespace: str = ""
    header: str = ""
    source: str = ""
    python: str = ""
    includes: tuple[str, ...] = ()
    source_includes: tuple[str, ...] = ()
    export: str = ""
    closed: bool = False
    dialect: str = ""
    defaults: dict[str, Any] = field(default_factory=dict)
    doc: str = ""
    objects: tuple[ObjectDef, ...] = ()
    externs: tuple[ExternDef, ...] = ()
    mixins: tuple[MixinDef, ...] = ()
    path: str = field(default="", compare=False)
    span: Span | None = _span()

    @property
    def key(self) -> str:
        """Return a name that no other module of the schema has; several files may have one stem."""
        return f"{self.path}:{self.namespace}:{self.header}:{self.stem}"


@dataclass(frozen=True)
class Schema:
    """All modules that are read together."""

    modules: tuple[Module, ...] = ()


def _without_guard(*records: Any) -> None:
    """Remove the check for recursion from `__repr__`, since the check takes half of the time."""
    for record in records:
        record.__repr__ = getattr(record.__repr__, "__wrapped__", record.__repr__)


_without_guard(CppType, TypeRef, Default, DocItem, Doc, FieldDef, RefDef, ObjectDef)  # no cycles
