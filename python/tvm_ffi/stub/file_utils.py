# SPDX-License-Identifier: Apache-2.0
"""Files, their blocks and directives."""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from ..cpp.record import write_atomically
from . import consts
from .colour import paint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .consts import MarkerSyntax

    Param = str | tuple[str, str]

_BYTE_ORDER_MARK = "\ufeff"
# Comments that look like markers, whether or not they are written correctly.
_LIKE_MARKER = re.compile(rb"^[ \t]*(?:#|//)[ \t]*tvm-ffi-stubgen[ \t]*\(", re.MULTILINE)
_DIRECTIVE = re.compile(r"(?P<name>[A-Za-z0-9_-]+)\):(?P<payload>.*)", re.DOTALL)


@dataclass
class CodeBlock:
    """A part of a file: plain text (no kind), a block between markers, or a directive.

    ``lines`` includes the markers. The parameter of a ``global`` block is its prefix and the module
    from which the loader function is imported; the parameter of other blocks is text: for a
    ``module`` block, which has the functions that a library exports, the name of the library.
    """

    kind: str | None
    param: Param
    lineno_start: int
    lineno_end: int | None
    lines: list[str]

    @staticmethod
    def from_begin_line(lineno: int, line: str, syntax: MarkerSyntax) -> CodeBlock:
        """Read the first line of a block.

        Raise ValueError if the line does not name a kind of block.
        """
        stub = line.strip()[len(syntax.begin) :].strip()
        kind, _, rest = stub.partition("/")
        param: Param = rest
        if stub in ("import-section", "__all__"):
            kind = stub
        elif kind == "global" and rest:
            prefix, _, origin = rest.partition("@")
            param = (prefix, origin)
        elif kind not in ("object", "module", "export") or not rest:
            raise ValueError(f"Unknown stub type `{stub}` at line {lineno}")
        return CodeBlock(kind, param, lineno, None, [line])

    @property
    def indent(self) -> int:
        """The indentation of the block in columns."""
        first = self.lines[0]
        return len(first) - len(first.lstrip())

    @property
    def is_filled(self) -> bool:
        """Whether there are lines between the markers."""
        return len(self.lines) > 2

    @property
    def is_directive(self) -> bool:
        """Whether this is a directive of one line."""
        return self.kind is not None and self.kind.startswith("directive/")

    def fill(self, text: Iterable[str]) -> None:
        """Set the lines between the markers, indented like the markers."""
        space = " " * self.indent
        inner = [space + line if line else "" for line in text]
        self.lines = [self.lines[0], *inner, self.lines[-1]]


@dataclass
class FileInfo:
    """A file with markers."""

    path: Path
    lines: tuple[str, ...]
    code_blocks: list[CodeBlock]
    syntax: MarkerSyntax
    newline: str = field(default="\n")
    # The byte order mark of the file, or an empty string.
    mark: str = field(default="")

    @staticmethod
    def from_file(
        path: Path, include_empty: bool = False, syntax: MarkerSyntax | None = None
    ) -> FileInfo | None:
        """Read a file; return None if it has no markers or is excluded.

        Raise ValueError if its markers are invalid. Raise OSError or UnicodeDecodeError if the file
        cannot be read.
        """
        syntax = syntax or syntax_for(path)
        data = path.read_bytes()
        if not include_empty and syntax.prefix.encode() not in data:
            return None
        mark = _BYTE_ORDER_MARK if data.startswith(_BYTE_ORDER_MARK.encode()) else ""
        text = data.decode("utf-8")[len(mark) :]
        newline = "\r\n" if "\r\n" in text else "\n"
        lines = split_lines(text)
        if any(line.strip().startswith(syntax.skip_file) for line in lines):
            return None
        blocks = _parse(lines, syntax)
        if not include_empty and all(block.kind is None for block in blocks):
            return None
        return FileInfo(path, lines, blocks, syntax, newline, mark)

    def new_lines(self) -> tuple[str, ...]:
        """Return the current lines of all blocks."""
        return tuple(line for block in self.code_blocks for line in block.lines)

    def update(self, verbose: bool, dry_run: bool) -> bool:
        """Write the file if its blocks changed, unless in a dry run; return whether they did."""
        new = self.new_lines()
        changed = new != self.lines
        if verbose:
            self._show(new)
        if changed and not dry_run:
            self._write(self.mark + self.newline.join(new) + self.newline)
            self.lines = new
        return changed

    def _write(self, content: str) -> None:
        """Replace the file atomically. If the path is a symbolic link, replace its target."""
        path = self.path.resolve()
        mode = path.stat().st_mode if path.exists() else None
        if mode is not None and not mode & 0o222:
            raise PermissionError("the file is read-only")
        write_atomically(path, content, mode)

    def _show(self, new: tuple[str, ...]) -> None:
        print(paint(consts.TERM_CYAN, f"[File] {self.path}"))
        if new == self.lines:
            print(paint(consts.TERM_CYAN, "-----> Unchanged"))
            return
        colours = {"+": consts.TERM_GREEN, "-": consts.TERM_RED, "@": consts.TERM_BLUE}
        for line in difflib.unified_diff(self.lines, new, lineterm=""):
            print(paint(colours.get(line[:1], ""), line))

    def reload(self) -> None:
        """Read the file again."""
        fresh = FileInfo.from_file(self.path, include_empty=True, syntax=self.syntax)
        if fresh is not None:
            self.lines, self.code_blocks = fresh.lines, fresh.code_blocks


