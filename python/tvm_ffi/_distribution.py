# SPDX-License-Identifier: Apache-2.0
"""Names of distributions, and a check whether another distribution changed files of this package.

``pyproject.toml`` states name and version of the distribution; ``tools/distribution_name.py``
writes them into the files that need them. This module does not load native code. ``import tvm_ffi``
does not import this module unless loading fails.
"""

from __future__ import annotations

import os

from ._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import Distribution, PackagePath

DISTRIBUTION = "fast-tvm-ffi"
"""The name under which this package is installed."""

VERSION = "1.0.0.dev0"
"""The version of the distribution; ``tvm_ffi.__version__`` is the version of its interface."""

PEER = "apache-tvm-ffi"
"""The distribution that installs a package of the same import name, and that clients require."""

PEER_RELEASE = "0.1.15.post2"
"""The newest release of the peer whose binary interface this package implements."""

INSTALLER = "tvm-ffi-provide"
"""What the file ``INSTALLER`` of a stand-in for the peer says."""

VERSION_TEXT = f"{DISTRIBUTION} {VERSION} (interface {__version__})"
"""What commands print for ``--version``."""

_EXAMPLES = 3  # Maximum number of files that a message names.


class MixedInstallationError(ImportError):
    """Files of this package were replaced or removed by another distribution."""


def is_stand_in(distribution: Distribution) -> bool:
    """Return whether ``tvm-ffi-provide`` has written a distribution."""
    return (distribution.read_text("INSTALLER") or "").strip() == INSTALLER


def installed_at(directory: str, name: str) -> Iterator[Distribution]:
    """Return the distributions with this name whose metadata is in the directory."""
    from importlib.metadata import distributions

    return iter(distributions(name=name, path=[directory]))


def recorded_files(distribution: Distribution) -> list[PackagePath] | None:
    """Return the files that the installer listed, or None if it has left no list.

    Since Python 3.12, ``distribution.files`` omits files that do not exist.
    """
    import csv
    from importlib.metadata import FileHash, PackagePath

    text = distribution.read_text("RECORD")
    if text is None:
        return distribution.files
    files = []
    for row in filter(None, csv.reader(text.splitlines())):
        name, digest = (*row, "")[:2]  # A damaged list may lack the hash.
        file = PackagePath(name)
        file.hash = FileHash(digest) if digest else None
        file.dist = distribution
        files.append(file)
    return files


def describe_mixture(package: str | None = None) -> str | None:
    """Return which installed files were changed and how to repair them, or None.

    The files of the package are compared with the list that the installer has written, so the
    result is None for a source tree and for an editable installation. Takes about 10 ms.
    """
    package = package or os.path.dirname(os.path.abspath(__file__))
    site = os.path.dirname(package)
    for ours in installed_at(site, DISTRIBUTION):
        listed, wrong = _compare(ours, os.path.basename(package))
        if not wrong:
            continue
        peers = [d.version for d in installed_at(site, PEER) if not is_stand_in(d)]
        return _message(package, ours.version, listed, wrong, peers)
    return None


def _compare(distribution: Distribution, package: str) -> tuple[int, list[str]]:
    """Return the number of listed files in the package, and the names of the changed files."""
    listed, wrong = 0, []
    for file in recorded_files(distribution) or ():
        if file.parts[0] != package or file.hash is None or file.suffix == ".pyc":
            continue
        listed += 1
        if not _is_unchanged(str(file.locate()), file.hash.mode, file.hash.value):
            wrong.append(file.as_posix())
    return listed, wrong


def _is_unchanged(path: str, algorithm: str, digest: str) -> bool:
    import hashlib
    from base64 import urlsafe_b64encode

    try:
        with open(path, "rb") as stream:
            found = hashlib.new(algorithm, stream.read()).digest()
    except (OSError, ValueError):
        return False
    return urlsafe_b64encode(found).decode().rstrip("=") == digest


def _message(package: str, version: str, listed: int, wrong: list[str], peers: list[str]) -> str:
    names = ", ".join(wrong[:_EXAMPLES]) + (", ..." if len(wrong) > _EXAMPLES else "")
    text = (
        f"{len(wrong)} of the {listed} files of {DISTRIBUTION} {version} in {package} were "
        f"replaced or removed by another installation: {names}. "
    )
    if peers:
        text += f"{PEER} {peers[0]} is installed into the same directory. "
    return text + "To repair this:\n" + repair(peers[0] if peers else None)


def repair(peer: str | None) -> str:
    """Return the commands that restore the files; ``peer`` is the installed release of the peer."""
    lines = ["pip install --force-reinstall --no-deps .  # in a clone of the repository"]
    if peer is not None:
        lines.insert(0, f"pip uninstall {PEER}")
        lines.append(f"tvm-ffi-provide --version {peer}  # for packages that require {PEER}")
    return "\n".join(f"    {line}" for line in lines)
