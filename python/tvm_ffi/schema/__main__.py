# SPDX-License-Identifier: Apache-2.0
"""``python -m tvm_ffi.schema``."""

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
