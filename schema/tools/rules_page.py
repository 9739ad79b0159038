# SPDX-License-Identifier: Apache-2.0
"""Writes the page of the object schema's rules, from the catalogue and its examples."""

from __future__ import annotations

from pathlib import Path

from tvm_ffi_schema import explained, rules

PAGE = "schema/docs/rules.md"
HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by schema/tools/rules_page.py; do not edit. -->
# Rules of the object schema

What `tvm-ffi-schema` reports, each with an example that raises it and with what helps there.
`tvm-ffi-schema explain TS108` shows the same. Ids are never given to another rule.
"""
BLOCKS = {
    "0": "Files, configuration, language",
    "1": "Markers and written files",
    "2": "Hierarchy and child slots",
    "3": "Lint",
    "4": "Validation",
    "5": "Evolution",
    "6": "Building and images",
    "9": "Faults of the tool",
}


def text() -> str:
    """Return the page."""
    out = [HEAD]
    for digit, title in BLOCKS.items():
        out.append(f"## {title}\n")
        for name, rule in rules.RULES.items():
            if name[2] == digit:
                out.append(f"### {name}: {rule.title}\n\n*{rule.severity}.* {rule.advice}\n")
                example = explained.of(name)
                if example is not None:
                    out.append(f"```text\n{example.shown().strip()}\n```\n")
    return "\n".join(out)


if __name__ == "__main__":
    Path(__file__).parents[2].joinpath(PAGE).write_text(text(), encoding="utf-8")
