# SPDX-License-Identifier: Apache-2.0
"""Test the commands that the package installs, and ``python -m tvm_ffi``."""

from __future__ import annotations

import configparser
import importlib
import inspect
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from made_libraries import class_record
from running import execute

import tvm_ffi
from tvm_ffi import _distribution

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def commands():
    """Return the table of scripts; Python 3.10 has no TOML parser."""
    text = PROJECT.read_text().partition("[project.scripts]")[2].partition("\n[")[0]
    parser = configparser.ConfigParser()
    parser.read_string("[scripts]\n" + text)
    return [(name, target.strip('"')) for name, target in parser["scripts"].items()]


def test_all_commands_are_there():
    assert {
        "tvm-ffi-cache",
        "tvm-ffi-config",
        "tvm-ffi-inspect",
        "tvm-ffi-provide",
        "tvm-ffi-stubgen",
    } <= {name for name, _ in commands()}


@pytest.mark.parametrize(("name", "target"), commands(), ids=str)
def test_command_takes_no_arguments_and_helps(name, target, package_environment):
    module, _, function = target.partition(":")
    entry = getattr(importlib.import_module(module), function)
    assert not inspect.signature(entry).parameters
    program = f"import sys; sys.argv = [{name!r}, '--help']; import {module} as m; m.{function}()"
    done = execute(sys.executable, "-c", program, status=None, env=package_environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: {name}")


@pytest.mark.parametrize(("name", "target"), commands(), ids=str)
def test_command_prints_its_version(name, target, package_environment):
    module, _, function = target.partition(":")
    program = (
        f"import sys; sys.argv = [{name!r}, '--version']; import {module} as m; m.{function}()"
    )
    done = execute(sys.executable, "-c", program, status=None, env=package_environment)
    assert (done.returncode, done.stdout) == (0, f"{_distribution.VERSION_TEXT}\n"), done.stderr


@pytest.mark.parametrize(
    ("module", "status"),
    [
        ("tvm_ffi_commands.cache", 0),
        ("tvm_ffi_commands.config", 0),
        ("tvm_ffi_commands.provide", 0),
        ("tvm_ffi.stub.cli", 1),
        ("tvm_ffi_schema.commands.cli", 2),
    ],
)
def test_a_command_without_arguments_prints_its_help(module, status, package_environment):
    done = execute(
        sys.executable,
        "-c",
        f"import sys, {module} as m; sys.exit(m.__main__())",
        status=None,
        env=package_environment,
    )
    assert done.returncode == status
    said = done.stderr if status == 2 else done.stdout
    assert said.startswith("usage: tvm-ffi-") and "show this help message" in said


# ---- ``python -m tvm_ffi``


def run(environment, *arguments):
    return execute(sys.executable, "-m", "tvm_ffi", *arguments, status=None, env=environment)


def test_the_report_fits_a_screen_and_names_the_facts(package_environment):
    done = run({**package_environment, "TVM_FFI_LAZY_BINDING": "1"})
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) < 50
    assert lines[0].split() == ["fast-tvm-ffi", _distribution.VERSION]
    assert lines[1].split() == ["interface", tvm_ffi.__version__]
    assert lines[2].startswith("abi          0.1 (runtime 0.1.")
    for word in ("runtime", "headers", "python", "platform", "c++", "nvcc", "ninja", "cmake"):
        assert any(line.split()[:1] == [word] for line in lines), word
    assert ["TVM_FFI_LAZY_BINDING", "1"] in [line.split() for line in lines]


def test_json_holds_the_same_facts(package_environment):
    facts = json.loads(run(package_environment, "--json").stdout)
    assert facts["fast-tvm-ffi"] == _distribution.VERSION
    assert facts["interface"] == tvm_ffi.__version__
    assert facts["executable"] == sys.executable
    assert facts["paths"]["package"].endswith("tvm_ffi")
    assert set(facts["compilers"]) == {"c++", "cc", "nvcc", "hipcc", "ninja", "cmake"}


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("gcc") is None, reason="needs gcc")
def test_loaded_libraries_have_the_release_that_they_were_built_for(package_environment, tmp_path):
    record = ", ".join(map(str, class_record(version=(0, 1, 14))))
    sources = {
        "exported": "const unsigned __tvm_ffi__abi_version[3] = {0, 1, 12};",
        "needed": "int TVMFFIHandleInitOnce(void); int f(void) { return TVMFFIHandleInitOnce(); }",
        "recorded": f"const unsigned char record[] = {{{record}}};",
        "unrelated": "int f(void) { return 0; }",
    }
    paths = []
    for name, source in sources.items():
        text = source if name == "unrelated" else f"int __tvm_ffi_{name}(void) {{ return 0; }}"
        (tmp_path / f"{name}.c").write_text(f"{text}\n{source if text != source else ''}\n")
        paths.append(str(tmp_path / f"{name}.so"))
        execute("gcc", "-shared", "-fPIC", tmp_path / f"{name}.c", "-o", paths[-1])
    done = run(package_environment, *paths, "json.tool", "no_such_module", "--json")
    libraries = json.loads(done.stdout)["libraries"]
    assert {os.path.basename(path): text for path, text in libraries.items()} == {
        "exported.so": "0.1.12 (exported version)",
        "needed.so": "0.1.5 or newer (needed symbols)",
        "recorded.so": "0.1.14 (class records)",
        "no_such_module": "not loaded: ModuleNotFoundError: No module named 'no_such_module'",
    }


def test_a_reader_that_closes_the_pipe_gets_no_traceback(package_environment):
    command = [sys.executable, "-m", "tvm_ffi"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=package_environment, stdout=pipe, stderr=pipe, text=True
    ) as started:
        started.stdout.close()
        assert started.stderr.read() == ""
    assert started.returncode == 0


def test_version(package_environment):
    done = run(package_environment, "--version")
    assert (done.returncode, done.stdout) == (0, f"{_distribution.VERSION_TEXT}\n")


def test_programs_that_are_missing_or_do_not_run(package_environment, tmp_path):
    broken = tmp_path / "c++"
    broken.write_text("not a program")
    broken.chmod(0o755)
    done = run({**package_environment, "PATH": str(tmp_path), "CUDA_HOME": str(tmp_path)}, "--json")
    assert done.returncode == 0, done.stderr
    compilers = json.loads(done.stdout)["compilers"]
    assert compilers["c++"].startswith(f"{broken} (")
    assert compilers["nvcc"] == compilers["cmake"] == "not found"


def test_without_native_code_the_report_names_the_error(package_environment):
    program = (
        "import sys; sys.modules['tvm_ffi.core'] = None; sys.argv = ['tvm_ffi', '--json']; "
        "import runpy; runpy.run_module('tvm_ffi', run_name='__main__')"
    )
    done = execute(sys.executable, "-c", program, env=package_environment)
    assert json.loads(done.stdout)["abi"].startswith("not loaded: ")
