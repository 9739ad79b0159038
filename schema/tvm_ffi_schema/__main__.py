# SPDX-License-Identifier: Apache-2.0
"""Run the command by ``python -m tvm_ffi_schema``."""

from .commands.cli import __main__

if __name__ == "__main__":
    __main__()
