# SPDX-License-Identifier: Apache-2.0
"""Build a wheel of this tree, and install it into a fresh environment."""

import ast
import re
import venv

import pytest
from outside import BUILT_HERE, ROOT, Installed, run


@pytest.fixture(scope="session")
def builder(tmp_path_factory):
    # For another environment scikit-build-core would empty the build tree and compile all again.
    folder = tmp_path_factory.mktemp("builder")
    venv.create(folder, with_pip=True, symlinks=True)
    requires = re.search(r"^requires = (.*)$", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    run(folder / "bin" / "pip", "install", "--quiet", *ast.literal_eval(requires[1]))
    return folder


@pytest.fixture(scope="session")
def wheel(builder, tmp_path_factory):
    """Return the wheel that `pip wheel` builds."""
    out = tmp_path_factory.mktemp("wheel")
    run(builder / "bin" / "pip", "wheel", *BUILT_HERE, "--wheel-dir", out, ROOT, cwd=out)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory):
    """Install the wheel in a fresh environment, in a directory with a non-ASCII name."""
    folder = tmp_path_factory.mktemp("environment_é")
    venv.create(folder, with_pip=True, symlinks=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "--disable-pip-version-check", "install", "--no-index", wheel)
    return Installed(folder)