def _parse(lines: Iterable[str], syntax: MarkerSyntax) -> list[CodeBlock]:
    blocks: list[CodeBlock] = []
    current: CodeBlock | None = None
    for lineno, line in enumerate(lines, 1):
        bare = line.strip()
        if bare.startswith(syntax.begin):
            if current is not None:
                raise ValueError(f"Nested stub not permitted at line {lineno}")
            current = CodeBlock.from_begin_line(lineno, line, syntax)
            blocks.append(current)
        elif bare.startswith(syntax.end):
            if current is None:
                raise ValueError(
                    f"Unmatched `{syntax.end}` found at line {lineno}{_misspelled_begin(blocks)}"
                )
            current.lines.append(line)
            current.lineno_end = lineno
            current = None
        elif current is not None:
            current.lines.append(line)
        elif bare.startswith(syntax.prefix):
            blocks.append(_directive(lineno, line, syntax))
        elif blocks and blocks[-1].kind is None:
            blocks[-1].lines.append(line)
            blocks[-1].lineno_end = lineno
        else:
            blocks.append(CodeBlock(None, "", lineno, lineno, [line]))
    if current is not None:
        begun = f"(begun at line {current.lineno_start})"
        misspelled = _misspelled_end(current, syntax)
        raise ValueError(f"Unclosed stub block at end of file {begun}{misspelled}")
    return blocks


def _misspelled_begin(blocks: list[CodeBlock]) -> str:
    """Return a hint if the last marker in front of an unmatched end is similar to ``begin``."""
    from .. import _nearest

    markers = [block for block in blocks if block.kind is not None]
    if not markers or not markers[-1].is_directive:
        return ""
    name = str(markers[-1].kind).partition("/")[2]
    if _nearest.nearest(name, ["begin"]) is None:
        return ""
    return f": line {markers[-1].lineno_start} has `({name})` instead of `(begin)`"


def _misspelled_end(block: CodeBlock, syntax: MarkerSyntax) -> str:
    """Return a hint about the first line in an unclosed block that begins like a marker."""
    for number, line in enumerate(block.lines[1:], block.lineno_start + 1):
        if line.strip().startswith(syntax.prefix):
            return f": line {number} has `{line.strip()}`, which is not `{syntax.end}`"
    return ""


def misspelled_markers(path: Path) -> list[int]:
    """Return the numbers of the lines that look like markers, but do not begin like markers.

    Raise OSError if the file cannot be read.
    """
    data = path.read_bytes()
    prefix = syntax_for(path).prefix.encode()
    return [
        data.count(b"\n", 0, found.end()) + 1
        for found in _LIKE_MARKER.finditer(data)
        if found.group().lstrip() != prefix
    ]


def split_lines(text: str) -> tuple[str, ...]:
    """Split text at LF and CRLF only; ``str.splitlines`` also splits at other characters."""
    lines = text.replace("\r\n", "\n").split("\n")
    return tuple(lines[:-1] if not lines[-1] else lines)


def _directive(lineno: int, line: str, syntax: MarkerSyntax) -> CodeBlock:
    match = _DIRECTIVE.fullmatch(line.strip()[len(syntax.prefix) :])
    if match is None:
        raise ValueError(f"Unknown stub type at line {lineno}: {line}")
    kind = f"directive/{match['name']}"
    return CodeBlock(kind, match["payload"].strip(), lineno, lineno, [line])


def syntax_for(path: Path) -> MarkerSyntax:
    """Return the syntax of markers in a file with this name."""
    return consts.SYNTAX_OF.get(path.suffix, consts.PYTHON_SYNTAX)


def collect_files(paths: Iterable[Path], source_exts: Iterable[str]) -> list[Path]:
    """Return the given files, and the files below given directories with one of the suffixes.

    The result is sorted.

    Symbolic links are not followed.

    Raise FileNotFoundError if a path is neither a file nor a directory.
    """
    suffixes = frozenset(source_exts)
    found: set[Path] = set()
    for path in paths:
        if path.is_file():
            found.add(path)
        elif path.is_dir():
            for folder, _, names in os.walk(path, followlinks=False):
                files = (Path(folder) / name for name in names)
                found.update(f for f in files if f.suffix in suffixes and not f.is_symlink())
        else:
            raise FileNotFoundError(f"no such file or directory: {path}")
    return sorted(found)
