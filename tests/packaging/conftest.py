# SPDX-License-Identifier: Apache-2.0
"""Build a wheel of this tree, and install it into a fresh environment."""

import sys
import venv

import pytest
from outside import ROOT, SETTINGS, Installed, run


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """Return the wheel that `pip wheel` builds, with build requirements from PyPI."""
    out = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--wheel-dir", out, *SETTINGS, ROOT, cwd=out)
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
