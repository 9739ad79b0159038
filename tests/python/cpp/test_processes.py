# SPDX-License-Identifier: Apache-2.0
"""Test processes that build the same library concurrently, or are killed during a build."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading

import pytest
from running import run_threads

from tvm_ffi import load_module
from tvm_ffi.cpp import build
from tvm_ffi.utils import lockfile

BUILD = """
import sys
from tvm_ffi.cpp import build
print(build("value", sources=sys.argv[1]))
"""
# Fork, since starting 32 interpreters would take long. Forking is safe, since the program does not
# load native code.
CROWD = """
import os, sys
from tvm_ffi.cpp import build
children = []
for _ in range(32):
    child = os.fork()
    if child == 0:
        try:
            path = build("value", sources=sys.argv[1])
            os._exit(0 if os.path.getsize(path) > 0 else 1)
        except BaseException:
            import traceback
            traceback.print_exc()
            os._exit(2)
    children.append(child)
print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and signals")


# The time after which a hanging process fails the test.
LIMIT_SECONDS = 300


def heed_interrupts():
    """Restore SIGINT, which a shell ignores in background jobs."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(program, c_file, environment):
    return subprocess.Popen(
        [sys.executable, "-c", program, str(c_file)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )


@pytest.mark.spec("TOOL-X12")
def test_crowd_builds_once(c_file, counted_cc, package_environment):
    crowd = start(CROWD, c_file, package_environment)
    out, errors = crowd.communicate(timeout=LIMIT_SECONDS)
    assert (out.strip(), errors) == (str([0] * 32), "")
    assert counted_cc() == 1


@pytest.mark.spec("TOOL-X12")
def test_threads_build_once(c_file, counted_cc):
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(build("value", sources=str(c_file))))
        for _ in range(16)
    ]
    run_threads(threads)
    assert len(results) == 16
    assert len(set(results)) == 1
    assert counted_cc() == 1


# Each process finds its lock free, as on several hosts whose file system has no working locks.
WITHOUT_LOCKS = """
import sys
from tvm_ffi.utils import lockfile
lockfile._try_lock = lambda descriptor: True
from tvm_ffi.cpp import load
for round in range(3):
    assert load("value", sources=sys.argv[1], build_directory=sys.argv[1] + ".built").value() == 1
"""


def test_eight_processes_without_locks_load_whole_libraries(c_file, package_environment):
    processes = [start(WITHOUT_LOCKS, c_file, package_environment) for _ in range(8)]
    ends = [(p.communicate(timeout=LIMIT_SECONDS)[1], p.returncode) for p in processes]
    assert ends == [("", 0)] * 8
    folder = c_file.parent / "value.c.built"
    assert not list(folder.glob(".build.*"))


@pytest.mark.parametrize("problem", [errno.ENOLCK, errno.ENOTSUP])
def test_a_file_system_without_locks_is_built_on(c_file, monkeypatch, problem):
    def refuse(descriptor):
        raise OSError(problem, os.strerror(problem))

    monkeypatch.setattr(lockfile, "_try_lock", refuse)
    assert os.path.getsize(build("value", sources=str(c_file))) > 0


def test_damaged_record_and_dep_files_leave_no_old_library(c_file):
    header = c_file.parent / "value.h"
    header.write_text("#define VALUE 1\n")
    c_file.write_text('#include "value.h"\n' + c_file.read_text())
    path = build("value", sources=str(c_file))
    folder = os.path.dirname(path)
    for name in os.listdir(folder):
        if name == "build.record" or name.endswith(".d"):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(b"c_0.o: \n")
    header.write_text("#define VALUE 2\n")
    again = build("value", sources=str(c_file))
    assert load_module(again).value() == 2


@pytest.fixture
def gate(tmp_path, script, monkeypatch):
    """Replace the compiler by a script whose first call reports that it runs, and then waits."""
    begun, go_on, first = (tmp_path / name for name in ("begun", "go_on", "first"))
    os.mkfifo(begun)
    os.mkfifo(go_on)
    compiler = script(
        "slow_cc",
        f"if mkdir '{first}' 2>/dev/null; then",
        f"  echo begun > '{begun}'",
        f"  read line < '{go_on}'",
        "fi",
        'exec cc "$@"',
    )
    monkeypatch.setenv("CC", str(compiler))
    return begun, go_on


@pytest.mark.spec("TOOL-TO15")
def test_killed_build_is_taken_over(c_file, gate, package_environment):
    begun, go_on = gate
    environment = {**package_environment, "CC": os.environ["CC"]}
    killed = start(BUILD, c_file, environment)
    assert begun.read_text() == "begun\n"
    killed.send_signal(signal.SIGKILL)
    killed.communicate(timeout=LIMIT_SECONDS)
    # The compiler of the killed process still runs; the next process must wait for it.
    heir = start(BUILD, c_file, environment)
    go_on.write_text("go\n")
    out, errors = heir.communicate(timeout=LIMIT_SECONDS)
    assert (heir.returncode, errors) == (0, "")
    assert os.path.getsize(out.strip()) > 0
    assert build("value", sources=str(c_file)) == out.strip()


def test_interrupted_build_can_be_repeated(c_file, gate, package_environment):
    begun, go_on = gate
    environment = {**package_environment, "CC": os.environ["CC"]}
    interrupted = start(BUILD, c_file, environment)
    assert begun.read_text() == "begun\n"
    interrupted.send_signal(signal.SIGINT)
    _, errors = interrupted.communicate(timeout=LIMIT_SECONDS)
    assert "KeyboardInterrupt" in errors
    writer = threading.Thread(target=go_on.write_text, args=("go\n",), daemon=True)
    writer.start()
    assert os.path.getsize(build("value", sources=str(c_file))) > 0
