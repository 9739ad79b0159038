# SPDX-License-Identifier: Apache-2.0
"""Write the reference page of all settings, from the tables of settings and configuration keys."""

from __future__ import annotations

from pathlib import Path

from tvm_ffi_schema.config import OUTPUTS
from tvm_ffi_schema.config import table as config_table
from tvm_ffi_schema.dsl import table

PAGE = "schema/docs/settings.md"
HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by schema/tools/settings_page.py; do not edit. -->
# Settings

What a class body, `field()`, `module()` and `extern()` take. In a class body a name without an
annotation is a setting, and one with an annotation a field, which may have the name of a setting.
The last part lists the keys of the configuration file.
"""
PARTS = (
    ("Classes", "In the body of a class, without an annotation.", table.CLASS),
    ("Fields", "Arguments of `field()`.", table.FIELD),
    ("Files", "Arguments of `module()`, whose result is called `__tschema__`.", table.MODULE),
    ("Extern classes", "Arguments of `extern()`, behind the type key.", table.EXTERN),
    (
        "Configuration keys",
        "In `tschema.toml`, or in the table `[tool.tvm-ffi.schema]` of `pyproject.toml`. A name\n"
        "with a dot is a key of a table. Paths are relative to the file. Names of outputs are\n"
        f"{', '.join(f'`{name}`' for name in OUTPUTS)}.",
        config_table.TABLE,
    ),
)


def text() -> str:
    """Return the text of the reference page."""
    out = [HEAD]
    for title, words, rows in PARTS:
        out.append(f"## {title}\n\n{words}\n")
        lines = ["| setting | value | default | meaning | example |", "| --- " * 5 + "|"]
        for row in rows.values():
            default = f"`{row.default}`" if row.default else "none"
            cells = (f"`{row.name}`", row.kind.words, default, row.doc)
            lines.append(f"| {' | '.join(cells)} | `{row.example}` |")
        out.append("\n".join(lines) + "\n")
    return "\n".join(out)


if __name__ == "__main__":
    Path(__file__).parents[2].joinpath(PAGE).write_text(text(), encoding="utf-8")
