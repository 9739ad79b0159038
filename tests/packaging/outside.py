# SPDX-License-Identifier: Apache-2.0
"""Run commands as a user outside this tree, without the variables of its builds."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def clean_environment():
    """Return the environment variables without those that point to another build."""
    leading = ("PYTHONPATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "CMAKE_PREFIX_PATH", "tvm_ffi_ROOT")
    return {k: v for k, v in os.environ.items() if k not in leading}


def run(*command, cwd=None, check=True):
    """Run a command outside the tree; return its standard output."""
    result = subprocess.run(
        [*map(str, command)], cwd=cwd, env=clean_environment(), capture_output=True, text=True
    )
    if check and result.returncode != 0:
        raise AssertionError(f"{command} failed\n{result.stdout}\n{result.stderr}")
    return result.stdout
