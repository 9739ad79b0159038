# SPDX-License-Identifier: Apache-2.0
"""Finish imports of other threads before a fork.

Modules of this package are imported at their first use. If a thread of the parent is importing one
during a fork, the module stays half-imported in the child, which waits forever at its first use.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module


def _finish_imports() -> None:
    """Wait until each module of the package that a thread is importing is complete."""
    finished: set[str] = set()
    while True:
        started = {
            name
            for name, module in [*sys.modules.items()]
            if name.partition(".")[0] == "tvm_ffi"
            and getattr(getattr(module, "__spec__", None), "_initializing", False)
        }
        if started <= finished:
            return
        for name in started - finished:
            with suppress(Exception):  # The thread that imports the module gets the error.
                import_module(name)
        finished |= started


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_finish_imports)
