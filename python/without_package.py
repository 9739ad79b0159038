# SPDX-License-Identifier: Apache-2.0
"""Report that files of the package are missing. This file is installed as ``tvm_ffi.py``.

Python imports the package directory instead of this file if the directory has ``__init__.py``.
Uninstalling ``apache-tvm-ffi`` removes every file that both packages have, such as ``__init__.py``.
Without this module, Python would then import the remaining directory as an empty namespace package
instead of reporting an error.
"""

raise ImportError(
    "the package tvm_ffi has no __init__.py: files of fast-tvm-ffi were removed, probably by "
    "uninstalling apache-tvm-ffi, which has files of the same names. To repair this:\n"
    "    pip install --force-reinstall --no-deps .  # in a clone of the repository",
    name="tvm_ffi",
)
