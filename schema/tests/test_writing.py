# SPDX-License-Identifier: Apache-2.0
"""A run writes all files or none: refusals, interruptions, full disks, concurrent runs."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from running import execute

from tvm_ffi_schema.files import fsio

from . import played

SCHEMA = '@declare\nclass PNode(Object):\n    """A."""\n    type_key = "t.P"\n    x: int\n'


@pytest.fixture
def ready(project):
    project.schema(SCHEMA)
    assert project.run("generate", "-q") == 0
    project.schema(SCHEMA.replace("x: int", "x: int\n    y: int"))
    return project


def generated(project) -> dict[str, bytes]:
    return {name: data for name, data in project.files().items() if not name.startswith("schema")}


@pytest.mark.spec("SC83")
@pytest.mark.parametrize("fail_at", [1, 2])
@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_a_failure_midway_leaves_whole_files_that_the_next_run_completes(
    ready, monkeypatch, call, fail_at
):
    before = generated(ready)
    real, count = getattr(os, call), 0

    def failing(*args):
        nonlocal count
        count += 1
        if count == fail_at:
            raise OSError(errno.ENOSPC, "No space left on device", str(args[0]))
        return real(*args)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, failing)
        assert ready.run("generate") == 4
    assert "TS118" in ready.ids() and "No space left" in ready.err
    between = generated(ready)
    assert not list(ready.root.rglob(".tschema-*"))
    assert ready.run("generate") == 0
    after = generated(ready)
    assert b"int64_t y" in after["include/ir.h"]
    replaced = fail_at - 1 if call == "replace" else 0  # all contents are on the disk first
    assert sum(between[name] != before[name] for name in before) == replaced
    assert all(between[name] in (before[name], after[name]) for name in before)


def test_notes_of_another_owner_remove_only_temporary_files(ready):
    ready.write("other/precious.txt", "mine")
    ready.write("other/.tschema-0123456789abcdef.tmp", "of a killed run")
    ready.write(".tschema/staging.json", json.dumps([str(ready.root / "other"), "missing", 7]))
    assert ready.run("generate") == 0
    assert [path.name for path in (ready.root / "other").iterdir()] == ["precious.txt"]
    assert not (ready.root / ".tschema/staging.json").exists()


def test_a_file_system_without_locks_is_refused(ready):
    before = ready.files()
    with played.no_locks(ready):
        assert ready.run("generate") == 4
    assert "TS119" in ready.ids() and ".tschema/lock: No locks available" in ready.err
    assert ready.files() == before


def test_a_platform_without_locks_is_refused(ready, monkeypatch):
    for name in ("fcntl", "msvcrt"):
        monkeypatch.setitem(sys.modules, name, None)
    before = ready.files()
    assert ready.run("generate") == 4
    assert "TS119" in ready.ids() and "this platform has no file locks" in ready.err
    assert ready.files() == before


def test_files_that_were_written_are_named(ready):
    assert ready.run("generate") == 0
    assert ready.err == "changed  include/ir.h\nchanged  src/ir.cc\n2 of 2 files written\n"
    (ready.root / "src/ir.cc").unlink()
    assert ready.run("generate") == 0
    assert ready.err == "created  src/ir.cc\n1 of 2 files written\n"
    for number in range(12):
        text = SCHEMA.replace("PNode", f"P{number}Node").replace("t.P", f"t.P{number}")
        ready.schema(text, f"schema/m{number}.py")
    assert ready.run("generate") == 0
    lines = ready.err.splitlines()
    assert len([line for line in lines if line.startswith("created")]) == 20
    assert lines[20:] == ["and 4 more, which -v names", "24 of 26 files written"]


def test_notes_of_the_tool_stay_out_of_version_control(ready):
    done = subprocess.run(["git", "init", "-q"], cwd=ready.root, check=False)
    if done.returncode:
        pytest.skip("git is not here")
    assert ready.run("generate") == 0
    (ready.root / ".tschema/lost+found").mkdir()
    (ready.root / ".tschema/lost+found/ir.h.1").write_text("kept")
    command = ["git", "status", "--porcelain", "--untracked-files=all"]
    done = execute(*command, cwd=ready.root)
    assert sorted(done.stdout.split()[1::2]) == ["include/ir.h", "schema/ir.py", "src/ir.cc"]


def test_notes_of_the_tool_hold_no_absolute_path(ready, monkeypatch):
    """A project can be moved, so the files in `.tschema` must not contain absolute paths."""
    config = str(ready.write("tschema.toml", 'outputs = ["cpp", "python"]\n'))
    root = str(ready.root)
    runs = [
        (),
        ("-C", root),
        ("--config", config),
        ("-C", f"{root}/schema"),
        (f"{root}/schema/ir.py",),
    ]
    for number, arguments in enumerate(runs):
        ready.schema(SCHEMA.replace("x: int", f"x: int\n    y{number}: int"))
        assert ready.run("generate", *arguments) == 0, ready.err
        notes = [path for path in (ready.root / ".tschema").rglob("*") if path.is_file()]
        assert {"cache", "lock"} <= {path.name for path in notes}
        assert not [path.name for path in notes if root.encode() in path.read_bytes()], arguments
        assert ready.run("check", *arguments) == 0, ready.err
        assert ready.run("generate", *arguments) == 0 and ready.err == "nothing to do\n"


@pytest.mark.parametrize("at", [1, 2])
def test_a_moved_project_is_current_and_a_killed_run_is_completed_there(ready, monkeypatch, at):
    class Killed(BaseException):
        pass

    (ready.root / "one").mkdir()
    for name in ("schema", "include", "src", ".tschema"):
        (ready.root / name).rename(ready.root / "one" / name)
    top, ready.root = ready.root, ready.root / "one"
    count, real = 0, os.replace

    def killed(one, other):
        nonlocal count
        count += 1
        if count == at:
            raise Killed
        return real(one, other)

    before = generated(ready)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        with pytest.raises(Killed):
            ready.run("generate")
    os.chdir(top)
    for path in (ready.root / ".tschema").iterdir():
        assert str(ready.root).encode() not in path.read_bytes(), path
    assert list(ready.root.rglob(".tschema-*"))
    ready.root = ready.root.rename(top / "two")
    assert ready.run("generate") == 0, ready.err
    assert not list(ready.root.rglob(".tschema-*"))
    assert set(generated(ready)) == set(before)
    assert all(b" y" in data for data in generated(ready).values())
    ready.root = ready.root.rename(top / "three")
    assert ready.run("generate") == 0 and ready.err == "nothing to do\n"


def test_a_file_that_changes_while_the_plan_is_made(ready, monkeypatch):
    from tvm_ffi_schema.weave import plan

    real = plan.make

    def slow(*args):
        made = real(*args)
        path = ready.root / "include/ir.h"
        path.write_bytes(path.read_bytes() + b"// by another process\n")
        return made

    with monkeypatch.context() as patch:
        patch.setattr(plan, "make", slow)
        assert ready.run("generate") == 4
    assert "TS117" in ready.ids()
    assert b"int64_t y" not in generated(ready)["src/ir.cc"]


@pytest.mark.skipif(os.name != "posix", reason="mode bits")
def test_mode_bits_and_links_are_kept(ready):
    header = ready.root / "include/ir.h"
    real = ready.root / "elsewhere.h"
    header.rename(real)
    real.chmod(0o640)
    header.symlink_to("../elsewhere.h")
    assert ready.run("generate") == 0, ready.err
    assert header.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert "int64_t y" in real.read_text()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_read_only_file(ready):
    (ready.root / "include/ir.h").chmod(0o444)
    before = generated(ready)
    assert ready.run("generate") == 4
    assert "TS118" in ready.ids()
    assert generated(ready) == before


def test_read_only_file_as_the_tool_sees_it(ready, monkeypatch):
    before = generated(ready)
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("ir.h"))
    assert ready.run("generate") == 4
    assert "TS118" in ready.ids() and "read-only" in ready.err
    assert generated(ready) == before


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
def test_full_disk(project, tmp_path):
    """The test mounts a file system of 64 KiB; it is skipped if the process may not mount."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small file system cannot be mounted here")
    try:
        project.root = folder
        project.schema(SCHEMA)
        assert project.run("generate") == 0, project.err
        before = generated(project)
        fields = "\n".join(f"    field_number_{n}: int" for n in range(400))
        project.schema(SCHEMA + fields)
        assert project.run("generate") == 4
        assert "TS118" in project.ids()
        assert generated(project) == before
    finally:
        subprocess.run(["umount", str(folder)], check=False)


