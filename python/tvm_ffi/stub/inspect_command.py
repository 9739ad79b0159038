# SPDX-License-Identifier: Apache-2.0
"""The command ``tvm-ffi-inspect``: shows what libraries register."""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import signal
import sys
from pathlib import Path

from . import inventory
from .inventory_page import as_page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status.

    It is 0, or 1 for a library that cannot be loaded or a page that cannot be written.
    """
    parser = argparse.ArgumentParser(
        prog="tvm-ffi-inspect",
        description="Show the types and functions that libraries register.",
    )
    parser.add_argument(
        "libraries", nargs="*", metavar="LIB", help="libraries; without one, the runtime itself"
    )
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print JSON")
    forms.add_argument("--html", type=Path, metavar="FILE", help="write a page with search")
    options = parser.parse_args(arguments)
    before = inventory.registered_names()
    try:
        kept = [ctypes.CDLL(os.path.abspath(path)) for path in options.libraries]
    except OSError as error:
        return _complain(str(error))
    types, functions = inventory.registered_names()
    if kept:
        types, functions = types - before[0], functions - before[1]
    found = inventory.take_inventory(types, functions)
    if options.json:
        print(json.dumps(found, indent=2))
    elif options.html is not None:
        try:
            options.html.write_text(as_page(found), encoding="utf-8")
        except OSError as error:
            return _complain(f"{options.html}: {error.strerror}")
    else:
        sys.stdout.write(inventory.as_text(found))
    return 0


def _complain(text: str) -> int:
    print(f"tvm-ffi-inspect: {text}", file=sys.stderr)
    return 1


def _run_and_watch() -> int:
    """Run the command in a child: a library that is broken may end the process that loads it."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = main()
            sys.stdout.flush()
        except BrokenPipeError:
            status = 0  # The reader has seen enough.
        except SystemExit as error:  # Of the parser of arguments.
            status = error.code if isinstance(error.code, int) else 1
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stderr.flush()
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    if os.WIFSIGNALED(ended):
        number = os.WTERMSIG(ended)
        return _complain(f"a library ended the process that loaded it: {signal.strsignal(number)}")
    return os.WEXITSTATUS(ended)


def __main__() -> None:  # noqa: N807 - as the other commands have it
    """Run the command on the arguments of the process."""
    sys.exit(_run_and_watch() if hasattr(os, "fork") else main())


if __name__ == "__main__":
    __main__()
