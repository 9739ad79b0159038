# SPDX-License-Identifier: Apache-2.0
"""One example for each rule: what raises it, and what does not any more.

The examples stand in the modules of this package as text, one module for each block of ids. Lines
in the first column make up an example::

    @ base NAME            begins what other examples can start from
    @ TS022 from NAME      begins the example of a rule; `from NAME` is optional
    --- PATH [escaped]     a file follows; `escaped` files have the escapes of Python
    ~ PATH                 an edit follows: lines with "- " become those with "+ "
    $ check                the command to run; the last one is the one that raises the rule
    ! TEXT                 what else is the case while that command runs
    @ fixed                what to do then, with the same command unless another one is named

Without ``@ fixed`` the files of the base are the repair.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from importlib import import_module

#: Digit after "TS" -> module of this package.
BLOCKS = {digit: f"ts{digit}" for digit in "01234569"}
_LARGE = 40  # lines of a base
_WORDS = ("@ ", "--- ", "~ ", "$ ", "! ")


@dataclass
class Step:
    """One step: `kind` is file, edit, run or while; `name` the path, the command or the words."""

    kind: str
    name: str
    lines: list[str] = field(default_factory=list)
    escaped: bool = False

    def data(self) -> bytes:
        """Return the bytes of a file."""
        if self.escaped:
            return self.text().encode().decode("unicode_escape").encode("latin-1")
        return self.text().encode()

    def text(self) -> str:
        """Return the lines of a file as they are written here."""
        return "".join(f"{line}\n" for line in self.lines)

    def hunks(self) -> list[tuple[str, str]]:
        """Return (old, new) for each place of an edit."""
        pairs: list[tuple[list[str], list[str]]] = []
        for line in self.lines:
            text = line[2:] + "\n"
            if line.startswith("-"):
                if not pairs or pairs[-1][1]:
                    pairs.append(([], []))
                pairs[-1][0].append(text)
            elif line.startswith("+"):
                pairs[-1][1].append(text)
        return [("".join(old), "".join(new)) for old, new in pairs]

    def edited(self, text: str) -> str:
        """Return a text after an edit.

        Raises
        ------
        ValueError
            If what it replaces is not there.

        """
        for old, new in self.hunks():
            if old not in text:
                raise ValueError(f"{self.name} does not hold {old!r}")
            text = text.replace(old, new, 1)
        return text


@dataclass
class Example:
    """The steps to a finding, and those to be rid of it."""

    rule: str
    base: Example | None = None
    steps: list[Step] = field(default_factory=list)
    repair: list[Step] | None = None
    #: The first rule with the same base; that of a large base is shown whole only there.
    whole_at: str = ""

    def failing(self) -> list[Step]:
        """Return every step up to the command that raises the rule."""
        return [*(self.base.steps if self.base else ()), *self.steps]

    def fixed(self) -> list[Step]:
        """Return the steps from there on, the command included."""
        steps = self._back_to_base() if self.repair is None else list(self.repair)
        if not any(step.kind == "run" for step in steps):
            steps.append(self.command())
        return steps

    def command(self) -> Step:
        """Return the command that raises the rule."""
        return [step for step in self.failing() if step.kind == "run"][-1]

    def _back_to_base(self) -> list[Step]:
        steps: list[Step] = []
        for path in dict.fromkeys(s.name for s in self.steps if s.kind in ("file", "edit")):
            made = [s for s in self.base.steps if s.name == path] if self.base else []
            steps += made[-1:]
        return steps

    def _hidden(self) -> set[str]:
        """Return the files of a large base that this example leaves as they are."""
        made = self.base.steps if self.base is not None and self.whole_at != self.rule else []
        if sum(len(step.lines) for step in made) < _LARGE:
            return set()
        touched = {step.name for step in (*self.steps, *(self.repair or ()))}
        return {step.name for step in made if step.kind == "file"} - touched

    def shown(self) -> str:
        """Return the example for people: what to write and to run, and the change that helps."""
        page = _Page()
        page.hidden = self._hidden()
        head = page.steps(self.failing())
        if page.hidden:
            names = " and ".join(sorted(page.hidden))
            head = f"\n    ({names}: as `explain {self.whole_at}` leaves them)\n{head}"
        page.command = self.command()
        helps = page.steps(self.fixed()) or "\n    the same command, when that is over\n"
        return f"An example:\n{head}\nWhat helps:\n{helps}"


class _Page:
    """Shows steps. A file is shown whole at first, and after that as what changes in it."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.before: dict[str, str] = {}
        self.command: Step | None = None
        self.hidden: set[str] = set()

    def steps(self, steps: list[Step]) -> str:
        """Return the text of steps; those of one file before a command are shown as one."""
        out: list[str] = []
        for step in steps:
            if step.kind == "file":
                self.files[step.name] = step.text()
            elif step.kind == "edit" and step.hunks()[0][0] in self.files.get(step.name, ""):
                self.files[step.name] = step.edited(self.files[step.name])
            elif step.kind == "edit":  # a file that a command has written
                out += [self._changes(), f"\n    {step.name}\n{_indented(step.lines)}"]
            elif step.kind == "while":
                out += [self._changes(), f"\n    ({step.name})\n"]
            else:
                out.append(self._changes())
                if step is not self.command:
                    out.append(f"\n    $ {_command_line(step.name)}\n")
        return "".join(out)

    def _changes(self) -> str:
        out = []
        for name, text in self.files.items():
            old = self.before.get(name)
            if name in self.hidden:
                continue
            if old is None:
                out.append(f"\n    {name}\n{_indented(text.split(chr(10))[:-1])}")
            elif old != text:
                out.append(_change(name, old, text))
        self.before = dict(self.files)
        return "".join(out)


