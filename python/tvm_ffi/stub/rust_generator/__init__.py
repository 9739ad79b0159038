# SPDX-License-Identifier: Apache-2.0
"""What stands in the blocks of Rust files.

The rooms, from the door inwards::

    generator.py    the generator: blocks, files, what a run has to know
    codegen.py      the text of one object type
    pieces.py       the text of its parts: signatures, accessors, enumerations
    plan.py         which types are mirrored field by field, and their fields
    types.py        type schemas as Rust types
    directives.py   what the directives of Rust files say
    imports.py      the `use` lines of a file
    names.py        identifiers, and the paths of modules
"""

from __future__ import annotations

from .generator import RustGenerator

__all__ = ["RustGenerator"]
