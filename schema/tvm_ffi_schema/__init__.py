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
In the order of the work. A part imports only parts above it; ``tools/check_imports.py`` holds that
by its table `SCHEMA_FLOORS`::

    ir                      the intermediate form; json (its canonical text), json_schema, names,
                            image_bytes and record (how images and libraries hold it),
                            native_text (of devices and data types, as the runtime reads them)
    diag                    findings; rules and breaking (the catalogues), render (text, machines)
    ty dsl                  the types and words of schema files; dsl.table has the settings
    files                   source (reading), fsio and staged (all files are written or none),
                            tokens (strings and comments of a text), runtime (what tvm-ffi has
                            installed), installed (entry points of other packages)
    config                  the configuration; table (its keys), check, outputs (those one
                            can choose)
    front                   readers: static_py (by syntax), imported (by running), numpydoc;
                            both end in assemble, which checks every rule of the language;
                            prototype and prototype_body (classes of `py_class` and its kind),
                            run_time (what only running them tells), failures (of running);
                            binary: the schema that a built file embeds
    cache                   the record of earlier runs: is_current, slices (of unchanged files)
    link                    reader (from files to a linked schema), program, linker (parents,
                            order), places (names of files), templates (mixins), slots, equality,
                            layout
    check                   lint, lint_fixes, suppress (the comments that allow a finding), reserved
                            (words that the languages of the outputs keep)
    plugins                 rules of other packages
    back                    cpp_object cpp_methods cpp_info cpp_ref, cpp_source cpp_definitions
                            cpp_keywords, cpp_file cpp_namespace cpp_template cpp_convert
                            cpp_classic cpp_width, cpp_view, docs diagram image data_tests
                            python_binding python_stub python_width;
                            python_functions: of what libraries register
                            record: the schema inside of a library
                            base: what backends of other packages are made of
    run_time                binding (classes of `declare(bind=...)`), loaded (of images), upgrades
                            (data of older versions)
    weave                   plan (what shall be written), output (one file of it), file_texts
                            (what each shall hold), marked_files with cpp_blocks and text_blocks
                            (blocks of ours in files of other people), backends (of other packages);
                            weave (custom sections), custom_owners (what they ask of the rest),
                            marker, markers, marked (what they hold), guard (of generated text),
                            clang_format; merge, conflicts, history (both sides of a merge of git)
    build                   toolchain (the system's compiler), wheel
    compare                 against older schemas, hand-written C++, bindings, built libraries;
                            cpp_reader reads C++ with tree-sitter into cpp_facts (its
                            docstring lists the steps), and validate judges; registry: what a
                            library registers, as a schema
    commands                cli, its arguments, and a module per verb; adopt is a package: from
                            hand-written C++ to a schema and markers
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
    from .run_time.loaded import layout, load, of
    from .run_time.upgrades import Record, dumps, loads, upgrade

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
_AT_RUN_TIME = dict.fromkeys(("layout", "load", "of"), "run_time.loaded")
_AT_RUN_TIME.update((name, "run_time.upgrades") for name in ("Record", "dumps", "loads", "upgrade"))


def __getattr__(name: str) -> Any:
    """Import what a name needs when it is first used; the command needs none of them."""
    from importlib import import_module

    if name == "ty":
        return import_module("tvm_ffi_schema.ty")
    if name in _AT_RUN_TIME:
        return getattr(import_module(f"tvm_ffi_schema.{_AT_RUN_TIME[name]}"), name)
    if name in __all__:
        words = import_module("tvm_ffi_schema.dsl")
        words.decorators.set_binder(_run_time_class)
        return getattr(words, name)
    raise AttributeError(f"module 'tvm_ffi_schema' has no attribute {name!r}")


def _run_time_class(cls: Any, bind: str) -> Any:
    from .run_time.binding import bind_class

    return bind_class(cls, bind)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
