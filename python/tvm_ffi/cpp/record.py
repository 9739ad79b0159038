# SPDX-License-Identifier: Apache-2.0
"""The record of a finished build, which shows whether its output is up to date.

A record contains the fingerprint of the caller's arguments, size and time of every file that the
compilers read, and the hash of the output. If the record matches, no process is started, not even
ninja.
"""

from __future__ import annotations

import os

from .cache import file_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    _Directory = str | os.PathLike[str]

RECORD_FILE = "build.record"
# The first line is the version of the format. It is followed by the fingerprint, a line with size
# and time for each file that was read, and the hash of the output.
_HEAD = "tvm-ffi build 2"
_END = "end"
# File names may be arbitrary bytes.
_BYTES = "surrogateescape"


def is_current(directory: _Directory, output: str, fingerprint: str) -> bool:
    """Return whether the output in a directory is up to date for this fingerprint."""
    try:
        with open(os.path.join(directory, RECORD_FILE), "rb") as file:
            head, found, *lines = file.read().decode("utf-8", _BYTES).split("\n")
        if head != _HEAD or found != fingerprint or lines[-1:] != [_END]:
            return False
        for line in lines[:-2]:
            stamp, name = line.split("\t", 1)
            if _stamp(os.stat(os.path.join(directory, name))) != stamp:
                return False
        made, name = lines[-2].split("\t", 1)
        return name == output and made == file_digest(os.path.join(directory, output))
    except (IndexError, OSError, ValueError):
        return False  # There is no record, or it has another format.


def drop_replaced(directory: _Directory, output: str) -> None:
    """Remove the output if it differs from the record, because ninja compares only times."""
    try:
        with open(os.path.join(directory, RECORD_FILE), "rb") as file:
            made, name = file.read().decode("utf-8", _BYTES).split("\n")[-2].split("\t", 1)
        path = os.path.join(directory, output)
        if name == output and made != file_digest(path):
            os.unlink(path)
    except (IndexError, OSError, ValueError):
        pass


def mark_used(directory: _Directory) -> None:
    """Set the time of the record to now; ignore a read-only cache."""
    try:
        os.utime(os.path.join(directory, RECORD_FILE))
    except OSError:
        pass


def forget(directory: _Directory) -> None:
    """Remove the record; call this before changing the files that it describes."""
    try:
        os.unlink(os.path.join(directory, RECORD_FILE))
    except FileNotFoundError:
        pass


def write(
    directory: _Directory, fingerprint: str, output: str, inputs: Iterable[str], start_ns: int
) -> None:
    """Write the record of a build that began at ``start_ns``.

    Write nothing if an input was removed or changed after that time: the compiler may have read
    either version.
    """
    lines = [_HEAD, fingerprint]
    try:
        for name in inputs:
            status = os.stat(os.path.join(directory, name))
            if status.st_mtime_ns > start_ns or "\n" in name:
                return
            lines.append(f"{_stamp(status)}\t{name}")
        lines.append(f"{file_digest(os.path.join(directory, output))}\t{output}")
    except OSError:
        return
    write_atomically(os.path.join(directory, RECORD_FILE), "\n".join([*lines, _END]))


def write_atomically(path: _Directory, content: str | bytes) -> None:
    """Replace a file atomically: other processes see the old content or the new one."""
    data = _encoded(content)
    directory, name = os.path.split(path)
    scratch = os.path.join(directory, f".{name}.{os.getpid()}")
    try:
        with open(scratch, "wb") as file:
            file.write(data)
        os.replace(scratch, path)
    except BaseException as error:
        try:
            os.unlink(scratch)
        except OSError:
            pass
        if isinstance(error, OSError) and error.filename is None:
            error.filename = os.fspath(path)  # The error for a full disk has no file name.
        raise


def _encoded(content: str | bytes) -> bytes:
    return content.encode("utf-8", _BYTES) if isinstance(content, str) else content


def write_if_changed(path: _Directory, content: str | bytes) -> None:
    """Write a file unless it already has this content, to preserve its modification time."""
    data = _encoded(content)
    try:
        with open(path, "rb") as file:
            if file.read() == data:
                return
    except OSError:
        pass
    write_atomically(path, data)


def _stamp(status: os.stat_result) -> str:
    return f"{status.st_size} {status.st_mtime_ns}"


def files_read(directory: _Directory, objects: Iterable[str]) -> list[str]:
    """Return the files that compilers read for objects, from their dep files.

    Raises
    ------
    OSError
        If a dep file is missing.

    """
    found: dict[str, None] = {}
    for name in objects:
        with open(os.path.join(directory, f"{name}.d"), "rb") as file:
            text = os.fsdecode(file.read())
        found.update(dict.fromkeys(parse_depfile(text)))
    return list(found)


def parse_depfile(text: str) -> list[str]:
    """Return the prerequisites in a dep file, which is a makefile rule."""
    import re  # needed only after a build

    joined = re.sub(r"\\\r?\n", " ", text)
    words = re.findall(r"(?:\\[ #]|[^\s])+", joined)
    ends = next((i for i, word in enumerate(words) if word.endswith(":")), len(words))
    return [re.sub(r"\\([ #])", r"\1", word).replace("$$", "$") for word in words[ends + 1 :]]
