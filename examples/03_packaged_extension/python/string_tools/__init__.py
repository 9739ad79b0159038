# SPDX-License-Identifier: Apache-2.0
"""Tools for strings, written in C++."""

from ._ffi_api import Counter, split

__all__ = ["Counter", "split"]
