# SPDX-License-Identifier: Apache-2.0
"""Test that the chart of the README shows the recorded ratios of ``make bench``."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import chart
import pytest

ROOT = Path(__file__).resolve().parents[2]
RECORD = json.loads(chart.RECORD.read_text())
SVG = "{http://www.w3.org/2000/svg}"


def result(**groups):
    names = {source: 0.5 for source in chart.BARS.values() if not source.startswith("row:")}
    rows = {source[4:]: {"ratio": 0.031} for source in chart.BARS.values() if source[:4] == "row:"}
    return {"groups": {**names, **groups}, "rows": rows}


def test_the_chart_is_that_of_the_record():
    assert chart.CHART.read_text() == chart.draw(RECORD)


def test_a_bar_is_as_long_as_its_ratio():
    root = ET.fromstring(chart.draw({"peer": "p", "run": "r", "ratios": {"a": 0.5, "b": 2.0}}))
    blue = [r for r in root.iter(f"{SVG}rect") if r.get("fill") == "#2962a8"]
    assert [int(r.get("width")) for r in blue] == [chart.WIDTH // 4, chart.WIDTH]
    assert "lower is better" in "".join(root.itertext())


def test_ratios_come_from_groups_and_rows():
    found = chart.ratios(result(calls=0.456))
    assert list(found) == list(chart.BARS) == list(RECORD["ratios"])
    assert found["calls"] == 0.46
    assert found["import"] == 0.03


def test_figures_without_a_group_are_refused():
    incomplete = result()
    del incomplete["groups"]["enums"]
    with pytest.raises(KeyError, match="enums"):
        chart.ratios(incomplete)


def test_a_run_is_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr(chart, "RECORD", tmp_path / "ratios.json")
    monkeypatch.setattr(chart, "CHART", tmp_path / "ratios.svg")
    chart.record_run(result(), "peer 1.0", "a run")
    record = json.loads((tmp_path / "ratios.json").read_text())
    assert (record["peer"], record["run"]) == ("peer 1.0", "a run")
    assert (tmp_path / "ratios.svg").read_text() == chart.draw(record)


def test_the_rows_of_the_chart_exist():
    source = (ROOT / "bench" / "ffi_bench.py").read_text()
    for name in chart.BARS.values():
        if name.startswith("row:"):
            group, row = name[4:].split("/", 1)
            label = row.partition(", ")[2]
            assert f"def group_{group}(" in source
            assert f'("{label}"' in source
        else:
            assert f"def group_{name}(" in source


def test_a_run_with_other_libraries_writes_the_page_of_figures(tmp_path, monkeypatch):
    for name in ("RECORD", "CHART", "PAGE"):
        monkeypatch.setattr(chart, name, tmp_path / name)
    made = result()
    made["rows"].update(
        {
            name: {"a": 1234.4, "b": 2.0, "nanobind": 3.0, "msgspec": 4.0}
            for name in chart.FIGURES.values()
        }
    )
    assert chart.record_run(made, "peer 1.0", "a run")[-1] == tmp_path / "PAGE"
    row = next(x for x in (tmp_path / "PAGE").read_text().splitlines() if "read a field" in x)
    assert row == "| read a field | 1,234 | 2 | 3 |  | 4 |"
