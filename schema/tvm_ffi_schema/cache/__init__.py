# SPDX-License-Identifier: Apache-2.0
"""The record of the last successful run, so that a run can skip files that have not changed.

The record is the file ``.tschema/cache`` of the project, which may be removed at any time::

    line 1      the format
    line 2      JSON: the options and the inputs of the run, the state of each file that it read or
                wrote, its outputs, and the place of the marked block of each class
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

from ..files.paths import relative, staging, state_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..config import Config

_FORMAT = b"tschema-cache/4\n"
_MAX_BYTES = 256 << 20
_IGNORED = (
    "quiet",
    "color",
    "format",
    "command",
    "no_cache",
    "dry_run",
    "chdir",
    "keep_going",
    "verbose",
    "jobs",
)
_CONFIG_FILES = ("tschema.toml", "pyproject.toml")


def _file(root: str) -> str:
    return state_file(root, "cache")


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
    return _digest(json.dumps([options, _program_files()], sort_keys=True, default=str).encode())


@functools.cache
def _program_files() -> list[list[int]]:
    """Return the sizes and modification times of the files of this tool at the first call."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return [
        stat_of(os.path.join(folder, name))[:2]
        for folder, _, names in sorted(os.walk(here))
        for name in sorted(names)
        if name.endswith(".py")
    ]


def stat_of(path: str) -> list[int]:
    """Return the size, modification time and change time of a file; `[-1, 0, 0]` if missing."""
    try:
        found = os.stat(path)
    except OSError:
        return [-1, 0, 0]
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns]


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def content_digest(path: str) -> str:
    """Return the digest of the content of a file; an empty text if it cannot be read."""
    try:
        if os.path.isfile(path):  # reading a pipe or a device may never end
            with open(path, "rb") as stream:
                return _digest(stream.read())
    except OSError:
        pass
    return ""


def _is_same(path: str, state: list[Any], reads: bool) -> bool:
    """Return whether a file has a state; with `reads`, or if the times differ, compare contents."""
    return (not reads and stat_of(path) == state[:3]) or content_digest(path) == state[3]


def _schemas(root: str, patterns: list[str], paths: list[str]) -> list[str]:
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
    """Return whether no file has changed since the last successful run with these options.

    `check` compares the contents of files. `generate` compares sizes and times first.
    """
    root, reads = _root(), args.command == "check"
    try:
        data = json.loads(_parts(root)[0])
        if os.path.exists(staging(root)):
            return False  # the next run removes the temporary files of a killed one
        if data["key"] != _key(args) or data["cwd"] != relative(os.getcwd(), root):
            return False
        if data["schemas"] != _schemas(root, data["patterns"], args.paths) or data["orphans"]:
            return False
        files = data["files"].items()
        return all(_is_same(os.path.join(root, name), state, reads) for name, state in files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return False


def _parts(root: str, size: int = 0) -> tuple[bytes, bytes]:
    """Return the second line of the record, and at most `size` bytes of the rest."""
    with open(_file(root), "rb") as stream:
        is_known = stream.readline(len(_FORMAT)) == _FORMAT
        return (stream.readline(), stream.read(size)) if is_known else (b"{}", b"")


class Record:
    """The record of a run that begins, with what the last run with these options recorded.

    `outputs` has the paths of the outputs of the last run, also of outputs without a source.
    `blocks` maps classes to the places of their marked blocks.
    """

    def __init__(self, config: Config, args: Any) -> None:
        self.root = config.root
        self.outputs: list[str] = []
        self.blocks: dict[str, str] = {}
        schemas = _schemas(self.root, config.sources, args.paths)
        settings = [*(os.path.join(self.root, name) for name in _CONFIG_FILES), config.path]
        self.data: dict[str, Any] = {
            "key": _key(args),
            "cwd": relative(os.getcwd(), self.root),
            "patterns": config.sources,
            "schemas": schemas,
            "files": {},
        }
        # A file that changes after this moment has another state than the recorded one.
        for path in [*(os.path.join(self.root, name) for name in schemas), *settings]:
            self.add(path, None)
        try:
            last = json.loads(_parts(self.root)[0])
            if last["key"] == self.data["key"]:
                names = [*last["outputs"], *last["orphans"]]
                self.outputs = [os.path.join(self.root, name) for name in names]
                self.blocks = dict(last["blocks"])
        except (OSError, ValueError, KeyError, TypeError):
            pass

    def add(self, path: str, content: bytes | None) -> str:
        """Add the present state of a file, whose content is read if it is None; return its name."""
        name = relative(path, self.root)
        digest = content_digest(path) if content is None else _digest(content)
        self.data["files"][name] = [*stat_of(path), digest]
        return name

    def write(
        self,
        outputs: dict[str, bytes | None],
        orphans: list[str],
        blocks: dict[str, str],
        slices: bytes,
    ) -> None:
        """Write the record after a successful run; ignore errors of the file system.

        Parameters
        ----------
        outputs : dict[str, bytes | None]
            The path of each output with its content; None if this run has not read the content.
        orphans : list[str]
            The outputs of earlier runs that have no source any more.
        blocks : dict[str, str]
            The classes with marked blocks, and the places of the blocks.
        slices : bytes
            The cache of schema files.

        """
        self.data["outputs"] = [self.add(path, content) for path, content in outputs.items()]
        self.data["orphans"] = [relative(path, self.root) for path in orphans]
        self.data["blocks"] = blocks
        temporary = f"{_file(self.root)}.tmp"
        try:
            with open(temporary, "wb") as stream:
                stream.write(_FORMAT + json.dumps(self.data).encode() + b"\n" + slices)
            os.replace(temporary, _file(self.root))
        except OSError:
            pass


def read_slices(root: str) -> bytes:
    """Return the part of the record that `slices` wrote; empty bytes if there is none."""
    try:
        return _parts(root, _MAX_BYTES + 1)[1]
    except OSError:
        return b""
