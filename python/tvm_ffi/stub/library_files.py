# SPDX-License-Identifier: Apache-2.0
"""Find the libraries in a file, a wheel or a folder, and map them into memory."""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import tempfile
import zipfile
import zlib

from .._input_file import check_input
from . import elf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

# The first bytes of libraries: ELF, Mach-O (also of several machines), Windows.
_MAGIC = (
    elf.MAGIC,
    *(b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf"),
    b"MZ",
)


def is_library(head: bytes) -> bool:
    """Return whether the first four bytes of a file are those of a library."""
    return head.startswith(_MAGIC)


def open_libraries(path: str) -> Iterator[tuple[str, mmap.mmap]]:
    """Yield the name and the content of each library of a file, a wheel or a folder.

    The content is valid until the next library is requested.

    Raises
    ------
    OSError
        If a file cannot be read.
    ValueError
        If the file is neither a library nor a zip archive, or is damaged.

    """
    if os.path.isdir(path):
        yield from _in_folder(path)
        return
    check_input(path)
    with open(path, "rb") as stream:
        if is_library(stream.read(4)):
            with _mapped(stream) as content:
                yield os.path.basename(path), content
            return
    if not zipfile.is_zipfile(path):
        raise ValueError("neither a library nor a wheel")
    try:
        with zipfile.ZipFile(path) as archive:
            yield from _in_archive(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"the archive is damaged: {error}") from error


def _mapped(stream: IO[bytes]) -> contextlib.closing[mmap.mmap]:
    return contextlib.closing(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


def _in_folder(folder: str) -> Iterator[tuple[str, mmap.mmap]]:
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(root, name)
            if not os.path.isfile(path) or os.path.islink(path):
                continue
            with open(path, "rb") as stream:
                if is_library(stream.read(4)):
                    with _mapped(stream) as content:
                        yield os.path.relpath(path, folder), content


def _in_archive(archive: zipfile.ZipFile) -> Iterator[tuple[str, mmap.mmap]]:
    for entry in archive.infolist():
        with archive.open(entry) as member:
            if not is_library(member.read(4)):
                continue
        with archive.open(entry) as member, tempfile.TemporaryFile() as stream:
            shutil.copyfileobj(member, stream)
            stream.flush()
            with _mapped(stream) as content:
                yield entry.filename, content
