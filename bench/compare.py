#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run ffi_bench.py alternately under two interpreters, and print the ratios of the times.

    python compare.py A_PYTHON B_PYTHON [--rounds 3] [--markdown out.md] [--json out.json]
                      [--require errors=0.1 --require overall=0.5 --require row:calls/echo.*=0.7]

    python compare.py --cpp A_BINARY B_BINARY ...   # two builds of cpp/ffi_micro.cpp

A is the subject, B the reference: a ratio below 1 means that A is faster
(or smaller).  The two interpreters run in the order A B, B A, A B, ..., so that
slow changes of the machine affect both.  The result of a row is the best median
of all rounds.  The column "spread" is the largest relative difference between
the rounds of one side.  Ignore a ratio that differs from 1 by less than the
spread.

``--require NAME=RATIO`` (repeatable) sets an upper limit for a ratio.  NAME is a
group, ``overall`` or ``row:REGEX``: the limit is for the geometric mean of the
group or of all rows, or for every row that matches the regular expression.  If a
limit is exceeded, the exit status is 1.  A required group also fails if A and B
have no row of the group in common, or if A lacks a row that B has (unless
``--allow-missing`` is given), so that a missing feature does not count as fast.

``--other NAME=FILE`` (repeatable) adds a column, without ratios, with the
results in another JSON file of the same layout.  For example, peers/peers_bench.py
writes such files.
"""

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
UNITS = ("ns", "bytes", "count", "rate")  # higher is better for a rate


def run(program, extra, env, cpp):
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "r.json")
        program = shutil.which(program) or os.path.abspath(program)
        cmd = [program] if cpp else [program, os.path.join(HERE, "ffi_bench.py"), "--quiet"]
        subprocess.run(
            [*cmd, "--json", out, *extra],
            check=True,
            env=env,
            stderr=subprocess.DEVNULL if cpp else None,
        )
        with open(out) as f:
            return json.load(f)


def value(row):
    for unit in UNITS:
        if unit in row:
            return row[unit], unit
    raise KeyError(f"row without a figure: {row}")


def merge(runs):
    """Return {row: (best median, unit, spread)} from the rounds of one side."""
    out = {}
    for key in runs[0]["rows"]:
        got = [value(r["rows"][key]) for r in runs if key in r["rows"]]
        low, high = min(g[0] for g in got), max(g[0] for g in got)
        best = high if got[0][1] == "rate" else low
        out[key] = (best, got[0][1], (high - low) / low if low else 0.0)
    return out


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def figure(x, unit):
    if unit == "ns" and x >= 1e6:
        return f"{x / 1e6:.2f} ms"
    if unit == "ns" and x >= 1e4:
        return f"{x / 1e3:.1f} us"
    if unit == "bytes" and x >= 1e6:
        return f"{x / 1e6:.1f} MB"
    if unit == "rate":
        return f"{x:.1f} MB/s"
    return f"{x:.1f} {unit}" if x < 1000 else f"{x:.0f} {unit}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("a", help="interpreter of the subject")
    parser.add_argument("b", help="interpreter of the reference")
    parser.add_argument("--cpp", action="store_true", help="A and B are ffi_micro binaries")
    parser.add_argument("--quick", action="store_true", help="with --cpp: small sizes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--filter", help="only rows matching this regular expression")
    parser.add_argument("--groups", help="comma list of groups")
    parser.add_argument("--budget-ms", help="time per row and run")
    parser.add_argument("--json")
    parser.add_argument("--markdown")
    parser.add_argument("--allow-missing", action="store_true")
    parser.add_argument("--other", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--require", action="append", default=[], metavar="NAME=RATIO")
    args = parser.parse_args()

    extra = []
    for flag in ("filter", "groups", "budget_ms"):
        if getattr(args, flag):
            extra += ["--" + flag.replace("_", "-"), getattr(args, flag)]
    if args.quick:
        extra.append("--quick")
    env = dict(os.environ, PYTHONHASHSEED="0", OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    sides = {"a": [], "b": []}
    for i in range(args.rounds):
        # The order alternates (A B, B A, A B), so that neither side is always first.
        for side in ("a", "b") if i % 2 == 0 else ("b", "a"):
            print(f"round {i + 1}/{args.rounds} {side.upper()}", file=sys.stderr, flush=True)
            sides[side].append(run(getattr(args, side), extra, env, args.cpp))

    a, b = merge(sides["a"]), merge(sides["b"])
    others = {}
    for item in args.other:
        name, _, path = item.partition("=")
        with open(path) as f:
            others[name] = json.load(f)["rows"]
    rows, groups = {}, {}
    for key in b:
        if key not in a:
            continue
        num, den = (b, a) if a[key][1] == "rate" else (a, b)
        ratio = num[key][0] / den[key][0] if den[key][0] else float("nan")
        rows[key] = {
            "a": a[key][0],
            "b": b[key][0],
            "unit": a[key][1],
            "ratio": round(ratio, 4),
            "spread": round(max(a[key][2], b[key][2]), 3),
        }
        for name, table in others.items():
            if key in table:
                rows[key][name] = value(table[key])[0]
        if ratio > 0:
            groups.setdefault(key.split("/")[0], []).append(ratio)
    means = {g: round(geomean(v), 4) for g, v in groups.items()}
    means["overall"] = round(geomean([r for v in groups.values() for r in v]), 4)

    head = ["row", "A", "B", "A/B", "spread", *others]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for key, r in rows.items():
        cells = [
            key,
            figure(r["a"], r["unit"]),
            figure(r["b"], r["unit"]),
            f"{r['ratio']:.3f}",
            f"{100 * r['spread']:.0f}%",
        ]
        cells += [figure(r[name], r["unit"]) if name in r else "" for name in others]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", "| group | geometric mean A/B | rows |", "|---|---|---|"]
    for g, m in means.items():
        lines.append(f"| {g} | {m:.3f} | {len(groups.get(g, rows))} |")
    only_a = sorted(set(a) - set(b))
    only_b = sorted(set(b) - set(a))
    if only_a:
        lines += ["", "Only A has: " + ", ".join(only_a)]
    if only_b:
        lines += ["", "Only B has: " + ", ".join(only_b)]

    failures = []
    for item in args.require:
        name, _, limit = item.rpartition("=")
        limit = float(limit)
        if name.startswith("row:"):
            hit = {k: r["ratio"] for k, r in rows.items() if re.search(name[4:], k)}
            if not hit:
                failures.append(f"{name}: no such row")
            failures += [f"{k}: {v:.3f} > {limit}" for k, v in hit.items() if not v <= limit]
        elif name not in means:
            failures.append(f"{name}: no common row")
        elif not means[name] <= limit:
            failures.append(f"{name}: {means[name]:.3f} > {limit}")
        lacking = [k for k in only_b if name in ("overall", k.split("/")[0])]
        if lacking and not args.allow_missing:
            failures.append(f"{name}: A lacks {len(lacking)} rows, first {lacking[0]}")

    text = "\n".join(lines)
    print(text)
    if args.markdown:
        with open(args.markdown, "w") as f:
            f.write(text + "\n")
    if args.json:
        with open(args.json, "w") as f:
            json.dump(
                {
                    "meta": {
                        "a": sides["a"][0]["meta"],
                        "b": sides["b"][0]["meta"],
                        "rounds": args.rounds,
                    },
                    "rows": rows,
                    "groups": means,
                    "only_a": only_a,
                    "only_b": only_b,
                    "skipped_a": sides["a"][0]["skipped"],
                    "skipped_b": sides["b"][0]["skipped"],
                    "failures": failures,
                },
                f,
                indent=1,
            )
    for line in failures:
        print("REQUIRE FAILED", line, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
