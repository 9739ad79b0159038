# SPDX-License-Identifier: Apache-2.0
"""The object schema tool: define a class once in Python; generate and check all other files.

::

    from tvm_ffi.schema import declare, ty, Object

    @declare
    class IntImmNode(Object):
        \"\"\"Constant integer literals in the program.\"\"\"
        type_key = "IntImm"
        value: ty.int64_t

This module contains the names that schema files use. Only the functions for run time need the
native library: `load`, `of` and `layout`. All other functions also run before the native library is
built. The command is ``tvm-ffi-schema``.

Folders
-------
Each line has a folder, then its modules; parentheses tell what a module contains or does. The
list begins with the lowest level. A folder imports only folders above it in this list;
``tools/check_imports.py`` checks this order with its table `SCHEMA_LEVELS`::

    ir                      the intermediate form of a schema; json (canonical text),
                            names, image_bytes and record (a schema in images and in libraries),
                            native_text (texts of devices and data types)
    diag                    findings; rules and breaking (the catalogues), render (output formats)
    ty dsl                  the types, decorators and functions of schema files;
                            dsl.table: the settings
    files                   source (reading), fsio (writing each file completely),
                            tokens (tokens of a text), runtime (modules of tvm-ffi)
    config                  the configuration; table (its keys), check, outputs (their names)
    front                   reading schema files: schema_files (evaluates the statements of a file)
                            or running (runs it), class_body, evaluate (expressions), annotation
                            (types), numpydoc; assemble checks all language rules;
                            registered (prototypes, by what their classes register),
                            registry (the process that imports them), binary (schemas in JSON
                            files, images and built files)
    cache                   results of earlier runs: is_current, slices (unchanged files)
    cxx                     constructs (the table of what C++ says about classes) and pattern;
                            model; read, which makes it from files with tree-sitter (its docstring
                            lists the other modules)
    link                    reader (from files to a linked schema), program, linker (parents,
                            order), places (names of files), slots, equality, layout
    check                   warnings, suppress (comments that allow a finding), reserved
                            (keywords of the languages of the outputs)
    back                    cpp_object cpp_methods cpp_info cpp_ref, cpp_source cpp_registration
                            cpp_definitions cpp_keywords, cpp_file cpp_namespace cpp_classic,
                            cpp_layout (line breaks of statements) cpp_width,
                            docs image python_binding python_stub python_width;
                            rust_file rust_class rust_type,
                            record (embeds the schema in a library)
    run_time                loaded (images)
    weave                   plan (all outputs of a run), output (one file), file_texts (new
                            contents of files), marked_files, targets and block_texts
                            (generated blocks in files of the user);
                            weave (custom sections), custom_owners (their classes and methods),
                            marker, markers, marked (parsed markers), guard (hand edits),
                            merge, conflicts, history (merges in git)
    build                   toolchain (the C++ compiler of the system)
    compare                 comparison of a schema with older schemas, hand-written C++ and
                            built libraries; lower (makes a model of C++ from a schema),
                            validate and class_check (compare two models), facts
                            (what differs), rules (which difference is a finding), edits
    commands                cli, its arguments, and a module for each command; adopt is a package
                            (makes a schema and markers from hand-written C++)
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # Type checkers read these imports; at run time `__getattr__` imports the names.
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

__all__ = [
    "KW_ONLY",
    "MISSING",
    "Enum",
    "IntEnum",
    "Object",
    "StrEnum",
    "Trait",
    "auto",
    "auto_slots",
    "cpp",
    "declare",
    "entry",
    "extend",
    "extern",
    "field",
    "layout",
    "load",
    "method",
    "mixin",
    "module",
    "of",
    "ty",
]
_AT_RUN_TIME = dict.fromkeys(("layout", "load", "of"), "run_time.loaded")


def __getattr__(name: str) -> Any:
    """Import a name of `__all__` when it is first used, because the command uses none of them."""
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
