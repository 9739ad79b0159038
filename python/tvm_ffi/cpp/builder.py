# SPDX-License-Identifier: Apache-2.0
"""Run one build, from the sources to the record, under the lock of its directory."""

from __future__ import annotations

import os
import time

from . import ninja, record, runner
from .lock import BuildLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .request import Request

    # Generated file -> (the caller's name for its sources, the sources).
    Given = Mapping[str, tuple[str, list[str]]]


def build(
    request: Request, directory: str, build_file: str, fingerprint: str, given: Given
) -> None:
    """Build the output of a request in a directory, unless another process has just built it.

    Raises
    ------
    RuntimeError
        If a tool is missing or fails.
    OSError
        If the directory cannot be written.

    """
    __tracebackhide__ = True
    with BuildLock(directory) as lock:
        if not record.is_current(directory, request.output, fingerprint):
            _run(request, directory, build_file, fingerprint, lock.descriptors, given)


def _run(
    request: Request,
    directory: str,
    build_file: str,
    fingerprint: str,
    lock: tuple[int, ...],
    given: Given,
) -> None:
    __tracebackhide__ = True
    for name, content in request.texts.items():
        record.write_if_changed(os.path.join(directory, name), content)
    for name, data in request.cubins.items():
        record.write_if_changed(os.path.join(directory, f"{name}.cubin"), data)
    record.write_if_changed(os.path.join(directory, ninja.BUILD_FILE), build_file)
    start_ns = time.time_ns()
    with record.work_directory(directory) as work:
        try:
            runner.run(work, build_file, kept_open=lock)
        except RuntimeError as error:
            from . import diagnostics  # Slow to import, so imported only after an error.

            raise RuntimeError(diagnostics.explain(str(error), directory, given)) from None
        made = ninja.objects_of(request)
        own = [target for file, target in made.items() if target != file]
        try:
            inputs = [*made, *record.files_read(work, own)]
        except OSError:
            inputs = [record.UNKNOWN_INPUTS]  # This compiler writes no dep files.
        record.publish(work, directory, fingerprint, request.output, inputs, start_ns)
