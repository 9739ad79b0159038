# SPDX-License-Identifier: Apache-2.0
"""The entry point of the command; it imports the other modules where it can be interrupted."""

import sys


def main() -> None:
    """Run the command and end the process with its status."""
    try:
        from .commands.cli import __main__ as run

        run()
    except KeyboardInterrupt:
        print("tvm-ffi-schema: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
