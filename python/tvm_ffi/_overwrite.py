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
    """Raise FileExistsError if a file would be lost that a command cannot write again.

    An absent file, an empty file, and a path that is not a regular file (a device, a pipe) are
    accepted, and a file for whose content ``is_of_kind`` returns true. For the message, ``kind``
    says what is written, such as ``a page``. Raise OSError if the file cannot be read.
    """
    path = os.fspath(path)
    if not os.path.isfile(path):
        return
    with open(path, "rb") as file:
        content = file.read()
    if content and not is_of_kind(content):
        reason = f"the file exists and is not {kind}; move it away, or choose another file name"
        raise FileExistsError(errno.EEXIST, reason, path)
