# SPDX-License-Identifier: Apache-2.0
"""Test the table of ``make bench-real``: the best time of all rounds, and the ratio."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture
def real_work(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    for name in ("real_work", "run", "chart"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import real_work

    return real_work


def test_a_row_has_the_best_time_of_both_sides(real_work, monkeypatch):
    times = {"ours": [4.0, 2.0, 3.0], "peer": [10.0, 8.0, 9.0]}
    order = []

    def start(command, **_):
        side = command[0]
        order.append(side)
        rows = {"walk": times[side].pop(0)}
        if side == "ours":
            rows["only here"] = 1.0
        return SimpleNamespace(stdout=json.dumps(rows), stderr="")

    monkeypatch.setattr(subprocess, "run", start)
    lines = real_work.compare(["ours", "peer"], 3)
    assert [line.split() for line in lines[1:]] == [["walk", "2.00", "8.00", "0.25"]]
    assert order == ["ours", "peer", "peer", "ours", "ours", "peer"]


def test_rows_of_missing_packages_are_named(real_work, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tvm", None)
    monkeypatch.setitem(sys.modules, "xgrammar", None)
    assert real_work.measure() == {}
    assert "rows left out: " in capsys.readouterr().err
