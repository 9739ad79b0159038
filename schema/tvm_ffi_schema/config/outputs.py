# SPDX-License-Identifier: Apache-2.0
"""The outputs that a project can choose."""

OUTPUTS = ("cpp", "ir", "python", "pyi", "rust", "docs", "json", "tfs")
