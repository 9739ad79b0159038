# SPDX-License-Identifier: Apache-2.0
"""Generate the content of blocks in Rust files.

The modules, from the generator down::

    generator.py    the generator: blocks, files, and the state of a run
    codegen.py      the text of one object type
    methods.py      the functions of a reference: methods, constructors, entries of an enum
    pieces.py       the text of members, accessors, enumerations
    plan.py         which types are mirrored field by field, and their fields
    types.py        type schemas as Rust types
    directives.py   the directives in Rust files
    text.py         the text of signatures, documentation, calls
    imports.py      the `use` lines of a file
    names.py        identifiers, and the paths of modules
"""
