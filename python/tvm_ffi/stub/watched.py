# SPDX-License-Identifier: Apache-2.0
"""Commands that load libraries of others, and outlive those that are broken."""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def run(main: Callable[[], int], command: str) -> int:
    """Run a command in a child, and return its exit status.

    A library that is cut off, or whose initialisers fail, ends the process that loads it. Then the
    status is 1, and the error stream says under the name of the command what happened. Where a
    process cannot be doubled, or is not that of the command, everything runs in this one.
    """
    if not hasattr(os, "fork") or sys.stdout is not sys.__stdout__:
        return main()
    print(end="", flush=True)
    child = os.fork()
    if child == 0:
        _exit_with(main)
    _, ended = os.waitpid(child, 0)
    if not os.WIFSIGNALED(ended):
        return os.WEXITSTATUS(ended)
    what = signal.strsignal(os.WTERMSIG(ended))
    print(f"{command}: a library ended the process that loaded it: {what}", file=sys.stderr)
    return 1


def _exit_with(main: Callable[[], int]) -> None:
    status = 1
    try:
        status = main()
    except BrokenPipeError:
        status = 0  # The reader has seen enough.
    except SystemExit as error:  # Of the parser of arguments.
        status = error.code if isinstance(error.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        pass
    os._exit(status)
