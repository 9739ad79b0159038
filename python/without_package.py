# SPDX-License-Identifier: Apache-2.0
"""Installed as ``tvm_ffi.py`` beside the package; Python prefers the package while it is complete.

Uninstalling ``apache-tvm-ffi`` removes every file that both packages have, such as ``__init__.py``.
Without this module, Python would then import the remaining directory as an empty namespace package
instead of reporting an error.
"""

raise ImportError(
    "the package tvm_ffi has no __init__.py: files of fast-tvm-ffi were removed, probably by "
    "uninstalling apache-tvm-ffi, which has files of the same names. To repair this:\n"
    "    pip install --force-reinstall --no-deps fast-tvm-ffi",
    name="tvm_ffi",
)
