# SPDX-License-Identifier: Apache-2.0
"""Find the C++ compiler of the system, and run it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from ..diag import Bag
from ..files.source import shown
from ..ir import Span

_MESSAGE = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<col>\d+):)? (?:fatal )?error: ")
_PLACE = re.compile(
    r"(?P<head>(?:In file included from +| +from +)?)(?P<file>[^:\n]+):(?P<line>\d+)(?=[:,])"
)
_OF_LINKER = re.compile(r"undefined reference|undefined symbol|multiple definition")
_OF_TOOL = re.compile(r"\berror: ")


def find() -> list[str] | None:
    """Return the command of the C++ compiler: `CXX` if set, otherwise the first known compiler."""
    given = os.environ.get("CXX")
    if given:
        words = shlex.split(given)
        if not words or not shutil.which(words[0]):
            return None
        if os.sep in words[0]:  # make the path absolute: the compiler runs in another directory
            words[0] = os.path.abspath(words[0])
        return words
    for name in ("c++", "g++", "clang++"):
        if shutil.which(name):
            return [name]
    return None


@dataclass
class Work:
    """One compilation: its sources, its output and its options.

    Builds are reproducible: the output contains neither absolute paths nor times. For this, names
    in `prefixes` replace the names of directories, and each compilation has a fixed random seed.
    """

    sources: list[str]
    output: str
    shown: str  # the name of the output in messages
    scratch: str
    includes: list[str]
    #: Path of a directory -> the name that replaces the path in the output.
    prefixes: dict[str, str] = field(default_factory=dict)
    debug: bool = False
    jobs: int = 0
    verbose: bool = False
    #: The runtime library, which the check for undefined functions needs; empty for no check.
    runtime: str = ""
    #: Maps (file, line) of compiled text to (file, line) in the user's file from which the line was
    #: copied; returns None for a generated line.
    origin: Callable[[str, int], tuple[str, int] | None] = lambda path, line: None


def build(work: Work, bag: Bag) -> bool:
    """Compile the sources to a shared library, an object file or an archive.

    The suffix of the output selects the form. All files, including the output, are written in
    `scratch`. Report failures; return whether the compilation succeeded.
    """
    compiler = find()
    where = Span(work.shown)
    if compiler is None:
        given = os.environ.get("CXX")
        text = f"CXX={given} cannot be run" if given else "no C++ compiler was found"
        help_ = "set CXX to a compiler, or unset it" if given else "install one, or set CXX"
        bag.add("TS601", text, where, help=help_)
        return False
    flags = ["-std=c++17", "-fPIC", "-fvisibility=hidden"]
    flags += ["-O0", "-g"] if work.debug else ["-O2", "-DNDEBUG"]
    flags += [f"-ffile-prefix-map={path}={name}" for path, name in work.prefixes.items()]
    flags += [f"-I{path}" for path in work.includes]
    objects = [os.path.join(work.scratch, f"{at}.o") for at in range(len(work.sources))]
    commands = [
        [*compiler, *flags, f"-frandom-seed={at}-{os.path.basename(path)}", "-c", path, "-o", made]
        for at, (path, made) in enumerate(zip(work.sources, objects))
    ]
    if not _run_all(commands, work, bag):
        return False
    if work.runtime and not _check_link(compiler, objects, work, bag):
        return False
    if work.output.endswith((".o", ".a")):
        stem = os.path.splitext(os.path.basename(work.output))[0]
        merged = os.path.join(work.scratch, f"{stem}.o")
        done = _run([*compiler, "-r", "-nostdlib", *objects, "-o", merged], work, bag)
        return done and (merged == work.output or _archive(merged, work, bag))
    return _run([*compiler, "-shared", *objects, "-o", work.output], work, bag)


def _check_link(compiler: list[str], objects: list[str], work: Work, bag: Bag) -> bool:
    """Report undefined functions, which would make loading fail; return whether none was found."""
    if sys.platform == "darwin":
        return True  # the linker of macOS has no option `-z defs`
    made = os.path.join(work.scratch, "check.so")
    strict = ["-Wl,-z,defs", work.runtime]
    return _run([*compiler, "-shared", *objects, *strict, "-o", made], work, bag)


def _archive(member: str, work: Work, bag: Bag) -> bool:
    """Create an archive of one object file, so that linkers take all registrations or none."""
    name = os.environ.get("AR", "ar")
    if not shutil.which(name):
        text = f"{name} cannot be run, and makes archives"
        bag.add("TS601", text, Span(work.shown), help="install binutils, or set AR")
        return False
    options = "rcs" if sys.platform == "darwin" else "rcsD"  # D omits times and user ids
    return _run([name, options, work.output, member], work, bag, {"ZERO_AR_DATE": "1"})


def _run_all(commands: list[list[str]], work: Work, bag: Bag) -> bool:
    """Run commands in parallel; report findings in the order of the commands."""
    from concurrent.futures import ThreadPoolExecutor

    bags = [Bag() for _ in commands]
    with ThreadPoolExecutor(max_workers=work.jobs or os.cpu_count() or 1) as pool:
        done = list(pool.map(lambda pair: _run(pair[0], work, pair[1]), zip(commands, bags)))
    for one in bags:
        bag.extend(one.items)
    return all(done)


def _run(
    command: list[str], work: Work, bag: Bag, environment: dict[str, str] | None = None
) -> bool:
    if work.verbose:
        print(shlex.join(command), file=sys.stderr)
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            cwd=work.scratch,
            env={**os.environ, **(environment or {})},
        )
    except OSError as error:
        text = f"{command[0]} cannot be run: {error.strerror}"
        bag.add("TS601", text, Span(work.shown))
        return False
    if done.returncode:
        _report(done.stderr or done.stdout, command, work, bag)
        return False
    return True


def _first(lines: list[str]) -> str:
    """Return the line with the first error in the output of a compiler or linker."""
    for pattern in (_OF_LINKER, _MESSAGE, _OF_TOOL):
        for line in lines:
            if pattern.search(line):
                return line
    return lines[0] if lines else ""


def _placed(line: str, work: Work) -> str:
    """Replace a place in generated text by its place in the user's file, in a message line."""
    found = _PLACE.match(line)
    origin = work.origin(found["file"], int(found["line"])) if found else None
    if found is not None and origin is not None:
        line = f"{found['head']}{shown(origin[0])}:{origin[1]}{line[found.end() :]}"
    return line.replace(work.scratch + os.sep, "")


def _report(messages: str, command: list[str], work: Work, bag: Bag) -> None:
    """Report a failure at the file that the first message names; without one, at the output."""
    lines = [_placed(line, work) for line in messages.strip().splitlines()]
    first = _first(lines) or f"{command[0]} failed"
    where, help_ = Span(work.shown), ""
    found = _MESSAGE.match(first)
    if found and os.path.isfile(found["file"]):
        line, column = int(found["line"]), int(found["col"] or 1)
        where, first = Span(shown(found["file"]), line, column), first[found.end() :]
    elif found:
        help_ = "--keep-sources DIR leaves the generated C++ there"
    notes = [(where, line) for line in lines[:20] if line != first]
    bag.add("TS602", first, where, notes=notes, help=help_)
