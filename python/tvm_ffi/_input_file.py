# SPDX-License-Identifier: Apache-2.0
"""Refuse input files that are not regular files: reading them may block, or may never end."""

from __future__ import annotations

import errno
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import StrOrBytesPath


def check_input(path: StrOrBytesPath) -> None:
    """Raise an error if a path names a directory, a device, a pipe or a socket.

    A missing file is accepted: the error of the function that opens the file describes it.

    Raise OSError if the path exists, and is not a regular file.
    """
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "a file is expected, not a directory", path)
    if not stat.S_ISREG(mode):
        text = "a regular file is expected, not a device, pipe or socket"
        raise OSError(errno.EINVAL, text, path)
