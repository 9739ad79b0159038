# SPDX-License-Identifier: Apache-2.0
"""What hand-written C++ says about object classes; every engine that reads C++ fills these."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir import Span

#: Macros that declare an object class -> whether the class is final.
OBJECT_MACROS = {
    "TVM_FFI_DECLARE_OBJECT_INFO": False,
    "TVM_FFI_DECLARE_OBJECT_INFO_FINAL": True,
    "TVM_DECLARE_BASE_OBJECT_INFO": False,
    "TVM_DECLARE_FINAL_OBJECT_INFO": True,
}
#: Macros that declare a reference class -> whether it is nullable.
REF_MACROS = {
    "TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE": True,
    "TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE": False,
    "TVM_FFI_DEFINE_OBJECT_REF_METHODS": True,
    "TVM_DEFINE_OBJECT_REF_METHODS": True,
    "TVM_DEFINE_NOTNULLABLE_OBJECT_REF_METHODS": False,
}
#: Words before a declaration that say nothing about it here.
EXPORT_MACROS = (
    "TVM_DLL",
    "TVM_ALWAYS_INLINE",
    "TVM_FFI_COLD_CODE",
    "TVM_FFI_DLL",
    "TVM_FFI_DLL_EXPORT",
    "TVM_FFI_EXTRA_CXX_API",
    "TVM_FFI_INLINE",
    "TVM_FFI_NO_INLINE",
)
NODE_TYPE_MACRO = "TVM_REGISTER_NODE_TYPE"
CHAINS = ("ObjectDef", "OverloadObjectDef", "NodeDef", "TypeAttrDef", "EnumDef")
#: Chains that register an object class, as ObjectDef does.
OBJECT_CHAINS = ("OverloadObjectDef", "NodeDef")


@dataclass
class Member:
    """A data member."""

    name: str
    type: str
    default: str
    span: Span
    access: str = "public"


@dataclass
class Macro:
    """A use of one of the object macros."""

    name: str
    args: list[str]
    spans: list[Span]
    span: Span


@dataclass
class CppClass:
    """A class as it stands in the sources.

    `damaged` tells that a part of its body could not be read; what is said about its members is
    then only possibly true. `methods` has the last method of each name, `overloads` all of them.
    """

    name: str
    bases: list[str]
    span: Span
    base_span: Span
    members: list[Member] = field(default_factory=list)
    methods: dict[str, tuple[str, Span]] = field(default_factory=dict)
    overloads: dict[str, list[str]] = field(default_factory=dict)
    constructors: list[tuple[list[str], Span]] = field(default_factory=list)
    constants: dict[str, tuple[str, Span]] = field(default_factory=dict)
    macro: Macro | None = None
    has_register: bool = False
    damaged: bool = field(default=False, compare=False)


@dataclass
class Entry:
    """One call of a registration chain; `arg_spans` has the places of `args`."""

    method: str
    name: str
    args: list[str]
    span: Span
    name_span: Span
    arg_spans: list[Span] = field(default_factory=list)
    end: Span | None = None


@dataclass
class Chain:
    """`ObjectDef<T>()...`, `TypeAttrDef<T>()...` or `EnumDef<T>()...`; `prefix` stands before."""

    kind: str
    target: str
    entries: list[Entry]
    span: Span
    end: Span
    prefix: str = ""


@dataclass
class Sources:
    """What all files together say."""

    classes: dict[str, CppClass] = field(default_factory=dict)
    chains: list[Chain] = field(default_factory=list)
    register_calls: set[str] = field(default_factory=set)
    node_types: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)

    def add_class(self, found: CppClass) -> None:
        """Add a class; one that declares an object wins over others of its name."""
        if found.macro is not None or found.name not in self.classes:
            self.classes[found.name] = found


def last_name(text: str) -> str:
    """Return the last component of a qualified name."""
    return text.rpartition("::")[2]
