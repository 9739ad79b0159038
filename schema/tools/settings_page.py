# SPDX-License-Identifier: Apache-2.0
"""Writes the reference page of the settings of schema files, from their table."""

from __future__ import annotations

from pathlib import Path

from tvm_ffi_schema.dsl import table

PAGE = "schema/docs/settings.md"
HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by schema/tools/settings_page.py; do not edit. -->
# Settings of schema files

What a class body, `field()`, `module()` and `extern()` take. In a class body a name without an
annotation is a setting, and one with an annotation a field, which may have the name of a setting.
"""
PARTS = (
    ("Classes", "In the body of a class, without an annotation.", table.CLASS),
    ("Fields", "Arguments of `field()`.", table.FIELD),
    ("Files", "Arguments of `module()`, whose result is called `__tschema__`.", table.MODULE),
    ("Extern classes", "Arguments of `extern()`, behind the type key.", table.EXTERN),
)


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
    return "\n".join(out)


if __name__ == "__main__":
    Path(__file__).parents[2].joinpath(PAGE).write_text(text(), encoding="utf-8")
