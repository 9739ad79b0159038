# SPDX-License-Identifier: Apache-2.0
"""Reject words and phrases that readers have to guess: metaphors and vague or old-fashioned words.

The patterns apply to every line of a file: comments, documentation, messages and names. Add a
folder to `CHECKED` after rewriting its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import repository

#: The files and folders that are checked.
CHECKED = (
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "bench",
    "cmake",
    "docs",
    "examples",
    "fuzz",
    "include",
    "python/binding",
    "python/tvm_ffi",
    "python/tvm_ffi_commands",
    "rust",
    "schema/docs",
    "schema/examples",
    "schema/tests",
    "schema/tvm_ffi_schema",
    "src",
    "tests",
    "tools",
)
SUFFIXES = frozenset(
    (".c", ".cc", ".cpp", ".cmake", ".h", ".md", ".py", ".pyi", ".rs", ".sh", ".toml")
)
#: Files that must contain the patterns.
EXCLUDED = frozenset(("tools/check_language.py", "tests/tools/test_check_language.py"))
#: (file, text) pairs that are accepted: names and texts that other projects define.
ACCEPTED: frozenset[tuple[str, str]] = frozenset([("include/dlpack/dlpack.h", "whoever")])


class Pattern(NamedTuple):
    """A pattern, and the advice for a line that contains it."""

    regex: re.Pattern[str]
    advice: str


def _word(text: str, advice: str) -> Pattern:
    """Return a pattern that matches a word, alone or as a part of a name such as `str_room`."""
    return Pattern(re.compile(rf"(?<![^\W_])(?i:{text})(?![^\W_])"), advice)


PATTERNS = (
    _word(r"rooms?", "file, folder, module or converter; capacity for memory"),
    _word(r"houses?", "repository, package, tree"),
    _word(r"roads?", "path: call path, fast path, slow path"),
    _word(r"storeys?", "level or layer"),
    _word(r"keepers?", "owner, cache or reference"),
    _word(r"guests?", "third-party module, caller"),
    _word(r"(?:front|back|side)[ _-]doors?", "public interface, entry point"),
    _word(r"party[ _-]walls?", "ABI, boundary"),
    _word(r"lent|lends?|lending", "borrowed, borrows"),
    _word(r"carried(?! out)", "stored, passed, kept"),
    _word(r"some(?:body|one)(?: else)?", "name it: the caller, another thread, another process"),
    _word(r"every(?:body|one)|any(?:body|one)", "all callers, any thread: name the subject"),
    _word(r"nobody", "no caller, no other reference: name the subject"),
    _word(r"who(?:so)?ever", "the caller, the owner: name the subject"),
    _word(r"(?:as|so|too|very|is|are) dear", "expensive, slow"),
    _word(r"seldom", "rarely"),
    _word(r"anew", "again"),
    _word(r"as yet", "yet, until now"),
    _word(r"one's own", "your own, or a separate one"),
    Pattern(re.compile(r"(?<!here )\bis no (?!longer|more)[a-z]"), "'is not a', 'does not have a'"),
    Pattern(re.compile(r"(?<!here )\bare no (?!longer|more)[a-z]"), "'are not', 'do not have'"),
    Pattern(
        re.compile(r"(?<!here )\b(?:is|are) none\b(?! of)"), "'is not one', 'there is no NOUN'"
    ),
    Pattern(re.compile(r"\bTell whether\b"), "'Return whether', 'Return True if'"),
    Pattern(re.compile(r"\bat once\b"), "'immediately' or 'at the same time'"),
)


class Finding(NamedTuple):
    """A line that contains a pattern."""

    path: Path
    line: int
    text: str
    advice: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text!r}: write {self.advice}"


def is_checked(path: Path) -> bool:
    """Return whether a file, named relative to the root, contains text for readers."""
    return path.suffix in SUFFIXES and path.as_posix() not in EXCLUDED


def findings_in(path: Path, text: str) -> Iterator[Finding]:
    """Yield the findings in the text of a file."""
    for number, line in enumerate(text.splitlines(), 1):
        for pattern in PATTERNS:
            for match in pattern.regex.finditer(line):
                if (path.as_posix(), match[0]) in ACCEPTED:
                    continue
                yield Finding(path, number, match[0], pattern.advice)


def problems(root: Path) -> list[Finding]:
    """Return the findings in all checked files."""
    paths = [path for path in repository.files(root, *CHECKED) if is_checked(path)]
    return [f for p in paths for f in findings_in(p, (root / p).read_text(encoding="utf-8"))]
