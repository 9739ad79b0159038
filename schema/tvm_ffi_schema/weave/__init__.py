# SPDX-License-Identifier: Apache-2.0
"""Combine generated and hand-written text: markers, custom sections, plans, merges."""
