# SPDX-License-Identifier: Apache-2.0
"""Where builds lie, under which key, and what lies there."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tvm_ffi._version import __version__
from tvm_ffi.utils.lockfile import FileLock

from .lock import LOCK_FILE
from .record import RECORD_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .request import Request
    from .toolchain import Toolchain

# Directories are called after the name and the beginning of the key.
_KEY_LENGTH = 16
_DIRECTORY = re.compile(rf"(?P<name>.+)_(?P<key>[0-9a-f]{{{_KEY_LENGTH}}})", re.DOTALL)


def root() -> Path:
    """Return the directory of all builds: ``$TVM_FFI_CACHE_DIR``, else ``~/.cache/tvm-ffi``."""
    named = os.environ.get("TVM_FFI_CACHE_DIR") or os.path.join("~", ".cache", "tvm-ffi")
    return Path(named).expanduser().absolute()


def directory_of(request: Request, tools: Toolchain) -> Path:
    """Return the directory for a build whose caller named none.

    Its key is made from all that decides about the result, except the content of files, which is
    looked at anew in every build.
    """
    key = digest(
        __version__,
        request.texts,
        sorted(request.sources),
        request.functions,
        request.cflags,
        request.cuda_cflags,
        request.ldflags,
        request.include_paths,
        request.cubins,
        tools.identity(),
        [*tools.includes, *tools.ldflags, *tools.cxxflags, *tools.cflags],
        [tools.gpu_backend, *tools.gpu_flags],
    )
    return root() / f"{request.name}_{key[:_KEY_LENGTH]}"


def digest(*parts: Any) -> str:
    """Return a number, as text, that tells these values from all others.

    Values are strings, bytes, sequences and mappings; each enters with its kind and size, so that
    no two lists of values read the same.
    """
    state = hashlib.sha256()
    for part in parts:
        _feed(state, part)
    return state.hexdigest()


def _feed(state: Any, value: Any) -> None:
    if isinstance(value, str):
        data = value.encode("utf-8", "surrogatepass")
        state.update(b"s%d:" % len(data) + data)
    elif isinstance(value, bytes):
        state.update(b"b%d:" % len(value) + value)
    elif isinstance(value, Mapping):
        state.update(b"m%d:" % len(value))
        for key in sorted(value):
            _feed(state, key)
            _feed(state, value[key])
    elif isinstance(value, Iterable):
        items = list(value)
        state.update(b"l%d:" % len(items))
        for item in items:
            _feed(state, item)
    else:
        raise TypeError(f"a key cannot be made of {type(value).__name__}: {value!r}")


# ---- what lies there ----


@dataclass(frozen=True)
class Entry:
    """A directory of the cache."""

    path: Path
    name: str
    key: str
    size: int
    last_use: float


def entries() -> list[Entry]:
    """Return the directories of the cache that hold builds, by name and key."""
    found = []
    try:
        children = sorted(root().iterdir())
    except OSError:
        return []
    for path in children:
        match = _DIRECTORY.fullmatch(path.name)
        # Other things may lie in the same place, and stay.
        if match and (path / LOCK_FILE).is_file() and not path.is_symlink():
            size, last_use = _measure(path)
            found.append(Entry(path, match["name"], match["key"], size, last_use))
    return found


def _measure(directory: Path) -> tuple[int, float]:
    """Return the size of the files in a directory, and the time of its last use."""
    size, times = 0, {"": 0.0}
    for path in directory.rglob("*"):
        try:
            status = path.lstat()
        except OSError:
            continue
        size += status.st_size
        times[path.name] = status.st_mtime
    # A directory without a record is one whose build failed or goes on.
    return size, times.get(RECORD_FILE, max(times.values()))


def clear(names: Iterable[str] = (), older_than_days: float | None = None) -> list[Entry]:
    """Remove directories that nobody has locked, and return them.

    Parameters
    ----------
    names
        The names of the builds to remove; all when there are none.
    older_than_days
        Remove only what was not used for so long.

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
    return removed


def _remove(directory: Path) -> bool:
    """Remove a directory unless it is locked.

    It is renamed under its lock first, so that nobody finds half of it. A build that waited for the
    lock meanwhile sees that its directory is gone, and begins anew.
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
