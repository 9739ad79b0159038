# SPDX-License-Identifier: Apache-2.0
"""Structural traversal: callbacks of users (``callbacks``) and classes (``traversal``)."""
