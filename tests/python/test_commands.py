# SPDX-License-Identifier: Apache-2.0
"""Test the commands that the package installs."""

from __future__ import annotations

import configparser
import importlib
import inspect
import sys
from pathlib import Path

import pytest
from running import execute

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
