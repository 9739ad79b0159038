# SPDX-License-Identifier: Apache-2.0
"""Compare ``load_inline`` with the peer: calls that compile, and calls that use the cache.

    python bench/inline_bench.py OURS_PYTHON PEER_PYTHON [--rounds N] [--json FILE]

OURS_PYTHON is an interpreter with this package, PEER_PYTHON one with the peer. OURS_PYTHON may be
``PATH:python``, where PATH becomes the ``PYTHONPATH`` of the interpreter. The two interpreters run
alternately, each round with new processes and an empty cache. The script prints the minimum of all
rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time

CHILD = """
import json, time
from tvm_ffi.cpp import load_inline
SOURCE = "int64_t add_one(int64_t x) { return x + 1; }"

def call(name):
    began = time.perf_counter()
    module = load_inline(name, cpp_sources=SOURCE, functions=["add_one"])
    assert module.add_one(1) == 2
    return time.perf_counter() - began

times = {"cold": call("bench_inline"), "warm": min(call("bench_inline") for _ in range(5))}
print(json.dumps(times))
"""


def measure(interpreter: str, cache: str) -> dict[str, float]:
    """Run one process with an empty cache, then two that find the library in the cache."""
    place, _, python = interpreter.rpartition(":")
    environment = {**os.environ, "TVM_FFI_CACHE_DIR": cache}
    # Allow cached byte code; otherwise the first call would also compile Python modules.
    for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE"):
        environment.pop(name, None)
    if place:
        environment["PYTHONPATH"] = place
    found, processes = [], []
    for _ in range(3):
        began = time.perf_counter()
        done = subprocess.run(
            [python, "-c", CHILD], env=environment, check=True, capture_output=True, text=True
        )
        processes.append(time.perf_counter() - began)
        found.append(json.loads(done.stdout.splitlines()[-1]))
    return {
        "cold build": found[0]["cold"],
        "whole process, all built": min(processes[1:]),
        "its first call alone": min(one["cold"] for one in found[1:]),
        "later calls": min(one["warm"] for one in found),
    }


def main() -> None:
    """Run both sides alternately; print the minimum of each side and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ours", metavar="OURS_PYTHON")
    parser.add_argument("peer", metavar="PEER_PYTHON")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    best: dict[str, dict[str, float]] = {"ours": {}, "peer": {}}
    for _ in range(options.rounds):
        for side, interpreter in (("ours", options.ours), ("peer", options.peer)):
            with tempfile.TemporaryDirectory() as cache:
                for row, seconds in measure(interpreter, cache).items():
                    best[side][row] = min(seconds, best[side].get(row, seconds))
    print(f"{'':<36} {'ours':>10} {'peer':>10} {'ratio':>7}")
    for row, ours in best["ours"].items():
        peer = best["peer"][row]
        print(f"{row:<36} {ours * 1e3:>7.2f} ms {peer * 1e3:>7.2f} ms {ours / peer:>7.3f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(best, file, indent=1)


if __name__ == "__main__":
    main()
