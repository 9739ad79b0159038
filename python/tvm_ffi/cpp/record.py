# SPDX-License-Identifier: Apache-2.0
"""The record of a finished build, which shows whether its output is up to date.

A record contains the fingerprint of the caller's arguments, size and time of every file that the
compilers read, the hash of every file that the build made, and its own hash. If the record matches,
no process is started, not even ninja.

Nothing relies on locks, which some file systems lack. Each build works in a directory of its own
(``work_directory``), and ``publish`` renames the finished files into place: first it removes the
record, last it writes the new one. Without an intact record, the next build starts from nothing.
"""

from __future__ import annotations

import contextlib
import os

from .cache import bytes_digest, file_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    _Directory = str | os.PathLike[str]

RECORD_FILE = "build.record"
# The first line is the version of the format. It is followed by the fingerprint; a line with size
# and time for each file that was read; a line with the hash of each file that was made, the output
# last; and the hash of all these lines.
_HEAD = "tvm-ffi build 3"
# Stands for the files that were read if the compiler does not list them. It matches no file, so
# every build runs ninja.
UNKNOWN_INPUTS = ""
# File names may be arbitrary bytes.
_BYTES = "surrogateescape"
_WORK_PREFIX = ".build."
_SECONDS_OF_WORK = 24 * 3600


def _read(directory: _Directory) -> list[str]:
    """Return the lines of the record without its hash; raise ValueError if it is damaged."""
    with open(os.path.join(directory, RECORD_FILE), "rb") as file:
        body, _, found = file.read().rpartition(b"\n")
    if found.decode("ascii") != bytes_digest(body):
        raise ValueError("the record is damaged")
    return body.decode("utf-8", _BYTES).split("\n")


def is_current(directory: _Directory, output: str, fingerprint: str) -> bool:
    """Return whether the output in a directory is up to date for this fingerprint."""
    try:
        head, found, *lines = _read(directory)
        if head != _HEAD or found != fingerprint:
            return False
        for line in lines:
            stamp, name = line.split("\t", 1)
            if " " in stamp and _stamp(os.stat(os.path.join(directory, name))) != stamp:
                return False
        made, name = lines[-1].split("\t", 1)
        return name == output and made == file_digest(os.path.join(directory, output))
    except (IndexError, OSError, ValueError):
        return False  # There is no record, or it has another format.


@contextlib.contextmanager
def work_directory(directory: _Directory) -> Iterator[str]:
    """Make a directory for one build, inside the directory of the build; remove it at the end.

    It begins with the files that the last build made, so that ninja compiles only what has changed.
    If the record or one of these files is damaged, it begins empty.
    """
    import shutil  # The imports are needed only for a build.
    import tempfile
    import time

    for entry in os.scandir(directory):  # Left by processes that were killed.
        if entry.name.startswith(_WORK_PREFIX):
            with contextlib.suppress(OSError):
                if time.time() - entry.stat().st_mtime > _SECONDS_OF_WORK:
                    shutil.rmtree(entry.path, ignore_errors=True)
    made = tempfile.mkdtemp(prefix=_WORK_PREFIX, dir=directory)
    try:
        try:
            _copy_made(directory, made)
        except (IndexError, OSError, ValueError):
            shutil.rmtree(made)
            os.mkdir(made, 0o700)
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _copy_made(directory: _Directory, target: str) -> None:
    import shutil

    head, _, *lines = _read(directory)
    if head != _HEAD:
        raise ValueError("the record has another format")
    for line in lines:
        digest, name = line.split("\t", 1)
        if " " not in digest:
            copy = shutil.copy2(os.path.join(directory, name), os.path.join(target, name))
            if file_digest(copy) != digest:
                raise ValueError(f"{name} is damaged")


def mark_used(directory: _Directory) -> None:
    """Set the time of the record to now; ignore a read-only cache."""
    try:
        os.utime(os.path.join(directory, RECORD_FILE))
    except OSError:
        pass


def publish(
    made: str,
    directory: _Directory,
    fingerprint: str,
    output: str,
    inputs: Iterable[str],
    start_ns: int,
) -> None:
    """Move the files of a build that began at ``start_ns`` into place, and write its record.

    Write no record if an input was removed or changed after that time: the compiler may have read
    either version.
    """
    names = sorted(os.listdir(made), key=lambda name: (name == output, name))
    lines = [_HEAD, fingerprint]
    try:
        lines += _input_lines(directory, inputs, start_ns)
        lines += [f"{file_digest(os.path.join(made, name))}\t{name}" for name in names]
    except (OSError, ValueError):
        lines = []
    with contextlib.suppress(FileNotFoundError):
        os.unlink(os.path.join(directory, RECORD_FILE))
    for name in names:
        os.replace(os.path.join(made, name), os.path.join(directory, name))
    if lines:
        body = _encoded("\n".join(lines))
        record = b"\n".join([body, bytes_digest(body).encode()])
        write_atomically(os.path.join(directory, RECORD_FILE), record)


def _input_lines(directory: _Directory, inputs: Iterable[str], start_ns: int) -> Iterator[str]:
    for name in inputs:
        if name == UNKNOWN_INPUTS:
            yield f"unknown inputs\t{name}"
            continue
        status = os.stat(os.path.join(directory, name))
        if status.st_mtime_ns > start_ns or "\n" in name:
            raise ValueError(f"{name!r} changed during the build, or has a line break in its name")
        yield f"{_stamp(status)}\t{name}"


def write_atomically(path: _Directory, content: str | bytes, mode: int | None = None) -> None:
    """Replace a file atomically: other processes see the old content or the new one.

    ``mode`` has the permissions of the file; by default, they are those of any new file.
    """
    data = _encoded(content)
    directory, name = os.path.split(path)
    # Other hosts may have a process with the same number.
    scratch = os.path.join(directory, f".{name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        with open(scratch, "wb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(scratch, mode)
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

    Raise OSError if a dep file is missing.
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
