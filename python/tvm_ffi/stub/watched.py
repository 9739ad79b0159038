# SPDX-License-Identifier: Apache-2.0
"""Run commands that load libraries in a child process, because a library may crash it."""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def run(main: Callable[[], int], command: str) -> int:
    """Run a command in a child process, and return its exit status.

    A truncated library, or a library whose initializers fail, may end the process that loads it.
    In that case, the status is 1, and standard error gets a message with the name of the command.
    If the system has no ``fork``, or ``sys.stdout`` is replaced, the command runs in this process.
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
        status = 0  # The program that reads the output has closed the pipe.
    except SystemExit as error:  # The argument parser raises this exception.
        status = error.code if isinstance(error.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        pass
    os._exit(status)
