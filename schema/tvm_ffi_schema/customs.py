# SPDX-License-Identifier: Apache-2.0
"""What the custom sections of files define and use, and what follows for the generated text."""

from __future__ import annotations

from collections.abc import Iterable

from .back.writer import CppOptions
from .config import Config
from .diag import Bag
from .passes import equality
from .passes.program import Class
from .weave import markers, tokens


def of_files(
    files: Iterable[markers.MarkedFile],
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return per class the names that custom sections define, and the anchors they use."""
    customs: dict[str, set[str]] = {}
    anchors: dict[str, set[str]] = {}
    for parsed in files:
        for block in parsed.blocks:
            for custom in block.customs:
                owner, _, anchor = custom.anchor.rpartition(".")
                owner = owner or block.target.rpartition("::")[2]
                anchors.setdefault(owner, set()).add(anchor)
                found = tokens.defined_names("".join(custom.lines))
                customs.setdefault(owner, set()).update(found)
    return customs, anchors


def check(classes: Iterable[Class], customs: dict[str, set[str]], bag: Bag) -> None:
    """Report classes whose custom sections have only one of equality and hash."""
    found = {name: frozenset(names) for name, names in customs.items()}
    for cls in classes:
        equality.check(cls, found, bag)


def cpp_options(
    config: Config, customs: dict[str, set[str]], anchors: dict[str, set[str]], dialect: str
) -> CppOptions:
    """Return the options of the C++ back ends that follow from a configuration and from files."""
    alias = config.ffi_alias
    return CppOptions(
        ffi=f"{alias}::" if alias else "::tvm::ffi::",
        dialect=dialect,
        customs={name: frozenset(found) for name, found in customs.items()},
        layout_asserts=config.emit_layout_asserts,
        anchors={name: frozenset(found) for name, found in anchors.items()},
        nullable_refs=config.optional_style == "nullable-ref",
        licenses=config.license,
    )
