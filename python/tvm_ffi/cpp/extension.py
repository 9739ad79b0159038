# SPDX-License-Identifier: Apache-2.0
"""The published place of the building functions."""

from __future__ import annotations

from .build import build, build_inline, load, load_inline

__all__ = ["build", "build_inline", "load", "load_inline"]
