# SPDX-License-Identifier: Apache-2.0
"""One build at a time in one directory."""

from __future__ import annotations

import os

from tvm_ffi.utils.lockfile import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

LOCK_FILE = "lock"


def _is_in_the_way(directory: str) -> bool:
    """Tell whether a file or a link that leads nowhere has the name of a directory."""
    return os.path.lexists(directory) and not os.path.isdir(directory)


class BuildLock:
    """Holds the lock of a directory while something is written there; a context manager.

    The compilers are to inherit ``descriptor``. So the lock lasts as long as anyone writes: a
    process that is killed leaves it to the compilers that it started, and it ends with the last of
    them. Nothing waits for a lock that nobody uses any more.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self._lock = FileLock(os.path.join(directory, LOCK_FILE))

    @property
    def descriptor(self) -> int:
        """The open file that carries the lock."""
        descriptor = self._lock._file_descriptor
        if descriptor is None:
            raise RuntimeError("the lock is not held")
        return descriptor

    def is_in_place(self) -> bool:
        """Tell whether the locked file is still the one in the directory.

        It is not when the directory was removed while this process waited for the lock.
        """
        try:
            there = os.stat(self._lock.lock_file_path)
        except OSError:
            return False
        return os.path.samestat(os.fstat(self.descriptor), there)

    def __enter__(self) -> BuildLock:
        """Make the directory, and wait for its lock; both again when somebody removes it meanwhile.

        Raises
        ------
        OSError
            If the directory cannot be made, or the file not be opened or locked.

        """
        path = self._lock.lock_file_path
        directory = os.path.dirname(path)
        while True:
            try:
                # Raises FileExistsError when the directory is there, and gone a moment later.
                os.makedirs(directory, mode=0o700, exist_ok=True)
                self._lock.blocking_acquire(poll_interval=0.02)
            except (FileExistsError, FileNotFoundError):
                if _is_in_the_way(directory) or os.path.islink(path):
                    raise  # It would be the same the next time.
                continue
            if self.is_in_place():
                return self
            self._lock.release()

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> Literal[False]:
        """Give the lock back, unless compilers may still be running after an interruption."""
        if kind is None or issubclass(kind, Exception):
            self._lock.release()
        else:
            os.close(self.descriptor)
            self._lock._file_descriptor = None
        return False
