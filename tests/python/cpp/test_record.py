# SPDX-License-Identifier: Apache-2.0
"""Test the record of a build."""

from __future__ import annotations

import os
import time

import pytest

from tvm_ffi.cpp import record


def publish(directory, inputs=("in.c",), start_ns=None):
    """Publish a build that made an output and an object."""
    work = directory / "work"
    work.mkdir()
    (work / "out.so").write_text("library")
    (work / "c_0.o").write_text("object")
    start_ns = time.time_ns() if start_ns is None else start_ns
    record.publish(str(work), directory, "print", "out.so", inputs, start_ns)
    work.rmdir()


@pytest.fixture
def built(tmp_path):
    """Write an input, an output and the record of their build."""
    (tmp_path / "in.c").write_text("int x;")
    os.utime(tmp_path / "in.c", ns=(1, 1))
    publish(tmp_path)
    return tmp_path


def test_current_until_something_changes(built):
    assert record.is_current(built, "out.so", "print")
    assert not record.is_current(built, "out.so", "other")
    assert not record.is_current(built, "other.so", "print")
    os.utime(built / "in.c", ns=(2, 2))
    assert not record.is_current(built, "out.so", "print")


@pytest.mark.parametrize("name", ["in.c", "out.so"])
def test_missing_files(built, name):
    (built / name).unlink()
    assert not record.is_current(built, "out.so", "print")


def test_ninja_runs_if_the_compiler_lists_no_files(built):
    publish(built, [record.UNKNOWN_INPUTS])
    assert not record.is_current(built, "out.so", "print")
    with record.work_directory(built) as work:
        assert sorted(os.listdir(work)) == ["c_0.o", "out.so"]


@pytest.mark.parametrize("damaged", ["c_0.o", "out.so", record.RECORD_FILE])
def test_a_build_starts_from_nothing_if_a_file_is_damaged(built, damaged):
    with record.work_directory(built) as work:
        assert sorted(os.listdir(work)) == ["c_0.o", "out.so"]
    content = bytearray((built / damaged).read_bytes())
    content[len(content) // 2] ^= 1
    (built / damaged).write_bytes(content)
    with record.work_directory(built) as work:
        assert os.listdir(work) == []
    assert not list(built.glob(".build.*"))


def test_work_of_killed_processes_is_removed_after_a_day(built):
    for name, age in ((".build.old", 2 * 86400), (".build.new", 60)):
        (built / name).mkdir()
        os.utime(built / name, (time.time() - age,) * 2)
    with record.work_directory(built):
        assert not (built / ".build.old").exists()
        assert (built / ".build.new").exists()


def test_part_of_a_record_is_not_accepted(built):
    path = built / record.RECORD_FILE
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        assert not record.is_current(built, "out.so", "print")
    path.write_bytes(whole)
    assert record.is_current(built, "out.so", "print")


@pytest.mark.parametrize("name", ["a b", "\udce4.h", "tab\there", "ret\rurn"])
def test_any_name_of_a_file_is_read_back(built, name):
    (built / name).write_text("")
    os.utime(built / name, ns=(1, 1))
    publish(built, [name])
    assert record.is_current(built, "out.so", "print")
    os.utime(built / name, ns=(2, 2))
    assert not record.is_current(built, "out.so", "print")


def test_name_with_a_line_break_leaves_no_record(built):
    (built / "a\nb").write_text("")
    publish(built, ["a\nb"])
    assert not (built / record.RECORD_FILE).exists()


def test_input_that_changed_meanwhile_leaves_no_record(built):
    publish(built, start_ns=0)
    assert not record.is_current(built, "out.so", "print")
    publish(built, ["absent.c"])
    assert not (built / record.RECORD_FILE).exists()


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("a.o: a.c b.h\n", ["a.c", "b.h"]),
        ("a.o: a.c \\\n b.h \\\r\n c.h\n", ["a.c", "b.h", "c.h"]),
        ("a\\ b.o: with\\ space.c x$$y \\#c it's\n", ["with space.c", "x$y", "#c", "it's"]),
        ("a.o:\n", []),
        ("", []),
    ],
)
def test_dep_files(text, files):
    assert record.parse_depfile(text) == files


def test_files_are_written_whole_and_only_when_changed(tmp_path):
    path = tmp_path / "file"
    record.write_if_changed(path, "text")
    os.utime(path, ns=(1, 1))
    record.write_if_changed(path, b"text")
    assert path.stat().st_mtime_ns == 1
    record.write_if_changed(path, "other")
    assert path.read_text() == "other"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    with pytest.raises(OSError):
        record.write_atomically(tmp_path / "absent" / "file", "x")
