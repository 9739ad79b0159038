# SPDX-License-Identifier: Apache-2.0
"""A wheel of this tree, and a fresh environment that holds nothing else."""

import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from outside import ROOT, run


class Installed:
    """The package in an environment of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.bin = folder / ("Scripts" if sys.platform == "win32" else "bin")
        self.python = self.bin / "python"
        site = sysconfig.get_path("purelib", vars={"base": str(folder)})
        self.package = Path(site) / "tvm_ffi"
        (self.dist_info,) = self.package.parent.glob("fast_tvm_ffi-*.dist-info")

    def config(self, *flags):
        return run(self.bin / "tvm-ffi-config", *flags, cwd=self.folder)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel as `pip wheel` builds it, its build requirements taken from PyPI."""
    out = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--wheel-dir", out, ROOT, cwd=out)
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory):
    """The wheel in a fresh environment; its directory's name has a letter beyond ASCII."""
    folder = tmp_path_factory.mktemp("environment_é")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "--disable-pip-version-check", "install", "--no-index", wheel)
    return Installed(folder)
