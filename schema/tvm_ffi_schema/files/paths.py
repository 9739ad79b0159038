# SPDX-License-Identifier: Apache-2.0
"""Compute paths relative to a directory, always with slashes."""

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
