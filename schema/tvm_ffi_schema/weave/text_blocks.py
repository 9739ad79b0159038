# SPDX-License-Identifier: Apache-2.0
"""Compute the blocks in Python and Markdown files: bindings, and sections of pages."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ..back import docs, python_binding
from ..back.docs_facts import used_by
from ..back.python_type import PythonNames
from ..back.writer import Pieces
from ..config import Config
from ..link.program import Class, Program


def section(program: Program, cls: Class) -> Pieces:
    """Return the section of a class for a Markdown page."""
    return [*docs.section(program, cls, used_by(program).get(cls.type_key, []))]


def binding(program: Program, config: Config, path: str, cls: Class) -> Pieces:
    """Return the binding of a class for the Python module in `path`."""
    return python_binding.one_class(cls, PythonNames(program, module_of(config, path)))


def imports(program: Program, config: Config, path: str, classes: Iterable[Class]) -> Pieces:
    """Return the imports for the bindings of classes in a Python module."""
    names = PythonNames(program, module_of(config, path))
    for cls in classes:
        python_binding.one_class(cls, names)
    return [*python_binding.import_lines(names, names.module)]


def module_of(config: Config, path: str) -> str:
    """Return the dotted name of a Python file below the Python root."""
    root = os.path.join(config.root, config.python_root)
    name = os.path.splitext(os.path.relpath(path, root))[0].replace(os.sep, ".")
    name = name[: -len(".__init__")] if name.endswith(".__init__") else name
    return os.path.basename(name) if name.startswith("..") else name
