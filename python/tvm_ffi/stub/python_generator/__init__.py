# SPDX-License-Identifier: Apache-2.0
"""Generate the content of blocks in Python files."""

from __future__ import annotations

from .codegen import PythonGenerator

__all__ = ["PythonGenerator"]
