# SPDX-License-Identifier: Apache-2.0
"""The error for a library that does not exist, and a hint for its message."""

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


def hint_for_package(package: str, target_name: str, names: tuple[str, ...]) -> str:
    """Return which part of an installed distribution is missing; empty if it is not installed."""
    from importlib import metadata

    from ._distribution import DISTRIBUTION, PEER, recorded_files

    try:
        installed = metadata.distribution(package)
    except (metadata.PackageNotFoundError, ValueError):
        return ""
    files = recorded_files(installed)
    if files is None or package in (DISTRIBUTION, PEER):
        return ""
    title = f": distribution {package} {installed.version} is installed"
    gone = [str(file) for file in files if file.name in names]
    if gone:
        return f"{title}, but its file {gone[0]} was removed: install the distribution again"
    return (
        f"{title}, but has no such file: add install(TARGETS {target_name} DESTINATION ...) to the "
        "CMakeLists.txt of the package, or list the library as package data, and install it again"
    )
