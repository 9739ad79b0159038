# SPDX-License-Identifier: Apache-2.0
"""The keys of the configuration, in one table.

Each key has two lines: ``name | kind | default | example``, then the description. `KINDS` has the
values that each kind accepts. Default and example are TOML text; the example is a whole assignment.
A name with dots is a key inside a TOML table; some of these keys have no default. The checks of
configuration files use this module, and a test compares the fields of `Config` with `TABLE`. A
script writes the part "Configuration keys" of the page `docs/settings.md` from `TABLE`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..ir.names import is_identifier, is_namespace

#: The types of TOML values -> their names in messages.
TYPES: dict[type, str] = {
    list: "a list of texts",
    str: "a text",
    bool: "a bool: true or false",
    dict: "a table",
}
_PRINTABLE = "printable text"


@dataclass(frozen=True)
class Kind:
    """The type of a value, and a condition for texts.

    `accepts` tests the condition, and `each` describes it.
    """

    type: type
    each: str = _PRINTABLE
    accepts: Callable[[str], bool] = str.isprintable
    choices: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Return the description of the value for the reference page."""
        words = ", ".join(map(repr, self.choices)) or self.each
        if words == _PRINTABLE:
            return TYPES[self.type]
        if self.type is list:
            return f"a list of {words}"
        return f"one of {words}" if self.choices else words


@dataclass(frozen=True)
class Key:
    """A key of the configuration."""

    name: str
    kind: Kind
    default: str
    doc: str
    example: str

    @property
    def value(self) -> Any:
        """Return the default as a value; None for a key without a default."""
        # Strings, lists and bools have the same syntax in JSON and in TOML.
        return json.loads(self.default) if self.default else None


def _choice(*choices: str) -> Kind:
    return Kind(str, accepts=choices.__contains__, choices=choices)


USES = ("ABI", "API", "JSON", "SEMANTIC", "ALL")
KINDS: dict[str, Kind] = {
    "text": Kind(str),
    "lines": Kind(str, "a text", lambda text: all(map(str.isprintable, text.splitlines()))),
    "texts": Kind(list),
    "bool": Kind(bool),
    "table": Kind(dict),
    "tables": Kind(list, "tables"),
    "namespace": Kind(str, "a C++ namespace", lambda text: not text or is_namespace(text)),
    "name": Kind(str, "a C++ name", lambda text: not text or is_identifier(text)),
    "macros": Kind(list, "names of macros", is_identifier),
    "outputs": Kind(list, "names of outputs"),
    "frontend": _choice("static", "import"),
    "mode": _choice("inplace", "full"),
    "dialect": _choice("modern", "classic"),
}


def _table(text: str) -> dict[str, Key]:
    lines = text.strip().splitlines()
    table = {}
    for row, doc in zip(lines[::2], lines[1::2]):
        name, kind, default, example = (cell.strip() for cell in row.split("|"))
        table[name] = Key(name, KINDS[kind], default, doc.strip(), example)
    return table


#: Name -> key, including the keys inside of tables.
TABLE = _table("""
sources | texts | ["schema/**/*.py"] | sources = ["defs/*.py"]
    Patterns of the schema files.
frontend | frontend | "static" | frontend = "import"
    How schema files are read: by their syntax, or by running them.
mode | mode | "full" | mode = "inplace"
    Whole files are written, or the blocks between markers in files of yours.
inplace | texts | [] | inplace = ["other/*.h"]
    Patterns of further files with markers.
dialect | dialect | "modern" | dialect = "classic"
    The C++ dialect of the generated code.
namespace | namespace | "" | namespace = "demo"
    The C++ namespace of files that do not set one.
cpp_include_root | text | "include" | cpp_include_root = "inc"
    The directory of headers.
cpp_source_root | text | "src" | cpp_source_root = "lib"
    The directory of C++ sources.
python_root | text | "python" | python_root = "py"
    The directory of Python bindings and stubs.
rust_root | text | "rust/src/schema" | rust_root = "src/schema"
    The directory of Rust modules.
outputs | outputs | ["cpp"] | outputs = ["cpp", "python", "pyi"]
    What `generate` writes and `check` compares.
license | lines | "" | license = "Apache-2.0"
    The lines at the top of generated files: `ASF`, `Apache-2.0`, or a text.
ffi_alias | name | "" | ffi_alias = "ffi"
    A namespace alias of `::tvm::ffi`, which generated code declares and uses.
export_macros | macros | [] | export_macros = ["DEMO_DLL"]
    Macros between `class` and its name in your C++ code, for `validate`.
object_macros | macros | [] | object_macros = ["DEMO_DECLARE_OBJECT"]
    Macros of yours that declare an object class, for `validate`.
rust_externs | table | {} | rust_externs = { "other.Expr" = "other_crate::Expr" }
    By the type key of an extern class: the path of its reference type in Rust.
embed_ir | bool | true | embed_ir = false
    Libraries and images embed their schema.
breaking | table | {} | breaking = { against = "git:main" }
    What `breaking` compares with, and by which rules.
breaking.against | text | | breaking.against = "git:main"
    The older version, where the command line does not name it.
breaking.ignore | tables | [] | breaking.ignore = [{ rule = "FIELD_NO_DELETE", reason = "unused" }]
    Changes that are allowed.
breaking.ignore.rule | text | | breaking.ignore = [{ rule = "TYPE_SAME_SIZE", reason = "new" }]
    The rule that the change breaks; required.
breaking.ignore.type | text | | breaking.ignore = [{ rule = "TYPE_SAME_SIZE", type = "demo.Expr", reason = "new" }]
    The key of the type that changes; by default any.
breaking.ignore.reason | text | | breaking.ignore = [{ rule = "TYPE_SAME_SIZE", reason = "new" }]
    Why the change is allowed; required.
""")  # noqa: E501 (one key a line)


def members(table: str) -> dict[str, Key]:
    """Return the keys of a TOML table by name; the top-level keys if `table` is empty."""
    start = f"{table}." if table else ""
    names = [name for name in TABLE if name.startswith(start)]
    return {n[len(start) :]: TABLE[n] for n in names if "." not in n[len(start) :]}


#: The top-level keys.
KEYS = members("")
