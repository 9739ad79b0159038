# SPDX-License-Identifier: Apache-2.0
"""Compute paths: relative to a directory, always with slashes, and of the files of the tool."""

from __future__ import annotations

import os


def relative(path: str, root: str) -> str:
    """Return a path relative to a directory; return a path on another drive unchanged."""
    inside = path[len(root) + 1 :]
    if os.path.isabs(root) and path.startswith(root + os.sep) and _is_normal(inside):
        return inside.replace(os.sep, "/")  # many times faster than `relpath`
    try:
        return os.path.relpath(path, root or ".").replace(os.sep, "/")
    except ValueError:
        return path


def _is_normal(path: str) -> bool:
    return bool(path) and os.path.normpath(path) == path


def state_file(root: str, name: str) -> str:
    """Return the path of a file in the state directory of a project."""
    return os.path.join(root, ".tschema", name)


def staging(root: str) -> str:
    """Return the file that names the directories in which a run writes temporary files.

    If the file exists and no run is in progress, a run was killed.
    """
    return state_file(root, "staging.json")
