# SPDX-License-Identifier: Apache-2.0
"""The settings of schema files, in tables; the functions of `dsl` check their options with them.

Each setting has two lines: ``name | kind | default | attribute | example``, then the description.
The attribute is that of the record in `ir`; it is ``-`` if the setting is not stored as it is. The
builder of records and the writer of schema files copy the attributes in the order of a table.
`KINDS` has the values that each kind accepts, and their form in the IR. Tests compare the
signatures of the functions, and the attributes of classes in stubs, with the tables. A script
writes the page `docs/settings.md` from the tables.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ..ir import abi, names
from .values import MISSING, AutoSlots, Trait

EQUALITY_KINDS = (*tuple(abi.STRUCTURAL_KINDS)[1:], "unsupported")
STRUCTURAL = ("ignore", "def", "def-pattern", "def-simple")
ACCESS = ("public", "protected", "private")
DIALECTS = ("modern", "classic")
REGISTRATIONS = ("init-block", "member", "inline")


@dataclass(frozen=True)
class Kind:
    """A kind of value: annotation, description in messages, a function that tests a value."""

    annotation: str
    words: str
    accepts: Callable[[Any], bool]
    error: type[Exception] = TypeError
    #: Converts a value to its form in the IR.
    stored: Callable[[Any], Any] = lambda value: value


@dataclass(frozen=True)
class Setting:
    """A setting. `default` is the text of an expression, `example` the text of an assignment.

    `attribute` is empty if no attribute in the IR has the value of the setting.
    """

    name: str
    kind: Kind
    default: str
    attribute: str
    example: str
    doc: str

    @functools.cached_property
    def value(self) -> Any:
        """The default as a value; callers must not change it."""
        return MISSING if self.default == "MISSING" else ast.literal_eval(self.default)

    def problem(self, value: Any) -> str | None:
        """Return a description of the expected value; None if the value is right."""
        return None if self.kind.accepts(value) else self.kind.words


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(map(_is_text, value))


def _is_dict(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value))


def _is_slots(value: Any) -> bool:
    is_count = type(value) is int and value >= 0
    return value == "auto" or isinstance(value, AutoSlots) or is_count


def _are_traits(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(one, Trait) for one in value)


def _is_reference(value: Any) -> bool:
    return value is False or (_is_text(value) and names.is_identifier(value))


def _are_shared(value: Any) -> bool:
    return _is_dict(value) and all(
        n in SHARED and CLASS[n].kind.accepts(v) for n, v in value.items()
    )


def _or_empty(value: Any) -> Any:
    return value or ""


def _stored_slots(value: Any) -> str:
    return f"auto+{value.extra}" if isinstance(value, AutoSlots) else str(value)


def _choice(values: tuple[str, ...], empty: str = "", stored: Any = _or_empty) -> Kind:
    """Return a kind that accepts the given texts; `empty` adds ``None`` or the empty text."""
    absent = {"None": (None, ""), "''": ("",)}.get(empty, ())
    words = [*map(repr, values), *([empty] if empty == "None" else [])]
    annotation = f"str{' | None' if empty == 'None' else ''}"
    accepted = (*values, *absent)
    text = "one of " + ", ".join(words)
    return Kind(annotation, text, accepted.__contains__, ValueError, stored)


def _or_none(kind: Kind, stored: Any = _or_empty) -> Kind:
    text, accepts = f"{kind.annotation} | None", kind.accepts
    return Kind(text, kind.words, lambda v: v is None or accepts(v), stored=stored)


_BOOL = Kind("bool", "a bool", lambda value: type(value) is bool)
_TEXT = Kind("str", "a text", _is_text)
_DICT = Kind("Mapping[str, Any]", "a dict with names as keys", _is_dict)
KINDS: dict[str, Kind] = {
    "bool": _BOOL,
    "bool?": _or_none(_BOOL, stored=lambda value: value),
    "mark": _or_none(_BOOL, stored=bool),
    "text": _TEXT,
    "text?": _or_none(_TEXT),
    "texts": Kind("Sequence[str]", "a list of texts", _are_texts, stored=tuple),
    "dict": _DICT,
    "dict?": _or_none(_DICT, stored=lambda value: value or {}),
    "shared?": Kind(
        "Mapping[str, Any] | None",
        "a dict with settings of classes that are a bool, or 'registration'",
        lambda value: value is None or _are_shared(value),
        stored=lambda value: dict(value or {}),
    ),
    "count": Kind("int", "an integer", lambda value: type(value) is int),
    "key": Kind(
        "str",
        "a type key: names joined by dots",
        lambda value: _is_text(value) and names.is_type_key(value),
    ),
    "reference": Kind("str | bool", "a C++ name or False", _is_reference),
    "namespace": Kind(
        "str", "a C++ namespace", lambda value: _is_text(value) and names.is_namespace(value)
    ),
    "final": Kind(
        "bool | str",
        "a bool or 'auto'",
        lambda value: type(value) is bool or value == "auto",
        stored=lambda value: None if value == "auto" else value,
    ),
    "slots": Kind(
        "int | str | AutoSlots",
        "'auto', a count or auto_slots(extra)",
        _is_slots,
        stored=_stored_slots,
    ),
    "traits": Kind("Sequence[Trait]", "a list of Trait values", _are_traits),
    "equality": _choice(EQUALITY_KINDS, "None"),
    "registration": _choice(REGISTRATIONS),
    "dialect": _choice(DIALECTS, "''"),
    "structural": _choice(
        STRUCTURAL, "None", lambda value: (value or "").replace("def-pattern", "def")
    ),
    "access": _choice(ACCESS),
    "factory": Kind("Callable[[], Any]", "a callable without arguments", callable),
    "anything": Kind("Any", "anything", lambda value: True),
}


def _table(text: str) -> dict[str, Setting]:
    lines = text.strip().splitlines()
    table = {}
    for row, doc in zip(lines[::2], lines[1::2]):
        name, kind, default, attribute, example = (cell.strip() for cell in row.split("|"))
        attribute = attribute.strip("-")
        table[name] = Setting(name, KINDS[kind], default, attribute, example, doc.strip())
    return table


def attributes(table: Mapping[str, Setting], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a record in `ir` for the given settings."""
    rows = [row for row in map(table.get, given) if row is not None and row.attribute]
    return {row.attribute: row.kind.stored(given[row.name]) for row in rows}


