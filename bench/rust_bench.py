#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the crate ``tvm-ffi`` with the C++ API and with the peer's crate.

    python rust_bench.py PYTHON [--rounds 3] [--markdown out.md] [--json out.json] [--work DIR]
                         [--peer-crates DIR --peer-python PYTHON --peer-cargo-config FILE]

PYTHON is an interpreter with this package. The script builds three programs, and runs them in
turns: ``rust`` with the crate of this tree, ``cpp/ffi_micro.cpp`` with the headers of the package,
and ``rust`` with the crates in DIR (the folder ``rust`` of the peer's source distribution). Rows
with the same name time the same operation. The result files have the same layout as those of
``compare.py``: A is our crate, and B is the peer's. A row of the JSON file has two additional
members: the time of the C++ row (``cpp``), and our time divided by that time (``cpp_ratio``).

The script compares the best repeat of all rounds, because a row takes only a few nanoseconds.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from compare import figure, geomean

HERE = Path(__file__).resolve().parent
CRATE = HERE.parent / "rust"
# Each text selects the C++ rows whose names contain it; the Rust program has the same rows.
CPP_PARTS = (
    "any/",
    "function/",
    "object/",
    "string/",
    "array/",
    "map/find short string keys, 1000",
    "error/",
)


def config(python, option, env=None):
    """Return the folder that ``tvm_ffi.config`` prints for an option."""
    command = [python, "-m", "tvm_ffi.config", option]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=env)
    return done.stdout.strip()


def build_rust(work, name, crates, libdir, cargo_config):
    """Build the Rust program with the crates in a folder; return the path of the program."""
    package = work / name
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(HERE / "rust", package)
    manifest = package / "Cargo.toml"
    path = (Path(crates) / "tvm-ffi").resolve()
    manifest.write_text(manifest.read_text().replace("../../rust/tvm-ffi", path.as_posix()))
    # The build script of the peer's crates runs the `tvm-ffi-config` that it finds through PATH.
    tool = work / f"{name}-bin" / "tvm-ffi-config"
    tool.parent.mkdir(exist_ok=True)
    tool.write_text(f"#!/bin/sh\necho '{libdir}'\n")
    tool.chmod(0o755)
    env = dict(os.environ, TVM_FFI_LIBDIR=libdir, CARGO_TARGET_DIR=str(work / f"{name}-target"))
    env["PATH"] = f"{tool.parent}{os.pathsep}{env['PATH']}"
    command = ["cargo", "build", "--release", "--quiet", "--offline", "--config", cargo_config]
    subprocess.run([*command, "--manifest-path", manifest], check=True, env=env)
    return work / f"{name}-target" / "release" / "ffi-micro"


def build_cpp(work, python, libdir):
    """Build the C++ program; return the path of the program."""
    program = work / "ffi_micro"
    folders = [config(python, "--includedir"), config(python, "--dlpack-includedir")]
    command = [os.environ.get("CXX", "c++"), "-O2", "-DNDEBUG", "-std=c++17", "-pthread"]
    command += [f"-I{folder}" for folder in folders]
    command += [HERE / "cpp" / "ffi_micro.cpp", "-o", program]
    subprocess.run([*command, f"-L{libdir}", "-ltvm_ffi"], check=True)
    return program


