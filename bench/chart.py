#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw a bar chart with the ratios of a benchmark, and write a page with its times.

    python bench/chart.py [RESULT.json]

``make bench`` calls ``record_run`` with the results of its run, which writes the ratios to
``bench/ratios.json``, draws the chart ``docs/_static/ratios.svg`` and, if the results have the
times of other libraries, writes the page ``docs/figures.md``. Without an argument, the script
draws the chart from the recorded ratios; with one, from RESULT.json of ``compare.py --json``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "bench" / "ratios.json"
CHART = ROOT / "docs" / "_static" / "ratios.svg"
#: Label of a bar -> name of a group in the results of compare.py, or ``row:`` and a row name.
BARS = {
    "calls": "calls",
    "tensors": "tensors",
    "objects": "objects",
    "containers": "containers",
    "errors": "errors",
    "enums": "enums",
    "structure": "structural",
    "JSON and graphs": "serialization",
    "import": "row:process/import tvm_ffi, as installed",
}
LEFT, WIDTH, ROW = 130, 360, 22
PAGE = ROOT / "docs" / "figures.md"
#: The other libraries on the page of figures; results of peers/peers_bench.py.
OTHERS = ("nanobind", "pybind11", "msgspec")
#: Rows of the page of figures: what is done -> a row of ffi_bench.py.
FIGURES = {
    "call without arguments": "calls/nop 0 args",
    "call with 3 integers": "calls/nop 3 ints",
    "call with a NumPy array": "calls/nop numpy array",
    "integer there and back": "calls/echo int small",
    "text there and back": "calls/echo str 5 B",
    "text of 10 kB there and back": "calls/echo str 10 kB",
    "list of 100 integers there and back": "calls/echo list 100 ints",
    "call back into Python": "calls/callback(int)",
    "error from C++": "errors/C++ raise, Python catch",
    "wrong argument type": "errors/wrong argument type",
    "make an object of a C++ class": "objects/C++ class construct (2 ints)",
    "make an object of a Python class": "objects/py_class construct 3 fields",
    "make one with 1 field": "objects/py_class construct 1 field",
    "make one with 10 fields": "objects/py_class construct 10 fields",
    "compare two by value": "objects/eq by value",
    "pickle one and read it": "objects/pickle round trip",
    "make a tree of 1,000 objects": "objects/build 1k-node tree",
    "read a field": "objects/get int field",
    "write a field": "objects/set int field",
    "call a method": "objects/C++ method call",
}


def ratios(result):
    """Return {label: ratio} from the results of compare.py. Every bar must have a ratio."""
    found = {}
    for label, source in BARS.items():
        if source.startswith("row:"):
            row = result["rows"].get(source[4:])
            value = None if row is None else row["ratio"]
        else:
            value = result["groups"].get(source)
        if value is None:
            raise KeyError(f"the figures have no {source}")
        found[label] = round(value, 2)
    return found


def draw(record):
    """Return the chart as SVG. The length of a bar is our time divided by the time of the peer."""
    bars = record["ratios"]
    height = 56 + ROW * len(bars) + 8
    scale = max(1.0, *bars.values())
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 50} {height}" '
        f'width="{LEFT + WIDTH + 50}" height="{height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="13">',
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        f"<!-- Written by bench/chart.py from {record['run']}; do not edit. -->",
        f"<title>Time divided by that of {record['peer']}; lower is better</title>",
        f'<rect width="100%" height="{height}" fill="#ffffff"/>',
        f'<text x="8" y="20" font-weight="bold">Time divided by that of {record["peer"]}</text>',
        '<text x="8" y="40" fill="#555555">lower is better; 1 is the same speed</text>',
    ]
    for number, (label, ratio) in enumerate(bars.items()):
        top = 52 + ROW * number
        length = max(round(WIDTH * ratio / scale), 1)
        full = round(WIDTH / scale)
        lines += [
            f'<text x="{LEFT - 8}" y="{top + 13}" text-anchor="end">{label}</text>',
            f'<rect x="{LEFT}" y="{top + 2}" width="{full}" height="14" fill="#e4e7eb"/>',
            f'<rect x="{LEFT}" y="{top + 2}" width="{length}" height="14" fill="#2962a8"/>',
            f'<text x="{LEFT + max(length, full) + 6}" y="{top + 13}">{ratio:.2f}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


def page(result, peer, run):
    """Return the page of figures: times of this package, of the peer and of others."""
    sides = {"tvm-ffi": "a", peer: "b", **{name: name for name in OTHERS}}
    lines = [
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        f"<!-- Written by bench/chart.py from {run}; do not edit. -->",
        "# Figures",
        "",
        f"Nanoseconds for one operation, all in one run: {run}. nanobind and pybind11 keep the GIL",
        "during a call, and convert to types that are fixed when the extension is compiled.",
        "msgspec neither checks nor converts the values of the fields of its records.",
        "[Benchmarks](../bench/README.md) explains the rows.",
        "",
        "| " + " | ".join(["operation", *sides]) + " |",
        "|---" + "|---:" * len(sides) + "|",
    ]
    for label, name in FIGURES.items():
        row = result["rows"][name]
        cells = [f"{row[key]:,.0f}" if key in row else "" for key in sides.values()]
        lines.append("| " + " | ".join([label, *cells]) + " |")
    return "\n".join([*lines, ""])


def record_run(result, peer, run):
    """Write the ratios of a run and the chart; return the paths of both files."""
    record = {"peer": peer, "run": run, "ratios": ratios(result)}
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    CHART.write_text(draw(record), encoding="utf-8")
    if not any("nanobind" in row for row in result["rows"].values()):
        return RECORD, CHART
    PAGE.write_text(page(result, peer, run), encoding="utf-8")
    return RECORD, CHART, PAGE


def main():
    """Draw the chart from a result file, or from the recorded ratios."""
    if len(sys.argv) > 1:
        result = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
        former = json.loads(RECORD.read_text(encoding="utf-8"))
        record_run(result, former["peer"], former["run"])
    else:
        CHART.write_text(draw(json.loads(RECORD.read_text(encoding="utf-8"))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
