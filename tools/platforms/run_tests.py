# SPDX-License-Identifier: Apache-2.0
"""Run the C++ tests of a build for another platform, and print a summary.

``run_tests.py BUILD --name NAME -- EMULATOR ARGUMENTS``

CTest starts one process per test, and an emulator needs seconds to start a process. This script
runs each test program once. A test that fails in this run, or does not run because the program ends
early, runs again in a process of its own, as under CTest. Then only the second result is used.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PROGRAM_SECONDS = 900
TEST_SECONDS = 300


@dataclass
class Result:
    """The results of the tests of one program."""

    passed: int = 0
    skipped: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


def start(command: list[str], seconds: int) -> tuple[int | None, str]:
    """Run a command; return (exit status, output). The status is None after a timeout."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        return None, (error.stdout or b"").decode(errors="replace")
    return done.returncode, done.stdout.decode(errors="replace")


def names_of_tests(command: list[str]) -> list[str]:
    """Return the names of the tests in a GoogleTest program."""
    status, text = start([*command, "--gtest_list_tests"], TEST_SECONDS)
    if status != 0:
        raise RuntimeError(
            f"{' '.join(command)} does not list its tests (status {status}):\n{text}"
        )
    names, suite = [], ""
    for line in text.splitlines():
        name = line.partition("#")[0].strip()
        if line.startswith("  "):
            names.append(suite + name)
        elif name.endswith("."):
            suite = name
    return [name for name in names if "DISABLED_" not in name]


def run_once(command: list[str], report: Path) -> dict[str, str]:
    """Run a program; return test -> ``passed`` or ``skipped``, without tests that failed."""
    report.unlink(missing_ok=True)
    # A relative path is also valid for Windows programs in an emulator.
    start([*command, f"--gtest_output=json:{os.path.relpath(report)}"], PROGRAM_SECONDS)
    if not report.exists():
        return {}
    outcomes = {}
    for suite in json.loads(report.read_text(encoding="utf-8", errors="replace"))["testsuites"]:
        for test in suite["testsuite"]:
            if test["status"] == "RUN" and not test.get("failures"):
                name = f"{suite['name']}.{test['name']}"
                outcomes[name] = "skipped" if test["result"] == "SKIPPED" else "passed"
    return outcomes


def run_program(command: list[str], report: Path) -> Result:
    """Run all tests of a GoogleTest program."""
    result = Result()
    names = names_of_tests(command)
    outcomes = run_once(command, report)
    for name in names:
        outcome = outcomes.get(name)
        if outcome is None:
            status, text = start([*command, f"--gtest_filter={name}"], TEST_SECONDS)
            if status == 0:
                outcome = "skipped" if "[  SKIPPED ]" in text else "passed"
            else:
                why = "out of time" if status is None else f"status {status}"
                result.failed[name] = f"{why}\n{text}"
        if outcome == "passed":
            result.passed += 1
        elif outcome == "skipped":
            result.skipped.append(name)
    return result


def programs_in(build: Path, pattern: str) -> list[Path]:
    """Return the test programs of a build tree."""
    patterns = ("cpp/test_*", "cpp/alone_*", "cpp/all_headers*", "abi/c*_facts_*")
    found = [path for glob in patterns for path in build.glob(f"tests/{glob}")]
    programs = [path for path in found if path.is_file() and path.suffix in ("", ".exe")]
    return sorted(p for p in programs if p.stem != "test_prefix" and pattern in p.stem)


def run_any(program: Path, command: list[str], build: Path) -> Result:
    """Run a GoogleTest program, or a program that is a single test and reports by exit status."""
    if program.stem.startswith("test_"):
        with tempfile.TemporaryDirectory(dir=build) as folder:
            return run_program(command, Path(folder) / "report.json")
    status, text = start(command, TEST_SECONDS)
    if status == 0:
        return Result(passed=1)
    return Result(failed={program.stem: f"status {status}\n{text}"})


def show(program: Path, result: Result) -> None:
    """Print the counts of a program, and the last lines of output of its failed tests."""
    counts = f"{result.passed} passed, {len(result.failed)} failed, {len(result.skipped)} skipped"
    print(f"{program.stem}: {counts}", flush=True)
    for name, text in result.failed.items():
        print(f"  FAILED {name}: {text.rstrip()[-4000:]}", flush=True)


def main() -> int:
    """Run the programs; return 1 if a test fails, or if there are no tests."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("build", type=Path)
    arguments.add_argument("--name", required=True, help="what the last line calls the platform")
    arguments.add_argument("--only", default="", help="text in the names of the programs to run")
    # argparse does not accept a list of words that begin with a dash, so split at `--` first.
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    given = arguments.parse_args(sys.argv[1:end])
    emulator = sys.argv[end + 1 :]
    programs = programs_in(given.build, given.only)
    total = Result()
    for program in programs:
        try:
            result = run_any(program, [*emulator, str(program)], given.build)
        except RuntimeError as error:
            result = Result(failed={"(all tests)": str(error)})
        show(program, result)
        total.passed += result.passed
        total.skipped += result.skipped
        for name, text in result.failed.items():
            total.failed[f"{program.stem}/{name}"] = text
    for name in total.failed:
        print(f"FAILED {name}")
    print(
        f"{given.name}: {len(programs)} programs, {total.passed} tests passed, "
        f"{len(total.failed)} failed, {len(total.skipped)} skipped"
    )
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main())
