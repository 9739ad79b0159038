# SPDX-License-Identifier: Apache-2.0
"""Write the page of all rules from the rule catalogue."""

from __future__ import annotations

from pathlib import Path

from tvm_ffi_schema.diag import rules

PAGE = "schema/docs/rules.md"
HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by schema/tools/rules_page.py; do not edit. -->
# Rules of the object schema

What `tvm-ffi-schema` reports, and what helps. Where causes differ, the finding itself says what
helps. Ids are never given to another rule.
"""
BLOCKS = {
    "0": "Files, configuration, language",
    "1": "Markers and written files",
    "2": "Hierarchy and child slots",
    "3": "Warnings and names",
    "4": "Validation",
    "5": "Evolution",
    "6": "Building and images",
    "9": "Faults of the tool",
}


def text() -> str:
    """Return the text of the page."""
    out = [HEAD]
    for digit, title in BLOCKS.items():
        rows = [
            f"| {name} | {rule.severity} | {rule.title} | {rule.advice} |\n"
            for name, rule in rules.RULES.items()
            if name[2] == digit
        ]
        head = "| rule | severity | what | what helps |\n|---|---|---|---|\n"
        out.append(f"## {title}\n\n{head}{''.join(rows)}")
    return "\n".join(out)


if __name__ == "__main__":
    Path(__file__).parents[2].joinpath(PAGE).write_text(text(), encoding="utf-8")
