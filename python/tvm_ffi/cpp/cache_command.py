# SPDX-License-Identifier: Apache-2.0
"""The command ``tvm-ffi-cache``: shows and clears the builds of ``tvm_ffi.cpp``."""

from __future__ import annotations

import argparse
import json
import sys
import time

from .._distribution import VERSION_TEXT
from . import cache, inventory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def _list(as_json: bool) -> None:
    entries = inventory.entries()
    if as_json:
        rows = [
            {
                "name": entry.name,
                "key": entry.key,
                "path": str(entry.path),
                "size": entry.size,
                "last_use": _date(entry.last_use),
            }
            for entry in entries
        ]
        print(json.dumps(rows, indent=2))
        return
    width = max([len("NAME"), *(len(entry.name) for entry in entries)])
    print(f"{'NAME':<{width}}  {'KEY':<16}  {'SIZE':>10}  LAST USE")
    for e in entries:
        print(f"{e.name:<{width}}  {e.key}  {_size(e.size):>10}  {_date(e.last_use)}")


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(seconds))


def _size(count: int) -> str:
    value, units = float(count), ["B", "KiB", "MiB", "GiB", "TiB"]
    while value >= 1024 and len(units) > 1:
        value /= 1024
        units.pop(0)
    return f"{count} B" if units[0] == "B" else f"{value:.1f} {units[0]}"


def _clear(names: Sequence[str], older_than: float | None) -> None:
    removed = inventory.clear(names, older_than)
    for entry in removed:
        print(f"removed {entry.path}")
    total = sum(entry.size for entry in removed)
    print(f"{len(removed)} removed, {_size(total)}")


def _days(text: str) -> float:
    days = float(text)
    if not days >= 0:
        raise argparse.ArgumentTypeError(f"expected a number of days, got {text!r}")
    return days


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tvm-ffi-cache",
        description="Show and clear the libraries that tvm_ffi.cpp has built.",
    )
    parser.add_argument("--version", action="version", version=VERSION_TEXT)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    listing = commands.add_parser("list", help="name, key, size and last use of each build")
    listing.add_argument("--json", action="store_true", help="print a list of objects")
    clearing = commands.add_parser("clear", help="remove builds that no process is writing")
    clearing.add_argument("names", nargs="*", metavar="NAME", help="only builds of these names")
    clearing.add_argument(
        "--older-than", type=_days, metavar="DAYS", help="only builds not used for so long"
    )
    commands.add_parser("dir", help="print the directory of the builds")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        if options.command == "list":
            _list(options.json)
        elif options.command == "clear":
            _clear(options.names, options.older_than)
    except OSError as error:
        print(f"tvm-ffi-cache: cannot read the cache: {error}", file=sys.stderr)
        return 1
    if options.command == "dir":
        print(cache.root())
    elif options.command is None:
        parser.print_help()
    return 0


def __main__() -> None:  # noqa: N807 - named as in the other commands
    """Run the command with the arguments of the process."""
    sys.exit(main())


if __name__ == "__main__":
    __main__()
