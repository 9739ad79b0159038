# SPDX-License-Identifier: Apache-2.0
"""Run commands and threads in tests."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from threading import Thread
from typing import Any

import pytest

FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))

#: Marks a test of the collector of cycles that has more than one thread.
collects_beside_threads = pytest.mark.skipif(
    FREE_THREADED, reason="without the GIL, only a process with one thread collects cycles"
)

#: Marks a test in which a class dies.
classes_die = pytest.mark.skipif(
    FREE_THREADED and sys.version_info < (3, 14),
    reason="CPython 3.13t keeps classes for ever once a second thread has started",
)

#: Marks a test in which daemon threads run while the interpreter ends.
daemon_threads_end = pytest.mark.skipif(
    FREE_THREADED and sys.version_info < (3, 14),
    reason="CPython 3.13t uses the states of daemon threads after it has freed them (gh-124878)",
)


def execute(
    *command: object, status: int | None = 0, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a command, and return its result.

    Fail if the exit status differs from `status`; None allows every status.
    """
    words = [*map(str, command)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    told = f"exit status {done.returncode} of {words}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    assert status in (None, done.returncode), told
    return done


def run_threads(threads: Iterable[Thread]) -> None:
    """Start the threads, and wait until all of them have ended."""
    started = list(threads)
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