@pytest.mark.spec("SC85")
def test_only_changed_files_are_written(ready):
    assert ready.run("generate") == 0
    times = {path: path.stat().st_mtime_ns for path in (ready.root / "src").iterdir()}
    ready.schema(SCHEMA.replace("x: int", "x: int\n    y: int = 0").replace('"A."', '"B."'))
    (ready.root / ".tschema/cache").unlink()
    before = ready.read("src/ir.cc")
    assert ready.run("generate") == 0
    for path, time in times.items():
        assert (path.stat().st_mtime_ns == time) == (ready.read("src/ir.cc") == before)


@pytest.mark.spec("SC90")
def test_a_file_of_the_user_is_never_overwritten(project):
    project.schema(SCHEMA)
    project.write("include/ir.h", "int mine;\n")
    before = project.files()
    assert project.run("generate") == 4
    assert project.ids() == ["TS115"]
    assert project.files() == before


def test_whole_files_keep_custom_sections_and_refuse_edits(project):
    project.schema(SCHEMA)
    assert project.run("generate", "-q") == 0
    text = project.read("include/ir.h")
    section = "// tschema: custom-begin\nint mine;\n// tschema: custom-end\n"
    macro = '  TVM_FFI_DECLARE_OBJECT_INFO("t.P"'
    project.write("include/ir.h", text.replace(macro, section + macro))
    project.schema(SCHEMA.replace("x: int", "z: int"))
    assert project.run("generate") == 0, project.err
    text = project.read("include/ir.h")
    assert section + "};" in text and "int64_t z{};" in text
    project.write("include/ir.h", text.replace("int64_t z{};", "int64_t q{};"))
    assert project.run("generate") == 4
    assert project.ids() == ["TS108"]
    project.write("include/ir.h", text.rpartition("// tschema: end")[0])
    assert project.run("generate") == 4
    assert project.ids() == ["TS101"]


