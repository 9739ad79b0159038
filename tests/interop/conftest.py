# SPDX-License-Identifier: Apache-2.0
"""Compile clients with our headers and with the peer's headers; one runtime loads both.

The peer is ``apache-tvm-ffi`` from PyPI, installed into an environment below ``build/``. These
tests run in the interpreter that started them, on our runtime; most of them run once more in the
peer's environment, on the peer's runtime (``test_peer_runtime.py``).
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
import venv
from pathlib import Path

import pytest
from outside import ROOT, clean_environment, run
from running import execute

import tvm_ffi

PEER = "apache-tvm-ffi==0.1.15.post2"
HERE = Path(__file__).resolve().parent
BUILD = ROOT / "build" / "interop"
SIDES = ("ours", "peer")
# The variable with the directory of the clients; set only if the peer's interpreter runs the tests.
CLIENTS_VARIABLE = "TVM_FFI_INTEROP_CLIENTS"


class Peer:
    """The environment with the peer's package."""

    def __init__(self, folder: Path) -> None:
        self.python = folder / "bin" / "python"

    def ask(self, flag: str) -> str:
        """Return the output of ``tvm-ffi-config``."""
        return run(self.python, "-m", "tvm_ffi.config", flag).strip()


def _is_ready(python: Path) -> bool:
    test = "import importlib.metadata as m, pytest; print(m.version('apache-tvm-ffi'))"
    if not python.exists():
        return False
    done = execute(python, "-c", test, status=None, env=clean_environment())
    return done.stdout.strip() == PEER.partition("==")[2]


@functools.cache
def _install_peer() -> Peer | str:
    """Return the peer's environment, or the reason why it cannot be installed."""
    folder = BUILD / "peer"
    peer = Peer(folder)
    if not _is_ready(peer.python):
        venv.create(folder, with_pip=True, clear=True, symlinks=True)
        command = [peer.python, "-m", "pip", "install", "--quiet", PEER]
        command += [f"pytest=={pytest.__version__}", "--disable-pip-version-check"]
        done = execute(*command, status=None, env=clean_environment())
        if done.returncode != 0:
            return f"{PEER} cannot be installed from PyPI: {done.stderr.strip()[-300:]}"
    return peer


@pytest.fixture(scope="session")
def peer() -> Peer:
    """Return the peer's environment; skip the test if PyPI cannot be reached."""
    found = _install_peer()
    if isinstance(found, str):
        pytest.skip(found)
    return found


def _build_clients(peer: Peer) -> Path:
    import tvm_ffi.libinfo as ours

    library = Path(ours.find_libtvm_ffi())
    # Use a separate directory for each build of the runtime, such as a build with a sanitizer.
    folder = BUILD / f"clients-{library.parents[3].name}"
    peer_library = Path(peer.ask("--libdir")) / "libtvm_ffi.so"
    places = {
        "INTEROP_OURS_INCLUDE": ours.find_include_path(),
        "INTEROP_OURS_LIBRARY": library,
        "INTEROP_PEER_INCLUDE": peer.ask("--includedir"),
        "INTEROP_PEER_LIBRARY": peer_library,
    }
    definitions = [f"-D{name}={place}" for name, place in places.items()]
    run("cmake", "-G", "Ninja", "-S", HERE, "-B", folder, *definitions)
    run("cmake", "--build", folder)
    return folder


@pytest.fixture(scope="session")
def clients(request: pytest.FixtureRequest) -> Path:
    """Return the directory of the compiled clients and host programs."""
    if CLIENTS_VARIABLE in os.environ:
        return Path(os.environ[CLIENTS_VARIABLE])
    for tool in ("cmake", "ninja", os.environ.get("CXX", "g++")):
        if shutil.which(tool) is None:
            pytest.skip(f"needs {tool}")
    if sys.platform != "linux":
        pytest.skip("the peer's library is taken in its Linux form")
    return _build_clients(request.getfixturevalue("peer"))


@pytest.fixture(scope="session")
def load(clients: Path):
    """Return a function that loads a client by its name, such as ``enums``, and its side."""

    @functools.cache
    def loader(noun: str, side: str) -> tvm_ffi.Module:
        path = clients / f"lib{noun}_{side}.so"
        if not path.exists():
            pytest.skip(f"the {side} headers for {noun} are not there")
        return tvm_ffi.load_module(str(path))

    return loader


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test for all sides of its parameters ``maker``, ``reader`` and ``side``."""
    for name in ("maker", "reader", "side"):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, SIDES)
