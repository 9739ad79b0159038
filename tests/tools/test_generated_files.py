# SPDX-License-Identifier: Apache-2.0
"""Test generated files, licence lines, and that one file states the version."""

import re
import sys
from pathlib import Path

import pytest
from running import execute

import check_spdx

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"


def run(*command):
    return execute(sys.executable, *command, status=None, cwd=ROOT)


@pytest.mark.parametrize(
    "generator",
    [
        "tools/export_list.py",
        "tools/conformance.py",
        "tools/rust_declarations.py",
    ],
)
def test_generated_files_are_fresh(generator):
    result = run(ROOT / generator, "--check")
    assert result.returncode == 0, result.stderr


def test_a_stale_file_is_reported(tmp_path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "cmake").mkdir()
    (tmp_path / "tests" / "golden").mkdir(parents=True)
    for name in ("tools/export_list.py", "tests/golden/abi_facts.json"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    copy = tmp_path / "tools" / "export_list.py"
    assert run(copy).returncode == 0
    assert run(copy, "--check").returncode == 0
    for written in (tmp_path / "cmake").iterdir():
        written.write_text(written.read_text() + "\n")
    result = run(copy, "--check")
    assert result.returncode == 1
    assert "is stale" in result.stderr


def test_every_file_names_its_licence():
    if not (ROOT / ".git").exists():
        pytest.skip("the list of files comes from git")
    result = run(TOOLS / "check_spdx.py")
    assert result.returncode == 0, result.stderr


def test_a_file_without_licence_is_found(tmp_path):
    (tmp_path / "good.py").write_text("#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n")
    (tmp_path / "bad.cc").write_text("int x;\n")
    (tmp_path / "facts.json").write_text("{}\n")
    files = [Path("good.py"), Path("bad.cc"), Path("facts.json")]
    assert check_spdx.missing(tmp_path, files) == [Path("bad.cc")]


def test_the_package_has_the_version_of_the_c_header():
    header = (ROOT / "include/tvm/ffi/c_api.h").read_text()
    parts = re.findall(r"#define TVM_FFI_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
    version = (ROOT / "python/tvm_ffi/_version.py").read_text()
    assert f'"{".".join(parts)}"' in version
