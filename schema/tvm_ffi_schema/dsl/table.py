# SPDX-License-Identifier: Apache-2.0
"""The settings of schema files, in tables; the functions of `dsl` check their options with them.

Each setting has two lines: ``name | kind | default | example``, then the description. `KINDS` has
the values that each kind accepts. Tests compare the signatures of the functions, and the attributes
of classes in stubs, with the tables. A script writes the page `docs/settings.md` from the tables.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..ir import abi, names
from .values import MISSING, AutoSlots, Trait

EQUALITY_KINDS = (*tuple(abi.STRUCTURAL_KINDS)[1:], "unsupported")
STRUCTURAL = ("ignore", "def", "def-pattern", "def-simple")
ACCESS = ("public", "protected", "private")
DIALECTS = ("modern", "classic")
REGISTRATIONS = ("init-block", "member")


@dataclass(frozen=True)
class Kind:
    """A kind of value: annotation, description in messages, and a function that tests a value."""

    annotation: str
    words: str
    accepts: Callable[[Any], bool]
    error: type[Exception] = TypeError


@dataclass(frozen=True)
class Setting:
    """A setting. `default` is the text of an expression, `example` the text of an assignment."""

    name: str
    kind: Kind
    default: str
    doc: str
    example: str

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


def _choice(values: tuple[str, ...], empty: str = "") -> Kind:
    """Return a kind that accepts the given texts; `empty` adds ``None`` or the empty text."""
    absent = {"None": (None, ""), "''": ("",)}.get(empty, ())
    words = [*map(repr, values), *([empty] if empty == "None" else [])]
    annotation = f"str{' | None' if empty == 'None' else ''}"
    accepted = (*values, *absent)
    return Kind(annotation, "one of " + ", ".join(words), accepted.__contains__, ValueError)


def _or_none(kind: Kind) -> Kind:
    accepts = kind.accepts
    return Kind(f"{kind.annotation} | None", kind.words, lambda v: v is None or accepts(v))


_BOOL = Kind("bool", "a bool", lambda value: type(value) is bool)
_TEXT = Kind("str", "a text", _is_text)
_DICT = Kind("Mapping[str, Any]", "a dict with names as keys", _is_dict)
KINDS: dict[str, Kind] = {
    "bool": _BOOL,
    "bool?": _or_none(_BOOL),
    "text": _TEXT,
    "text?": _or_none(_TEXT),
    "texts": Kind("Sequence[str]", "a list of texts", _are_texts),
    "dict": _DICT,
    "dict?": _or_none(_DICT),
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
        "bool | str", "a bool or 'auto'", lambda value: type(value) is bool or value == "auto"
    ),
    "slots": Kind("int | str | AutoSlots", "'auto', a count or auto_slots(extra)", _is_slots),
    "traits": Kind("Sequence[Trait]", "a list of Trait values", _are_traits),
    "equality": _choice(EQUALITY_KINDS, "None"),
    "registration": _choice(REGISTRATIONS),
    "dialect": _choice(DIALECTS, "''"),
    "structural": _choice(STRUCTURAL, "None"),
    "access": _choice(ACCESS),
    "factory": Kind("Callable[[], Any]", "a callable without arguments", callable),
    "anything": Kind("Any", "anything", lambda value: True),
}


def _table(text: str) -> dict[str, Setting]:
    lines = text.strip().splitlines()
    table = {}
    for row, doc in zip(lines[::2], lines[1::2]):
        name, kind, default, example = (cell.strip() for cell in row.split("|"))
        table[name] = Setting(name, KINDS[kind], default, doc.strip(), example)
    return table


#: The settings in a class body: assignments without an annotation.
CLASS = _table("""
type_key | key | "" | type_key = "demo.Expr"
    The name of the type; without a dot it gets `type_key_prefix`.
ref | reference | "" | ref = "ExprRef"
    The C++ reference class; `False` for none. By default the class name without its suffix.
namespace | namespace | "" | namespace = "demo::nested"
    The C++ namespace, where it differs from that of the file.
header | text | "" | header = "demo/expr.h"
    The header of this class, relative to the include root.
includes | texts | () | includes = ["<string>"]
    Further lines of the header, each with its brackets or quotes.
