# SPDX-License-Identifier: Apache-2.0
"""Print the lines that load the printers into the debuggers."""

from __future__ import annotations

import argparse
from pathlib import Path

from .._distribution import VERSION_TEXT

_FOLDER = Path(__file__).resolve().parent
_LINES = {
    "gdb": f"source {_FOLDER / 'gdb_printers.py'}",
    "lldb": f'command script import "{_FOLDER / "lldb_printers.py"}"',
}


def main() -> None:
    """Print the line for the given debugger; without an argument, for every debugger."""
    parser = argparse.ArgumentParser(
        prog="python -m tvm_ffi.debug",
        description="Print the line that loads the pretty-printers into a debugger.",
    )
    parser.add_argument("debugger", nargs="?", choices=sorted(_LINES))
    parser.add_argument("--version", action="version", version=VERSION_TEXT)
    given = parser.parse_args().debugger
    for debugger, line in _LINES.items():
        if given is None:
            print(f"# {debugger}")
        if given in (None, debugger):
            print(line)


if __name__ == "__main__":
    main()
