# SPDX-License-Identifier: Apache-2.0
"""Linking: make one program from modules, with parents, order, slots, equality and layout."""
