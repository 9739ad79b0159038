# SPDX-License-Identifier: Apache-2.0
"""The directories of builds, and their keys."""

from __future__ import annotations

import os
import stat

from tvm_ffi._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
    from typing import Any

    from .request import Request
    from .toolchain import Toolchain
else:  # Import sha256 as module `random` does, because `hashlib` loads all of OpenSSL.
    try:
        from _sha2 import sha256
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256

# The name of a build's directory consists of the name of the build and this number of characters
# from the start of the build's key.
KEY_LENGTH = 16


def root() -> str:
    """Return the directory of all builds: ``$TVM_FFI_CACHE_DIR``, else ``~/.cache/tvm-ffi``.

    For a user without home directory, it is a directory among the temporary ones.

    Raise ValueError if ``$TVM_FFI_CACHE_DIR`` names a home directory that is not known.
    """
    named = os.environ.get("TVM_FFI_CACHE_DIR")
    path = os.path.expanduser(named or os.path.join("~", ".cache", "tvm-ffi"))
    if path.startswith("~"):
        if named:
            raise ValueError(
                f"the environment variable TVM_FFI_CACHE_DIR={named!r} names a home directory, "
                "which is not known: HOME is not set, or there is no such user"
            )
        import tempfile  # Slow to import, and most users have a home directory.

        user = os.geteuid() if hasattr(os, "geteuid") else "cache"
        path = os.path.join(tempfile.gettempdir(), f"tvm-ffi-{user}")
    # Only a relative path needs the working directory, which may have been deleted.
    return path if os.path.isabs(path) else os.path.join(os.getcwd(), path)


def private_root() -> str:
    """Return the directory of all builds; create it with mode 0700 if it is missing.

    Libraries are loaded from this directory. So a user who can write to it can run code in this
    process.

    Raise PermissionError if the directory is a symbolic link, is not owned by the effective user,
    or can be written to by its group or by other users. Raise OSError if the directory cannot be
    created.
    """
    directory = root()
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
    except OSError as error:
        error.strerror = (
            f"cannot create the build cache: {error.strerror}; "
            "the environment variable TVM_FFI_CACHE_DIR names its directory"
        )
        raise
    check_private(directory)
    return directory


def check_private(directory: str) -> None:
    """Raise PermissionError if a user other than the effective one can write to a directory."""
    if not hasattr(os, "geteuid"):  # Windows: the profile of a user is private.
        return
    directory = directory.rstrip(os.sep) or os.sep  # With a slash, lstat would follow a link.
    status = os.lstat(directory)
    if stat.S_ISLNK(status.st_mode):
        problem = "is a symbolic link: name the directory that it leads to"
    elif not stat.S_ISDIR(status.st_mode):
        problem = "is not a directory"
    elif status.st_uid != os.geteuid():
        problem = f"belongs to user {status.st_uid}, and this process runs as {os.geteuid()}"
    elif status.st_mode & 0o022:
        mode = stat.S_IMODE(status.st_mode)
        problem = (
            f"can be written to by others (mode {mode:04o}): remove it, or run `chmod go-w` on it "
            "if you trust what it holds"
        )
    else:
        return
    raise PermissionError(
        f"no library is loaded from the build cache: {directory!r} {problem}. "
        "The environment variable TVM_FFI_CACHE_DIR names another directory."
    )


def file_digest(path: str) -> str:
    """Return the SHA-256 of the content of a file."""
    found = sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def bytes_digest(content: bytes) -> str:
    """Return the SHA-256 of bytes; equal to the `file_digest` of a file with this content."""
    return sha256(content).hexdigest()


def directory_of(request: Request, tools: Toolchain) -> str:
    """Return the default directory for a build.

    The key covers everything that affects the result, except the content of files, which every
    build compares again.
    """
    key = digest(
        __version__,
        request.texts,
        sorted(request.sources),
        request.functions,
        request.cflags,
        request.cuda_cflags,
        request.ldflags,
        request.include_paths,
        request.cubins,
        tools.identity(),
        [*tools.includes, *tools.ldflags, *tools.cxxflags, *tools.cflags],
        [tools.gpu_backend, *tools.gpu_flags],
    )
    return os.path.join(root(), f"{request.name}_{key[:KEY_LENGTH]}")


def digest(*parts: Any) -> str:
    """Return a hash of values, as text.

    Values are strings, bytes, lists, tuples and dictionaries. Each is hashed with its type and
    size, so that different values cannot have the same encoding.
    """
    pieces: list[bytes] = []
    for part in parts:
        _feed(pieces, part)
    return sha256(b"".join(pieces)).hexdigest()


def _feed(pieces: list[bytes], value: Any) -> None:
    if isinstance(value, str):
        data = value.encode("utf-8", "surrogatepass")
        pieces.append(b"s%d:" % len(data))
        pieces.append(data)
    elif isinstance(value, bytes):
        pieces.append(b"b%d:" % len(value))
        pieces.append(value)
    elif isinstance(value, dict):
        pieces.append(b"m%d:" % len(value))
        for key in sorted(value):
            _feed(pieces, key)
            _feed(pieces, value[key])
    elif isinstance(value, (list, tuple)):
        pieces.append(b"l%d:" % len(value))
        for item in value:
            _feed(pieces, item)
    else:
        raise TypeError(f"cannot compute a cache key from {type(value).__name__}: {value!r}")
