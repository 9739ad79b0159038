# SPDX-License-Identifier: Apache-2.0
"""Write the list of rules, and the title and advice on each rule page, from the rule catalogue."""

from __future__ import annotations

from pathlib import Path

from tvm_ffi_schema.diag import rules

INDEX = "schema/docs/rules.md"
PAGES = "schema/docs/rules"
HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by schema/tools/rules_page.py; do not edit. -->
# Rules of the object schema

What `tvm-ffi-schema` reports. The page of each rule has an example that raises it, and what helps
there; the tests run both. Ids are never given to another rule.
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
#: A rule that has no page, since no input can cause its finding.
INTERNAL = "TS901"


def index() -> str:
    """Return the text of the page that lists all rules."""
    out = [HEAD]
    for digit, title in BLOCKS.items():
        rows = [_row(name, rule) for name, rule in rules.RULES.items() if name[2] == digit]
        out.append(f"## {title}\n\n| rule | severity | what |\n|---|---|---|\n{''.join(rows)}")
    return "\n".join(out)


def _row(name: str, rule: rules.Rule) -> str:
    link = name if name == INTERNAL else f"[{name}](rules/{name}.md)"
    return f"| {link} | {rule.severity} | {rule.title} |\n"


def head(name: str) -> str:
    """Return the first lines of the page of a rule: title, severity and advice."""
    rule = rules.RULES[name]
    text = f"# {name}: {rule.title}\n\n*{rule.severity}.* {rule.advice}\n"
    return f"<!-- SPDX-License-Identifier: Apache-2.0 -->\n{text}"


def main() -> None:
    """Write the page with the list of rules, and the first lines of each rule page."""
    root = Path(__file__).parents[2]
    (root / INDEX).write_text(index(), encoding="utf-8")
    for path in (root / PAGES).glob("TS*.md"):
        _, mark, rest = path.read_text(encoding="utf-8").partition("## Example\n")
        path.write_text(f"{head(path.stem)}\n{mark}{rest}", encoding="utf-8")


if __name__ == "__main__":
    main()
