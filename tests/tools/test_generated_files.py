# SPDX-License-Identifier: Apache-2.0
"""Test generated files, licence lines, and that one file states the version."""

import re
import subprocess
from pathlib import Path

import pytest

import check_spdx
import conformance
import generate
import generate_abi
import rust_declarations

ROOT = Path(__file__).resolve().parents[2]
INPUTS = ("pyproject.toml", "README.md", generate_abi.HEADER, *rust_declarations.MODULES.values())


def test_generated_files_are_current():
    assert generate.problems(ROOT) == []


def test_every_statement_has_a_test():
    assert conformance.problems(ROOT) == []


def test_a_stale_file_is_reported(tmp_path):
    for name, text in generate.texts(ROOT).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in (rust_declarations.FACTS, *INPUTS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    assert generate.problems(tmp_path) == []
    stale = tmp_path / "cmake" / "exports.map"
    stale.write_text(stale.read_text() + "\n")
    (problem,) = generate.problems(tmp_path)
    assert problem.startswith("cmake/exports.map is not current")


def test_every_file_names_its_licence():
    if not (ROOT / ".git").exists():
        pytest.skip("the list of files comes from git")
    assert check_spdx.problems(ROOT) == []


def test_a_file_without_licence_is_found(tmp_path):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "good.py").write_text("#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n")
    (tmp_path / "bad.cc").write_text("int x;\n")
    (tmp_path / "facts.json").write_text("{}\n")
    (problem,) = check_spdx.problems(tmp_path)
    assert problem.startswith("bad.cc: ")


def test_the_package_has_the_version_of_the_c_header():
    header = (ROOT / "include/tvm/ffi/c_api.h").read_text()
    parts = re.findall(r"#define TVM_FFI_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
    version = (ROOT / "python/tvm_ffi/_version.py").read_text()
    assert f'"{".".join(parts)}"' in version
