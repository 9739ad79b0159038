# SPDX-License-Identifier: Apache-2.0
"""Test the record of a build."""

from __future__ import annotations

import os
import time

import pytest

from tvm_ffi.cpp import record


@pytest.fixture
def built(tmp_path):
    """Write an input, an output and the record of their build."""
    (tmp_path / "in.c").write_text("int x;")
    os.utime(tmp_path / "in.c", ns=(1, 1))
    (tmp_path / "out.so").write_text("library")
    record.write(tmp_path, "print", "out.so", ["in.c"], time.time_ns())
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


def test_forgotten(built):
    record.forget(built)
    record.forget(built)
    assert not record.is_current(built, "out.so", "print")


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
    record.write(built, "print", "out.so", [name], time.time_ns())
    assert record.is_current(built, "out.so", "print")
    os.utime(built / name, ns=(2, 2))
    assert not record.is_current(built, "out.so", "print")


def test_name_with_a_line_break_leaves_no_record(built):
    record.forget(built)
    (built / "a\nb").write_text("")
    record.write(built, "print", "out.so", ["a\nb"], time.time_ns())
    assert not (built / record.RECORD_FILE).exists()


def test_input_that_changed_meanwhile_leaves_no_record(built):
    record.forget(built)
    record.write(built, "print", "out.so", ["in.c"], start_ns=0)
    assert not record.is_current(built, "out.so", "print")
    record.write(built, "print", "out.so", ["absent.c"], time.time_ns())
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
