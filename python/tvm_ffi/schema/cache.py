# SPDX-License-Identifier: Apache-2.0
"""Whether anything changed since the last run: sizes and times of inputs and outputs, no parsing.

The record lies in ``.tschema/cache.json`` and may be removed at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from typing import Any

from .config import Config

FORMAT = 1
_IGNORED = (
    "quiet",
    "verbose",
    "color",
    "format",
    "command",
    "run",
    "exit_code",
    "dry_run",
    "chdir",
)


def _file(config: Config) -> str:
    return os.path.join(config.root, ".tschema", "cache.json")


def key(config: Config, args: Any) -> str:
    """Return what the outputs depend on besides the files."""
    options = {
        name: value
        for name, value in vars(args).items()
        if name not in _IGNORED and value not in (None, False, [], "")
    }
    here = os.path.dirname(os.path.abspath(__file__))
    tool = {
        name: os.stat(os.path.join(folder, name)).st_mtime_ns
        for folder in (here, os.path.join(here, "back"), os.path.join(here, "front"))
        for name in sorted(os.listdir(folder))
        if name.endswith(".py")
    }
    text = json.dumps([FORMAT, vars(config), options, tool], sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _stat(path: str) -> list[int]:
    try:
        found = os.stat(path)
    except OSError:
        return [-1, 0]
    return [found.st_size, found.st_mtime_ns]


def _inputs(config: Config, paths: list[str]) -> list[str]:
    """Return the schema files of a run: those that are named, or the configured ones."""
    if not paths:
        return sorted(config.files())
    found: list[str] = []
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in os.walk(path):
                found += [os.path.join(folder, name) for name in names if name.endswith(".py")]
        else:
            found.append(path)
    return sorted(found)


def is_current(config: Config, wanted: str, paths: list[str]) -> bool:
    """Tell whether inputs and outputs are as the last successful run left them."""
    try:
        with open(_file(config), encoding="utf-8") as stream:
            data = json.load(stream)
        if data["key"] != wanted or data["inputs"] != _inputs(config, paths):
            return False
        return all(_stat(path) == seen for path, seen in data["files"].items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def remember(config: Config, wanted: str, paths: list[str], outputs: list[str]) -> None:
    """Record the state after a successful run; a failure to do so is no failure of the run."""
    inputs = _inputs(config, paths)
    files = [*inputs, *outputs, *([config.path] if config.path else [])]
    data = {"key": wanted, "inputs": inputs, "files": {path: _stat(path) for path in files}}
    with contextlib.suppress(OSError):
        folder = os.path.dirname(_file(config))
        handle, temporary = tempfile.mkstemp(prefix=".tschema-", suffix=".tmp", dir=folder)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(data, stream)
        os.replace(temporary, _file(config))
