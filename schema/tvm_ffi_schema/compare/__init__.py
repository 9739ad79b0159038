# SPDX-License-Identifier: Apache-2.0
"""Comparisons: with an older schema, with hand-written C++, with a built library."""
