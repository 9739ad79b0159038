# SPDX-License-Identifier: Apache-2.0
"""Linking: from files to one program, with parents, order, slots, equality and layout."""
