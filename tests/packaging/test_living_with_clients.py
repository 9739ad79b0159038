# SPDX-License-Identifier: Apache-2.0
"""Test the wheel beside a published client that requires the peer, with pip and with uv.

The client is a small package, ``apache-tvm-ffi-orcjit``. The client and uv come from PyPI; if PyPI
cannot be reached, the tests are skipped.
"""

import os
import shutil
import subprocess
import venv

import pytest
from outside import clean_environment

from tvm_ffi import _distribution

pytestmark = pytest.mark.packaging

OURS = _distribution.DISTRIBUTION
PROVIDE = ("--version", _distribution.PEER_RELEASE)
CLIENT = "apache-tvm-ffi-orcjit==0.1.3"
PROGRAM = (
    "import tvm_ffi, tvm_ffi_orcjit\n"
    "from tvm_ffi._distribution import describe_mixture\n"
    "print(tvm_ffi.get_global_func('ffi.Array')(1, 2)[1], describe_mixture())"
)


def run(folder, *command, check=False, **variables):
    done = subprocess.run(
        [*map(str, command)],
        env={**clean_environment(), **variables},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0 or not check, done.stdout
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def fetched(tmp_path_factory):
    """Download wheels of the client, the peer and uv, or skip the test; return the directory."""
    folder = tmp_path_factory.mktemp("fetched")
    venv.create(folder / "venv", with_pip=True, symlinks=True)
    pip = (folder / "venv" / "bin" / "python", "-m", "pip", "--disable-pip-version-check")
    peer = f"{_distribution.PEER}=={_distribution.PEER_RELEASE}"
    options = ("--quiet", "--only-binary", ":all:", "--dest", folder)
    status, said = run(folder, *pip, "download", *options, CLIENT, peer, "uv")
    if status != 0:
        pytest.skip(f"pip cannot download {CLIENT}, {peer} and uv: {said.splitlines()[-1]}")
    return folder


@pytest.fixture
def environment(fetched, wheel, tmp_path):
    """Add the wheel of this tree to `fetched`; return an environment that has the package."""
    folder = tmp_path / "environment"
    venv.create(folder, with_pip=True, symlinks=True)
    shutil.copy(wheel, fetched)
    python = folder / "bin" / "python"
    pip = (python, "-m", "pip", "--disable-pip-version-check")
    run(folder, *pip, "install", "--no-index", "--find-links", fetched, OURS, check=True)
    return folder


def pip(folder, *arguments):
    return (folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", *arguments)


def test_pip_leaves_the_package_as_it_is(environment, fetched):
    links = ("--no-index", "--find-links", fetched)
    assert run(environment, environment / "bin" / "tvm-ffi-provide", *PROVIDE)[0] == 0
    run(environment, *pip(environment, "install", *links, CLIENT), check=True)
    assert run(environment, environment / "bin" / "python", "-c", PROGRAM) == (0, "2 None\n")
    assert run(environment, *pip(environment, "check")) == (0, "No broken requirements found.\n")


def test_uv_leaves_the_package_as_it_is(environment, fetched):
    links = ("--no-index", "--find-links", fetched)
    run(environment, *pip(environment, "install", *links, "uv"), check=True)
    uv = (environment / "bin" / "uv", "pip")
    target = ("--python", environment / "bin" / "python")
    variables = {"UV_CACHE_DIR": str(environment / "cache"), "UV_LINK_MODE": "copy"}
    assert run(environment, environment / "bin" / "tvm-ffi-provide", *PROVIDE)[0] == 0
    run(environment, *uv, "install", *target, *links, CLIENT, check=True, **variables)
    assert run(environment, environment / "bin" / "python", "-c", PROGRAM) == (0, "2 None\n")
    assert run(environment, *uv, "check", *target, **variables)[0] == 0
    run(environment, *uv, "uninstall", *target, "apache-tvm-ffi", check=True, **variables)
    assert not list(environment.rglob("apache_tvm_ffi-*.dist-info"))
    # The override removes the requirement on the peer, so a stand-in for the peer is not needed
    # (docs/installing.md).
    overrides = environment / "overrides.txt"
    overrides.write_text("apache-tvm-ffi; python_version < '0'\n")
    again = ("install", *target, *links, "--reinstall-package", "apache-tvm-ffi-orcjit")
    run(environment, *uv, *again, "--override", overrides, CLIENT, check=True, **variables)
    assert run(environment, environment / "bin" / "python", "-c", PROGRAM) == (0, "2 None\n")


def test_what_happens_without_it(environment, fetched):
    """Install and remove the peer: the import must fail and say how to repair the package."""
    links = ("--no-index", "--find-links", fetched)
    run(environment, *pip(environment, "install", *links, CLIENT), check=True)
    status, said = run(environment, environment / "bin" / "tvm-ffi-provide", *PROVIDE)
    assert status == 1
    assert f"has replaced files of {OURS}" in said
    run(environment, *pip(environment, "uninstall", "--yes", "apache-tvm-ffi"), check=True)
    status, said = run(environment, environment / "bin" / "python", "-c", "import tvm_ffi")
    assert status == 1
    assert "pip install --force-reinstall --no-deps ." in said
    again = ("install", *links, "--force-reinstall", "--no-deps", OURS)
    run(environment, *pip(environment, *again), check=True)
    assert run(environment, environment / "bin" / "tvm-ffi-provide", *PROVIDE)[0] == 0
    assert run(environment, environment / "bin" / "python", "-c", PROGRAM) == (0, "2 None\n")
    assert os.path.exists(environment / "bin" / "tvm-ffi-config")
