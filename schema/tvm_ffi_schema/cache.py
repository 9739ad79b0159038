# SPDX-License-Identifier: Apache-2.0
"""Whether anything changed since the last run: sizes and times of inputs and outputs, no parsing.

The record lies in ``.tschema/cache.json`` below the root of the project and may be removed at any
time. Its paths are relative to that root. This module imports little, since most runs of the
command end here.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .config import Config

FORMAT = 3
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
)
_CONFIG_FILES = ("tschema.toml", "pyproject.toml")


def _file(root: str) -> str:
    return os.path.join(root, ".tschema", "cache.json")


def _key(args: Any) -> str:
    """Return what the outputs depend on besides the files: the options, and this program."""
    options = {
        name: value
        for name, value in vars(args).items()
        if name not in _IGNORED and value not in (None, False, [], "")
    }
    return key_of(options)


def key_of(options: Any) -> str:
    """Return a digest of options and of the files of this program."""
    here = os.path.dirname(os.path.abspath(__file__))
    tool = [
        _stat(os.path.join(folder, name))
        for folder in (
            here,
            *(os.path.join(here, n) for n in ("back", "dsl", "front", "passes", "weave")),
        )
        for name in sorted(os.listdir(folder))
        if name.endswith(".py")
    ]
    text = json.dumps([FORMAT, options, tool], sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _stat(path: str) -> list[int]:
    try:
        found = os.stat(path)
    except OSError:
        return [-1, 0]
    return [found.st_size, found.st_mtime_ns]


def _inputs(root: str, patterns: list[str], paths: list[str]) -> list[str]:
    """Return the schema files of a run, relative to the root: the named or the configured ones."""
    found: list[str] = []
    for pattern in [] if paths else patterns:
        found += glob.glob(pattern, root_dir=root, recursive=True)
    for path in paths:
        path = os.path.relpath(path, root)
        if os.path.isdir(os.path.join(root, path)):
            for folder, _, names in os.walk(os.path.join(root, path)):
                inner = os.path.relpath(folder, root)
                found += [os.path.join(inner, name) for name in names if name.endswith(".py")]
        else:
            found.append(path)
    return sorted(set(found))


def _root() -> str:
    """Return the nearest directory with a record of an earlier run."""
    folder = os.getcwd()
    while not os.path.exists(_file(folder)):
        parent = os.path.dirname(folder)
        if parent == folder or any(os.path.exists(os.path.join(folder, n)) for n in _CONFIG_FILES):
            break
        folder = parent
    return folder


def is_current(args: Any) -> bool:
    """Tell whether all files are as the last successful run with these options left them."""
    root = _root()
    try:
        with open(_file(root), encoding="utf-8") as stream:
            data = json.load(stream)
        if data["key"] != _key(args) or data["cwd"] != os.path.relpath(os.getcwd(), root):
            return False
        if data["inputs"] != _inputs(root, data["patterns"], args.paths):
            return False
        return all(_stat(os.path.join(root, p)) == seen for p, seen in data["files"].items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def remember(config: Config, args: Any, outputs: list[str]) -> None:
    """Record the state after a successful run; a failure to do so is no failure of the run."""
    root = os.path.abspath(config.root)
    temporary = f"{_file(root)}.{os.getpid()}"
    try:
        inputs = _inputs(root, config.sources, args.paths)
        named = [*outputs, *([config.path] if config.path else [])]
        files = [*inputs, *_CONFIG_FILES, *(os.path.relpath(path, root) for path in named)]
        data = {
            "key": _key(args),
            "cwd": os.path.relpath(os.getcwd(), root),
            "patterns": config.sources,
            "inputs": inputs,
            "files": {path: _stat(os.path.join(root, path)) for path in files},
        }
        with open(temporary, "w", encoding="utf-8") as stream:
            json.dump(data, stream)
        os.replace(temporary, _file(root))
    except (OSError, ValueError):  # no space, or files on two drives
        pass
