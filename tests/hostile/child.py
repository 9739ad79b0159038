# SPDX-License-Identifier: Apache-2.0
"""Run the bodies of tests in child processes with a small stack.

``@in_child()`` makes a test whose body runs in a child. The child has 1 MiB of stack, 2 GiB of
address space and a time limit. The child must reach the end of the body, exit with status 0, and
write nothing to the standard error. The last `note` tells what the child was doing when it ended.
"""

from __future__ import annotations

import faulthandler
import functools
import importlib.util
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tvm_ffi

MIB = 1 << 20

#: CPython 3.12 and 3.13 allow up to 10,000 levels of C recursion, however small the stack is. The
#: repr of an exception that holds itself, and without the GIL the pickle of a deep list and the
#: release of a deep dict, overflow a small stack without this package, too.
STACK_FOR_RECURSION = (16 if (3, 12) <= sys.version_info < (3, 14) else 1) * MIB

_NOTES = "TVM_FFI_HOSTILE_NOTES"  # the path of the notes file; only set in children
_NOTE_SIZE = 2000
_SUPPORT = str(Path(__file__).resolve().parents[1] / "support")
_DONE = "the body came to its end"

SANITIZED = "ASAN_OPTIONS" in os.environ or "TSAN_OPTIONS" in os.environ


def in_child(*, seconds: int = 60, stack: int = MIB) -> Callable[[Callable[..., None]], Any]:
    """Make a test whose body runs in a child; the child gets the arguments of the test as JSON.

    Parameters
    ----------
    seconds
        Time limit of the child; exceeding it fails the test. A sanitizer multiplies it by 10.
    stack
        Size of the stack. A sanitizer multiplies it by 8, since its frames are larger.
    """

    def decorate(body: Callable[..., None]) -> Callable[..., None]:
        if _NOTES in os.environ:
            return body

        @functools.wraps(body)
        def test(**arguments: object) -> None:
            __tracebackhide__ = True
            complaint = _run(body, arguments, seconds, stack)
            assert not complaint, complaint

        return test

    return decorate


def note(*what: object) -> None:
    """Store the next step of the body, for the report of a crash; only children store it."""
    if _notes >= 0:
        text = " ".join(map(str, what)).encode("utf-8", "backslashreplace")[:_NOTE_SIZE]
        os.pwrite(_notes, text.ljust(_NOTE_SIZE), 0)


def _limits(stack: int) -> Callable[[], None]:
    def set_limits() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (stack, stack))
        if not SANITIZED:  # a sanitizer needs terabytes of address space for its shadow memory
            resource.setrlimit(resource.RLIMIT_AS, (2048 * MIB, 2048 * MIB))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return set_limits


def _run(body: Callable[..., None], arguments: dict[str, Any], seconds: int, stack: int) -> str:
    """Run the body of a test in a child; return a description of the failure, or ""."""
    factor = 10 if SANITIZED else 1
    with tempfile.TemporaryDirectory() as directory:
        notes = Path(directory, "notes")
        notes.touch()
        path = os.pathsep.join([str(Path(tvm_ffi.__file__).parents[1]), _SUPPORT])
        environment = {**os.environ, _NOTES: str(notes), "PYTHONPATH": path}
        file = str(Path(body.__code__.co_filename).resolve())
        child = subprocess.Popen(
            [sys.executable, "-W", "ignore", __file__, file, body.__name__, json.dumps(arguments)],
            env=environment,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            preexec_fn=_limits(stack * (8 if SANITIZED else 1)),
        )
        try:
            _, errors = child.communicate(timeout=seconds * factor)
            ended = _ending(child.returncode)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGABRT)  # makes faulthandler print where the child hangs
            try:
                _, errors = child.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                child.kill()
                _, errors = child.communicate()
            ended = f"hung for more than {seconds * factor} s"
        last = notes.read_text(errors="replace").strip()
        if SANITIZED:
            errors = _NO_MEMORY.sub("", errors)
    if not ended and last == _DONE and not errors:
        return ""
    ended = ended or ("wrote to stderr" if last == _DONE else "left before the end of the body")
    return f"the child {ended}; last note: {last!r}\n{errors[-6000:]}"


# AddressSanitizer prints this line when it refuses an allocation. This is not a fault here.
_NO_MEMORY = re.compile(r"==\d+==WARNING: AddressSanitizer failed to allocate .*\n")


def _ending(status: int) -> str:
    """Describe an exit status; return an empty string for 0."""
    if status < 0:
        return f"was killed by {signal.Signals(-status).name}"
    return f"left with status {status}" if status else ""


def _main(file: str, name: str, arguments: str) -> None:
    """Run in the child: load the test's file and run the body of one test."""
    faulthandler.enable()
    # The test file imports `child`, which must be this module, although it runs as `__main__`.
    sys.modules["child"] = sys.modules["__main__"]
    spec = importlib.util.spec_from_file_location("hostile_body", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    getattr(module, name)(**json.loads(arguments))
    note(_DONE)


_notes = os.open(os.environ[_NOTES], os.O_WRONLY) if _NOTES in os.environ else -1

if __name__ == "__main__":
    _main(*sys.argv[1:])
