# SPDX-License-Identifier: Apache-2.0
"""Findings about a linked schema: lint rules and their edits, suppressions, reserved words."""
