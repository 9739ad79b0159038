# SPDX-License-Identifier: Apache-2.0
"""The object schema tool: write an object once in Python, get the rest generated and checked.

::

    from tvm_ffi.schema import declare, ty, Object

    @declare
    class IntImmNode(Object):
        \"\"\"Constant integer literals in the program.\"\"\"
        type_key = "IntImm"
        value: ty.int64_t

The names here are the words of schema files. Nothing in this package needs the native library but
what is for run time: `load`, `of`, `layout`, `dumps` and `loads`. The rest also runs before that
library is built. The command is ``tvm-ffi-schema``.

Floor plan
----------
::

    dsl ty                  the words and types of schema files; dsl.table has the settings
    ir ir_json ir_schema    the intermediate form, its canonical JSON, the JSON Schema of that
    diag rules render       findings: records, catalogue, text and machine formats
    native_text             texts of devices and data types, as the runtime reads them
    source config reader    files, configuration (checked by config_check), from files to a linked
                            schema
    front/                  readers: static_py (by syntax), imported (by running), numpydoc;
                            both end in assemble, which checks every rule of the language;
                            prototype and prototype_body (classes of `py_class` and its kind),
                            run_time (what only running them tells), failures (of running);
                            binary: the schema that a built file embeds
    passes/                 program, link (parents, order), places (names of files), templates
                            (mixins), slots, equality, layout,
                            lint, lint_fixes, suppress (the comments that allow a finding),
                            reserved (words that the languages of the outputs keep)
    plugins backends        lint rules and back ends of other packages; back.base is for the latter
    back/                   cpp_object cpp_methods cpp_info cpp_ref, cpp_source cpp_definitions
                            cpp_keywords, cpp_file cpp_namespace cpp_template cpp_convert
                            cpp_classic cpp_width, cpp_view, docs diagram image data_tests
                            python_binding python_stub python_width;
                            python_functions: of what libraries register
                            record: the schema inside of a library
    weave/                  tokens, marker, markers, marked (what they hold), guard (of generated
                            text), weave (custom sections), fsio and staged (all files or none),
                            clang_format (of generated lines); merge, conflicts, history (both
                            sides of a merge of git)
    compare/                against older schemas, hand-written C++, bindings, built libraries;
                            cpp_reader reads C++ with tree-sitter into cpp_facts (its
                            docstring lists the steps), and validate judges; written spells
                            defaults as the runtime does
    cache/                  the record of earlier runs: is_current, slices (what is remembered of
                            unchanged files and of their outputs), keys
    plan work planned       what shall be written, and by customs what custom sections
                            ask of that;
    inplace blocks          the same in files of other people
    commands/               the commands of cli, which arguments lists; seeded gives `build`
                            the custom sections of the project
    toolchain wheel runtime the system's compiler; Python packages; what tvm-ffi has installed
    binding loaded          run-time classes of `declare(bind=...)`, and of images
    upgrades                data of older versions
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # For type checkers; at run time `__getattr__` does this.
    from typing import Any

    from . import ty
    from .dsl import (
        KW_ONLY,
        MISSING,
        Enum,
        IntEnum,
        Object,
        StrEnum,
        Trait,
        auto,
        auto_slots,
        cpp,
        declare,
        entry,
        extend,
        extern,
        field,
        method,
        mixin,
        module,
    )
    from .loaded import layout, load, of
    from .upgrades import Record, dumps, loads, upgrade

__all__ = [
    "KW_ONLY",
    "MISSING",
    "Enum",
    "IntEnum",
    "Object",
    "Record",
    "StrEnum",
    "Trait",
    "auto",
    "auto_slots",
    "cpp",
    "declare",
    "dumps",
    "entry",
    "extend",
    "extern",
    "field",
    "layout",
    "load",
    "loads",
    "method",
    "mixin",
    "module",
    "of",
    "ty",
    "upgrade",
]
_AT_RUN_TIME = dict.fromkeys(("layout", "load", "of"), "loaded")
_AT_RUN_TIME.update((name, "upgrades") for name in ("Record", "dumps", "loads", "upgrade"))


def __getattr__(name: str) -> Any:
    """Import what a name needs when it is first used; the command needs none of them."""
    from importlib import import_module

    if name == "ty":
        return import_module("tvm_ffi_schema.ty")
    if name in _AT_RUN_TIME:
        return getattr(import_module(f"tvm_ffi_schema.{_AT_RUN_TIME[name]}"), name)
    if name in __all__:
        return getattr(import_module("tvm_ffi_schema.dsl"), name)
    raise AttributeError(f"module 'tvm_ffi_schema' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
