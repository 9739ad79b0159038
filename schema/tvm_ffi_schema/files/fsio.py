# SPDX-License-Identifier: Apache-2.0
"""Write changed files, each completely or not at all, while this process holds the project's lock.

Each new content is first written to a temporary file in the directory of its target. Then the
temporary files replace the targets one by one. If a run is killed, each file has its old or its new
content; the next run writes the other files and removes the temporary files.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import json
import os
import stat
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..diag import Bag
from ..ir import Span
from .paths import staging, state_file
from .source import shown

_PREFIX, _SUFFIX = ".tschema-", ".tmp"
#: The largest number of threads that wait for the disk; each thread waits for at least four files.
_THREADS = 8


@dataclass(frozen=True)
class Change:
    """A file to write; `old` is the expected present content, None if the file must not exist."""

    path: str
    old: bytes | None
    new: bytes


class WriteError(Exception):
    """Raised if files cannot be written; `rule` is the id of the finding, `path` is the file."""

    def __init__(self, rule: str, path: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.path = path


class reported:  # noqa: N801 - reads like the context managers of contextlib
    """A context manager that reports a `WriteError` of its block, and continues after the block."""

    def __init__(self, bag: Bag) -> None:
        self.bag = bag

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, traceback: object) -> bool:
        if not isinstance(error, WriteError):
            return False
        self.bag.add(error.rule, str(error), Span(shown(error.path)))
        return True


@contextlib.contextmanager
def lock(root: str, say: Callable[[str], object] = lambda text: None) -> Iterator[None]:
    """Hold the lock of a project while the block runs, so that only one run writes at a time.

    If another run holds the lock, the function calls `say` with a message and waits. The operating
    system releases the lock when the process ends, also after a crash.

    Raises
    ------
    WriteError
        TS118 if the lock file cannot be created, TS119 if the file cannot be locked.
    """
    path = state_file(root, "lock")
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise WriteError("TS118", path, f"cannot lock the project: {error.strerror}") from None
    try:
        try:
            _take(handle, say)
        except ImportError:
            raise WriteError("TS119", path, "this platform has no file locks") from None
        except OSError as error:
            text = f"the file system refuses to lock {shown(path)}: {error.strerror}"
            raise WriteError("TS119", path, text) from None
        _hide(folder)
        _sweep(root)
        yield
    finally:
        os.close(handle)


def _take(handle: int, say: Callable[[str], object]) -> None:
    text = "waiting for another run in this project"
    try:
        import fcntl
    except ImportError:
        _take_on_windows(handle, say, text)
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say(text)
        fcntl.flock(handle, fcntl.LOCK_EX)


def _take_on_windows(handle: int, say: Callable[[str], object], text: str) -> None:
    import msvcrt

    mode = msvcrt.LK_NBLCK  # type: ignore[attr-defined,unused-ignore]
    while True:
        try:
            msvcrt.locking(handle, mode, 1)  # type: ignore[attr-defined,unused-ignore]
            return
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EDEADLK):
                raise
        if mode != msvcrt.LK_LOCK:  # type: ignore[attr-defined,unused-ignore]
            say(text)
            mode = msvcrt.LK_LOCK  # type: ignore[attr-defined,unused-ignore] # waits ten seconds


def _hide(folder: str) -> None:
    """Write a `.gitignore`, so that git ignores the state directory of the tool."""
    with contextlib.suppress(OSError), open(os.path.join(folder, ".gitignore"), "x") as stream:
        stream.write("*\n")


def commit(root: str, changes: list[Change]) -> None:
    """Write every change. If a content cannot be written to the disk, no file is replaced.

    Files are replaced in the order of `changes`.

    Raises
    ------
    WriteError
        TS117 if a file has changed since it was read, TS118 if a file cannot be written.

    """
    if not changes:
        return
    for change in changes:
        _check(change)
    targets = [os.path.realpath(one.path) for one in changes]
    folders = sorted({os.path.dirname(target) for target in targets})
    try:
        with open(staging(root), "w", encoding="utf-8") as stream:
            json.dump([_relative(root, folder) for folder in folders], stream)
    except OSError as error:
        text = f"cannot write {shown(staging(root))}: {error.strerror}"
        raise WriteError("TS118", staging(root), text) from None
    _replace([(target, one.new) for target, one in zip(targets, changes)])
    _remove(staging(root))


def _relative(root: str, path: str) -> str:
    """Return a path relative to the root, so that it stays valid when the project is moved."""
    try:
        return os.path.relpath(path, os.path.realpath(root))
    except ValueError:  # a path on another drive of Windows
        return path


def _sweep(root: str) -> None:
    """Remove the temporary files of a killed run."""
    if not os.path.exists(staging(root)):
        return
    with contextlib.suppress(OSError, ValueError, TypeError):
        with open(staging(root), encoding="utf-8") as stream:
            folders = json.load(stream)
        for folder in (os.path.join(os.path.realpath(root), name) for name in folders):
            for path in glob.glob(os.path.join(glob.escape(folder), f"{_PREFIX}*{_SUFFIX}")):
                _remove(path)
    _remove(staging(root))


def _check(change: Change) -> None:
    if _is_special(change.path):
        raise WriteError("TS118", change.path, "it is there, and is not a file")
    try:
        with open(change.path, "rb") as stream:
            now: bytes | None = stream.read()
    except FileNotFoundError:
        now = None
    except OSError as error:
        raise WriteError("TS118", change.path, f"cannot read it: {error.strerror}") from None
    if now != change.old:
        raise WriteError("TS117", change.path, "the file changed while the plan was made")
    if now is not None and not os.access(change.path, os.W_OK):
        raise WriteError("TS118", change.path, "the file is read-only")


def _is_special(path: str) -> bool:
    """Return whether a path exists and is a device or a pipe, such as /dev/null."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def _replace(contents: list[tuple[str, bytes]]) -> None:
    """Replace the files with these real paths.

    Raises
    ------
    WriteError
        TS118 if a file cannot be written.
    """
    target = contents[0][0]
    temporaries: dict[str, str] = {}
    try:
        for target, data in contents:
            folder = os.path.dirname(target)
            os.makedirs(folder, exist_ok=True)
            name = os.path.join(folder, f"{_PREFIX}{os.urandom(8).hex()}{_SUFFIX}")
            temporaries[target] = name
            mode = 0o600 if os.path.exists(target) else 0o666
            with open(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
                stream.write(data)
        _sync(list(temporaries.values()))
        for target, name in temporaries.items():
            _copy_mode(target, name)
        for target, name in temporaries.items():
            os.replace(name, target)
    except OSError as error:
        for name in temporaries.values():
            _remove(name)
        text = f"cannot write {shown(target)}: {error.strerror}"
        raise WriteError("TS118", target, text) from None


def _sync(paths: list[str]) -> None:
    """Wait until files are on the disk; threads let the file system flush several files together.

    Raises
    ------
    OSError
        The first failure, after all threads have ended.
    """
    failures: list[OSError] = []

    def work(share: list[str]) -> None:
        try:
            for path in share:
                with open(path, "rb+") as stream:
                    os.fsync(stream.fileno())
        except OSError as error:
            failures.append(error)

    count = max(1, min(_THREADS, len(paths) // 4))
    threads = [threading.Thread(target=work, args=(paths[n::count],)) for n in range(count)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    if failures:
        raise failures[0]


def _copy_mode(target: str, temporary: str) -> None:
    """Give a temporary file the mode and the owner of its target, if the target exists."""
    with contextlib.suppress(FileNotFoundError):
        found = os.stat(target)
        os.chmod(temporary, stat.S_IMODE(found.st_mode))
        with contextlib.suppress(OSError, AttributeError):
            os.chown(temporary, found.st_uid, found.st_gid)


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _write(path: str, data: bytes) -> None:
    """Write one file; a device or a pipe is opened, since a file must not replace it."""
    if not _is_special(path):
        _replace([(os.path.realpath(path), data)])
        return
    try:
        with open(path, "wb") as stream:
            stream.write(data)
    except OSError as error:
        text = f"cannot write {shown(path)}: {error.strerror}"
        raise WriteError("TS118", path, text) from None


def write_reported(path: str, data: bytes, bag: Bag) -> bool:
    """Write one generated file completely or not at all; report errors."""
    before = len(bag.items)
    with reported(bag):
        _write(path, data)
    return len(bag.items) == before


def keep(root: str, path: str, texts: list[str]) -> list[str]:
    """Save texts in the lost-and-found directory before they are replaced; return the file names.

    Raises
    ------
    WriteError
        TS118 if the texts cannot be written.

    """
    folder = state_file(root, "lost+found")
    made = []
    for text in texts:
        number = 1
        while os.path.exists(os.path.join(folder, f"{os.path.basename(path)}.{number}")):
            number += 1
        made.append(os.path.join(folder, f"{os.path.basename(path)}.{number}"))
        _write(made[-1], text.encode("utf-8"))
    return made
