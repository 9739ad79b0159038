# SPDX-License-Identifier: Apache-2.0
"""Test the cache of builds, and the command that shows and clears the cache."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from running import execute

from tvm_ffi.cpp import build, cache, cache_command, inventory
from tvm_ffi.cpp.lock import BuildLock
from tvm_ffi.utils import FileLock

# ---- keys ----


def test_digests_of_different_values_differ():
    values = [
        (),
        ("",),
        (b"",),
        ([],),
        ({},),
        ("ab",),
        ("a", "b"),
        (["a", "b"],),
        (["ab"],),
        ([["a"], "b"],),
        (b"ab",),
        ({"a": "b"},),
        ({"a": b"b"},),
        ("s1:a",),
    ]
    assert len({cache.digest(*value) for value in values}) == len(values)


def test_digest_of_mappings_does_not_depend_on_order():
    assert cache.digest({"a": "1", "b": "2"}) == cache.digest({"b": "2", "a": "1"})
    assert cache.digest(["a", "b"]) != cache.digest(["b", "a"])


def test_digest_refuses_other_values():
    with pytest.raises(TypeError, match="cannot compute a cache key from int: 5"):
        cache.digest([5])


@pytest.mark.spec("TOOL-X4")
def test_root(monkeypatch, cache_dir):
    assert cache.root() == str(cache_dir)
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", "~/elsewhere")
    monkeypatch.setenv("HOME", "/home/of/user")
    assert cache.root() == "/home/of/user/elsewhere"
    monkeypatch.delenv("TVM_FFI_CACHE_DIR")
    assert cache.root() == "/home/of/user/.cache/tvm-ffi"
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", "here")
    assert cache.root() == os.path.join(os.getcwd(), "here")


@pytest.fixture
def homeless(monkeypatch):
    monkeypatch.delenv("TVM_FFI_CACHE_DIR")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # no HOME and no passwd entry


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="users have numbers")
def test_a_user_without_home_has_a_directory_among_the_temporary_ones(homeless, monkeypatch):
    assert cache.root() == os.path.join(tempfile.gettempdir(), f"tvm-ffi-{os.geteuid()}")


def test_a_named_home_that_does_not_exist_is_an_error(homeless, monkeypatch):
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", "~/builds")
    with pytest.raises(ValueError, match=r"TVM_FFI_CACHE_DIR='~/builds'.*home directory"):
        cache.root()


def test_working_directory_may_be_gone(tmp_path, run_python):
    program = f"""
