# SPDX-License-Identifier: Apache-2.0
"""Make an image and a library of the classes in ``library``, and use both.

Only the library needs a compiler. The process exits with 1 if a result is wrong.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent / "library"
EXPECTED = "True 32"


def run(*command: str) -> str:
    """Print a command, run it, and return what it printed."""
    print("$", *(os.path.basename(part) for part in command), flush=True)
    return subprocess.check_output([sys.executable, *command], text=True)


def main() -> int:
    """Build, load and use the image and the library; return the exit status."""
    wrong = 0
    with tempfile.TemporaryDirectory() as directory:
        for name in ("nodes.tfs", "libnodes.so"):
            built = os.path.join(directory, name)
            run("-m", "tvm_ffi_schema", "build", "-q", str(HERE / "nodes.py"), "-o", built)
            printed = run(str(HERE / "use.py"), built)
            wrong += not printed.rstrip().endswith(EXPECTED)
            print(printed, end="")
    print("every result is right" if not wrong else f"{wrong} results are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
