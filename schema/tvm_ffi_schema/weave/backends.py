# SPDX-License-Identifier: Apache-2.0
"""Run backends of other packages; each backend derives from `back.base.Backend`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from ..back.base import Backend, Writer
from ..back.cpp_file import FIRST_LINE
from ..back.rust_type import RESERVED as RUST_KEYWORDS
from ..back.writer import Pieces
from ..check.reserved import CPP
from ..config import Config
from ..config.outputs import BACKENDS, ROOT, options_of
from ..diag import Bag
from ..files import tokens
from ..ir import Module, Span
from ..ir.names import CPP_KEYWORDS
from ..link.program import Program
from .weave import LEADERS


def reserved(config: Config) -> dict[str, frozenset[str]]:
    """Return language -> keywords, for each language of the chosen outputs."""
    found = {CPP: CPP_KEYWORDS} if {"cpp", "cpp-view"} & set(config.outputs) else {}
    found |= {"Rust": RUST_KEYWORDS} if "rust" in config.outputs else {}
    chosen = (name for name in config.outputs if name in BACKENDS)
    found.update((f"the output {name!r}", BACKENDS[name].reserved) for name in chosen)
    return found


def files_of(config: Config) -> list[str]:
    """Return the source files of the chosen backends."""
    chosen = [BACKENDS[name] for name in config.outputs if name in BACKENDS]
    modules = [sys.modules.get(cls.__module__) for cls in chosen]
    return [file for file in (getattr(one, "__file__", None) for one in modules) if file]


def emit(config: Config, program: Program, bag: Bag) -> Iterator[tuple[str, Pieces]]:
    """Yield (path below the project, text); report a backend that fails as TS014."""
    for name in config.outputs:
        if name not in BACKENDS:
            continue
        given = {**options_of(name), **config.backend.get(name, {})}
        root = str(given.pop(ROOT))
        made = BACKENDS[name](program)
        for module in program.schema.modules:
            try:
                found = list(made.emit_module(module, SimpleNamespace(**given)))
                files = [_checked(one, BACKENDS[name], module) for one in found]
            except Exception as error:
                text = f"back end {name} failed for {module.stem}: {type(error).__name__}: {error}"
                bag.add("TS014", text, module.span or Span(module.path or module.stem))
                break
            yield from ((os.path.join(root, path), pieces) for path, pieces in files)


def _checked(one: Any, cls: type[Backend], module: Module) -> tuple[str, Pieces]:
    """Check a file of a backend; return it after adding the line that marks a generated file."""
    path, writer = one
    if not isinstance(path, str) or not isinstance(writer, Writer):
        raise TypeError(f"it makes pairs of a path and a Writer, not {one!r:.80}")
    parts = path.replace("\\", "/").split("/")
    if os.path.isabs(path) or ".." in parts or "" in parts or not path.isprintable():
        raise ValueError(f"{path!r} is not a path below the project")
    if not path.endswith(cls.suffix):
        raise ValueError(f"{path!r} does not end in {cls.suffix!r}")
    language = tokens.language_of(path)
    leader, closing = LEADERS[language]
    if writer.comment != leader.strip():
        text = f"comments of {path} begin with {leader.strip()!r} for this tool"
        raise ValueError(f"{text}, not with {writer.comment!r}")
    head = f"{leader}{FIRST_LINE} {module.path or module.stem}.{closing}"
    return path, [head, *writer.pieces]
