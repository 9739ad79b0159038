# SPDX-License-Identifier: Apache-2.0
"""Test ``tools/platforms/run_tests.py``: counts, tests that run in a separate process, crashes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from running import execute

ROOT = Path(__file__).resolve().parents[2]

# A fake GoogleTest program. A run of all tests reports the outcomes in WHOLE. A run of one test
# exits with the status of this test in ALONE.
PROGRAM = """\
import json, os, sys
WHOLE, ALONE = {whole!r}, {alone!r}
option = sys.argv[1]
if option == "--gtest_list_tests":
    print("Suite.\\n  First\\n  Second  # GetParam() = 1")
    print("Other/Values.\\n  Third/0\\n  DISABLED_Fourth")
elif option.startswith("--gtest_filter="):
    sys.exit(ALONE[option.partition("=")[2]])
elif WHOLE is None:
    os.abort()
else:
    suites = {{}}
    for name, result in WHOLE.items():
        suite, _, test = name.partition(".")
        entry = {{"name": test, "status": "RUN", "result": "COMPLETED"}}
        if result == "skipped":
            entry["result"] = "SKIPPED"
        if result == "failed":
            entry["failures"] = [{{"failure": "no"}}]
        suites.setdefault(suite, []).append(entry)
    report = {{"testsuites": [{{"name": s, "testsuite": t}} for s, t in suites.items()]}}
    with open(option.partition(":")[2], "w") as file:
        json.dump(report, file)
"""
NAMES = ("Suite.First", "Suite.Second", "Other/Values.Third/0")


def run(
    tmp_path: Path, whole: dict[str, str] | None, alone: dict[str, int]
) -> subprocess.CompletedProcess[str]:
    """Run the script on a build tree with one program."""
    folder = tmp_path / "build/tests/cpp"
    folder.mkdir(parents=True)
    (folder / "test_one").write_text(PROGRAM.format(whole=whole, alone=alone))
    script = str(ROOT / "tools/platforms/run_tests.py")
    return execute(
        sys.executable,
        script,
        tmp_path / "build",
        "--name",
        "here",
        "--",
        sys.executable,
        status=None,
        cwd=tmp_path,
    )


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """Return the line with the counts."""
    return done.stdout.splitlines()[-1]


def test_counts_what_passes_in_one_process(tmp_path: Path) -> None:
    done = run(tmp_path, {**dict.fromkeys(NAMES, "passed"), NAMES[1]: "skipped"}, {})
    assert last_line(done) == "here: 1 programs, 2 tests passed, 0 failed, 1 skipped"
    assert done.returncode == 0


def test_runs_failed_tests_again_by_themselves(tmp_path: Path) -> None:
    whole = {**dict.fromkeys(NAMES, "passed"), NAMES[0]: "failed", NAMES[2]: "failed"}
    done = run(tmp_path, whole, {NAMES[0]: 0, NAMES[2]: 3})
    assert last_line(done) == "here: 1 programs, 2 tests passed, 1 failed, 0 skipped"
    assert "FAILED test_one/Other/Values.Third/0" in done.stdout
    assert done.returncode == 1


def test_runs_every_test_by_itself_after_a_crash(tmp_path: Path) -> None:
    done = run(tmp_path, None, dict.fromkeys(NAMES, 0))
    assert last_line(done) == "here: 1 programs, 3 tests passed, 0 failed, 0 skipped"


def test_a_build_without_tests_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    script = str(ROOT / "tools/platforms/run_tests.py")
    done = execute(sys.executable, script, tmp_path / "build", "--name", "here", status=None)
    assert last_line(done) == "here: 0 programs, 0 tests passed, 0 failed, 0 skipped"
    assert done.returncode == 1


@pytest.mark.parametrize("platform", ["", "amiga"])
def test_other_platforms_are_refused(platform: str) -> None:
    script = str(ROOT / "tools/platforms/check.sh")
    done = execute(script, platform, "python3", status=2)
    assert done.stderr.startswith("usage: check.sh aarch64|windows|musl|macos")
