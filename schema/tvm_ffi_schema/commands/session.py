# SPDX-License-Identifier: Apache-2.0
"""The state of a run, for all commands: configuration, findings, output, exit status."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from .. import config as configuration
from ..diag import Bag, Diagnostic, render
from ..files.paths import relative
from ..files.source import shown
from ..front.raw import files_run
from ..ir import Schema, Span
from ..link import places, reader
from ..link.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..cache import Record
    from ..cache.slices import Slices

#: The commands that use the cache of schema files; only `generate` writes it.
_REMEMBERING = ("generate", "check", "validate", "outputs")
_T = TypeVar("_T")
#: The number of seconds after which progress is shown.
_PATIENCE = 0.3
OK, FINDINGS, USAGE, SCHEMA, PROTECTED, TOOLCHAIN, INTERNAL = 0, 1, 2, 3, 4, 5, 70


class Session:
    """The state of one run of the command."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.slices: Slices | None = None
        self.record: Record | None = None
        self.bag = Bag()
        self._told: set[int] = set()
        self.files: list[str] = []  # the schema files of `program`
        self.schema: Schema | None = None
        files_run.clear()
        self.config = configuration.load(".", args.config, self.bag)
        self.tell(f"settings {shown(self.config.path) if self.config.path else 'none'}")
        if getattr(args, "dialect", None):
            self.config.dialect = args.dialect
        if getattr(args, "to", None):
            configuration.choose_outputs(self.config, args.to, self.bag)
        if getattr(args, "frontend", None):
            self.config.frontend = args.frontend

    def program(self, paths: list[str] | None = None) -> Program | None:
        """Read and link the schema; return None if the schema has errors."""
        if self.bag.has_errors:
            return None
        files = reader.expand(paths, self.bag) if paths else self.config.files()
        self.files = files
        if not files and not self.bag.has_errors:
            self._report_no_files()
        return self._linked(files)

    def _report_no_files(self) -> None:
        text = "no schema file was found for " + ", ".join(self.config.sources)
        help_ = "name files on the command line, or set `sources` in the configuration"
        if not self.config.path:
            text += "; there is no tschema.toml in this directory or above it"
            help_ = "run in the directory of a project, name schema files, or start with  init"
        self.bag.add("TS005", text, Span(self.config.path or "."), help=help_)

    def _linked(self, files: list[str]) -> Program | None:
        if self.bag.has_errors:
            return None
        for path in files:
            self.tell(f"schema   {shown(path)} ({self.config.frontend})")
        if self.args.command in _REMEMBERING and not self.args.no_cache:
            self.slices = self._slices()
        config = self.config
        schema = reader.read(files, self.bag, config.frontend, config.namespace, self.slices)
        schema = reader.relative_to(self.config.root, schema)
        self.schema = schema
        program = reader.linked(schema, self.bag)
        return None if self.bag.has_errors else program

    def _slices(self) -> Slices:
        from .. import cache
        from ..cache.slices import Slices

        where = relative(os.getcwd(), self.config.root)  # findings show paths relative to it
        options = (where, self.config.namespace, self.args.frontend)
        return Slices(self.config.root, cache.key_of(options))

    def report_surrogates(self) -> bool:
        """Report texts that UTF-8 cannot represent; return whether any error was reported."""
        if self.schema is not None:
            places.report_surrogates(self.schema, self.bag)
        self.show()
        return self.bag.has_errors

    def status(self, besides: str = "") -> int:
        """Return the highest exit status of all errors, except errors of the rule `besides`."""
        worst = OK
        for item in self.bag.items:
            if item.severity == "error" and item.id != besides:
                worst = max(worst, status_of(item))
        return worst

    def show(self, beside: bool = False) -> None:
        """Print the findings: machine formats on standard output, text on standard error.

        With `beside`, all findings go to standard error, since the command uses standard output for
        other content.
        """
        if self.args.format in render.FORMATS:
            stream = sys.stderr if beside else sys.stdout
            stream.write(render.FORMATS[self.args.format](self.bag.sorted()))
            return
        self.show_text()

    def show_text(self) -> None:
        """Print the findings that were not printed yet, if the format is text."""
        if self.args.format != "text":
            return
        found = [item for item in self.bag.sorted() if id(item) not in self._told]
        self._told.update(map(id, found))
        if self.args.quiet:
            found = [d for d in found if d.severity == "error"]
        colour = self.args.color == "always" or (
            self.args.color == "auto" and sys.stderr.isatty() and not os.environ.get("NO_COLOR")
        )
        sys.stderr.write(render.text(found, colour))

    def tell(self, text: str) -> None:
        """Print a detail if the option -v is given."""
        if self.args.verbose:
            print(text, file=sys.stderr)

    def over(self, items: Iterable[_T], total: int, what: str) -> Iterator[_T]:
        """Yield items; on a terminal, show the progress after some time."""
        stream = sys.stderr
        shows = stream.isatty() and not self.args.quiet and self.args.format == "text"
        begin = time.monotonic()
        width = 0
        for number, item in enumerate(items, 1):
            if shows and time.monotonic() - begin > _PATIENCE:
                line = f"{what} {number} of {total}"
                stream.write(f"\r{line}")
                stream.flush()
                width = max(width, len(line))
            yield item
        if width:
            stream.write(f"\r{' ' * width}\r")

    def say(self, text: str) -> None:
        """Print a summary, unless the option -q is given."""
        if not self.args.quiet:
            print(text, file=sys.stderr)


def status_of(item: Diagnostic) -> int:
    """Return the exit status of one error."""
    number = int(item.id[2:])
    if number in (5, 10, 11, 12, 13, 502, 610, 611):
        return USAGE
    if 100 < number < 200:
        return PROTECTED
    if number < 400:
        return SCHEMA
    if number < 600:
        return FINDINGS
    return TOOLCHAIN if number < 700 else INTERNAL
