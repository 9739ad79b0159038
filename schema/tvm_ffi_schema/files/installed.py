# SPDX-License-Identifier: Apache-2.0
"""Import entry points of installed packages, and modules that a project names."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any


def entry_points_of(group: str) -> list[Any]:
    """Return the entry points of a group in all installed packages, sorted by name."""
    from importlib import metadata

    return sorted(metadata.entry_points(group=group), key=lambda point: point.name)


def load_module(name: str, root: str) -> str:
    """Import a module from the project or from installed packages.

    Returns
    -------
    str
        The reason why the import failed; empty after success.

    """
    sys.path.insert(0, os.path.abspath(root or "."))
    try:
        import_module(name)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"importing it failed: {type(error).__name__}: {error}"
    finally:
        sys.path.pop(0)
    return ""
