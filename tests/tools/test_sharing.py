# SPDX-License-Identifier: Apache-2.0
"""Test how ``conftest.py`` distributes the tests to several processes."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from running import execute

TESTS = Path(__file__).resolve().parents[1]
SHORT = ("tests/tools/test_check_arrows.py", "tests/tools/test_exports.py")


def test_a_file_stays_in_one_process() -> None:
    options = ("-v", "-p", "no:cacheprovider", "-n", "4", "--no-loadscope-reorder")
    done = execute(sys.executable, "-m", "pytest", *options, *SHORT, cwd=TESTS.parent)
    workers: dict[str, set[str]] = {}
    for worker, name in re.findall(r"^\[(gw\d+)\].* PASSED (\S+?)::", done.stdout, re.MULTILINE):
        workers.setdefault(name, set()).add(worker)
    assert sorted(workers) == sorted(SHORT), done.stdout
    assert all(len(of_one) == 1 for of_one in workers.values()), workers
