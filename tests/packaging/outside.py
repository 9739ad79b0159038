# SPDX-License-Identifier: Apache-2.0
"""Run commands as a user outside this tree, without the variables of its builds."""

import os
import sys
import sysconfig
from pathlib import Path

from running import execute

ROOT = Path(__file__).resolve().parents[2]
# Options of pip. The tests need the files of the wheel, not its speed.
BUILT_HERE = [
    *("--no-deps", "--no-build-isolation", "--disable-pip-version-check"),
    *(f"--config-settings=cmake.define.CMAKE_{x}_FLAGS_RELEASE=-O0" for x in ("C", "CXX")),
]


def clean_environment():
    """Return the environment variables without those that point to another build."""
    leading = ("PYTHONPATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "CMAKE_PREFIX_PATH", "tvm_ffi_ROOT")
    return {k: v for k, v in os.environ.items() if k not in leading}


def run(*command, cwd=None, check=True):
    """Run a command outside the tree; return its standard output."""
    result = execute(*command, status=None, cwd=cwd, env=clean_environment())
    if check and result.returncode != 0:
        raise AssertionError(f"{command} failed\n{result.stdout}\n{result.stderr}")
    return result.stdout


class Installed:
    """The package in a separate environment."""

    def __init__(self, folder):
        self.folder = folder
        self.bin = folder / ("Scripts" if sys.platform == "win32" else "bin")
        self.python = self.bin / "python"
        site = sysconfig.get_path("purelib", vars={"base": str(folder)})
        self.package = Path(site) / "tvm_ffi"
        (self.dist_info,) = self.package.parent.glob("fast_tvm_ffi-*.dist-info")

    def config(self, *flags):
        return run(self.bin / "tvm-ffi-config", *flags, cwd=self.folder)
