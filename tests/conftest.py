# SPDX-License-Identifier: Apache-2.0
"""How the tests are shared out to several processes (``pytest -n``, pytest-xdist).

What a directory builds once, it builds in one process: its tests form one group. Elsewhere every
file is a group. The groups that take longest start first, so that no process ends long after the
others.
"""

from __future__ import annotations

from pathlib import Path

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
