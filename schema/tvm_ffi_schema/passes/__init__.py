# SPDX-License-Identifier: Apache-2.0
"""Passes over a schema: parents and order, slots, layout, lint."""
