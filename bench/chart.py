#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw a bar chart with the ratios of a benchmark: ``docs/_static/ratios.svg``.

    python bench/chart.py [RESULT.json]

``make bench`` calls ``record_run`` with the results of its run, which writes the ratios to
``bench/ratios.json`` and draws the chart. Without an argument, the script draws the chart from that
file. With an argument, it draws the chart from RESULT.json, which ``compare.py --json`` wrote.
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


def record_run(result, peer, run):
    """Write the ratios of a run and the chart; return the paths of both files."""
    record = {"peer": peer, "run": run, "ratios": ratios(result)}
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    CHART.write_text(draw(record), encoding="utf-8")
    return RECORD, CHART


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
