# SPDX-License-Identifier: Apache-2.0
"""Records with facts about object classes in hand-written C++; `cpp_reader` creates them."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir import Span

#: Macro that declares an object class -> whether the class is final.
OBJECT_MACROS = {
    "TVM_FFI_DECLARE_OBJECT_INFO": False,
    "TVM_FFI_DECLARE_OBJECT_INFO_FINAL": True,
    "TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY": False,
    "TVM_FFI_DECLARE_OBJECT_INFO_STATIC": False,
    "TVM_DECLARE_BASE_OBJECT_INFO": False,
    "TVM_DECLARE_FINAL_OBJECT_INFO": True,
}
#: Macro that declares a reference class -> whether the class is nullable.
REF_MACROS = {
    "TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE": True,
    "TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE": False,
    "TVM_FFI_DEFINE_OBJECT_REF_METHODS": True,
    "TVM_DEFINE_OBJECT_REF_METHODS": True,
    "TVM_DEFINE_NOTNULLABLE_OBJECT_REF_METHODS": False,
    "TVM_DEFINE_MUTABLE_OBJECT_REF_METHODS": True,
    "TVM_DEFINE_MUTABLE_NOTNULLABLE_OBJECT_REF_METHODS": False,
}
#: Whether a reference class is nullable -> its macro in the classic dialect.
CLASSIC_REF_MACROS = {
    True: "TVM_DEFINE_OBJECT_REF_METHODS",
    False: "TVM_DEFINE_NOTNULLABLE_OBJECT_REF_METHODS",
}
#: Macros that may occur before a declaration and do not affect the facts.
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
CHAINS = ("ObjectDef", "OverloadObjectDef", "NodeDef", "TypeAttrDef", "EnumDef", "EnumEntry")
#: Words other than `ObjectDef` with which chains begin that register an object class.
OBJECT_CHAINS = ("OverloadObjectDef", "NodeDef")


@dataclass
class Member:
    """A data member."""

    name: str
    type: str
    default: str
    span: Span
    access: str = "public"
    has_value: bool = False


@dataclass
class Macro:
    """A use of a macro that declares or registers an object class or a reference class."""

    name: str
    args: list[str]
    spans: list[Span]
    span: Span


@dataclass(frozen=True)
class Place:
    """The context of a name: the enclosing namespace, and the `using namespace` directives."""

    scope: str = ""
    using: tuple[str, ...] = ()


@dataclass
class CppClass:
    """A class as it is written in the sources.

    `damaged` means that a part of the body could not be read, so facts about members may be wrong.
    `methods` has the last method of each name; `overloads` has all methods. `place` is the context
    of the class head. `visited` has the members that VisitAttrs visits; None if they are unknown.
    `params` has the template parameters. `templates` has the base classes that are not object
    classes.
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
    visited: list[Entry] | None = None
    damaged: bool = field(default=False, compare=False)
    place: Place = Place()
    params: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()

    @property
    def full(self) -> str:
        """Return the name with its namespace."""
        return joined_name(self.place.scope, self.name)

    @property
    def inside(self) -> Place:
        """Return the context of names in the body of the class."""
        return Place(self.full, self.place.using)

    @property
    def is_template(self) -> bool:
        """Return whether the object macro names a template parameter instead of the class."""
        args = self.macro.args if self.macro is not None else []
        return self.declares_object and args[-2] in self.params

    @property
    def declares_object(self) -> bool:
        """Return whether a macro in the body declares an object class."""
        macro = self.macro
        return macro is not None and macro.name in OBJECT_MACROS and len(macro.args) in (2, 3)


@dataclass
class Entry:
    """One call of a registration chain; `arg_spans` are the places of `args`."""

    method: str
    name: str
    args: list[str]
    span: Span
    name_span: Span
    arg_spans: list[Span] = field(default_factory=list)
    end: Span | None = None


@dataclass
class Chain:
    """A chain: `ObjectDef<T>()...`, `TypeAttrDef<T>()...` or `EnumDef<T>()...`.

    `prefix` is the qualifier before the first word, such as `refl::`. `word` is the first word.
    `arguments` is the text in the first parentheses. If the statement initialises a variable with
    the chain, `variable` is the name of the variable. `stop` is the semicolon of the statement.
    `owner` is the full name of the class whose body contains the chain. `is_of_parameter` means
    that the target is a template parameter.
    """

    kind: str
    target: str
    entries: list[Entry]
    span: Span
    end: Span
    prefix: str = ""
    variable: str = ""
    stop: Span | None = None
    is_of_parameter: bool = False
    offset: int = field(default=0, compare=False)
    owner: str = ""
    place: Place = Place()
    word: str = field(default="", compare=False)
    arguments: str = field(default="", compare=False)


@dataclass
class Alias:
    """An alias, `using Name = text;`, or an alias template with the parameters `params`."""

    text: str
    params: tuple[str, ...] = ()
    place: Place = Place()


#: (offset of the opening brace of the body, offset of the closing brace, class)
Found = tuple[int, int, CppClass]


@dataclass
class FileFacts:
    """The facts that `cpp_tree` finds in one file, with offsets and without resolved names."""

    classes: list[Found] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)
    calls: list[tuple[int, str]] = field(default_factory=list)
    aliases: list[tuple[int, str, Alias]] = field(default_factory=list)


@dataclass
class Sources:
    """The facts of all files; the keys of classes and aliases are full names."""

    classes: dict[str, CppClass] = field(default_factory=dict)
    chains: list[Chain] = field(default_factory=list)
    register_calls: list[tuple[str, Place]] = field(default_factory=list)
    node_types: list[tuple[str, Place]] = field(default_factory=list)
    aliases: dict[str, Alias] = field(default_factory=dict)
    includes: dict[str, list[str]] = field(default_factory=dict)

    def add_class(self, found: CppClass) -> None:
        """Add a class; of classes with the same name, keep the first class that has a macro."""
        known = self.classes.get(found.full)
        if known is None or (known.macro is None and found.macro is not None):
            self.classes[found.full] = found


def last_name(text: str) -> str:
    """Return the last component of a qualified name."""
    return text.rpartition("::")[2]


def joined_name(scope: str, name: str) -> str:
    """Return the full name of `name` in the namespace `scope`; empty for the global namespace."""
    return f"{scope}::{name}" if scope else name
