# SPDX-License-Identifier: Apache-2.0
"""A lock between processes, based on a file."""

from __future__ import annotations

import os
import sys
import time

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

__all__ = ["FileLock"]


class FileLock:
    """An advisory lock on a file; as a context manager, it waits for the lock.

    The system releases the lock when the process that holds the lock ends, for any reason. The file
    is never removed: a removal while another process waits would allow two processes to hold the
    lock. A forked child shares a held lock; an executed program does not.

    An instance must not be used by several threads at the same time; use one instance per thread.

    Examples
    --------
    >>> import os, tempfile
    >>> from tvm_ffi.utils import FileLock
    >>> path = os.path.join(tempfile.mkdtemp(), "lock")
    >>> with FileLock(path):
    ...     FileLock(path).acquire()
    False

    """

    def __init__(self, lock_file_path: str | os.PathLike[str]) -> None:
        self.lock_file_path = lock_file_path
        # None while the lock is not held.
        self._file_descriptor: int | None = None

    def acquire(self) -> bool:
        """Acquire the lock if it is free; return whether this call acquired it.

        Return False if the lock is held, even by this instance, or if the file cannot be opened.
        """
        if self._file_descriptor is not None:
            return False
        try:
            return self._take()
        except OSError:
            return False

    def blocking_acquire(
        self, timeout: float | None = None, poll_interval: float = 0.1
    ) -> Literal[True]:
        """Acquire the lock, waiting for it if necessary.

        Parameters
        ----------
        timeout
            The maximum number of seconds to wait; ``None`` means no limit.
        poll_interval
            The number of seconds between two attempts.

        Raises
        ------
        RuntimeError
            If this instance already holds the lock.
        TimeoutError
            If the timeout has expired.
        OSError
            If ``timeout`` is ``None`` and the file cannot be opened or locked: without a limit,
            the call could wait forever.

        """
        if self._file_descriptor is not None:
            raise RuntimeError("Lock is already held by this instance.")
        start = time.monotonic()
        while not (self._take() if timeout is None else self.acquire()):
            if timeout is not None and time.monotonic() - start >= timeout:
                raise TimeoutError(
                    f"Failed to acquire lock on '{self.lock_file_path}' after {timeout} seconds."
                )
            time.sleep(poll_interval)
        return True

    def _take(self) -> bool:
        """Acquire the lock; return False if another owner holds it."""
        descriptor = os.open(self.lock_file_path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            taken = _try_lock(descriptor)
        except OSError:
            os.close(descriptor)
            raise
        if taken:
            self._file_descriptor = descriptor
        else:
            os.close(descriptor)
        return taken

    def release(self) -> None:
        """Release the lock; do nothing if the lock is not held."""
        descriptor, self._file_descriptor = self._file_descriptor, None
        if descriptor is not None:
            _unlock(descriptor)
            os.close(descriptor)

    def __enter__(self) -> FileLock:
        """Wait for the lock."""
        self.blocking_acquire()
        return self

    def __exit__(self, *exception: object) -> Literal[False]:
        """Release the lock; do not suppress an exception."""
        self.release()
        return False

    def __del__(self) -> None:
        """Release the lock when the instance is deleted, so that no other process is blocked."""
        descriptor = getattr(self, "_file_descriptor", None)
        if descriptor is not None:
            os.close(descriptor)


if sys.platform == "win32":

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
