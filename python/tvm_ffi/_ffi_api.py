# SPDX-License-Identifier: Apache-2.0
"""The global functions of namespace ``ffi``, as attributes."""

from __future__ import annotations

from .registry import init_ffi_api

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    __getattr__: Callable[[str], Any]

init_ffi_api("ffi", __name__)
