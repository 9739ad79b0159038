# SPDX-License-Identifier: Apache-2.0
"""The command tvm-ffi-inspect."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tvm_ffi
from tvm_ffi import libinfo
from tvm_ffi.core import TypeSchema
from tvm_ffi.stub import inspect_command, inventory
from tvm_ffi.stub.inventory_page import as_page

LIBRARY = libinfo._find_own_library("tvm_ffi_testing")


def inspect(*arguments):
    """Run the command in a process of its own, where no fixtures are loaded."""
    environment = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
    return subprocess.run(
        [sys.executable, "-m", "tvm_ffi.stub.inspect_command", *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_library_as_json():
    done = inspect(LIBRARY, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert set(found) == {"types", "functions"}
    assert all(key.startswith("testing.") for key in found["types"])
    pair = found["types"]["testing.TestIntPair"]
    assert (pair["parent"], pair["final"]) == ("ffi.Object", True)
    assert [(f["name"], f["type"], f["offset"]) for f in pair["fields"]] == [
        ("a", "int", 24),
        ("b", "int", 32),
    ]
    assert pair["fields"][0]["read_only"] is True
    method = next(m for m in pair["methods"] if m["name"] == "sum")
    assert (method["signature"], method["static"]) == ("(testing.TestIntPair) -> int", False)
    assert "__ffi_init__" in pair["attributes"]
    assert found["functions"]["testing.add_one"] == {"signature": "(int) -> int", "typed": True}


def test_runtime_without_libraries():
    found = json.loads(inspect("--json").stdout)
    assert "ffi.Array" in found["types"]
    assert "ffi.ArraySize" in found["functions"]
    assert not any(key.startswith("testing.") for key in found["types"])


def test_text_is_a_tree():
    lines = inspect(LIBRARY).stdout.splitlines()
    assert lines[0] == "Types"
    base = lines.index("  testing.TestObjectBase")
    derived = next(i for i, line in enumerate(lines) if "testing.TestObjectDerived" in line)
    assert base < derived
    assert lines[derived].startswith("    testing.TestObjectDerived")
    assert "    .v_i64: int" in lines
    assert "  testing.add_one(int) -> int" in lines[lines.index("Functions") :]


def test_library_that_cannot_be_loaded(tmp_path, capsys):
    assert inspect_command.main([str(tmp_path / "absent.so")]) == 1
    assert "absent.so" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        inspect_command.main(["--json", "--html", "x"])
    assert caught.value.code == 2


def test_nothing_new():
    assert inventory.as_text({"types": {}, "functions": {}}) == "nothing is registered\n"


def test_signatures():
    assert inventory.signature_text(None) == "(...) -> Any"
    assert inventory.signature_text(TypeSchema("Callable")) == "(...) -> Any"
    schema = TypeSchema("Callable", (TypeSchema("None"), TypeSchema("Array", (TypeSchema("int"),))))
    assert inventory.signature_text(schema) == "(Array[int]) -> None"


# ---- the page ----


def test_page_is_complete_in_itself(tmp_path):
    page = tmp_path / "page.html"
    assert inspect(LIBRARY, "--html", page).returncode == 0
    text = page.read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert not re.search(r'(src|href)="', text)
    data = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1]
    assert "testing.TestIntPair" in json.loads(data)["types"]


def test_page_cannot_be_broken_by_names():
    evil = "</script><script>alert(1)</script>"
    found = {"types": {}, "functions": {evil: {"signature": "<b>", "typed": False}}}
    text = as_page(found)
    assert evil not in text
    assert text.count("</script>") == 2
    data = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1]
    assert json.loads(data) == found


BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_search_in_a_browser(tmp_path):
    page = tmp_path / "page.html"
    assert inspect(LIBRARY, "--html", page).returncode == 0
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    done = subprocess.run(
        [*command, f"{page.as_uri()}#TestIntPair%20sum"], capture_output=True, text=True, check=True
    )
    assert re.search(r'id="count">1 of \d+<', done.stdout)
