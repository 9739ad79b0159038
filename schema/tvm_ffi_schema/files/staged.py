# SPDX-License-Identifier: Apache-2.0
"""Write temporary files with complete new texts, and flush them before any file is replaced."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import threading

PREFIX, SUFFIX = ".tschema-", ".tmp"
#: The largest number of threads that wait for the disk; each thread waits for at least four files.
_THREADS = 8


def stage(target: str, data: bytes) -> str:
    """Write a temporary file in the directory of the target; return its path.

    Only the owner can read the file. Call `sync` before the file replaces the target.
    """
    folder = os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=PREFIX, suffix=SUFFIX, dir=folder)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
    except OSError:
        remove([temporary])
        raise
    return temporary


def sync(paths: list[str]) -> None:
    """Wait until files are on the disk; threads let the file system flush several files together.

    Raises
    ------
    OSError
        The first failure, after all threads have ended.
    """
    failures: list[BaseException] = []

    def work(share: list[str]) -> None:
        try:
            for path in share:
                _sync(path)
        except BaseException as error:
            failures.append(error)

    count = max(1, min(_THREADS, len(paths) // 4))
    others = [threading.Thread(target=work, args=(paths[n::count],)) for n in range(1, count)]
    for one in others:
        one.start()
    work(paths[::count])
    for one in others:
        one.join()
    if failures:
        raise failures[0]


def _sync(path: str) -> None:
    handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def dress(temporary: str, target: str) -> None:
    """Give a temporary file the mode and owner of its target, or the usual mode of a new file."""
    try:
        found = os.stat(target)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        return
    os.chmod(temporary, stat.S_IMODE(found.st_mode))
    with contextlib.suppress(OSError, AttributeError):
        os.chown(temporary, found.st_uid, found.st_gid)


def is_special(path: str) -> bool:
    """Return whether a path exists and is a device or a pipe, such as /dev/null."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def write_file(path: str, data: bytes) -> None:
    """Write one file that the tool owns, completely or not at all.

    A device or a pipe is opened and written, since a regular file must not replace it.
    """
    if is_special(path):
        with open(path, "wb") as stream:
            stream.write(data)
        return
    path = os.path.realpath(path)
    temporary = path + ".tmp"
    with open(temporary, "wb") as stream:
        try:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        except OSError:
            remove([temporary])  # for example: the disk is full
            raise
    try:
        os.replace(temporary, path)
    except OSError:
        remove([temporary])
        raise


def remove(paths: list[str]) -> None:
    """Remove files; ignore errors, since the files may not exist."""
    for path in paths:
        with contextlib.suppress(OSError):
            os.unlink(path)
