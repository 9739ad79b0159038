# SPDX-License-Identifier: Apache-2.0
"""What stands in the blocks of Python files."""

from __future__ import annotations

from .codegen import PythonGenerator

__all__ = ["PythonGenerator"]
