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
from pathlib import Path
from typing import Callable

import pytest

HERE = Path(__file__).resolve().parent
# Each builds something that all of its tests use.
ONE_GROUP = ("packaging", "interop")
LONGEST_FIRST = (*ONE_GROUP, "examples", "python/cpp", "tools", "hostile", "python/stub")


def _group(item: pytest.Item) -> str:
    place = item.path.relative_to(HERE)
    return place.parts[0] if place.parts[0] in ONE_GROUP else place.as_posix()


def _turn(item: pytest.Item) -> int:
    place = item.path.relative_to(HERE).as_posix()
    places = (n for n, start in enumerate(LONGEST_FIRST) if place.startswith(start + "/"))
    return next(places, len(LONGEST_FIRST))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Name each test's group and put the long ones first; one process keeps pytest's order."""
    if not hasattr(config, "workerinput"):
        return
    items.sort(key=_turn)
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group(item)))


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


def _inherited() -> dict[str, str]:
    """Variables without which a program under a sanitizer does not start."""
    names = ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS", "PYTHONMALLOC", "PATH", "HOME")
    return {name: os.environ[name] for name in names if name in os.environ}
