# SPDX-License-Identifier: Apache-2.0
"""The command ``tvm-ffi-config``."""

from __future__ import annotations

from . import module


def __main__() -> None:  # noqa: N807 - named as in the other commands
    """Run the command on the arguments of the process."""
    module("config").__main__()
