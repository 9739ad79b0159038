# SPDX-License-Identifier: Apache-2.0
"""Modules in pickles: the SHA-256 of the library, its path as a hint, its bytes on request.

The reader uses a library that it has already loaded, or the file at the path, or a file of its
private store. It compares the digest before it loads a file. Files of the store are named after
their digest: ``<build cache>/shipped/<digest>/<name>``.
"""

from __future__ import annotations

import os

from .. import _ffi_api
from .._library_error import LibraryNotFoundError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..module import Module

    Restore = Callable[..., Module]

# Path -> (identity of the file, its digest). A cache, because hashing a large library takes long.
_digests: dict[str, tuple[Any, str]] = {}
# Path -> the bytes that pickles of the library contain; filled by `ship`.
_shipped: dict[str, tuple[str, bytes]] = {}
# Digest -> the module that this process has loaded.
_modules: dict[str, Module] = {}
# Path -> the `Reference` for that file. With one object per path, a pickle stores it only once.
_references: dict[str, Reference] = {}


class Reference:
    """Represents the module of a library file in a pickle; restored as the module."""

    __slots__ = ("path", "restore")

    def __init__(self, path: str, restore: Restore) -> None:
        self.path = path
        self.restore = restore

    def __reduce__(self) -> tuple[Any, ...]:
        return self.restore, _arguments(self.path)


def reference(path: str, restore: Restore) -> Reference:
    """Return the ``Reference`` object for a library file.

    ``restore`` is ``tvm_ffi.serialization.restore_module``, which the pickle calls.
    """
    return _references.setdefault(path, Reference(path, restore))


def reduce(module: Module) -> tuple[Any, ...]:
    """Return the arguments with which ``restore_module`` restores a module.

    Raise TypeError if the module was not loaded from a library file.
    """
    path = _ffi_api.ModuleGetPath(module) if module.__chandle__() else None
    if path is None:
        kind = f" of kind {module.kind!r}" if module.__chandle__() else ""
        raise TypeError(
            f"cannot pickle ffi.Module{kind}: only the modules of library files can be sent; "
            "load it in each process"
        )
    arguments = _arguments(str(path))
    _modules.setdefault(arguments[0], module)
    imports = list(module.imports_)
    return arguments if not imports else (*arguments, imports)


def _arguments(path: str) -> tuple[str, str, bytes | None]:
    path = os.path.abspath(path)
    shipped = _shipped.get(path)
    digest, content = (_digest(path), None) if shipped is None else shipped
    return digest, path, content


def _digest(path: str) -> str:
    from ..cpp.cache import file_digest

    try:
        status = os.stat(path)
        identity = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        known = _digests.get(path)
        if known is None or known[0] != identity:
            known = _digests[path] = (identity, file_digest(path))
    except OSError as error:
        raise TypeError(
            f"cannot pickle ffi.Module: the library {path!r} cannot be read any more: {error}"
        ) from error
    return known[1]


def ship(module: Module) -> None:
    """Add the bytes of a library to all later pickles of its module and functions."""
    path = os.path.abspath(reduce(module)[1])
    with open(path, "rb") as file:
        content = file.read()
    digest = _digest_of(content)
    _shipped[path] = (digest, content)
    _modules.setdefault(digest, module)


def _digest_of(content: bytes) -> str:
    from ..cpp.cache import bytes_digest

    return bytes_digest(content)


# ---- reading


def find(
    digest: str, path: str, content: bytes | None, load_module: Callable[[str], Module]
) -> Module:
    """Return the module of a library; load it if this process has not loaded it.

    The parameters are those of ``restore_module``, and ``tvm_ffi.load_module``.

    Raise LibraryNotFoundError if the library is neither at the path, nor in the store, nor in the
    pickle. Raise ValueError if the bytes in the pickle do not have the digest.
    """
    if not (isinstance(digest, str) and isinstance(path, str)):
        raise ValueError("the pickle is damaged: a library has no digest")
    known = _modules.get(digest)
    if known is not None:
        return known
    file = path if _has_digest(path, digest) else _stored(digest, path, content)
    if file is None:
        raise LibraryNotFoundError(
            f"the pickle needs the library {os.path.basename(path)!r} (SHA-256 {digest}), which is "
            f"not at {path!r} on this machine; share the file system, or send the library with "
            "tvm_ffi.distributed.ship(module)"
        )
    module = load_module(file)
    _modules[digest] = module
    if content is not None:  # Keep the bytes: this process may pickle the library again.
        _shipped[os.path.abspath(file)] = (digest, content)
    return module


def _has_digest(path: str, digest: str) -> bool:
    from ..cpp.cache import file_digest

    try:
        return file_digest(path) == digest
    except OSError:
        return False


def _stored(digest: str, path: str, content: bytes | None) -> str | None:
    """Return the file of the store with this digest; if ``content`` is given, write it first."""
    from ..cpp import cache, record

    if len(digest) != 64 or not all(letter in "0123456789abcdef" for letter in digest):
        raise ValueError(f"the pickle is damaged: {digest!r} is not a SHA-256")
    name = os.path.basename(path) or "library.so"
    if content is None and not os.path.isdir(os.path.join(cache.root(), "shipped", digest)):
        return None
    directory = cache.private_root()
    for part in ("shipped", digest):
        directory = os.path.join(directory, part)
        os.makedirs(directory, mode=0o700, exist_ok=True)
        cache.check_private(directory)
    file = os.path.join(directory, name)
    if _has_digest(file, digest):
        return file
    if content is None:
        return None
    if _digest_of(content) != digest:
        raise ValueError(
            f"the pickle is damaged: the bytes of the library {name!r} do not have the SHA-256 "
            f"{digest}"
        )
    record.write_atomically(file, content, 0o500)  # Other processes may write the same file.
    return file
