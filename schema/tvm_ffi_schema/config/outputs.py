# SPDX-License-Identifier: Apache-2.0
"""The outputs that a project can choose."""

#: The directory of the output `docs`.
DOCS_ROOT = "docs"
OUTPUTS = ("cpp", "ir", "python", "pyi", "rust", "docs", "json", "tfs")
