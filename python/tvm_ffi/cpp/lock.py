# SPDX-License-Identifier: Apache-2.0
"""A lock that allows one build at a time per directory."""

from __future__ import annotations

import errno
import os

from tvm_ffi.utils.lockfile import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

LOCK_FILE = "lock"
# What file systems without locks say.
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


def _is_blocked(directory: str) -> bool:
    """Return whether the name of a directory belongs to a file or a broken link."""
    return os.path.lexists(directory) and not os.path.isdir(directory)


class BuildLock:
    """A context manager that holds the lock of a directory while a build writes there.

    The lock saves work: builds are right without it, as on file systems that have no locks.

    Compilers must inherit ``descriptors``. If this process is killed, the compilers that it started
    still hold the lock, which is released when the last compiler exits. So the lock is held as long
    as any process can write.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self._lock = FileLock(os.path.join(directory, LOCK_FILE))

    @property
    def descriptors(self) -> tuple[int, ...]:
        """The descriptor of the locked file; nothing if the lock is not held."""
        descriptor = self._lock._file_descriptor
        return () if descriptor is None else (descriptor,)

    def is_in_place(self) -> bool:
        """Return whether the locked file is still in the directory.

        Return False if the directory was removed while this process waited for the lock.
        """
        try:
            there = os.stat(self._lock.lock_file_path)
        except OSError:
            return False
        return os.path.samestat(os.fstat(*self.descriptors), there)

    def __enter__(self) -> BuildLock:
        """Create the directory and wait for its lock; repeat if the directory is removed meanwhile.

        Raise OSError if the directory cannot be created, or the file cannot be opened or locked.
        """
        path = self._lock.lock_file_path
        directory = os.path.dirname(path)
        while True:
            try:
                # This raises FileExistsError if another process removes the directory at the same
                # time.
                os.makedirs(directory, mode=0o700, exist_ok=True)
                self._lock.blocking_acquire(poll_interval=0.02)
            except (FileExistsError, FileNotFoundError):
                if _is_blocked(directory) or os.path.islink(path):
                    raise  # A retry would fail in the same way.
                continue
            except OSError as error:
                if error.errno in _NO_LOCKS:
                    return self
                raise
            if self.is_in_place():
                return self
            self._lock.release()

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> Literal[False]:
        """Release the lock, unless compilers may still be running after an interruption."""
        if kind is None or issubclass(kind, Exception):
            self._lock.release()
        else:
            for descriptor in self.descriptors:
                os.close(descriptor)
            self._lock._file_descriptor = None
        return False