def stated(
    table: Mapping[str, Setting], record: Any, usual: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the settings that a record in `ir` has, without those that have their defaults.

    `usual` has the defaults that differ from those of the table.
    """
    rows = [row for row in table.values() if row.attribute]
    defaults = {row.name: row.value for row in rows} | dict(usual or {})
    found = {row.name: getattr(record, row.attribute) for row in rows}
    return {name: v for name, v in found.items() if v != table[name].kind.stored(defaults[name])}


#: The settings in a class body: assignments without an annotation.
CLASS = _table("""
type_key | key | "" | - | type_key = "demo.Expr"
    The name of the type; without a dot it gets `type_key_prefix`.
ref | reference | "" | - | ref = "ExprRef"
    The C++ reference class; `False` for none. By default the class name without its suffix.
cpp_name | text | "" | - | cpp_name = "ExprNode"
    The C++ object class, where its name differs from that of the class; Python keeps the latter.
nullable | bool | True | - | nullable = False
    The reference class can be null; if the class says so, a field of it accepts None.
mutable | bool | False | mutable | mutable = True
    Fields may be assigned unless they are frozen.
final | final | "auto" | final | final = True
    No class may derive from it; 'auto' is true for classes without subclasses in a closed file.
abstract | bool | False | abstract | abstract = True
    Only subclasses have objects.
sealed | bool | False | sealed | sealed = True
    No class outside of the schema may derive from it.
ctor | bool | True | ctor | ctor = False
    Constructors are generated.
default_visit_attrs | bool | True | visit_attrs | default_visit_attrs = False
    The fields are registered.
default_sequal_reduce | bool | True | sequal_reduce | default_sequal_reduce = True
    Structural equality is generated.
default_shash_reduce | bool | True | shash_reduce | default_shash_reduce = True
    The structural hash is generated.
structural_eq | equality | None | structural_eq | structural_eq = "tree"
    How objects compare by structure; by default like the parent.
namespace | namespace | "" | namespace | namespace = "demo::nested"
    The C++ namespace, where it differs from that of the file.
header | text | "" | header | header = "demo/expr.h"
    The header of this class, relative to the include root.
renamed_from | key | "" | renamed_from | renamed_from = "demo.Old"
    The type key that older data and libraries have.
deprecated | text | "" | deprecated | deprecated = "use Other"
    Why not to use it; compilers warn with this text.
child_slots | slots | "auto" | child_slots | child_slots = auto_slots(extra=4)
    The number of type indices that are reserved for subclasses.
registration | registration | "init-block" | registration | registration = "member"
    Where the class is registered: a block of the source, a static member, or an inline member.
type_attrs | dict | {} | type_attrs | type_attrs = {"demo.rank": 1}
    Type attributes by name.
traits | traits | () | - | traits = [Trait("demo.pure")]
    Type attributes that `Trait` names.
includes | texts | () | includes | includes = ["<string>"]
    Further lines of the header, each with its brackets or quotes.
""")

#: The settings for which a file may state a default.
SHARED = [
    n for n, row in CLASS.items() if row.kind in (_BOOL, KINDS["registration"]) and row.attribute
]

#: The options of `module()`.
MODULE = _table("""
namespace | text | "" | namespace | namespace="demo"
    The C++ namespace of the classes.
type_key_prefix | text | "" | - | type_key_prefix="demo."
    What type keys without a dot begin with.
header | text | "" | header | header="demo/ir.h"
    The header, relative to the include root; by default the namespace and the file name.
source | text | "" | source | source="src/ir.cc"
    The source file; by default `src/` and the file name.
python | text | "" | python | python="demo.ir"
    The Python module of the bindings; by default the file name behind an underscore.
export | text | "" | export | export="DEMO_DLL"
    A macro before what other libraries may call: reference classes, methods of object classes.
dialect | dialect | "" | dialect | dialect="classic"
    The C++ dialect, where it differs from that of the project.
closed | bool | False | closed | closed=True
    Classes without subclasses are final.
defaults | shared? | None | defaults | defaults={"ctor": False}
    Settings of the classes that do not state these settings.
includes | texts | () | includes | includes=["<string>"]
    Further lines of the header, each with its brackets or quotes.
source_includes | texts | () | source_includes | source_includes=["<cmath>"]
    Further lines of the source file.
""")

#: The options of `field()`.
FIELD = _table("""
default | anything | MISSING | - | default=3
    The default: a literal, an entry of an enum, or `cpp(...)`.
default_factory | factory | MISSING | - | default_factory=list
    A callable whose result is the default, for values that may change.
init | bool | True | init | init=False
    The field is a parameter of the constructor.
repr | bool | True | repr | repr=False
    The field is shown.
compare | bool | True | compare | compare=False
    The field takes part in comparison.
reflect | bool | True | reflect | reflect=False
    The field is registered.
frozen | bool? | None | frozen | frozen=True
    Whether the field can be assigned; by default as `mutable` of the class says.
hash | bool? | None | hash | hash=False
    The field takes part in the hash; by default as `compare` says.
kw_only | mark | None | kw_only | kw_only=True
    The parameter is given by name alone.
structural_eq | structural | None | structural_eq | structural_eq="ignore"
    Its part in structural equality: left out, or a place that binds variables.
renamed_from | text? | None | renamed_from | renamed_from="old"
    The name that older data has.
access | access | "public" | access | access="private"
    Its access in C++.
name | text? | None | reflected_name | name="from"
    Its name outside of C++, where that differs.
metadata | dict? | None | metadata | metadata={"unit": "m"}
    Values that are registered with the field.
doc | text? | None | - | doc="How many."
    Its documentation, where the docstring of the class has none.
""")

#: The options of `extern()`, without the type key.
EXTERN = _table("""
obj | text | "" | obj | obj="::other::SpanNode"
    The C++ object class, with its namespace.
ref | text | "" | ref | ref="::other::Span"
    The C++ reference class, with its namespace.
header | text | "" | header | header="<other/span.h>"
    The header that defines it, with its brackets or quotes.
parent | key | "ffi.Object" | parent | parent="other.Base"
    The type key of its parent.
slots | count | -1 | slots | slots=4
    The child slots that it reserves; below zero they are not known.
""")


# ---- the functions with these options

_F = TypeVar("_F", bound=Callable[..., Any])


def options_of(table: Mapping[str, Setting]) -> Callable[[_F], _F]:
    """Return a decorator that checks options: a wrong option raises TypeError or ValueError."""

    def decorate(function: _F) -> _F:
        who = f"{function.__name__}()"

        @functools.wraps(function)
        def checked(*args: Any, **options: Any) -> Any:
            for name, value in options.items():
                _check(who, name, value, table)
            return function(*args, **options)

        made: Any = checked
        return made  # type: ignore[no-any-return]

    return decorate


def _check(who: str, name: str, value: Any, table: Mapping[str, Setting]) -> None:
    row = table.get(name)
    if row is None:
        from ..diag import near

        hint = near(name, table)
        raise TypeError(f"{who} has no option {name!r}" + (f"; {hint}" if hint else ""))
    wanted = row.problem(value)
    if wanted is not None:
        raise row.kind.error(f"{who}: {name} must be {wanted}, not {value!r}")


def given(values: Mapping[str, Any], table: Mapping[str, Setting]) -> dict[str, Any]:
    """Return the options that differ from their defaults."""
    return {name: values[name] for name, row in table.items() if values[name] != row.value}
