# SPDX-License-Identifier: Apache-2.0
"""Show on a terminal or in a notebook what is being compiled, and for how long."""

from __future__ import annotations

import os
import sys
import threading
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TextIO

    from .request import Request
    from .toolchain import Toolchain

_INTERVAL = 0.5  # Seconds between two updates of the line.
_MAX_LENGTH = 55


def announced(request: Request, tools: Toolchain, verbose: bool | None) -> Progress:
    """Return the display of the progress of one build.

    If ``verbose`` is None, it writes only on a terminal and in IPython.
    """
    names = ", ".join(os.path.basename(source) for source in request.sources)
    compilers = {"cpp": tools.cxx, "c": tools.cc, "cuda": tools.gpu}
    used = [command for kind, command in compilers.items() if kind in request.kinds]
    programs = ", ".join(map(os.path.basename, used or [tools.cxx]))
    stream, is_live = _stream()
    wanted = is_live if verbose is None else verbose
    return Progress(f"{request.name} ({names}; {programs})", stream if wanted else None, is_live)


def _stream() -> tuple[TextIO | _Cell | None, bool]:
    """Return the stream to write to, and whether the terminal or notebook can update a line."""
    ipython = sys.modules.get("IPython")
    get_ipython: Callable[[], object] = getattr(ipython, "get_ipython", lambda: None)
    shell = get_ipython()
    if getattr(shell, "kernel", None) is not None:
        return _Cell(), True
    if shell is not None:
        return sys.stdout, True
    stream = sys.stderr
    try:
        return stream, stream is not None and stream.isatty()
    except (AttributeError, ValueError):
        return stream, False  # The stream was replaced or closed.


class _Cell:
    """An output of a notebook that each text replaces.

    The output streams of a notebook keep all texts, so a saved notebook would have many lines.
    """

    def __init__(self) -> None:
        self._handle: Any = None

    def write(self, text: str) -> None:
        data = {"text/plain": text.strip()}
        if self._handle is None:
            from IPython.display import display

            show: Any = display  # IPython has no types for it.
            self._handle = show(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)

    def flush(self) -> None:
        """Do nothing: the text is shown already."""


class Progress:
    """A context manager that shows what is built, and the elapsed seconds, on one line."""

    def __init__(self, what: str, stream: TextIO | _Cell | None, is_live: bool) -> None:
        # Shorten the line, because a line that the terminal wraps cannot be replaced.
        self._what = what if len(what) <= _MAX_LENGTH else f"{what[: _MAX_LENGTH - 3]}..."
        self._stream = stream
        self._is_live = is_live
        self._done = threading.Event()
        self._thread: threading.Thread | None = None
        self._start = 0.0
        self._width = 0

    def __enter__(self) -> Progress:
        self._start = time.monotonic()
        if self._stream is not None:
            self._write(f"building {self._what} ...", "" if self._is_live else "\n")
            if self._is_live:
                self._thread = threading.Thread(target=self._update, daemon=True)
                self._thread.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._stream is None:
            return
        self._done.set()
        if self._thread is not None:
            self._thread.join()
        result = "built" if kind is None else "failed to build"
        self._write(f"{result} {self._what} in {self._seconds()} s", "\n")

    def _seconds(self) -> str:
        return f"{time.monotonic() - self._start:.1f}"

    def _update(self) -> None:
        while not self._done.wait(_INTERVAL):
            self._write(f"building {self._what} ... {self._seconds()} s", "")

    def _write(self, text: str, end: str) -> None:
        stream = self._stream
        if stream is None:
            return
        if self._is_live:
            # Blanks overwrite the rest of a longer text.
            self._width = max(self._width, len(text))
            text = f"\r{text.ljust(self._width)}"
        try:
            stream.write(text + end)
            stream.flush()
        except (OSError, ValueError):
            pass  # A closed stream must not stop the build.
