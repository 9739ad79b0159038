# SPDX-License-Identifier: Apache-2.0
"""What a finished build was made of, so that the next one can see whether it is current.

A record holds the fingerprint of all that the caller gave, and size and time of every file that the
compilers read. Where it fits nothing is started, not even ninja.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

RECORD_FILE = "build.json"
_VERSION = 1


def is_current(directory: Path, output: str, fingerprint: str) -> bool:
    """Tell whether the output in a directory is what a build with this fingerprint would make."""
    try:
        record = json.loads((directory / RECORD_FILE).read_bytes())
        if record["version"] != _VERSION or record["fingerprint"] != fingerprint:
            return False
        files = record["files"]
        return output in files and all(_stamp(directory, f) == s for f, s in files.items())
    except (OSError, ValueError, KeyError, TypeError):
        return False  # None, or not one that we wrote.


def mark_used(directory: Path) -> None:
    """Set the time of the record to now; a cache that is only read stays as it is."""
    try:
        os.utime(directory / RECORD_FILE)
    except OSError:
        pass


def forget(directory: Path) -> None:
    """Remove the record, before anything that it describes changes."""
    (directory / RECORD_FILE).unlink(missing_ok=True)


def write(
    directory: Path, fingerprint: str, output: str, inputs: Iterable[str], start_ns: int
) -> None:
    """Write the record of a build that began at ``start_ns``.

    Nothing is written when a file that went in is gone or changed after that: the compiler may have
    read either state of it.
    """
    stamps = {}
    try:
        for name in inputs:
            stamps[name] = _stamp(directory, name)
        if any(time_ns > start_ns for _, time_ns in stamps.values()):
            return
        stamps[output] = _stamp(directory, output)
    except OSError:
        return
    record = {"version": _VERSION, "fingerprint": fingerprint, "files": stamps}
    write_whole(directory / RECORD_FILE, json.dumps(record))


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file in one step: others see the old content or the new one."""
    data = content.encode() if isinstance(content, str) else content
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        scratch.write_bytes(data)
        os.replace(scratch, path)
    finally:
        scratch.unlink(missing_ok=True)


def write_if_changed(path: Path, content: str | bytes) -> None:
    """Write a file unless it has that content already, so that it does not look new."""
    data = content.encode() if isinstance(content, str) else content
    try:
        if path.read_bytes() == data:
            return
    except OSError:
        pass
    write_whole(path, data)


def _stamp(directory: Path, name: str) -> list[int]:
    status = os.stat(os.path.join(directory, name))
    return [status.st_size, status.st_mtime_ns]


def files_read(directory: Path, objects: Iterable[str]) -> list[str]:
    """Return the files that went into objects, from the dep files that the compilers left.

    Raises
    ------
    OSError
        If an object has none.

    """
    found: dict[str, None] = {}
    for name in objects:
        text = os.fsdecode((directory / f"{name}.d").read_bytes())
        found.update(dict.fromkeys(parse_depfile(text)))
    return list(found)


def parse_depfile(text: str) -> list[str]:
    """Return the prerequisites in a dep file; it is a rule of a makefile."""
    joined = re.sub(r"\\\r?\n", " ", text)
    words = re.findall(r"(?:\\[ #]|[^\s])+", joined)
    ends = next((i for i, word in enumerate(words) if word.endswith(":")), len(words))
    return [re.sub(r"\\([ #])", r"\1", word).replace("$$", "$") for word in words[ends + 1 :]]
