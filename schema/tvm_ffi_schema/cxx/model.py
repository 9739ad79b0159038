# SPDX-License-Identifier: Apache-2.0
"""The model: what C++ says about object classes, with the place of each construct.

`read` makes the model from files, and `lower` from a schema, so that `compare` can compare both.

- `Sources` has everything that was read: classes, statements that register classes, aliases.
- `CppClass` is an object class or a reference class. `declared` lists the declarations in its body
  in order, with their offsets in the text of the file. `members`, `methods`, `constructors`,
  `constants` and `macro` are the same declarations by kind.
- `Statement` registers a class, type attributes or an enum entry. Its `entries` are the chained
  calls, its `block` is the braces around it: an init block, or a function.
- `Construct`, `Macro` and `Call` are uses of rows of `constructs.TABLE`: `kind` is the name of the
  row, and `values` has the values of its holes. A construct of the kind ``other`` was not
  understood; its tokens are in its values.

Types, names and values are texts in the form of `cursor.joined`. `names.Names` resolves names at a
`Place`, and `values` computes values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ..ir import Span
from . import values
from .constructs import TABLE
from .pattern import NOWHERE, Construct

#: The macros in the body of a class that declare it.
MACROS = frozenset(word for word in TABLE.firsts("BODY") if word.startswith("TVM_"))
#: Macros that may occur before a declaration and do not affect the model.
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
class Function:
    """A method or a constructor; `text` is its signature. A constructor has only `params`."""

    name: str
    text: str
    params: list[str]
    span: Span
    access: str = "public"
    returns: str = ""
    is_static: bool = False
    is_const: bool = False


@dataclass
class Macro(Construct):
    """A use of a macro that declares an object class or a reference class.

    `name` is the macro, `word` its place.
    """

    name: str = ""
    word: Span = NOWHERE

    @property
    def is_final(self) -> bool:
        """Return whether the macro declares a final class."""
        return self.row.ir == ("final", True)

    @property
    def is_nullable(self) -> bool:
        """Return whether the macro declares a nullable reference class."""
        return self.row.ir == ("nullable", True)

    @property
    def is_classic(self) -> bool:
        """Return whether the macro belongs to the classic dialect."""
        return self.name.startswith(("TVM_DECLARE_", "TVM_DEFINE_"))


@dataclass
class Call(Construct):
    """A chained call, such as ``.def_ro("x", &N::x)``.

    `method` is its word and `word` the place of the word; `name` is the first argument, without
    quotes if it is a string literal. `end` is the closing parenthesis.
    """

    method: str = ""
    name: str = ""
    word: Span = NOWHERE
    name_span: Span = NOWHERE
    end: Span = NOWHERE


class Place(NamedTuple):
    """The context of a name: the enclosing namespace, and the `using namespace` directives."""

    scope: str = ""
    using: tuple[str, ...] = ()


#: The global namespace.
GLOBAL = Place()


@dataclass
class Declared:
    """A declaration in the body of a class: text[first:last], without comments before it.

    `kind` is "field", "constant", "method", "constructor", "macro", "label" or "other".
    """

    kind: str
    names: list[str]
    first: int
    last: int
    access: str


@dataclass
class CppClass:
    """A class as it is written in the sources.

    `damaged` means that a part of the body could not be read, so facts about members may be wrong.
    `methods` has all overloads of each name. `place` is the context of the class head. `visited`
    has the members that VisitAttrs visits; None if they are unknown. `params` has the template
    parameters. `templates` has the base classes that are not object classes. `first`, `opening` and
    `closing` are the offsets of the keyword and of the braces. `again` is the place of another
    definition of the class in the same file.
    """

    name: str
    bases: list[str]
    span: Span
    base_span: Span
    members: list[Member] = field(default_factory=list)
    methods: dict[str, list[Function]] = field(default_factory=dict)
    constructors: list[Function] = field(default_factory=list)
    constants: dict[str, tuple[str, Span]] = field(default_factory=dict)
    declared: list[Declared] = field(default_factory=list)
    macro: Macro | None = None
    visited: list[Call] | None = None
    damaged: bool = field(default=False, compare=False)
    place: Place = GLOBAL
    params: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    first: int = 0
    opening: int = 0
    closing: int = 0
    again: Span | None = field(default=None, compare=False)

    @property
    def full(self) -> str:
        """Return the name with its namespace."""
        return joined_name(self.place.scope, self.name)

    @property
    def inside(self) -> Place:
        """Return the context of names in the body of the class."""
        return Place(self.full, self.place.using)

    @property
    def has_register(self) -> bool:
        """Return whether the class declares a member that registers it."""
        return "RegisterReflection" in self.methods

    @property
    def is_template(self) -> bool:
        """Return whether the object macro names a template parameter instead of the class."""
        macro = self.macro if self.declares_object else None
        return macro is not None and macro.text("cls") in self.params

    @property
    def key(self) -> tuple[str | None, Span]:
        """Return the type key and its place; the key is None if it is not a literal."""
        if self.macro is None:
            return None, self.span
        given = self.macro.text("key")
        text, span = values.text(given), self.macro.place("key")
        if text is None:
            name = last_name(given) or TABLE.row("BODY", "key").constant
            value, span = self.constants.get(name, ("", self.span))
            text = values.text(value)
        return text, span

    @property
    def declares_object(self) -> bool:
        """Return whether a macro in the body declares an object class."""
        return self.macro is not None and self.macro.kind == "info"

    @property
    def declares_reference(self) -> bool:
        """Return whether a macro in the body declares a reference class."""
        return self.macro is not None and self.macro.kind == "ref"

    def constant(self, kind: str) -> tuple[str, Span | None]:
        """Return the text and the place of the constant of a row of BODY; empty without it."""
        return self.constants.get(TABLE.row("BODY", kind).constant, ("", None))


@dataclass
class Block:
    """The braces around a statement, and the text before them: `head` ends at `opening`.

    `head` is for example ``TVM_FFI_STATIC_INIT_BLOCK()`` or ``void N::RegisterReflection()``.
    """

    head: str
    first: int
    opening: int
    closing: int


@dataclass
class Statement:
    """A statement that registers: `ObjectDef<T>()...`, `TypeAttrDef<T>()...`, `EnumDef<T>()...`.

    `kind` is the name of its row. `prefix` is the qualifier before the first word, such as
    `refl::`. `word` is the first word, at `span`. `head` is the construct of the tokens up to the
    first closing parenthesis. If the statement initialises a variable, `variable` is its name.
    `stop` is the semicolon. `owner` is the full name of the class whose body contains the
    statement. `is_of_parameter` means that the target is a template parameter. `first` is the
    offset at which the statement begins.
    """

    kind: str
    target: str
    entries: list[Call]
    span: Span
    end: Span
    head: Construct
    prefix: str = ""
    variable: str = ""
    stop: Span | None = None
    is_of_parameter: bool = False
    offset: int = field(default=0, compare=False)
    owner: str = ""
    place: Place = GLOBAL
    word: str = field(default="", compare=False)
    block: Block | None = None
    first: int = 0


@dataclass
class Use:
    """A call of `RegisterReflection` of a class, or a use of the macro for a node type.

    `kind` is "call" or "node_type". The name or the use is text[first:last] of the file `path`.
    """

    kind: str
    target: str
    path: str
    first: int
    last: int
    place: Place = GLOBAL


@dataclass
class Alias:
    """An alias, `using Name = text;` or `using a::Name;`, or an alias template with parameters."""

    text: str
    params: tuple[str, ...] = ()
    place: Place = GLOBAL


@dataclass
class FileFacts:
    """What `parser` finds in one file, with offsets and without resolved names."""

    classes: list[CppClass] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    aliases: list[tuple[int, str, Alias]] = field(default_factory=list)


@dataclass
class Sources:
    """The model of all files; the keys of classes and aliases are full names."""

    classes: dict[str, CppClass] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    aliases: dict[str, Alias] = field(default_factory=dict)
    includes: dict[str, list[str]] = field(default_factory=dict)

    def add_class(self, found: CppClass) -> None:
        """Add a class; of classes with the same name, keep the first class that has a macro."""
        kept, other = self.classes.get(found.full, found), found
        if kept.macro is None and found.macro is not None:
            kept, other = found, kept
        self.classes[found.full] = kept
        if kept is not other and kept.span.file == other.span.file:
            kept.again = other.span

    @property
    def register_calls(self) -> list[tuple[str, Place]]:
        """Return the classes whose `RegisterReflection` is called, as names with their places."""
        return [(one.target, one.place) for one in self.uses if one.kind == "call"]

    @property
    def node_types(self) -> list[tuple[str, Place]]:
        """Return the classes that are registered as node types, as names with their places."""
        return [(one.target, one.place) for one in self.uses if one.kind == "node_type"]


def last_name(text: str) -> str:
    """Return the last component of a qualified name."""
    return text.rpartition("::")[2]


def joined_name(scope: str, name: str) -> str:
    """Return the full name of `name` in the namespace `scope`; empty for the global namespace."""
    return f"{scope}::{name}" if scope else name
