# SPDX-License-Identifier: Apache-2.0
"""Fixtures for pickles that one program writes and another reads."""

from __future__ import annotations

import os
import pickle
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from running import execute

if TYPE_CHECKING:
    from collections.abc import Callable


# The settings of `make asan`, which a program needs to load the extension.
SANITIZERS = ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS", "PYTHONMALLOC")


class Dumped(NamedTuple):
    """A pickle of protocol 5: the stream, and the buffers outside of the stream."""

    stream: bytes
    buffers: list[pickle.PickleBuffer]

    def load(self, convert: Callable[[Any], Any] = lambda buffer: buffer) -> Any:
        """Load the value after converting each buffer."""
        return pickle.loads(self.stream, buffers=[convert(buffer) for buffer in self.buffers])


@pytest.fixture
def dump():
    """Return a function that pickles a value with buffers outside of the stream."""

    def dump(value: Any) -> Dumped:
        buffers: list[pickle.PickleBuffer] = []
        return Dumped(pickle.dumps(value, 5, buffer_callback=buffers.append), buffers)

    return dump


@pytest.fixture
def send(tmp_path):
    """Return a function that runs two programs; the first sends ``value`` to the second.

    Each program runs as ``__main__``. If ``back`` is given, the first program then loads the
    ``answer`` of the second program, and runs the source text ``back``. The function returns the
    output of both programs.
    """
    pytest.importorskip("cloudpickle")

    def run(script: Path) -> str:
        import tvm_ffi

        done = execute(
            sys.executable,
            script,
            env={
                "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1]),
                "PATH": "/usr/bin:/bin",
                **{name: os.environ[name] for name in SANITIZERS if name in os.environ},
            },
            cwd=tmp_path,
            timeout=120,
        )
        return done.stdout.strip()

    def send(sender: str, receiver: str, back: str | None = None) -> str:
        there, answer = tmp_path / "there.pickle", tmp_path / "answer.pickle"
        receive, main = tmp_path / "receive.py", tmp_path / "main.py"
        receive.write_text(
            f"import cloudpickle, pickle\nvalue = pickle.load(open({str(there)!r}, 'rb'))\n"
            f"answer = None\n{textwrap.dedent(receiver)}\n"
            f"cloudpickle.dump(answer, open({str(answer)!r}, 'wb'))\n"
        )
        run_receiver = (
            "import subprocess, sys\n"
            f"command = [sys.executable, {str(receive)!r}]\n"
            "done = subprocess.run(command, capture_output=True, text=True)\n"
            "assert done.returncode == 0, done.stderr\nprint(done.stdout, end='')\n"
        )
        loaded = f"import pickle\nanswer = pickle.load(open({str(answer)!r}, 'rb'))\n"
        main.write_text(
            f"{textwrap.dedent(sender)}\nimport cloudpickle\n"
            f"cloudpickle.dump(value, open({str(there)!r}, 'wb'))\n{run_receiver}"
            + ("" if back is None else loaded + textwrap.dedent(back))
        )
        return run(main)

    return send
