# SPDX-License-Identifier: Apache-2.0
"""Check the names that become file names: no file may be outside of its directory."""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from ..diag import Bag
from ..ir import Module, ObjectDef, Schema, Span, names

_SURROGATE = re.compile("[\ud800-\udfff]")


def check(schema: Schema, bag: Bag) -> None:
    """Report names of files, modules and namespaces that are not valid."""
    for module in schema.modules:
        span = module.span or Span(module.path or module.stem or ".")
        for text in _of_module(module):
            bag.add("TS023", text, span)
        for one in module.objects:
            for text in _of_class(one):
                bag.add("TS023", text, one.span or span)


def report_surrogates(schema: Schema, bag: Bag) -> None:
    """Report classes with surrogates in their texts, which UTF-8 cannot represent."""
    for module in schema.modules:
        parts = [(one, one.span) for one in module.objects]
        for one, span in [*parts, (replace(module, objects=()), module.span)]:
            found = _SURROGATE.search(_texts(one))
            if found:
                text = f"half a character, {found.group()!a}, has no place in a file"
                bag.add("TS023", text, span or Span(module.path or module.stem))


def _texts(one: Any) -> str:
    """Return all texts inside of a value as one text."""
    if isinstance(one, str):
        return one
    if is_dataclass(one):
        return "".join(_texts(getattr(one, part.name)) for part in fields(one))
    if isinstance(one, dict):
        return "".join(_texts(part) for pair in one.items() for part in pair)
    return "".join(map(_texts, one)) if isinstance(one, (list, tuple)) else ""


def _of_module(module: Module) -> Iterator[str]:
    if not is_file_name(module.stem):
        yield f"the name of a module must be one of a file, found {module.stem!r}"
    if not names.is_namespace(module.namespace):
        yield f"namespace must be a C++ namespace, found {module.namespace!r}"
    for name in ("header", "source"):
        if not is_relative(getattr(module, name)):
            yield f"{name} must be a relative path without '..', found {getattr(module, name)!r}"
    if module.python and not is_module(module.python):
        yield f"python must be the name of a module, found {module.python!r}"
    for one in (*module.includes, *module.source_includes):
        if not is_include(one):
            yield f'includes must be like <a/b.h> or "a/b.h", found {one!r}'


def _of_class(one: ObjectDef) -> Iterator[str]:
    if not is_relative(one.header):
        yield f"header must be a relative path without '..', found {one.header!r}"
    for text in one.includes:
        if not is_include(text):
            yield f'includes must be like <a/b.h> or "a/b.h", found {text!r}'


def is_relative(path: str) -> bool:
    """Return whether a path stays in its directory, on every operating system."""
    parts = path.replace("\\", "/").split("/")
    stays = not os.path.isabs(path) and ".." not in parts and ":" not in path
    return stays and parts[0] != "" if path else True


def is_file_name(name: str) -> bool:
    """Return whether a name is a file name without a directory."""
    return bool(name) and name.isprintable() and not set(name) & set("/\\") and name != ".."


def is_module(name: str) -> bool:
    """Return whether Python can import a module with this name."""
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in name.split("."))


def is_include(text: str) -> bool:
    """Return whether a text can stand in an include line."""
    ends = {"<": ">", '"': '"'}.get(text[:1])
    inner = text[1:-1] if ends else text
    closed = ends is None or (len(text) > 2 and text.endswith(ends))
    return bool(inner) and closed and inner.isprintable() and not set(inner) & set('<>"')
