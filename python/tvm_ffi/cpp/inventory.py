# SPDX-License-Identifier: Apache-2.0
"""List and remove builds in the cache."""

from __future__ import annotations

import os
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from tvm_ffi.utils.lockfile import FileLock

from . import cache
from .lock import LOCK_FILE
from .record import RECORD_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_DIRECTORY = re.compile(rf"(?P<name>.+)_(?P<key>[0-9a-f]{{{cache.KEY_LENGTH}}})", re.DOTALL)
# Matches the name of a directory that is being removed: a dot, its former name, the process id.
_REMOVED = re.compile(rf"\.{_DIRECTORY.pattern}\.\d+", re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """A directory of the cache."""

    path: Path
    name: str
    key: str
    size: int
    last_use: float


def entries() -> list[Entry]:
    """Return the builds in the cache, sorted by name and key.

    Raise OSError if the cache exists and cannot be read, for example because it is a file.
    """
    found = []
    try:
        children = sorted(Path(cache.root()).iterdir())
    except FileNotFoundError:
        return []
    for path in children:
        match = _DIRECTORY.fullmatch(path.name)
        # Ignore files and directories that are not builds.
        if match and (path / LOCK_FILE).is_file() and not path.is_symlink():
            size, last_use = _measure(path)
            found.append(Entry(path, match["name"], match["key"], size, last_use))
    return found


def _measure(directory: Path) -> tuple[int, float]:
    """Return the size of the files in a directory, and the time of its last use."""
    size, times = 0, {"": 0.0}
    for folder, _, files in os.walk(directory):  # Unlike Path.rglob, accepts concurrent removals.
        for name in files:
            try:
                status = os.lstat(os.path.join(folder, name))
            except OSError:
                continue
            size += status.st_size
            times[name] = status.st_mtime
    # Without a record, the build failed or is still running; then use the time of the newest file.
    return size, times.get(RECORD_FILE, max(times.values()))


def clear(names: Iterable[str] = (), older_than_days: float | None = None) -> list[Entry]:
    """Remove directories that are not locked, and return them.

    If ``names`` is not empty, remove only builds with these names; with ``older_than_days``, only
    builds that were not used for this number of days.
    """
    wanted = set(names)
    removed = []
    for entry in entries():
        if wanted and entry.name not in wanted:
            continue
        age = time.time() - entry.last_use
        if older_than_days is not None and age < older_than_days * 86400:
            continue
        if _remove(entry.path):
            removed.append(entry)
    _remove_leftovers()
    return removed


def _remove(directory: Path) -> bool:
    """Remove a directory unless it is locked.

    Rename the directory under its lock first, so that no process sees a partly removed directory. A
    build that waited for the lock then finds that its directory is gone, and starts again.
    """
    lock = FileLock(directory / LOCK_FILE)
    if not lock.acquire():
        return False
    grave = directory.with_name(f".{directory.name}.{os.getpid()}")
    try:
        os.rename(directory, grave)
    except OSError:
        return False
    finally:
        lock.release()
    shutil.rmtree(grave, ignore_errors=True)
    return True


def _remove_leftovers() -> None:
    """Remove the directories that a killed process left during a removal."""
    for name in os.listdir(cache.root()) if os.path.isdir(cache.root()) else ():
        if _REMOVED.fullmatch(name):
            shutil.rmtree(os.path.join(cache.root(), name), ignore_errors=True)
