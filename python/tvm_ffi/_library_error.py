# SPDX-License-Identifier: Apache-2.0
"""The error for a library that does not exist."""

from __future__ import annotations

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class LibraryNotFoundError(FileNotFoundError, RuntimeError):
    """The library to load does not exist.

    ``errno`` is ``ENOENT``, and ``filename`` is the path or the name that was searched for.
    """

    __module__ = "tvm_ffi.module"  # The published path.

    def __init__(self, message: str = "", filename: str | None = None) -> None:
        """Create the error from the whole text of its message."""
        super().__init__(message)
        self.errno = errno.ENOENT
        self.strerror = os.strerror(errno.ENOENT)
        self.filename = filename

    def __str__(self) -> str:
        """Return the message, which already names the path."""
        return str(self.args[0]) if self.args else ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and the path."""
        return type(self), (str(self), self.filename), self.__dict__ or None
