# SPDX-License-Identifier: Apache-2.0
"""Test the runner of published clients: its list, its table, and the report of a failed step."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from running import execute

import clients

TOOL = Path(clients.__file__)


def test_every_client_has_steps_with_different_names():
    for client in clients.CLIENTS:
        names = clients.step_names(client)
        assert names[0] == "imports"
        assert len(set(names)) == len(names)
    assert len({client.name for client in clients.CLIENTS}) == len(clients.CLIENTS)


def test_the_list_needs_no_build_and_no_network():
    done = execute(sys.executable, TOOL, "--list", "xgrammar")
    assert done.stdout.startswith("xgrammar: xgrammar: imports, ")


def test_an_unknown_client_is_named():
    done = execute(sys.executable, TOOL, "nothing", status=2)
    assert "no client is named 'nothing'; there are xgrammar" in done.stderr


def test_the_table_has_a_line_for_each_client():
    rows = [
        clients.Row("xgrammar", "0.2.8", "3 of 3", []),
        clients.Row("tilelang", "", "skipped: no wheel", []),
    ]
    assert clients.table(rows).splitlines() == [
        "client    version  steps passed",
        "xgrammar  0.2.8    3 of 3",
        "tilelang           skipped: no wheel",
    ]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("pass", ""),
        ("raise ValueError('why')", "exit status 1: ValueError: why"),
        ("import os; os.abort()", "exit status -6: "),
        ("import os; os._exit(0)", "exit status 0: "),
    ],
)
def test_a_step_passes_only_if_it_comes_to_its_end(tmp_path, monkeypatch, body, problem):
    (tmp_path / "sample_steps.py").write_text(f"def imports() -> None:\n    {body}\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    package = tmp_path / "site" / "tvm_ffi"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.setattr(clients, "STEPS_DIR", tmp_path)
    monkeypatch.setattr(clients, "SITE", tmp_path / "site")
    step = clients.run_step(clients.Client("sample", "sample", "sample"), tmp_path, "imports")
    assert step == clients.Step("imports", problem)