def rows_of(program, libdir, arguments):
    """Run a program; return {row name: best time}. The prefix of a name that states the language,
    "cpp " or "rust/", is removed.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.json"
        env = dict(os.environ, LD_LIBRARY_PATH=libdir)
        command = [program, "--json", path, *arguments]
        subprocess.run(command, check=True, env=env, stderr=subprocess.DEVNULL)
        rows = json.loads(path.read_text())["rows"]
    return {
        name.removeprefix("cpp ").removeprefix("rust/"): row["min"]
        for name, row in rows.items()
        if "min" in row
    }


def measure(sides, rounds, arguments):
    """Run the programs of all sides in turns; return {side: [rows of each round]}."""
    result = {side: [] for side in sides}
    for i in range(rounds):
        print(f"round {i + 1}/{rounds}", file=sys.stderr, flush=True)
        for side in list(sides)[:: 1 if i % 2 == 0 else -1]:
            program, libdir = sides[side]
            rows = {}
            # Run only the rows of the C++ program that the Rust program also has; some of the other
            # rows take seconds.
            for part in CPP_PARTS if side == "cpp" else [""]:
                extra = ["--filter", part] if part else []
                rows.update(rows_of(program, libdir, [*arguments, *extra]))
            result[side].append(rows)
    return result


def table(measured):
    """Return the content of the JSON file: {row name: row} and {group: geometric mean}."""
    best = {
        side: {name: min(r[name] for r in runs) for name in runs[0]}
        for side, runs in measured.items()
    }
    rows = {}
    for name, time in best["rust"].items():
        times = [run[name] for run in measured["rust"]]
        row = {"a": time, "unit": "ns", "spread": round(max(times) / min(times) - 1, 3)}
        if name in best.get("peer", {}):
            row["b"] = best["peer"][name]
            row["ratio"] = round(time / row["b"], 4)
        if name in best["cpp"]:
            row["cpp"] = best["cpp"][name]
            row["cpp_ratio"] = round(time / row["cpp"], 4)
        rows[f"rust/{name}"] = row
    means = {}
    for group, key in (("rust", "ratio"), ("rust to C++", "cpp_ratio")):
        ratios = [row[key] for row in rows.values() if key in row]
        if ratios:
            means[group] = round(geomean(ratios), 4)
    return rows, means


def markdown(rows, means):
    """Return the table of results as Markdown text."""
    lines = ["| row | ours | peer | ours/peer | C++ | ours/C++ | spread |", "|---|" + "---|" * 6]
    for name, row in rows.items():
        cells = [name, figure(row["a"], "ns")]
        for key, ratio in (("b", "ratio"), ("cpp", "cpp_ratio")):
            has = key in row
            cells += [figure(row[key], "ns"), f"{row[ratio]:.2f}"] if has else ["", ""]
        lines.append("| " + " | ".join([*cells, f"{100 * row['spread']:.0f}%"]) + " |")
    lines += ["", "| group | geometric mean |", "|---|---|"]
    lines += [f"| {name} | {mean:.3f} |" for name, mean in means.items()]
    return "\n".join(lines)


def main():
    """Build the programs, run them in turns, and print the table of results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("python", help="interpreter with this package")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="a quarter of the time for each row")
    parser.add_argument("--work", type=Path, default=HERE.parent / "build" / "bench-rust")
    parser.add_argument("--cargo-config", default=str(CRATE / "offline.toml"))
    parser.add_argument("--peer-crates", type=Path)
    parser.add_argument("--peer-python", help="interpreter with the peer's package")
    parser.add_argument("--peer-cargo-config", help="names a source with linkme, paste and others")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    args = parser.parse_args()
    work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)

    libdir = config(args.python, "--libdir")
    ours = build_rust(work, "ours", CRATE, libdir, args.cargo_config)
    sides = {"rust": (ours, libdir)}
    if args.peer_crates:
        # Remove PYTHONPATH, which may refer to a staged package of this tree.
        env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        peer_libdir = config(args.peer_python or args.python, "--libdir", env)
        source = args.peer_cargo_config or args.cargo_config
        peer = build_rust(work, "peer", args.peer_crates, peer_libdir, source)
        sides["peer"] = (peer, peer_libdir)
    sides["cpp"] = (build_cpp(work, args.python, libdir), libdir)
    measured = measure(sides, args.rounds, ["--quick"] if args.quick else [])
    rows, means = table(measured)
    text = markdown(rows, means)
    print(text)
    if args.markdown:
        args.markdown.write_text(text + "\n")
    if args.json:
        meta = {"rounds": args.rounds, "quick": args.quick, "figure": "min"}
        result = {"meta": meta, "rows": rows, "groups": means}
        args.json.write_text(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
