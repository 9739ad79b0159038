# SPDX-License-Identifier: Apache-2.0
"""The record of earlier runs, so that a run can skip files that have not changed.

The record is the file ``.tschema/cache`` of the project, which may be removed at any time::

    line 1      the format
    line 2      JSON: sizes and times of all files of the last successful run, for `is_current`
    the rest    the cached content of each schema file, for `slices`

All paths in the record are relative to the root, so that a project may be moved. A run that holds
the lock of the project writes a temporary file and renames it to the record. A damaged record
is ignored. This module imports few modules, since most runs of the command need only `is_current`.
"""

from __future__ import annotations

import functools
import glob
import hashlib
import json
import os

from ..files.paths import relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..config import Config

_FORMAT = b"tschema-cache/3\n"
_MAX_BYTES = 256 << 20
_IGNORED = (
    "quiet",
    "color",
    "format",
    "command",
    "no_cache",
    "exit_code",
    "dry_run",
    "chdir",
    "keep_going",
    "verbose",
    "jobs",
    "serve",
)
_CONFIG_FILES = ("tschema.toml", "pyproject.toml")


def _file(root: str) -> str:
    return os.path.join(root, ".tschema", "cache")


def _key(args: Any) -> str:
    """Return a digest of the options of a run and of the files of this tool."""
    options = {
        name: value
        for name, value in vars(args).items()
        if name not in _IGNORED and value not in (None, False, [], "")
    }
    return key_of(options)


def key_of(options: Any) -> str:
    """Return a digest of the options and of the files of this tool."""
    text = json.dumps([options, _program_files()], sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@functools.cache
def _program_files() -> list[list[int]]:
    """Return the sizes and modification times of the files of this tool at the first call."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return [
        stat_of(os.path.join(folder, name))
        for folder, _, names in sorted(os.walk(here))
        for name in sorted(names)
        if name.endswith(".py")
    ]


def stat_of(path: str) -> list[int]:
    """Return the size and the modification time of a file; `[-1, 0]` for a missing file."""
    try:
        found = os.stat(path)
    except OSError:
        return [-1, 0]
    return [found.st_size, found.st_mtime_ns]


def _inputs(root: str, patterns: list[str], paths: list[str]) -> list[str]:
    """Return the schema files of a run: the files in `paths`, or the configured files."""
    found: list[str] = []
    for pattern in [] if paths else patterns:
        found += glob.glob(os.path.join(root, pattern), recursive=True)
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in os.walk(path):
                found += [os.path.join(folder, name) for name in names if name.endswith(".py")]
        else:
            found.append(path)
    return sorted({relative(path, root) for path in found})


def _root() -> str:
    """Return the working directory, or the nearest directory above it with a record."""
    folder = os.getcwd()
    while not os.path.exists(_file(folder)):
        parent = os.path.dirname(folder)
        if parent == folder or any(os.path.exists(os.path.join(folder, n)) for n in _CONFIG_FILES):
            break
        folder = parent
    return folder


def is_current(args: Any) -> bool:
    """Return whether no file has changed since the last successful run with these options."""
    root = _root()
    try:
        with open(_file(root), "rb") as stream:
            if stream.readline(len(_FORMAT)) != _FORMAT:
                return False
            data = json.loads(stream.readline())
        if data["key"] != _key(args) or data["cwd"] != relative(os.getcwd(), root):
            return False
        if data["inputs"] != _inputs(root, data["patterns"], args.paths):
            return False
        files = data["files"].items()
        return all(stat_of(os.path.join(root, name)) == seen for name, seen in files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def remember(config: Config, args: Any, outputs: list[str], slices: bytes | None) -> None:
    """Write the record after a successful run; ignore errors of the file system.

    Parameters
    ----------
    config : Config
        The settings of the run.
    args : Any
        The options of the run.
    outputs : list[str]
        All generated files, and all other files that the result depends on. Schema files and the
        configuration need not be listed.
    slices : bytes | None
        The cache of schema files; None keeps the cache of earlier runs.

    """
    root = config.root
    inputs = _inputs(root, config.sources, args.paths)
    others = [*outputs, *(os.path.join(root, name) for name in _CONFIG_FILES)]
    names = [*inputs, *(relative(path, root) for path in (*others, config.path) if path)]
    data = {
        "key": _key(args),
        "cwd": relative(os.getcwd(), root),
        "patterns": config.sources,
        "inputs": inputs,
        "files": {name: stat_of(os.path.join(root, name)) for name in names},
    }
    if slices is None:
        slices = read_slices(root)
    head = _FORMAT + json.dumps(data).encode() + b"\n"
    temporary = f"{_file(root)}.tmp"
    try:
        with open(temporary, "wb") as stream:
            stream.write(head + slices)
        os.replace(temporary, _file(root))
    except OSError:
        pass


def read_slices(root: str) -> bytes:
    """Return the part of the record that `slices` wrote; empty bytes if there is none."""
    try:
        with open(_file(root), "rb") as stream:
            if stream.readline(len(_FORMAT)) != _FORMAT:
                return b""
            stream.readline()
            data = stream.read(_MAX_BYTES + 1)
    except OSError:
        return b""
    return data if len(data) <= _MAX_BYTES else b""
