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
    for name in ("real_work", "run", "chart", "instructions"):
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
    assert real_work.measure(real_work.best_milliseconds) == {}
    assert "rows left out: " in capsys.readouterr().err


def test_a_row_has_the_instructions_of_both_sides(real_work, monkeypatch, tmp_path):
    def start(command, **_):
        counts = command[0] == "valgrind"
        side = command[command.index(real_work.HERE) - 1]
        rows = {"walk": {"ours": 30.0, "peer": 40.0}[side] * (100 if counts else 1)}
        return SimpleNamespace(stdout=json.dumps(rows), stderr="")

    monkeypatch.setattr(subprocess, "run", start)
    (tmp_path / "callgrind.1").write_text("totals: 5\n")
    lines = real_work.compare(["ours", "peer"], 1, tmp_path)
    row = ["walk", "30.00", "40.00", "0.75", "3000.00", "4000.00", "0.75"]
    assert [line.split() for line in lines[1:]] == [row]
    assert not list(tmp_path.iterdir())  # no result of an earlier run is left


def test_instructions_of_a_call_are_those_of_the_newest_result(real_work, monkeypatch, tmp_path):
    (tmp_path / "callgrind.9").write_text("totals: 9\n")
    calls = []

    def stop():
        (tmp_path / "callgrind.10").write_text("summary: 1\ntotals: 1234\n")
        calls.append("stop")

    library = SimpleNamespace(count_start=lambda: calls.append("start"), count_stop=stop)
    monkeypatch.setattr(real_work.instructions.ctypes, "PyDLL", lambda path: library)
    counter = real_work.instructions.Counter(tmp_path)
    assert counter.count(lambda: calls.append("work")) == 1234
    assert calls == ["work", "start", "work", "stop"]
