# SPDX-License-Identifier: Apache-2.0
"""Record the calls of functions and methods in a file, and run them again.

Use::

    with tvm_ffi.recording.record("calls.jsonl"):
        module.add(1, 2)

To record the calls of a whole process, set the environment variable ``TVM_FFI_RECORD=calls.jsonl``.
The command
``tvm-ffi-replay calls.jsonl`` runs the calls again and reports the first difference.
"""

from __future__ import annotations

from .recorder import record, start, stop

__all__ = ["record", "start", "stop"]


def _stop_after_failure() -> None:
    """Stop recording after an exception in the recorder; the extension calls this."""
    stop()
