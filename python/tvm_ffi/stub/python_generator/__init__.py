# SPDX-License-Identifier: Apache-2.0
"""Generate the content of blocks in Python files."""
