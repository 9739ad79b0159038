# SPDX-License-Identifier: Apache-2.0
"""Findings of a linked schema: lint rules, their fixes, what suppresses them, reserved words."""
