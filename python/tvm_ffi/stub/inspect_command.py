# SPDX-License-Identifier: Apache-2.0
"""The command ``tvm-ffi-inspect``: shows the types and functions that libraries register."""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import sys
from pathlib import Path

from .._distribution import VERSION_TEXT
from .._input_file import check_input
from .._overwrite import check_replaceable
from . import abi_floor, inventory, watched
from .abi import changes, facts
from .abi.layout import BREAKING
from .inventory_page import as_page, is_page
from .library_files import is_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


_UNUSABLE = 2  # Exit status of --abi for a file that cannot be compared.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status.

    The status is 1 if a library cannot be loaded or a page cannot be written. With ``--abi-floor``,
    the status is 1 if a file cannot be read or needs a name that this installation does not have.
    With ``--abi``, it is 1 for a breaking change, and 2 if a file cannot be read.
    """
    parser = argparse.ArgumentParser(
        prog="tvm-ffi-inspect",
        description="Show the types and functions that libraries register.",
    )
    parser.add_argument("--version", action="version", version=VERSION_TEXT)
    parser.add_argument(
        "libraries", nargs="*", metavar="LIB", help="libraries; without one, the runtime itself"
    )
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "--abi",
        action="store_true",
        help="list the classes that a library expects, or compare two; each is a library, a wheel, "
        "a folder or 'installed', and none is loaded",
    )
    modes.add_argument(
        "--abi-floor",
        action="store_true",
        help="name the oldest release with what each library or wheel needs; loads none of them",
    )
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print JSON")
    forms.add_argument("--html", type=Path, metavar="FILE", help="write a page with search")
    options = parser.parse_args(arguments)
    if options.abi_floor:
        if options.html is not None or not options.libraries:
            parser.error("--abi-floor needs a library or a wheel, and prints text or JSON")
        return _print_floors(options.libraries, options.json)
    if options.abi:
        if options.html is not None or len(options.libraries) not in (1, 2):
            parser.error("--abi needs one or two libraries, and prints text or JSON")
        return _print_abi(options.libraries, options.json)
    if options.html is not None:
        try:
            check_replaceable(options.html, "an HTML page", is_page)
        except OSError as error:
            return _complain(f"{options.html}: {error.strerror}")
    before = inventory.registered_names()
    kept = []
    for path in options.libraries:
        try:
            check_input(path)
        except OSError as error:
            return _complain(f"{path}: {error.strerror}")
        try:
            kept.append(ctypes.CDLL(os.path.abspath(path)))
        except OSError as error:
            return _complain(f"{_fault_of(path)}{error}")
    types, functions = inventory.registered_names()
    if kept:
        types, functions = types - before[0], functions - before[1]
    paths = [os.path.abspath(path) for path in options.libraries]
    try:
        found = inventory.take_inventory(types, functions, paths)
    except (OSError, RuntimeError, ValueError) as error:
        return _complain(str(error))
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


def _fault_of(path: str) -> str:
    """Return the text in front of the loader's error for a file that is not a library."""
    try:
        with open(path, "rb") as file:
            head = file.read(4)
    except OSError:
        return ""
    return "" if is_library(head) else f"{path} is not a shared library: "


def _print_floors(paths: list[str], as_json: bool) -> int:
    """Print the release that each file needs; return 1 if this installation lacks a needed name."""
    found = []
    try:
        for one in abi_floor.floor_of(paths):
            found.append(one)
            if not as_json:
                print(abi_floor.as_text(one), end="", flush=True)
    except (OSError, ValueError) as error:
        return _complain(str(error))
    if as_json:
        print(json.dumps(found, indent=2))
    return 1 if any(one["missing_here"] for one in found) else 0


def _print_abi(paths: list[str], as_json: bool) -> int:
    """Print the facts of one file or the changes between two; return 1 for a breaking one."""
    found = []
    for path in paths:
        try:
            found.append(facts.read(path))
        except OSError as error:
            return _complain(f"{path}: {error.strerror}", _UNUSABLE)
        except ValueError as error:
            return _complain(f"{path}: {error}", _UNUSABLE)
    if len(found) == 1:
        (one,) = found
        text = json.dumps(one.as_json(), indent=2) + "\n" if as_json else changes.facts_as_text(one)
        sys.stdout.write(text)
        return 1 if one.conflicts else 0
    old, new = found
    differences = changes.find_changes(old, new)
    if as_json:
        print(json.dumps(changes.as_json(old, new, differences), indent=2))
    else:
        sys.stdout.write(changes.as_text(old, new, differences))
    return 1 if changes.verdict(differences) == BREAKING else 0


def _complain(text: str, status: int = 1) -> int:
    print(f"tvm-ffi-inspect: {text}", file=sys.stderr)
    return status


def __main__() -> int:  # noqa: N807 - named as in the other commands
    """Run the command on the arguments of the process, and return its exit status."""
    return watched.run(main, "tvm-ffi-inspect")


if __name__ == "__main__":
    sys.exit(__main__())
