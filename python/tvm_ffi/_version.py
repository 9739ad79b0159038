# SPDX-License-Identifier: Apache-2.0
"""The version of the interface; its three numbers are those of ``include/tvm/ffi/c_api.h``."""

from __future__ import annotations

__version__: str = "0.1.16"
"""The version of the interface, as text; the distribution has a version of its own."""
__version_tuple__: tuple[int | str, ...] = (0, 1, 16)
"""The version of the interface, as numbers."""
__commit_id__: str | None = None

version = __version__
version_tuple = __version_tuple__
commit_id = __commit_id__
