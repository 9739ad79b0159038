# SPDX-License-Identifier: Apache-2.0
"""Run commands and threads in tests."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from threading import Thread
from typing import Any


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
