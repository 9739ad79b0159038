# SPDX-License-Identifier: Apache-2.0
"""Findings about a linked schema: warnings, suppressions, reserved words."""
