# SPDX-License-Identifier: Apache-2.0
"""A process of one's own; how tests are shared out to several (``pytest -n``, pytest-xdist).

What a directory builds once, it builds in one process: its tests form one group. Elsewhere every
file is a group. The groups that take longest start first, so that no process ends long after the
others.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
has_gil: Callable[[], bool] = getattr(sys, "_is_gil_enabled", lambda: True)
HAS_GIL = has_gil()
# Each builds something that all of its tests use.
ONE_GROUP = ("packaging", "interop")
LONGEST_FIRST = (
    *(f"{name}/" for name in ONE_GROUP),
    # Collects garbage again and again, which takes longer the more objects the process has.
    "python/test_cycles",
    "examples/",
    "python/cpp/",
    "tools/",
    "hostile/",
    "python/stub/",
    "schema/",
)


def group(nodeid: str) -> str:
    """Return the name that the tests of one process have in common."""
    place = _place(nodeid.partition("::")[0])
    first = place.partition("/")[0]
    return first if first in ONE_GROUP else place


def _place(path: str) -> str:
    """Return where a file of tests stands: below ``tests``, or ``schema`` for those of the tool."""
    return path.removeprefix("tests/").replace("schema/tests/", "schema/", 1)


def _turn(item: pytest.Item) -> int:
    place = _place(item.path.relative_to(HERE).as_posix())
    places = (n for n, start in enumerate(LONGEST_FIRST) if place.startswith(start))
    return next(places, len(LONGEST_FIRST))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the groups that take longest first; one process keeps pytest's order."""
    if hasattr(config, "workerinput"):
        items.sort(key=_turn)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what cannot run when every process starts with AddressSanitizer's library."""
    mark = item.get_closest_marker("unsanitized")
    if mark is not None and "libasan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip(mark.args[0])


def pytest_runtest_teardown() -> None:
    """Fail if the test made a free-threaded interpreter enable the GIL."""
    assert has_gil() == HAS_GIL, "the GIL was enabled"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share tests out by :func:`group`.

    The marker ``xdist_group`` would say the same, but pytest-xdist 3.8 writes it into an attribute
    that pytest 9.2 no longer reads, so that every test would be a group of its own.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

    return ByGroup(config, log)


@pytest.fixture(scope="session")
def run_python() -> Callable[..., str]:
    """Run a program in a fresh interpreter, and return what it printed."""

    def run(program: str, **environment: str) -> str:
        import tvm_ffi

        package_parent = str(Path(tvm_ffi.__file__).parents[1])
        variables = {"PYTHONPATH": package_parent, **_inherited(), **environment}
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"exit status {done.returncode}\n{done.stderr}"
        return done.stdout.strip()

    return run


@pytest.fixture(scope="session")
def torch() -> Any:
    """Give PyTorch. Tests that use it are marked ``torch``, which ``make test-torch`` selects."""
    return pytest.importorskip("torch", reason="needs PyTorch: run make test-torch")


def _inherited() -> dict[str, str]:
    """Variables without which a program under a sanitizer does not start."""
    names = ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS", "PYTHONMALLOC", "PATH", "HOME")
    return {name: os.environ[name] for name in names if name in os.environ}
