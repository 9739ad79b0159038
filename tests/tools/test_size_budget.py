# SPDX-License-Identifier: Apache-2.0
"""Test the budgets of lines, and the check of the messages of new commits."""

import subprocess

import pytest

import size_budget

BUDGET = "[lines]\nsrc = 2\ntvm_ffi = 2\ntests = 1\n"


class Repository:
    """A checkout with budgets and commits."""

    def __init__(self, root):
        self.root = root
        self.git("init", "-q")
        self.commit("Add the tool", {"tools/size_budget.py": "", size_budget.BUDGETS: BUDGET})

    def git(self, *arguments):
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        command = ["git", "-C", str(self.root), *identity, *arguments]
        subprocess.run(command, check=True, capture_output=True)

    def commit(self, message, files):
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)


@pytest.fixture
def run(tmp_path):
    repository = Repository(tmp_path)

    def run(message="Add a file", files=()):
        repository.commit(message, dict(files))
        return size_budget.problems(tmp_path)

    return run


def test_lines_within_the_budgets_pass(run):
    files = {"src/a.h": "1\n2\n", "src/b.txt": "1\n2\n3\n", "other/c.py": "1\n2\n3\n"}
    assert run(files=files) == []


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("src/a.cc", "src"),
        ("python/tvm_ffi/c.pyi", "tvm_ffi"),
        ("tests/t.rs", "tests"),
        ("src/tests/t.c", "tests"),
    ],
)
def test_a_part_beyond_its_budget_is_named(run, name, part):
    (said,) = run(files={name: "1\n2\n3\n"})
    assert said.startswith(f"{part} has 3 lines; its budget is ")


def test_the_table_has_lines_and_budget_of_each_part(run, tmp_path):
    run(files={"src/a.h": "1\n2\n3\n"})
    assert [line.split() for line in size_budget.table(tmp_path).splitlines()] == [
        ["src", "3", "2"],
        ["tvm_ffi", "0", "2"],
        ["tests", "0", "1"],
    ]


def test_a_large_change_needs_a_body(run):
    text = "1\n" * (size_budget.LINES_WITHOUT_BODY + 1)
    (said,) = run("Change much", {"notes.txt": text})
    assert "(Change much) changes 41 lines without a body" in said


def test_a_large_change_with_a_body_passes(run):
    text = "1\n" * (size_budget.LINES_WITHOUT_BODY + 1)
    assert run("Change much\n\nBecause.", {"notes.txt": text}) == []


def test_a_small_change_needs_no_body(run):
    text = "1\n" * size_budget.LINES_WITHOUT_BODY
    assert run("Change little", {"notes.txt": text}) == []


def test_a_long_subject_is_refused(run):
    assert run("x" * size_budget.SUBJECT, {"one": "1"}) == []
    (said,) = run("x" * (size_budget.SUBJECT + 1), {"two": "2"})
    assert "has 73 characters, more than 72" in said
