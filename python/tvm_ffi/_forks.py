# SPDX-License-Identifier: Apache-2.0
"""Let other threads finish what a fork would leave half-done in the child.

Modules of this package are imported at their first use. If a thread of the parent is importing one
during a fork, the module stays half-imported in the child, which waits forever at its first use. If
a thread of the parent holds a lock, e.g. while it defines a class, the child never gets the lock.
"""

from __future__ import annotations

import os
import sys
from _thread import RLock, get_ident
from contextlib import suppress
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A thread that holds a lock may wait for the thread that forks, so the wait for it is limited.
_SECONDS = 10

_locks: list[Any] = []
#: Thread that forks -> the locks that it holds.
_held: dict[int, list[Any]] = {}


def shared_lock() -> Any:
    """Return a new RLock that no other thread holds during a fork."""
    lock = RLock()
    _locks.append(lock)
    return lock


def _finish_imports() -> None:
    """Wait until each module of the package that a thread is importing is complete."""
    finished: set[str] = set()
    # The names of modules for which a finder searches at the moment.
    searched = getattr(sys.modules.get("_frozen_importlib"), "_module_locks", {})
    while True:
        started = {
            name
            for name, module in [*sys.modules.items()]
            if getattr(getattr(module, "__spec__", None), "_initializing", False)
        }
        started = {n for n in started.union([*searched]) if n.partition(".")[0] == "tvm_ffi"}
        if started <= finished:
            return
        for name in started - finished:
            with suppress(Exception):  # The thread that imports the module gets the error.
                import_module(name)
        finished |= started


def _before_fork() -> None:
    _finish_imports()
    _held[get_ident()] = [lock for lock in _locks if lock.acquire(timeout=_SECONDS)]


def _after_fork() -> None:
    for lock in _held.pop(get_ident(), ()):
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork
    )