def _command_line(words: str) -> str:
    given, _, rest = words.partition(" ")
    return f"{given} tvm-ffi-schema {rest}" if "=" in given else f"tvm-ffi-schema {words}"


def _indented(lines: list[str]) -> str:
    return "".join(f"      | {line}".rstrip() + "\n" for line in lines)


def _change(name: str, old: str, new: str) -> str:
    pair = old.splitlines(), new.splitlines()
    lines = list(difflib.unified_diff(*pair, lineterm="", n=1))[3:]
    lines = [line for line in lines if not line.startswith("@@")]
    return f"\n    {name}\n" + "".join(f"      {line}".rstrip() + "\n" for line in lines)


def of(rule: str) -> Example | None:
    """Return the example of a rule, for example of ``TS022``; None where none can be given."""
    return block(rule[2:3]).get(rule)


def block(digit: str) -> dict[str, Example]:
    """Return the examples of one block of ids by their rule."""
    module = import_module(f"{__name__}.{BLOCKS[digit]}")
    return parse(module.TEXT)


def parse(text: str) -> dict[str, Example]:
    """Return examples by their rule, from the form that the module describes."""
    bases: dict[str, Example] = {}
    found: dict[str, Example] = {}
    firsts: dict[str, str] = {}
    current = Example("")
    steps = current.steps
    lines: list[str] = []
    for line in text.strip("\n").splitlines():
        if not line.startswith(_WORDS):
            lines.append(line)
            continue
        _trimmed(lines)
        lines = []
        word, _, rest = line.partition(" ")
        if word == "@" and rest == "fixed":
            current.repair = steps = []
        elif word == "@" and rest.startswith("base "):
            current = bases[rest[5:]] = Example("")
            steps = current.steps
        elif word == "@":
            rule, _, base = rest.partition(" from ")
            current = found[rule] = Example(rule, bases[base] if base else None)
            current.whole_at = firsts.setdefault(base, rule)
            steps = current.steps
        else:
            kind = {"---": "file", "~": "edit", "$": "run", "!": "while"}[word]
            name, _, how = rest.partition(" ") if kind == "file" else (rest, "", "")
            steps.append(Step(kind, name, lines, how == "escaped"))
    _trimmed(lines)
    return found


def _trimmed(lines: list[str]) -> None:
    while lines and not lines[-1].strip():
        del lines[-1]
