# SPDX-License-Identifier: Apache-2.0
"""What the binding tells about itself to those who look for a leak."""

from __future__ import annotations


def _print_debug_info() -> None:
    """Print how many conversions are kept by type; none, since types are looked up as they come."""
    print("TVMFFIPyGetArgDispatchMapSize: 0")
