# SPDX-License-Identifier: Apache-2.0
"""Where builds lie, and under which key."""

from __future__ import annotations

import os

from tvm_ffi._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
    from typing import Any

    from .request import Request
    from .toolchain import Toolchain
else:  # As the module `random` has it: `hashlib` loads the whole of OpenSSL.
    try:
        from _sha2 import sha256
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256

# Directories are called after the name and the beginning of the key.
KEY_LENGTH = 16


def root() -> str:
    """Return the directory of all builds: ``$TVM_FFI_CACHE_DIR``, else ``~/.cache/tvm-ffi``."""
    named = os.environ.get("TVM_FFI_CACHE_DIR") or os.path.join("~", ".cache", "tvm-ffi")
    path = os.path.expanduser(named)
    # The working directory may be gone, and matters to relative paths alone.
    return path if os.path.isabs(path) else os.path.join(os.getcwd(), path)


def directory_of(request: Request, tools: Toolchain) -> str:
    """Return the directory for a build whose caller named none.

    Its key is made from all that decides about the result, except the content of files, which is
    looked at anew in every build.
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
    """Return a number, as text, that tells these values from all others.

    Values are strings, bytes, lists, tuples and dictionaries; each enters with its kind and size,
    so that no two lists of values read the same.
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
        raise TypeError(f"a key cannot be made of {type(value).__name__}: {value!r}")
