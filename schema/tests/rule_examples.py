# SPDX-License-Identifier: Apache-2.0
"""Read the files in ``findings`` as the steps of tests.

Each file has an example that raises a rule, in its sections "Example" and "What helps". In these
sections, the line before a block of code has one of these forms::

    `schema/ir.py`:                              a file
    `schema/ir.py`, with the escapes of Python:  a file with bytes that a page cannot contain
    In `schema/ir.py`:                           an edit of a file; "@@" separates its parts
    While another run is at work:                a condition that holds during the commands
    Start from [these files](call.md).           the steps of another file, which run first

A block of ``sh`` contains one command per line. The last command of "Example" reports the rule.
All other lines are ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "findings"
_FILE = re.compile(r"`(?P<name>[^`]+)`(?P<escaped>, with the escapes of Python)?:")
_EDIT = re.compile(r"In `(?P<name>[^`]+)`:")
_WHILE = re.compile(r"While (?P<name>.+):")
_START = re.compile(r"Start from \[[^\]]+\]\((?P<name>[^)]+)\)\.")
_TOOL = "tvm-ffi-schema "


@dataclass
class Step:
    """One step of an example.

    `kind` is "file", "edit", "run" or "while". `name` is the path of the file, the command or the
    condition.
    """

    kind: str
    name: str
    lines: list[str] = field(default_factory=list)
    escaped: bool = False

    def data(self) -> bytes:
        """Return the bytes of the file that this step writes."""
        text = "".join(f"{line}\n" for line in self.lines)
        if self.escaped:
            return text.encode().decode("unicode_escape").encode("latin-1")
        return text.encode()

    def hunks(self) -> list[tuple[list[str], list[str]]]:
        """Return (old lines, new lines) for each part of this edit."""
        pairs: list[tuple[list[str], list[str]]] = [([], [])]
        for line in self.lines:
            if line == "@@":
                pairs.append(([], []))
                continue
            if line[:1] not in (" ", "-", "+"):
                raise ValueError(f"{self.name}: {line!r} is not a line of a diff")
            if line[0] != "+":
                pairs[-1][0].append(line[1:])
            if line[0] != "-":
                pairs[-1][1].append(line[1:])
        return pairs

    def edited(self, text: str) -> str:
        """Return a text after an edit.

        Raises
        ------
        ValueError
            If the text does not contain the old lines.

        """
        lines = text.split("\n")
        for old, new in self.hunks():
            at = next((i for i in range(len(lines)) if lines[i : i + len(old)] == old), None)
            if at is None or not old:
                raise ValueError(f"{self.name} does not hold {old}")
            lines[at : at + len(old)] = new
        return "\n".join(lines)


@dataclass
class Example:
    """The steps that lead to a finding, and the steps that resolve it."""

    rule: str
    failing: list[Step]
    fixed: list[Step]

    def command(self) -> Step:
        """Return the command that reports the rule."""
        return [step for step in self.failing if step.kind == "run"][-1]


def every() -> dict[str, Example]:
    """Return the examples of all files, by the name of the rule."""
    return {path.stem: example(path.read_text(), path.stem) for path in FOLDER.glob("TS*.md")}


def example(text: str, rule: str) -> Example:
    """Return the example in a file."""
    parts = re.split(r"^## (?:Example|What helps)\n", text, flags=re.MULTILINE)
    if len(parts) != 3:
        raise ValueError(f"{rule} has no sections `Example` and `What helps`")
    failing, fixed = (_steps(part, rule) for part in parts[1:])
    if not all(any(step.kind == "run" for step in steps) for steps in (failing, fixed)):
        raise ValueError(f"{rule} has a section without a command")
    return Example(rule, failing, fixed)


def _steps(text: str, where: str) -> list[Step]:
    steps: list[Step] = []
    said = ""
    language = ""
    lines: list[str] | None = None
    for line in text.splitlines():
        if lines is not None and line != "```":
            lines.append(line)
        elif lines is not None:
            steps += _block(said, language, lines, where)
            said, lines = "", None
        elif line.startswith("```"):
            language, lines = line[3:], []
        elif match := _START.fullmatch(line):
            steps += _steps((FOLDER / match["name"]).read_text(), match["name"])
        elif line:
            said = line
    return steps


def _block(said: str, language: str, lines: list[str], where: str) -> list[Step]:
    """Return the steps of a block of code; `said` is the text before the block."""
    if language == "sh":
        match = _WHILE.fullmatch(said)
        state = [Step("while", match["name"])] if match else []
        return state + [Step("run", _command(line, where)) for line in lines]
    match = _EDIT.fullmatch(said)
    if match and language == "diff":
        return [Step("edit", match["name"], lines)]
    match = _FILE.fullmatch(said)
    if match is None or language == "diff":
        raise ValueError(f"{where}: {said!r} does not say what the block behind it is")
    return [Step("file", match["name"], lines, match["escaped"] is not None)]


def _command(line: str, where: str) -> str:
    before, tool, words = line.partition(_TOOL)
    if not tool:
        raise ValueError(f"{where}: {line!r} is not a command of the tool")
    return before + words
