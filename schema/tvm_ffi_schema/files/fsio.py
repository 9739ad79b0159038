# SPDX-License-Identifier: Apache-2.0
"""Write a set of changed files: all of them, or none.

First, each new text is written to a temporary file in the directory of its target. Next, a journal
is written that names each temporary file with its target. Last, the temporary files replace the
targets. If a run is killed, the next run completes or undoes the replacement, and removes the
temporary files.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..diag import Bag
from ..ir import Span
from . import staged
from .source import shown

STATE_DIR = ".tschema"
JOURNAL = "journal.json"
STAGING = "staging.json"


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
    folder = os.path.join(root, STATE_DIR)
    path = os.path.join(folder, "lock")
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
        recover(root)
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
    """Write every change, or none.

    Raises
    ------
    WriteError
        TS117 if a file has changed since it was read, TS118 if a file cannot be written.

    """
    if not changes:
        return
    for change in changes:
        _check(change)
    pairs: list[tuple[str, str]] = []
    journal = os.path.join(root, STATE_DIR, JOURNAL)
    staging = os.path.join(root, STATE_DIR, STAGING)
    change = changes[0]
    try:
        targets = [os.path.realpath(one.path) for one in changes]
        folders = sorted({os.path.dirname(target) for target in targets})
        with open(staging, "w", encoding="utf-8") as stream:
            json.dump(_relative(root, folders), stream)
        for change, target in zip(changes, targets):
            pairs.append((staged.stage(target, change.new), target))
        staged.sync([temporary for temporary, _ in pairs])
        for temporary, target in pairs:
            staged.dress(temporary, target)
        names = [_relative(root, pair) for pair in pairs]
        staged.write_file(journal, json.dumps(names).encode("utf-8"))
    except OSError as error:
        staged.remove([*(temporary for temporary, _ in pairs), staging])
        where = error.filename or change.path
        raise WriteError("TS118", change.path, f"cannot write {where}: {error.strerror}") from None
    try:
        _replace(pairs, changes, journal)
    finally:
        staged.remove([staging])


def _relative(root: str, paths: Iterable[str]) -> list[str]:
    """Return paths relative to the root, so that they stay valid when the project is moved."""
    base = os.path.realpath(root)
    try:
        return [os.path.relpath(path, base) for path in paths]
    except ValueError:  # a path on another drive of Windows
        return list(paths)


def _check(change: Change) -> None:
    if staged.is_special(change.path):
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


def write_reported(path: str, data: bytes, bag: Bag) -> bool:
    """Write one generated file completely or not at all; report errors."""
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        staged.write_file(path, data)
    except OSError as error:
        text = f"cannot write {shown(path)}: {error.strerror}"
        bag.add("TS118", text, Span(shown(path)))
        return False
    return True


def _replace(pairs: list[tuple[str, str]], changes: list[Change], journal: str) -> None:
    done: list[Change] = []
    try:
        for (temporary, target), change in zip(pairs, changes):
            os.replace(temporary, target)
            done.append(change)
    except OSError as error:
        for change in done:
            _restore(change)
        staged.remove([temporary for temporary, _ in pairs])
        staged.remove([journal])
        raise WriteError("TS118", change.path, f"cannot replace it: {error.strerror}") from None
    staged.remove([journal])


def _restore(change: Change) -> None:
    target = os.path.realpath(change.path)
    if change.old is None:
        staged.remove([target])
        return
    with contextlib.suppress(OSError):
        temporary = staged.stage(target, change.old)
        staged.sync([temporary])
        staged.dress(temporary, target)
        os.replace(temporary, target)


def recover(root: str) -> list[str]:
    """Complete the writes of a killed run; return the files that this call replaced.

    A run writes the journal after all temporary files. So if a journal exists, all replacements can
    be completed. If no journal exists, the killed run has not replaced any file.
    """
    journal = os.path.join(root, STATE_DIR, JOURNAL)
    try:
        with open(journal, "rb") as stream:
            pairs = json.loads(stream.read())
    except (OSError, ValueError):
        _clear(root)
        return []
    done = []
    base = os.path.realpath(root)
    for temporary, target in ([os.path.join(base, name) for name in pair] for pair in pairs):
        name = os.path.basename(temporary)
        same_folder = os.path.dirname(temporary) == os.path.dirname(target)
        if same_folder and name.startswith(staged.PREFIX) and os.path.exists(temporary):
            os.replace(temporary, target)
            done.append(target)
    staged.remove([journal])
    _clear(root)
    return done


def _clear(root: str) -> None:
    """Remove the temporary files of a killed run."""
    staging = os.path.join(root, STATE_DIR, STAGING)
    try:
        with open(staging, "rb") as stream:
            folders = json.loads(stream.read())
        for folder in (os.path.join(os.path.realpath(root), name) for name in folders):
            for name in os.listdir(folder):
                if name.startswith(staged.PREFIX) and name.endswith(staged.SUFFIX):
                    staged.remove([os.path.join(folder, name)])
    except FileNotFoundError:
        return
    except (OSError, ValueError, TypeError):
        pass
    staged.remove([staging])


def keep(root: str, path: str, texts: list[str]) -> list[str]:
    """Save texts in the lost-and-found directory before they are replaced; return the file names.

    Raises
    ------
    WriteError
        TS118 if the texts cannot be written.

    """
    folder = os.path.join(root, STATE_DIR, "lost+found")
    made = []
    try:
        os.makedirs(folder, exist_ok=True)
        for text in texts:
            number = 1
            name = os.path.basename(path)
            while os.path.exists(os.path.join(folder, f"{name}.{number}")):
                number += 1
            made.append(os.path.join(folder, f"{name}.{number}"))
            staged.write_file(made[-1], text.encode("utf-8"))
    except OSError as error:
        raise WriteError("TS118", folder, f"cannot keep a copy: {error.strerror}") from None
    return made
