# SPDX-License-Identifier: Apache-2.0
"""Count the instructions of a call with callgrind, the profiler of valgrind.

A count does not depend on the load or on the clock of the machine. It does not include the kernel,
and it does not tell how long an instruction waits for memory.

The driver calls ``build``, and starts an interpreter with ``command``. The code in that interpreter
calls ``Counter.count``.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

# The counters can be switched on only by code that is compiled with the header of callgrind.
SOURCE = """\
#include <valgrind/callgrind.h>
void count_start(void) { CALLGRIND_START_INSTRUMENTATION; }
void count_stop(void) { CALLGRIND_DUMP_STATS; CALLGRIND_STOP_INSTRUMENTATION; }
"""
LIBRARY = "count.so"
RESULT = "callgrind"


def build(folder: Path) -> bool:
    """Compile the library of Counter; return False with a note if valgrind is not installed."""
    source = folder / "count.c"
    source.write_text(SOURCE, encoding="utf-8")
    command = [os.environ.get("CC", "cc"), "-shared", "-fPIC", source, "-o", folder / LIBRARY]
    if (
        shutil.which("valgrind")
        and not subprocess.run(command, stderr=subprocess.DEVNULL).returncode
    ):
        return True
    print("bench: no instruction counts: valgrind or its headers are missing", file=sys.stderr)
    return False


def command(folder: Path) -> list[str]:
    """Return the beginning of a command whose process can use Counter(folder)."""
    for old in folder.glob(f"{RESULT}*"):
        old.unlink()
    tool = ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no"]
    return [*tool, f"--callgrind-out-file={folder / RESULT}"]


def total(text: str) -> int:
    """Return the number of instructions in a result of callgrind."""
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("totals:"))


class Counter:
    """Counts the instructions of calls in this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # PyDLL: to release and take the GIL would be counted.
        self.library = ctypes.PyDLL(str(folder / LIBRARY))

    def count(self, work: Callable[[], object]) -> int:
        """Return the instructions of the second of two calls."""
        work()
        self.library.count_start()
        work()
        self.library.count_stop()
        # Callgrind numbers its results.
        newest = max(
            self.folder.glob(f"{RESULT}.[0-9]*"), key=lambda path: int(path.suffix.lstrip("."))
        )
        return total(newest.read_text(encoding="utf-8"))
