#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the speed of this tree with the peer. ``make bench`` runs this script.

    python bench/run.py --work build/bench --peer apache-tvm-ffi==0.1.15.post2 --rounds 3

Installs the tree as a wheel into one environment, and the peer from PyPI into another one. Both
packages are imported as ``tvm_ffi``, and both environments have the same numpy. Then the script
runs ``compare.py`` with the two interpreters. The table is printed and written to
``WORK/table.md``; the results are written to ``WORK/result.json``. A run of all rows
also records the ratios in ``bench/ratios.json``, and draws the chart of the README (``chart.py``).
With ``--peers DIR``, the results of ``peers/peers_bench.py``, it also writes ``docs/figures.md``.
Arguments after ``--`` are passed to ``compare.py``.
"""

import argparse
import hashlib
import json
import os
import platform
import subprocess
import sys
import venv
from pathlib import Path

import chart

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PIP = ("-m", "pip", "--disable-pip-version-check", "install", "--quiet")


def numpy_requirements():
    """Return the numpy versions that the tests use, so that both sides have the same numpy."""
    lines = (ROOT / "tools" / "requirements-test.txt").read_text().splitlines()
    return [line for line in lines if line.startswith("numpy==")]


def environment(folder, stamp_text, packages):
    """Create a virtual environment with the packages, or reuse the environment in `folder` if it
    was created with the same `stamp_text`.
    """
    python = folder / "bin" / "python"
    stamp = folder / ".ready"
    digest = hashlib.sha256(stamp_text.encode()).hexdigest()
    if not (stamp.exists() and stamp.read_text() == digest):
        print(f"bench: installing {' '.join(packages)}", file=sys.stderr, flush=True)
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, *PIP, *numpy_requirements(), "pytest", *packages], check=True)
        stamp.write_text(digest)
    return python


def share(folder, packages):
    """Let the environment `folder` import its own packages, then those of the environment
    `packages`. If `packages` is None, the environment imports only its own packages.
    """
    link = next(folder.glob("lib/python*/site-packages")) / "shared_packages.pth"
    link.unlink(missing_ok=True)
    if packages is not None:
        link.write_text(f"{next(packages.resolve().glob('lib/python*/site-packages'))}\n")


def ours(folder):
    """Install this tree into an environment, and return the interpreter of the environment."""
    python = environment(folder, "ours", [])
    print("bench: building and installing this tree", file=sys.stderr, flush=True)
    command = [python, *PIP, "--force-reinstall", "--no-deps", str(ROOT)]
    subprocess.run(command, check=True, cwd=folder)
    return python


def main():
    """Install both sides and compare them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "bench")
    parser.add_argument("--peer", default="apache-tvm-ffi==0.1.15.post2")
    parser.add_argument("--rounds", default="3")
    parser.add_argument("--torch", type=Path, help="an environment with PyTorch, for its rows")
    parser.add_argument("--peers", type=Path, help="the results of peers/peers_bench.py")
    parser.add_argument("rest", nargs="*", help="arguments of compare.py, after --")
    args = parser.parse_args()
    work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    subject = ours(work / "ours-venv")
    peer = environment(work / "peer-venv", args.peer, [args.peer])
    for folder in (work / "ours-venv", work / "peer-venv"):
        share(folder, args.torch)
    command = [sys.executable, HERE / "compare.py", subject, peer, "--rounds", args.rounds]
    command += ["--markdown", work / "table.md", "--json", work / "result.json", *args.rest]
    for name in chart.OTHERS if args.peers else ():
        command += ["--other", f"{name}={args.peers.resolve() / name}.json"]
    # Both sides must import the installed packages, not the sources of this tree.
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LD_LIBRARY_PATH")}
    status = subprocess.run(command, env=env, cwd=work).returncode
    if status == 0 and not args.rest:
        result = json.loads((work / "result.json").read_text())
        machine = f"{os.cpu_count()}-core {platform.machine()} machine"
        run = f"make bench on a {machine}, Python {platform.python_version()}"
        for path in chart.record_run(result, args.peer.replace("==", " "), run):
            print(f"bench: wrote {path.relative_to(ROOT)}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