@pytest.mark.spec("SC90")
def test_orphans(project):
    project.schema(SCHEMA)
    project.schema(SCHEMA.replace("t.P", "t.Q").replace("PNode", "QNode"), "schema/other.py")
    assert project.run("generate", "-q") == 0
    (project.root / "schema/other.py").unlink()
    assert project.run("check") == 0
    assert project.ids() == ["TS116", "TS116"]


@pytest.mark.spec("SC87", "SC104.3", "SC104.5")
def test_check_and_dry_run_write_nothing(ready):
    before = {path: path.read_bytes() for path in ready.root.rglob("*") if path.is_file()}
    assert ready.run("check") == 1
    assert "+  int64_t y{};" in ready.out
    assert ready.run("generate", "--dry-run", "--depfile", "x.d") == 0
    assert ready.out.splitlines() == ["changed   include/ir.h", "changed   src/ir.cc"]
    assert ready.run("check", "-q") == 1
    assert ready.out.splitlines() == ["include/ir.h", "src/ir.cc"]
    now = {path: path.read_bytes() for path in ready.root.rglob("*") if path.is_file()}
    assert now == before


def test_nothing_to_do_is_found_without_parsing(ready, monkeypatch):
    from tvm_ffi_schema.link import reader

    assert ready.run("generate") == 0
    with monkeypatch.context() as patch:
        patch.setattr(reader, "read", None)
        assert ready.run("generate") == 0
        assert "nothing to do" in ready.err
        assert ready.run("check") == 0
    Path(ready.root / "include/ir.h").unlink()
    assert ready.run("check") == 1
    ready.write(".tschema/cache", "[]")
    assert ready.run("check") == 1


def test_many_files_are_on_the_disk_or_none_is_touched(tmp_path, monkeypatch):
    paths = [tmp_path / f"d{n % 3}/f{n}.txt" for n in range(40)]
    (tmp_path / ".tschema").mkdir()
    changes = [fsio.Change(str(path), None, b"old %d" % n) for n, path in enumerate(paths)]
    fsio.commit(str(tmp_path), changes)
    paths[7].chmod(0o640)
    again = [fsio.Change(c.path, c.new, c.new.replace(b"old", b"new")) for c in changes]
    real, count = os.fsync, 0

    def failing(handle):
        nonlocal count
        count += 1
        if count == 23:
            raise OSError(errno.EIO, "Input/output error")
        return real(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing)
        with pytest.raises(fsio.WriteError, match="Input/output error") as caught:
            fsio.commit(str(tmp_path), again)
    assert caught.value.rule == "TS118"
    assert threading.active_count() == 1
    assert [path.read_bytes() for path in paths] == [change.new for change in changes]
    assert not list(tmp_path.rglob("*.tmp"))
    fsio.commit(str(tmp_path), again)
    assert [path.read_bytes() for path in paths] == [change.new for change in again]
    assert stat.S_IMODE(paths[7].stat().st_mode) == 0o640
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_devices_and_pipes_are_written_to_and_never_replaced(project):
    """Run by root with `-o /dev/null`, earlier versions replaced the device by a file."""
    project.schema(SCHEMA)
    pipe = project.root / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        for command in ("export", "build"):
            target = "pipe" if command == "export" else "pipe.tfs"
            assert project.run(command, "schema/ir.py", "-o", target) == 0, project.err
        assert stat.S_ISFIFO(os.stat(pipe).st_mode)
        assert b"tschema-ir/1" in os.read(reader, 1 << 16)
    finally:
        os.close(reader)


def test_a_link_stays_where_an_output_goes_through_it(project):
    project.schema(SCHEMA)
    project.write("real.tfs", "")
    (project.root / "link.tfs").symlink_to("real.tfs")
    assert project.run("build", "schema/ir.py", "-o", "link.tfs") == 0, project.err
    assert (project.root / "link.tfs").is_symlink()
    assert (project.root / "real.tfs").stat().st_size > 0


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_an_output_whose_place_is_taken_by_a_pipe_is_refused_without_waiting(ready):
    before = generated(ready)
    os.unlink(ready.root / "src/ir.cc")
    os.mkfifo(ready.root / "src/ir.cc")
    assert ready.run("generate") != 0
    assert "src/ir.cc cannot be read: it is a device, a pipe or a socket" in ready.err
    os.unlink(ready.root / "src/ir.cc")
    assert generated(ready) == {name: text for name, text in before.items() if name != "src/ir.cc"}
