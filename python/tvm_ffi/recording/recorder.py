# SPDX-License-Identifier: Apache-2.0
"""Write calls to a file, one JSON object in each line.

A line with ``"begin"`` is written before the call, so that the last line of a process that crashed
names the call. The line with ``"end"`` is written after the call. A line with ``"tensor"`` has the
elements of a tensor, and precedes the first line that refers to the tensor.
"""

from __future__ import annotations

import json
import os
import threading
import time
from contextlib import contextmanager

from .. import core
from .._overwrite import check_replaceable
from .values import Writer, identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TextIO

FORMAT = 1


class Recorder:
    """The recorder, which the extension calls before and after each call; threads may share it."""

    def __init__(self, file: TextIO) -> None:
        """Create a recorder that writes to an open file."""
        self._file = file
        self._lock = threading.Lock()
        self._count = 0
        self._local = threading.local()
        self._writer = Writer(lambda name, data: self._write({"tensor": name, **data}))
        self._write({"format": FORMAT, "process": os.getpid()})

    def begin(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> Any:
        """Write the called function and its arguments."""
        depth = getattr(self._local, "depth", 0)
        with self._lock:
            self._count += 1
            number = self._count
            arguments = [self._writer.value(arg) for arg in args]
            line = {
                "begin": number,
                "function": identity(target),
                "args": arguments,
                "thread": threading.get_ident(),
                "depth": depth,
            }
            if kwargs:
                line["kwargs"] = {k: self._writer.value(v) for k, v in kwargs.items()}
            self._write(line)
        self._local.depth = depth + 1
        return number, args, arguments, time.perf_counter_ns()

    def end(self, token: Any, result: Any, error: BaseException | None) -> None:
        """Write the result or the exception, and the arguments whose contents the call changed."""
        duration = time.perf_counter_ns() - token[3]
        number, args, before, _ = token
        self._local.depth -= 1
        with self._lock:
            line: dict[str, Any] = {"end": number, "ns": duration}
            if error is not None:
                line["error"] = {"type": type(error).__name__, "message": str(error)}
            else:
                line["result"] = self._writer.value(result)
            changed = {}
            for i, (arg, data) in enumerate(zip(args, before)):
                if isinstance(data, dict):
                    now = self._writer.value(arg)
                    if now != data:
                        changed[str(i)] = now
            if changed:
                line["changed"] = changed
            self._write(line)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


_current: Recorder | None = None


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _is_recording(content: bytes) -> bool:
    """Return whether the content of a file begins like a recording."""
    try:
        head = json.loads(content.partition(b"\n")[0])
    except ValueError:
        return False
    return isinstance(head, dict) and "format" in head and "process" in head


def start(path: str | os.PathLike[str]) -> None:
    """Record the calls of this process in a file, until ``stop``.

    Calls of functions and methods from Python are recorded, including nested calls. Creation of
    objects and access to fields are not recorded. Recording a call takes far longer than the call
    itself. The file contains the arguments and results, so only its owner can read a new file; an
    existing file keeps its permissions.

    Raises
    ------
    FileExistsError
        If the file exists and is not a recording.
    OSError
        If the file cannot be written.
    RuntimeError
        If calls are being recorded already.

    """
    global _current
    if _current is not None:
        raise RuntimeError("calls are being recorded already; call tvm_ffi.recording.stop() first")
    check_replaceable(path, "a recording", _is_recording)
    file = open(path, "w", encoding="utf-8", opener=_open_private)  # noqa: SIM115 - stop() closes it
    _current = Recorder(file)
    core._set_recorder(_current)


def stop() -> None:
    """Stop recording and close the file; do nothing if calls are not being recorded."""
    global _current
    recorder, _current = _current, None
    if recorder is not None:
        core._set_recorder(None)
        recorder.close()


@contextmanager
def record(path: str | os.PathLike[str]) -> Iterator[None]:
    """Record the calls inside a ``with`` block in a file: see ``start``."""
    start(path)
    try:
        yield
    finally:
        stop()


def _start_from_environment(path: str) -> None:
    """Start recording when the package is imported, as ``TVM_FFI_RECORD`` requests.

    A child process inherits the variable and writes to its own file.
    """
    own = str(os.getpid())
    owner = os.environ.get("TVM_FFI_RECORD_PROCESS", own)
    os.environ["TVM_FFI_RECORD_PROCESS"] = owner
    try:
        start(path if owner == own else f"{path}.{own}")
    except OSError as error:
        error.strerror = f"TVM_FFI_RECORD: {error.strerror}"
        raise
