#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run every fuzz target of a build for a while: what ``make fuzz`` does.

    python fuzz/run.py build/asan [--seconds 20]

A target that dies leaves the input that killed it in ``BUILD/fuzz/crash-<target>``.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def run_target(program, seeds, seconds, keep):
    """Run one target in a directory of its own; return whether it survived."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "--seconds", str(seconds), seeds]
        status = subprocess.run(command, cwd=folder).returncode
        last = Path(folder, "last_input.bin")
        if status != 0 and last.exists():
            keep.write_bytes(last.read_bytes())
            print(f"{program.name}: status {status}, input kept in {keep}", file=sys.stderr)
        return status == 0


def main():
    """Run the targets one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--seconds", type=float, default=20)
    args = parser.parse_args()
    folder = args.build.resolve() / "fuzz"
    names = sorted(source.stem for source in HERE.glob("fuzz_*.cc"))
    survived = [
        run_target(
            folder / name,
            HERE / "seeds" / name[len("fuzz_") :],
            args.seconds,
            folder / f"crash-{name}",
        )
        for name in names
    ]
    return 0 if survived and all(survived) else 1


if __name__ == "__main__":
    sys.exit(main())
