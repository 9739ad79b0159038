# SPDX-License-Identifier: Apache-2.0
"""Compare how long the headers of two implementations take to compile, with one empty function.

python compile_time.py A_INCLUDE B_INCLUDE [--rounds 10] [--cxx g++] [--require 1.0]

Each INCLUDE is a directory, or several separated by `:`. The compilations alternate, so that slow
changes of the machine affect both. The results are medians of the processor time of the compiler.
The exit status is 1 if the ratio A / B is larger than --require.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "cpp" / "empty_function.cc"


def compile_seconds(cxx: str, include: str) -> float:
    """Compile the source once and return the processor time that it took."""
    flags = [f"-I{folder}" for folder in include.split(":")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [cxx, "-std=c++17", "-O2", "-fPIC", *flags, "-c", str(SOURCE), "-o", "/dev/null"],
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Measure both implementations alternately, and print the row of results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("a", help="include directories of the subject")
    parser.add_argument("b", help="include directories of the reference")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--require", type=float, help="the ratio may not be above this")
    args = parser.parse_args()

    sides = (args.a, args.b)
    times: tuple[list[float], list[float]] = ([], [])
    for side in sides:
        compile_seconds(args.cxx, side)  # reads the headers into the page cache
    for turn in range(args.rounds):
        for which in (0, 1) if turn % 2 == 0 else (1, 0):
            times[which].append(compile_seconds(args.cxx, sides[which]))
    a, b = (statistics.median(side) for side in times)
    print(f"compile/empty exported function  A {a:.3f} s  B {b:.3f} s  ratio {a / b:.3f}")
    return int(args.require is not None and a / b > args.require)


if __name__ == "__main__":
    sys.exit(main())
