# SPDX-License-Identifier: Apache-2.0
"""Writes the reference page of the settings of schema files and projects, from their tables."""

from __future__ import annotations

import json
from pathlib import Path

from tvm_ffi_schema import config_check
from tvm_ffi_schema.config import Config
from tvm_ffi_schema.dsl import table

PAGE = "schema/docs/settings.md"
HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by schema/tools/settings_page.py; do not edit. -->
# Settings of schema files

What a class body, `field()`, `module()` and `extern()` take, and at the end the keys of
configuration files. In a class body a name without an annotation is a setting, and one with an
annotation a field, which may have the name of a setting.
"""
PARTS = (
    ("Classes", "In the body of a class, without an annotation.", table.CLASS),
    ("Fields", "Arguments of `field()`.", table.FIELD),
    ("Files", "Arguments of `module()`, whose result is called `__tschema__`.", table.MODULE),
    ("Extern classes", "Arguments of `extern()`, behind the type key.", table.EXTERN),
)

PROJECT = """\
## Projects

Keys of `tschema.toml`, or of `[tool.tvm-ffi.schema]` in `pyproject.toml`. Paths are relative to
that file.

| key | value | default | meaning |
| --- | --- | --- | --- |
"""
#: What each key of a configuration means.
MEANINGS = {
    "sources": "The schema files, as patterns.",
    "frontend": "How they are read: by their syntax, or by running them.",
    "mode": "Whole files are generated, or blocks between markers in files of your own.",
    "dialect": "The C++ dialect.",
    "namespace": "The C++ namespace of files that name none.",
    "cpp_include_root": "Where headers are.",
    "cpp_source_root": "Where C++ sources are.",
    "python_root": "Where Python bindings and stubs are.",
    "docs_root": "Where documents are.",
    "tests_root": "Where the tests of stored data are.",
    "inplace": "The files with blocks, as patterns.",
    "outputs": "What `generate` writes.",
    "guard": "Whether generated text carries a checksum, or `.tschema/` remembers it.",
    "ffi_alias": "A C++ namespace alias of yours to write in place of `::tvm::ffi`.",
    "format": "Who formats generated C++.",
    "export_macros": "Names of macros that C++ by hand has before class names.",
    "object_macros": "Names of macros that declare object classes in C++ by hand.",
    "optional_style": "An optional reference is `Optional<Ref>`, or `Ref`, which can be null.",
    "emit_layout_asserts": "C++ asserts the offset of each field.",
    "embed_ir": "A library holds its schema.",
    "plugins": "Modules with back ends or lint rules, imported from the project.",
    "backend": "A table for each back end of a plug-in, such as `[backend.go]`.",
    "functions": "Prefixes of global functions and the libraries that register them.",
    "license": "Texts by the names that `license` of a file uses.",
    "lint": "`select` and `ignore`: ids of rules, or how they begin.",
    "breaking": "`against`: the older version; `use`: the kinds of changes that count; "
    "`ignore`: tables with rule, type and reason.",
    "per-file": "Files and their own `frontend`.",
}


def project() -> str:
    """Return the part about configuration files."""
    config = Config()
    kinds = {list: "a list of texts", bool: "a bool", dict: "a table", str: "a text"}
    lines = []
    for key, kind in config_check.KEYS.items():
        choices = config_check.CHOICES.get(key, config_check.OUTPUTS if key == "outputs" else ())
        words = f"{'one' if kind is str else 'some'} of {', '.join(map(repr, choices))}"
        default = json.dumps(getattr(config, key.replace("-", "_")))
        cells = (f"`{key}`", words if choices else kinds[kind], f"`{default}`", MEANINGS[key])
        lines.append(f"| {' | '.join(cells)} |\n")
    return PROJECT + "".join(lines)


def text() -> str:
    """Return the page."""
    out = [HEAD]
    for title, words, rows in PARTS:
        out.append(f"## {title}\n\n{words}\n")
        lines = ["| setting | value | default | meaning | example |", "| --- " * 5 + "|"]
        for row in rows.values():
            cells = (f"`{row.name}`", row.kind.words, f"`{row.default}`", row.doc)
            lines.append(f"| {' | '.join(cells)} | `{row.example}` |")
        out.append("\n".join(lines) + "\n")
    out.append(project())
    return "\n".join(out)


if __name__ == "__main__":
    Path(__file__).parents[2].joinpath(PAGE).write_text(text(), encoding="utf-8")
