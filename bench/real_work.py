#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time typical work of apache-tvm and xgrammar, on this tree and on the peer.

    python bench/real_work.py --work build/bench --rounds 3     # `make bench-real`
    python bench/real_work.py --here                            # only this interpreter

Two environments get the same published wheels of apache-tvm and xgrammar; one has this tree as its
``tvm_ffi``, the other the peer. Each round starts one process per environment, in turns. A row has
the best time of all rounds in milliseconds, and the ratio of the two sides: below 1 means that this
tree is faster. If valgrind is installed, the row also has the millions of instructions of one call
and their ratio, which does not depend on the speed of the machine.

xgrammar needs PyTorch: ``--torch`` names an environment that has it. Otherwise the row of xgrammar
is left out, and a note says so.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import instructions
import run

HERE = Path(__file__).resolve()
ROOT = HERE.parent.parent
# The clients depend on the peer and on packages that the rows do not use, so they are installed
# without their dependencies.
CLIENTS = ("apache-tvm==0.27.0.post1", "xgrammar==0.2.8")
NEEDS = ("ml-dtypes", "typing-extensions", "pydantic", "transformers")
REPEATS = 7


def _tvm_rows() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the rows that work on expressions and functions of apache-tvm."""
    from tvm import tirx

    import tvm_ffi

    x = tirx.Var("x", "int32")

    def build() -> list[object]:
        # `x + 0` is simplified to `x`, so the numbers start with 1.
        return [x + number for number in range(1, 20001)]

    expressions = build()
    body = tirx.SeqStmt([tirx.Evaluate(expression) for expression in expressions[:2000]])
    function = tirx.PrimFunc([x], body)

    def read() -> None:
        for e in expressions:
            e.a  # noqa: B018
            e.b  # noqa: B018
            e.a  # noqa: B018
            e.b  # noqa: B018
            e.a  # noqa: B018

    def walk() -> int:
        count = 0

        def visit(node: object) -> None:
            nonlocal count
            count += 1

        tvm_ffi.structural_walk(function, visit)
        return count

    yield "apache-tvm: build 20,000 expressions", build
    yield "apache-tvm: read 100,000 fields", read
    yield "apache-tvm: walk a function of 2,000 statements with a callback", walk
    yield "apache-tvm: print a function of 2,000 statements", function.script


def _xgrammar_rows() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the row in which a grammar accepts tokens."""
    import xgrammar

    vocabulary = [chr(code) for code in range(32, 127)] + ["</s>"]
    info = xgrammar.TokenizerInfo(vocabulary, stop_token_ids=[len(vocabulary) - 1])
    grammar = xgrammar.GrammarCompiler(info).compile_builtin_json_grammar()
    text = "[" + ",".join(f'{{"a": {number}, "b": "text"}}' for number in range(320))
    tokens = [ord(character) - 32 for character in text][:7000]

    def accept() -> None:
        matcher = xgrammar.GrammarMatcher(grammar)
        for token in tokens:
            if not matcher.accept_token(token):
                raise RuntimeError("the grammar refused a token")

    yield "xgrammar: accept 7,000 tokens", accept


def best_milliseconds(work: Callable[[], object]) -> float:
    """Return the best time of a call."""
    work()
    times = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(REPEATS):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
    finally:
        gc.enable()
    return min(times) * 1000


def measure(value: Callable[[Callable[[], object]], float]) -> dict[str, float]:
    """Return the value of all rows whose package can be imported; name the others on stderr."""
    rows = {}
    for group in (_tvm_rows, _xgrammar_rows):
        try:
            for name, work in group():
                rows[name] = value(work)
        except ImportError as error:
            print(f"real_work: rows left out: {error}", file=sys.stderr)
    return rows


def _install_clients(python: Path) -> None:
    subprocess.run([python, *run.PIP, *NEEDS], check=True)
    for client in CLIENTS:
        subprocess.run([python, *run.PIP, "--no-deps", client], check=True)


def _environments(work: Path, peer: str, torch: Path | None) -> list[Path]:
    """Return the interpreter of this tree, then the interpreter of the peer."""
    stamp = " ".join((*CLIENTS, *NEEDS))
    pythons = []
    for side in ("ours", "peer"):
        folder = work / f"real-{side}-venv"
        python = run.ours(folder) if side == "ours" else run.environment(folder, peer, [peer])
        if not (folder / ".clients").exists() or (folder / ".clients").read_text() != stamp:
            _install_clients(python)
            (folder / ".clients").write_text(stamp)
        run.share(folder, torch)
        pythons.append(python)
    return pythons


def _rows(command: list[str | Path]) -> dict[str, float]:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    sys.stderr.write(done.stderr)
    return json.loads(done.stdout)


def compare(pythons: list[Path], rounds: int, counts: Path | None = None) -> list[str]:
    """Return the lines of the table. `counts` is a folder for instructions.Counter, or None."""
    best: list[dict[str, float]] = [{}, {}]
    for number in range(rounds):
        # Alternate the order, so that a machine that becomes slower affects both sides.
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            for row, value in _rows([pythons[side], HERE, "--here", "--json"]).items():
                best[side][row] = min(value, best[side].get(row, value))
    counted: list[dict[str, float]] = [{}, {}]
    if counts is not None:
        for side, python in enumerate(pythons):
            command = [*instructions.command(counts), python, HERE, "--here", "--json"]
            counted[side] = _rows([*command, "--counts", counts])
    heads = ("ours ms", "peer ms", "ratio", "ours M", "peer M", "ratio")
    lines = [f"{'row':66} " + " ".join(f"{head:>9}" for head in heads)]
    for row in best[0].keys() & best[1].keys():
        line = f"{row:66}"
        for ours, peer in ((side[0].get(row), side[1].get(row)) for side in (best, counted)):
            if ours is not None and peer is not None:
                line += f" {ours:9.2f} {peer:9.2f} {ours / peer:9.2f}"
        lines.append(line)
    return [lines[0], *sorted(lines[1:])]


def main() -> None:
    """Run the rows here, or in both environments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--here", action="store_true", help="run the rows in this interpreter")
    parser.add_argument("--json", action="store_true", help="with --here: print JSON")
    parser.add_argument("--counts", type=Path, help="with --here: a folder of instructions.py")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "bench")
    parser.add_argument("--peer", default="apache-tvm-ffi==0.1.15.post2")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--torch", type=Path, help="an environment with PyTorch, for xgrammar")
    args = parser.parse_args()
    if args.here:
        value = best_milliseconds
        if args.counts:
            counter = instructions.Counter(args.counts)
            value = lambda work: counter.count(work) / 1e6
        rows = measure(value)
        if args.json:
            print(json.dumps(rows))
        else:
            unit = "M instructions" if args.counts else "ms"
            print("\n".join(f"{row:66} {number:9.2f} {unit}" for row, number in rows.items()))
        return
    work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    pythons = _environments(work, args.peer, args.torch)
    counts = work if instructions.build(work) else None
    print("\n".join(compare(pythons, args.rounds, counts)))


if __name__ == "__main__":
    main()
