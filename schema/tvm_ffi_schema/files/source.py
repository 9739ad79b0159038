# SPDX-License-Identifier: Apache-2.0
"""Read text files; keep the encoding, the line ends and the byte-order mark."""

from __future__ import annotations

import errno
import os
import stat

from ..diag import Bag
from ..ir import Span
from .paths import relative

MAX_BYTES = 64 << 20


class SourceFile:
    """A decoded file with the content `data`. `text` keeps line ends.

    `bom` means that a byte-order mark was removed.
    """

    def __init__(self, path: str, data: bytes, encoding: str = "utf-8") -> None:
        self.path = path
        self.data = data
        self.encoding = encoding
        self.bom = data[:3] == b"\xef\xbb\xbf"
        self.text = data[3 if self.bom else 0 :].decode(encoding)

    def encode(self, text: str) -> bytes:
        """Return a changed text as bytes, with a byte-order mark if the file had one.

        Raises
        ------
        UnicodeEncodeError
            If the encoding of the file cannot represent the text.

        """
        return (b"\xef\xbb\xbf" if self.bom else b"") + text.encode(self.encoding)


def check_input(path: str) -> None:
    """Raise an error if a path names a device, a pipe or a socket, whose reading may never end.

    Raises
    ------
    OSError
        If there is no such file, or if it is neither a regular file nor a directory.

    """
    mode = os.stat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        text = "it is a device, a pipe or a socket, not a file"
        raise OSError(errno.EINVAL, text, path)


def read_bytes(path: str, bag: Bag, rule: str = "TS001") -> bytes | None:
    """Return the content of a file; report an error and return None if it cannot be read."""
    span = Span(shown(path))
    try:
        check_input(path)
        if os.path.getsize(path) > MAX_BYTES:
            bag.add(rule, f"{shown(path)} is larger than {MAX_BYTES >> 20} MiB", span)
            return None
        with open(path, "rb") as stream:
            return stream.read()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        bag.add(rule, f"{shown(path)} cannot be read: {reason}", span)
        return None


def read(path: str, bag: Bag, rule: str = "TS001", *, any_bytes: bool = False) -> SourceFile | None:
    """Read a file; report an error and return None if it cannot be read or is not UTF-8.

    With `any_bytes`, text that is not UTF-8 is read as Latin-1.
    """
    data = read_bytes(path, bag, rule)
    if data is None:
        return None
    try:
        return SourceFile(path, data)
    except UnicodeDecodeError as error:
        if any_bytes and b"\0" not in data:
            return SourceFile(path, data, "latin-1")
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        bag.add(
            rule,
            f"{shown(path)} is not UTF-8 text: byte 0x{data[error.start]:02x}",
            Span(shown(path), line, column),
            help="save the file as UTF-8",
        )
        return None


def near(path: str) -> str:
    """Return a path below the working directory as a relative path; keep any other path."""
    if not os.path.isabs(path):
        return path
    seen = relative(path, os.getcwd())
    return path if seen.startswith("..") else seen


def shown(path: str) -> str:
    """Return a path for messages; a path below the working directory becomes relative."""
    seen = relative(path, os.getcwd())
    return os.path.normpath(path).replace(os.sep, "/") if seen.startswith("..") else seen