structural_eq | equality | None | structural_eq = "tree"
    How objects compare by structure; by default like the parent.
mutable | bool | False | mutable = True
    Fields may be assigned unless they are frozen.
abstract | bool | False | abstract = True
    Only subclasses have objects.
final | final | "auto" | final = True
    No class may derive from it; 'auto' is true for classes without subclasses in a closed file.
sealed | bool | False | sealed = True
    No class outside of the schema may derive from it.
child_slots | slots | "auto" | child_slots = auto_slots(extra=4)
    The number of type indices that are reserved for subclasses.
nullable | bool | True | nullable = False
    The reference class can be null.
ctor | bool | True | ctor = False
    Constructors are generated.
registration | registration | "init-block" | registration = "member"
    Where the class is registered: in a block of the source, or in a static member.
type_attrs | dict | {} | type_attrs = {"demo.rank": 1}
    Type attributes by name.
traits | traits | () | traits = [Trait("demo.pure")]
    Type attributes that `Trait` names.
default_visit_attrs | bool | True | default_visit_attrs = False
    The fields are registered.
default_sequal_reduce | bool | True | default_sequal_reduce = True
    Structural equality is generated.
default_shash_reduce | bool | True | default_shash_reduce = True
    The structural hash is generated.
renamed_from | key | "" | renamed_from = "demo.Old"
    The type key that older data and libraries have.
deprecated | text | "" | deprecated = "use Other"
    Why not to use it; compilers warn with this text.
""")

#: The options of `module()`.
MODULE = _table("""
namespace | text | "" | namespace="demo"
    The C++ namespace of the classes.
type_key_prefix | text | "" | type_key_prefix="demo."
    What type keys without a dot begin with.
header | text | "" | header="demo/ir.h"
    The header, relative to the include root; by default the namespace and the file name.
source | text | "" | source="src/ir.cc"
    The source file; by default `src/` and the file name.
python | text | "" | python="demo.ir"
    The Python module of the bindings; by default the file name behind an underscore.
includes | texts | () | includes=["<string>"]
    Further lines of the header, each with its brackets or quotes.
source_includes | texts | () | source_includes=["<cmath>"]
    Further lines of the source file.
export | text | "" | export="DEMO_DLL"
    A macro before reference classes, for symbols that are visible to others.
closed | bool | False | closed=True
    Classes without subclasses are final.
dialect | dialect | "" | dialect="classic"
    The C++ dialect, where it differs from that of the project.
""")

#: The options of `field()`.
FIELD = _table("""
default | anything | MISSING | default=3
    The default: a literal, an entry of an enum, or `cpp(...)`.
default_factory | factory | MISSING | default_factory=list
    A callable whose result is the default, for values that may change.
frozen | bool? | None | frozen=True
    Whether the field can be assigned; by default as `mutable` of the class says.
init | bool | True | init=False
    The field is a parameter of the constructor.
kw_only | bool? | None | kw_only=True
    The parameter is given by name alone.
repr | bool | True | repr=False
    The field is shown.
compare | bool | True | compare=False
    The field takes part in comparison.
hash | bool? | None | hash=False
    The field takes part in the hash; by default as `compare` says.
structural_eq | structural | None | structural_eq="ignore"
    Its part in structural equality: left out, or a place that binds variables.
doc | text? | None | doc="How many."
    Its documentation, where the docstring of the class has none.
metadata | dict? | None | metadata={"unit": "m"}
    Values that are registered with the field.
name | text? | None | name="from"
    Its name outside of C++, where that differs.
access | access | "public" | access="private"
    Its access in C++.
reflect | bool | True | reflect=False
    The field is registered.
renamed_from | text? | None | renamed_from="old"
    The name that older data has.
""")

#: The options of `extern()`, without the type key.
EXTERN = _table("""
obj | text | "" | obj="::other::SpanNode"
    The C++ object class, with its namespace.
ref | text | "" | ref="::other::Span"
    The C++ reference class, with its namespace.
header | text | "" | header="<other/span.h>"
    The header that defines it, with its brackets or quotes.
parent | key | "ffi.Object" | parent="other.Base"
    The type key of its parent.
slots | count | -1 | slots=4
    The child slots that it reserves; below zero they are not known.
""")
