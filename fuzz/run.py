#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run every libFuzzer target of a build for some time; ``make fuzz`` calls this script.

    python fuzz/run.py build/fuzz [--seconds 600] [--jobs 2]

Inputs that reach new code are kept in ``BUILD/corpus/<target>`` for the next run; an input that
kills a target is written to ``BUILD/crashes/<target>-...``.
"""

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Longer or slower inputs do not find more errors than those within these limits.
LIMITS = ("-max_len=4096", "-timeout=20", "-rss_limit_mb=4096")


def run_target(build, name, seconds):
    """Run one target; print its last lines, and return whether all inputs passed."""
    short = name[len("fuzz_") :]
    corpus, crashes = build / "corpus" / short, build / "crashes"
    corpus.mkdir(parents=True, exist_ok=True)
    crashes.mkdir(exist_ok=True)
    command = [build / "fuzz" / name, f"-max_total_time={seconds}", *LIMITS]
    command += [f"-artifact_prefix={crashes}/{short}-", corpus, HERE / "seeds" / short]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    lines = done.stdout.splitlines()
    # Print one line if all inputs passed, otherwise the end of the report.
    shown = lines[-1:] if done.returncode == 0 else lines[-60:]
    print("\n".join([f"{name}: status {done.returncode}", *shown]), flush=True)
    return done.returncode == 0


def main():
    """Run all targets, `--jobs` of them at the same time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--seconds", type=int, default=600, help="for each target")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    names = sorted(source.stem for source in HERE.glob("fuzz_*.cc"))
    with ThreadPoolExecutor(args.jobs) as pool:
        build = args.build.resolve()
        survived = list(pool.map(lambda name: run_target(build, name, args.seconds), names))
    return 0 if survived and all(survived) else 1


if __name__ == "__main__":
    sys.exit(main())
