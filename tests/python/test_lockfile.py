# SPDX-License-Identifier: Apache-2.0
"""Test file locks between processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tvm_ffi
from tvm_ffi.utils import FileLock

HOLDER = """
import sys
from tvm_ffi.utils import FileLock
lock = FileLock(sys.argv[1])
print(lock.acquire(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "lock")


@pytest.fixture
def holder(path):
    """Start a process that holds the lock until the process ends."""
    environment = dict(os.environ, PYTHONPATH=str(Path(tvm_ffi.__file__).parents[1]))
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, path],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "True\n"
    yield process
    process.kill()
    process.communicate()


@pytest.mark.spec("PY-J271", "TOOL-TO6")
def test_acquire_and_release(path):
    lock = FileLock(path)
    assert lock._file_descriptor is None
    assert lock.acquire() is True
    assert lock._file_descriptor is not None
    assert lock.acquire() is False
    assert FileLock(path).acquire() is False
    lock.release()
    lock.release()
    assert lock._file_descriptor is None
    assert os.path.exists(path)
    assert FileLock(path).acquire() is True


def test_path_objects_are_paths(tmp_path):
    lock = FileLock(tmp_path / "lock")
    assert lock.acquire()
    lock.release()


def test_file_that_cannot_be_opened(tmp_path):
    lock = FileLock(str(tmp_path / "absent" / "lock"))
    assert lock.acquire() is False
    with pytest.raises(TimeoutError):
        lock.blocking_acquire(timeout=0.01, poll_interval=0.005)
    with pytest.raises(FileNotFoundError):  # does not wait for ever
        lock.blocking_acquire()


@pytest.mark.spec("PY-J271", "TOOL-TO6")
def test_blocking_acquire(path):
    lock = FileLock(path)
    assert lock.blocking_acquire() is True
    with pytest.raises(RuntimeError, match=r"^Lock is already held by this instance\.$"):
        lock.blocking_acquire(timeout=0)
    with pytest.raises(TimeoutError) as caught:
        FileLock(path).blocking_acquire(timeout=0.02, poll_interval=0.005)
    assert str(caught.value) == f"Failed to acquire lock on '{path}' after 0.02 seconds."
    lock.release()


@pytest.mark.spec("PY-J271", "TOOL-TO6")
def test_context_manager_lets_exceptions_through(path):
    lock = FileLock(path)
    with lock as entered:
        assert entered is lock
        assert lock._file_descriptor is not None
    with pytest.raises(KeyError), lock:
        raise KeyError("x")
    assert lock._file_descriptor is None


def test_forgotten_lock_does_not_block_other_locks(path):
    assert FileLock(path).acquire()
    assert FileLock(path).acquire()


@pytest.mark.spec("PY-J271")
def test_lock_is_between_processes(path, holder):
    lock = FileLock(path)
    assert lock.acquire() is False
    with pytest.raises(TimeoutError):
        lock.blocking_acquire(timeout=0.01, poll_interval=0.005)
    holder.communicate("")
    assert lock.acquire() is True


def test_lock_dies_with_its_owner(path, holder):
    holder.kill()
    holder.wait()
    assert FileLock(path).acquire() is True


def test_started_programs_do_not_inherit_the_lock(path):
    lock = FileLock(path)
    lock.acquire()
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False
    ) as child:
        lock.release()
        assert FileLock(path).acquire() is True
        child.communicate(b"\n")
