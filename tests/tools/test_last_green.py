# SPDX-License-Identifier: Apache-2.0
"""Test the records of slow chores: their content, and the warnings of `make lint`."""

import json
import subprocess

import pytest

import last_green
import repository


def git(root, *arguments):
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    command = ["git", "-C", str(root), *identity, *arguments]
    subprocess.run(command, check=True, capture_output=True)


def commit(root, count=1):
    for _ in range(count):
        git(root, "commit", "--allow-empty", "-m", "change")


@pytest.fixture
def checkout(tmp_path):
    git(tmp_path, "init", "-q")
    (tmp_path / "tools").mkdir()
    (tmp_path / "file").write_text("one")
    git(tmp_path, "add", "file")
    commit(tmp_path)
    return tmp_path


def test_a_green_run_names_the_commit(checkout):
    said = last_green.record(checkout, "asan")
    entry = json.loads((checkout / last_green.RECORDS).read_text())["asan"]
    assert entry["commit"] == last_green.git(checkout, "rev-parse", "HEAD")
    assert entry["commit"][:12] in said


def test_a_second_chore_is_recorded_beside_the_first(checkout):
    last_green.record(checkout, "asan")
    last_green.record(checkout, "tsan")
    assert set(last_green.read_records(checkout)) == {"asan", "tsan"}


def test_a_changed_tree_is_not_recorded(checkout):
    (checkout / "file").write_text("two")
    assert "file is not committed" in last_green.record(checkout, "asan")
    assert last_green.read_records(checkout) == {}


def test_a_folder_without_git_is_not_recorded(tmp_path):
    assert "not a git checkout" in last_green.record(tmp_path, "asan")


def test_a_chore_without_record_is_named(checkout):
    warnings = last_green.warnings(checkout)
    assert len(warnings) == len(last_green.CHORES)
    assert "`make asan` has no recorded green run" in warnings


def test_a_record_is_old_after_more_than_100_commits(checkout):
    for chore in last_green.CHORES:
        last_green.record(checkout, chore)
    commit(checkout, 100)
    assert last_green.warnings(checkout) == []
    commit(checkout)
    assert len(last_green.warnings(checkout)) == len(last_green.CHORES)
    assert "101 commits ago" in last_green.warnings(checkout)[0]


def test_an_unknown_commit_differs_from_an_old_one(checkout):
    entry = {"commit": "0" * 40, "date": "2026-01-01"}
    assert "lacks the recorded commit 000000000000" in last_green.warning(checkout, "asan", entry)


def test_a_record_of_a_commit_that_a_rebase_replaced_is_an_error(checkout, tmp_path_factory):
    commit(checkout)
    last_green.record(checkout, "asan")
    assert last_green.missing_commits(checkout) == []
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "-q", "--depth=1", checkout.as_uri(), ".")
    git(checkout, "commit", "--amend", "--allow-empty", "-m", "another")
    (error,) = last_green.missing_commits(checkout)
    assert "of `make asan` does not exist in this history" in error
    # A shallow clone does not have the history.
    (clone / last_green.RECORDS).parent.mkdir()
    (clone / last_green.RECORDS).write_text((checkout / last_green.RECORDS).read_text())
    git(clone, "commit", "--allow-empty", "-m", "change")
    assert last_green.missing_commits(clone) == []


def test_the_commits_of_this_repository_exist():
    assert last_green.missing_commits(repository.ROOT) == []
