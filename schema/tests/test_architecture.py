# SPDX-License-Identifier: Apache-2.0
"""ARCHITECTURE.md says how to add a setting, a construct, a rule: do it in a copy of the tool."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

SCHEMA = Path(__file__).resolve().parents[1]
PAGE = (SCHEMA / "ARCHITECTURE.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
SETTING, ATTRIBUTE, CONSTRUCT, TITLE, RULE = BLOCKS

MODEL = """\
from tvm_ffi.schema import Object, declare, module, ty

__tschema__ = module(namespace="demo", type_key_prefix="demo.")


@declare
class ANode(Object):
    \"\"\"One.\"\"\"

    type_key = "A"
    x: ty.int64_t
"""


def insert(path: Path, before: str, text: str) -> None:
    """Insert text before the only place with another text."""
    old = path.read_text(encoding="utf-8")
    assert old.count(before) == 1, (path, before)
    path.write_text(old.replace(before, text + before), encoding="utf-8")


@pytest.fixture
def tool(tmp_path):
    """A copy of the tool; the function runs a command in a project with one class."""
    copy = tmp_path / "copy" / "tvm_ffi_schema"
    shutil.copytree(SCHEMA / "tvm_ffi_schema", copy, ignore=shutil.ignore_patterns("__pycache__"))
    project = tmp_path / "project"
    (project / "schema").mkdir(parents=True)
    (project / "schema" / "ir.py").write_text(MODEL)

    def run(*arguments):
        path = os.pathsep.join([str(copy.parent), *sys.path])
        return execute(
            *(sys.executable, "-m", "tvm_ffi_schema", *arguments),
            status=None,
            cwd=project,
            env={**os.environ, "PYTHONPATH": path},
        )

    run.copy, run.project = copy, project
    return run


def test_a_setting_is_a_row_and_an_attribute(tool):
    insert(tool.copy / "dsl" / "table.py", "deprecated | text |", SETTING)
    ir = tool.copy / "ir" / "__init__.py"
    head, found, rest = ir.read_text().partition("class ObjectDef:")
    before = "    abstract: bool = False\n"
    ir.write_text(head + found + rest.replace(before, ATTRIBUTE + before, 1))
    file = tool.project / "schema" / "ir.py"
    file.write_text(MODEL + '    since = "1.2"\n')
    exported = tool("export")
    assert exported.returncode == 0, exported.stderr
    (module,) = json.loads(exported.stdout)["modules"]
    assert module["objects"][0]["since"] == "1.2"
    file.write_text(MODEL + "    since = 2\n")
    refused = tool("export")
    assert refused.returncode != 0
    assert "since" in refused.stderr and "a text" in refused.stderr


def test_a_construct_and_a_rule_are_rows(tool):
    insert(tool.copy / "cxx" / "constructs.py", "BODY mutable |", CONSTRUCT)
    insert(tool.copy / "diag" / "rules.py", "TS438 error |", TITLE)
    insert(tool.copy / "compare" / "rules.py", "constants/mutable |", RULE)
    assert tool("generate").returncode == 0
    assert tool("validate", "--cpp", "include", "--cpp", "src").returncode == 0
    (header,) = tool.project.glob("include/**/*.h")
    constant = "static constexpr int32_t _type_rank = 3;\n"
    header.write_text(header.read_text().replace(" public:\n", f" public:\n  {constant}", 1))
    found = tool("validate", "--cpp", "include", "--cpp", "src")
    assert "TS449" in found.stdout + found.stderr
    assert "ANode has the rank 3" in found.stdout + found.stderr


def test_modules_of_the_page_exist():
    package = SCHEMA / "tvm_ffi_schema"
    named = re.findall(r"`([a-z_]+)[./]([a-z_]{2,})(?:\.py)?`", PAGE)
    assert len(named) > 15
    folders = [(folder, name) for folder, name in named if (package / folder).is_dir()]
    assert [f"{a}.{b}" for a, b in folders if not (package / a / f"{b}.py").exists()] == []