import os
from tvm_ffi.cpp import cache
os.mkdir({str(tmp_path / "gone")!r})
os.chdir({str(tmp_path / "gone")!r})
os.rmdir({str(tmp_path / "gone")!r})
print(cache.root())
"""
    assert run_python(program, TVM_FFI_CACHE_DIR="/some/where") == "/some/where"


# ---- entries of the cache ----


@pytest.fixture
def two(c_file):
    """Build two libraries; the first was last used ten days ago."""
    paths = [Path(build(name, sources=str(c_file))).parent for name in ("old one", "new")]
    past = time.time() - 10 * 86400
    os.utime(paths[0] / "build.record", (past, past))
    return paths


def test_entries(two, cache_dir):
    (cache_dir / "stranger").mkdir()
    (cache_dir / "stranger_0123456789abcdef").mkdir()
    (cache_dir / "file_0123456789abcdef").write_text("")
    entries = {entry.name: entry for entry in inventory.entries()}
    assert set(entries) == {"old one", "new"}
    old = entries["old one"]
    assert old.path == two[0]
    assert old.path.name == f"old one_{old.key}"
    assert old.size >= (two[0] / "old one.so").stat().st_size
    assert entries["new"].last_use - old.last_use > 9 * 86400


def test_use_is_noted(two, c_file):
    build("old one", sources=str(c_file))
    old = next(entry for entry in inventory.entries() if entry.name == "old one")
    assert time.time() - old.last_use < 86400


def test_empty_cache():
    assert inventory.entries() == []
    assert inventory.clear() == []


def test_clear_by_age_and_by_name(two):
    assert [e.name for e in inventory.clear(["new"], older_than_days=5)] == []
    assert [e.name for e in inventory.clear(older_than_days=5)] == ["old one"]
    assert [path.exists() for path in two] == [False, True]
    assert [e.name for e in inventory.clear(["other"])] == []
    assert [e.name for e in inventory.clear(["new"])] == ["new"]


def test_clear_leaves_what_is_locked_and_what_is_not_ours(two, cache_dir):
    (cache_dir / "stranger").mkdir()
    with BuildLock(two[0]):
        assert [e.name for e in inventory.clear()] == ["new"]
    assert sorted(p.name for p in cache_dir.iterdir()) == [two[0].name, "stranger"]


def test_cleared_library_is_built_again(two, c_file):
    inventory.clear()
    assert os.path.exists(build("new", sources=str(c_file)))


@pytest.mark.spec("TOOL-TO14")
def test_what_a_killed_command_left_is_removed(two, cache_dir):
    grave = cache_dir / f".{two[0].name}.12345"
    two[0].rename(grave)
    (cache_dir / ".stranger").mkdir()
    inventory.clear(["nothing"])
    assert sorted(p.name for p in cache_dir.iterdir()) == [".stranger", two[1].name]


@pytest.mark.spec("TOOL-TO14")
def test_directory_that_is_removed_while_a_build_waits_for_its_lock_is_created_again(tmp_path):
    directory = tmp_path / "d"
    with BuildLock(directory):
        heir = threading.Thread(target=lambda: BuildLock(directory).__enter__().__exit__(None))
        heir.start()
        directory.rename(tmp_path / "grave")
        heir.join(60)
    assert not heir.is_alive()
    assert (directory / "lock").is_file()


@pytest.mark.parametrize("error", [FileExistsError, FileNotFoundError])
def test_directory_that_is_removed_during_locking_is_created_again(tmp_path, monkeypatch, error):
    # os.makedirs(exist_ok=True) can fail if another process removes the directory meanwhile.
    make, calls = os.makedirs, []

    def vanishing(*args, **kwargs):
        calls.append(args)
        if len(calls) == 1:
            raise error(17, "gone a moment later", args[0])
        make(*args, **kwargs)

    monkeypatch.setattr(os, "makedirs", vanishing)
    with BuildLock(tmp_path / "d") as lock:
        assert lock.is_in_place()
    assert len(calls) == 2


def test_file_in_the_place_of_the_directory_is_an_error(tmp_path):
    (tmp_path / "d").write_text("")
    with pytest.raises(FileExistsError):
        BuildLock(tmp_path / "d").__enter__()


# ---- permissions of the cache ----


needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs owners of files")


@needs_owners
def test_the_cache_is_made_for_its_owner_alone(cache_dir, c_file):
    umask = os.umask(0)
    try:
        path = Path(build("value", sources=str(c_file)))
    finally:
        os.umask(umask)
    assert stat.S_IMODE(cache_dir.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert build("value", sources=str(c_file)) == str(path)


@needs_owners
@pytest.mark.parametrize("mode", [0o770, 0o720, 0o707, 0o702, 0o777])
@pytest.mark.parametrize("is_root", [True, False])
def test_a_directory_that_others_can_write_to_is_refused(cache_dir, c_file, mode, is_root):
    path = Path(build("value", sources=str(c_file)))
    place = cache_dir if is_root else path.parent
    place.chmod(mode)
    with pytest.raises(PermissionError, match=rf"written to by others \(mode {mode:04o}\)"):
        build("value", sources=str(c_file))
    place.chmod(0o755)
    assert build("value", sources=str(c_file)) == str(path)


@needs_owners
@pytest.mark.parametrize("is_root", [True, False])
def test_a_directory_of_another_user_is_refused(cache_dir, c_file, is_root, monkeypatch):
    path = Path(build("value", sources=str(c_file)))
    place = str(cache_dir if is_root else path.parent)
    look = os.lstat

    def lstat(name, **kwargs):
        status = look(name, **kwargs)
        if name != place:
            return status
        return os.stat_result((*status[:4], status.st_uid + 1, *status[5:]))

    monkeypatch.setattr(os, "lstat", lstat)
    with pytest.raises(PermissionError, match=r"belongs to user \d+, and this process runs as"):
        build("value", sources=str(c_file))


@needs_owners
@pytest.mark.parametrize("is_root", [True, False])
def test_a_symbolic_link_is_refused(cache_dir, c_file, is_root, tmp_path):
    path = Path(build("value", sources=str(c_file)))
    place = cache_dir if is_root else path.parent
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PermissionError, match="is a symbolic link"):
        build("value", sources=str(c_file))


def test_a_library_that_was_replaced_is_built_again(c_file):
    path = Path(build("value", sources=str(c_file)))
    content, status = path.read_bytes(), path.stat()
    path.write_bytes(content[:-1] + b"?")
    # Restore the times, so that neither size nor times show the change.
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert build("value", sources=str(c_file)) == str(path)
    assert path.read_bytes() == content


def test_lock_that_leads_nowhere_is_an_error(tmp_path):
    (tmp_path / "lock").symlink_to(tmp_path / "absent" / "lock")
    with pytest.raises(FileNotFoundError):
        BuildLock(tmp_path).__enter__()


@pytest.mark.spec("TOOL-TO14")
def test_directories_that_vanish_while_they_are_measured(two, monkeypatch):
    walk = os.walk

    def late(directory):
        shutil.rmtree(two[1], ignore_errors=True)
        return walk(directory)

    monkeypatch.setattr(os, "walk", late)
    assert [entry.size for entry in inventory.entries() if entry.path == two[1]] == [0]


def test_lock_of_a_removed_directory_is_not_in_place(tmp_path):
    directory = tmp_path / "d"
    directory.mkdir()
    with BuildLock(directory) as lock:
        assert lock.is_in_place()
        directory.rename(tmp_path / "grave")
        assert not lock.is_in_place()
        directory.mkdir()
        (directory / "lock").write_text("")
        assert not lock.is_in_place()


def test_lock_outlives_an_interruption_while_others_write(tmp_path):
    lock = BuildLock(tmp_path).__enter__()
    writer = os.dup(*lock.descriptors)  # a compiler inherits the descriptor like this
    lock.__exit__(KeyboardInterrupt, None, None)
    assert not FileLock(tmp_path / "lock").acquire()
    os.close(writer)
    assert FileLock(tmp_path / "lock").acquire()


def test_lock_ends_after_an_error(tmp_path):
    lock = BuildLock(tmp_path).__enter__()
    writer = os.dup(*lock.descriptors)
    lock.__exit__(ValueError, None, None)
    assert FileLock(tmp_path / "lock").acquire()
    os.close(writer)
    assert lock.descriptors == ()


# ---- the command ----


@pytest.mark.spec("TOOL-TO7")
def test_command_lists(two, capsys):
    assert cache_command.main(["list"]) == 0
    head, new, old = capsys.readouterr().out.splitlines()
    assert head.split() == ["NAME", "KEY", "SIZE", "LAST", "USE"]
    assert new.startswith("new ")
    assert old.startswith("old one ")
    assert two[0].name[-16:] in old
    assert cache_command.main(["list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == ["new", "old one"]
    assert set(rows[0]) == {"name", "key", "path", "size", "last_use"}
    assert rows[1]["path"] == str(two[0])


@pytest.mark.spec("TOOL-TO7")
def test_command_clears(two, capsys):
    assert cache_command.main(["clear", "--older-than", "5"]) == 0
    out = capsys.readouterr().out
    assert f"removed {two[0]}\n1 removed, " in out
    assert cache_command.main(["clear", "nothing", "new"]) == 0
    assert not two[1].exists()


def test_command_names_a_cache_that_is_a_file(tmp_path, monkeypatch, capsys):
    file = tmp_path / "file"
    file.write_text("not a directory")
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(file))
    for arguments in (["list"], ["list", "--json"], ["clear"]):
        assert cache_command.main(arguments) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("tvm-ffi-cache: cannot read the cache: ")
        assert str(file) in err


@pytest.mark.spec("TOOL-TO7")
def test_command_prints_the_directory(cache_dir, capsys):
    assert cache_command.main(["dir"]) == 0
    assert capsys.readouterr().out == f"{cache_dir}\n"


def test_command_without_or_with_bad_arguments(capsys):
    assert cache_command.main([]) == 0
    assert "usage: tvm-ffi-cache" in capsys.readouterr().out
    for bad in (["clear", "--older-than", "x"], ["clear", "--older-than", "-1"], ["burn"]):
        with pytest.raises(SystemExit) as caught:
            cache_command.main(bad)
        assert caught.value.code == 2


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (2**30, "1.0 GiB")]
)
def test_sizes(size, text):
    assert cache_command._size(size) == text


def test_command_loads_no_native_code(package_environment):
    program = "from tvm_ffi_commands.cache import __main__; __main__()"
    done = execute(sys.executable, "-v", "-c", program, "dir", env=package_environment)
    assert "import 'tvm_ffi.cpp.cache'" in done.stderr
    assert "import 'tvm_ffi.core'" not in done.stderr


def test_cache_directory_that_is_a_file_names_the_variable(tmp_path, monkeypatch):
    """Before the fix, a FileExistsError did not tell where the path came from."""
    file = tmp_path / "file"
    file.write_text("")
    for path in (file, file / "below"):
        monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(path))
        with pytest.raises(OSError, match="TVM_FFI_CACHE_DIR names its directory"):
            cache.private_root()
