# SPDX-License-Identifier: Apache-2.0
"""``python -m tvm_ffi.schema``: the command of ``tvm_ffi_schema``."""

from tvm_ffi_schema.__main__ import main

if __name__ == "__main__":
    main()
