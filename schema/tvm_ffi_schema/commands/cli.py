# SPDX-License-Identifier: Apache-2.0
"""The command ``tvm-ffi-schema``, which does not load native code."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from .arguments import COMMANDS, parsed, parser

__all__ = ["COMMANDS", "main", "parser"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    args = parsed(argv)
    if args.chdir:
        try:
            os.chdir(args.chdir)
        except OSError as error:
            print(f"tvm-ffi-schema: {args.chdir}: {error.strerror}", file=sys.stderr)
            return 2
    try:
        return _run(args)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("tvm-ffi-schema: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        print(f"tvm-ffi-schema: internal error: {type(error).__name__}: {error}", file=sys.stderr)
        if "TSCHEMA_DEBUG" in os.environ:
            raise
        print("nothing was written; set TSCHEMA_DEBUG=1 for the traceback", file=sys.stderr)
        return 70


def _run(args: argparse.Namespace) -> int:
    if args.command in ("generate", "check") and not getattr(args, "dry_run", False):
        from .. import cache

        if not args.no_cache and cache.is_current(args):
            if not args.quiet:
                text = "nothing to do" if args.command == "generate" else "all files are current"
                print(text, file=sys.stderr)
            return 0
    from .session import Session

    _, _, module, function = COMMANDS[args.command]
    run: Any = getattr(import_module(f"tvm_ffi_schema.commands.{module}"), function)
    session = Session(args)
    try:
        return int(run(session))
    except UnicodeEncodeError:
        if session.report_surrogates():
            return session.status()
        raise


def __main__() -> None:  # noqa: N807 - called by the entry point
    """Run the command and end the process with its status."""
    gc.set_threshold(200_000, 20, 100)  # collect rarely: a short process makes few cycles
    status = main()
    gc.freeze()  # skip the collection at exit, which takes a tenth of the time of a run
    sys.exit(status)
