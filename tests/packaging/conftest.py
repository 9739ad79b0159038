# SPDX-License-Identifier: Apache-2.0
"""Build a wheel of this tree, and install it into a fresh environment."""

import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from outside import ROOT, run


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


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """Return the wheel that `pip wheel` builds, with build requirements from PyPI."""
    out = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    # The tests need the files of the wheel, not its speed.
    settings = [f"--config-settings=cmake.define.CMAKE_{x}_FLAGS_RELEASE=-O0" for x in ("C", "CXX")]
    run(*pip, "wheel", "--no-deps", "--wheel-dir", out, *settings, ROOT, cwd=out)
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory):
    """Install the wheel in a fresh environment, in a directory with a non-ASCII name."""
    folder = tmp_path_factory.mktemp("environment_é")
    venv.create(folder, with_pip=True, symlinks=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "--disable-pip-version-check", "install", "--no-index", wheel)
    return Installed(folder)
