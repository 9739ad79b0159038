# SPDX-License-Identifier: Apache-2.0
"""Refuse to replace an existing file that is not of the kind that is about to be written."""

from __future__ import annotations

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def check_replaceable(
    path: str | os.PathLike[str], kind: str, is_of_kind: Callable[[bytes], bool]
) -> None:
    """Raise an exception if a file would be lost that a command cannot write again.

    An absent file, an empty file, and a path that is not a regular file (a device, a pipe) are
    accepted.

    Parameters
    ----------
    path
        The file that is about to be written.
    kind
        What is written, for the message, such as ``a page``.
    is_of_kind
        A function that returns whether the content of a file is of this kind.

    Raises
    ------
    FileExistsError
        If the file has other content.
    OSError
        If the file cannot be read.

    """
    path = os.fspath(path)
    if not os.path.isfile(path):
        return
    with open(path, "rb") as file:
        content = file.read()
    if content and not is_of_kind(content):
        reason = f"the file exists and is not {kind}; move it away, or choose another file name"
        raise FileExistsError(errno.EEXIST, reason, path)
