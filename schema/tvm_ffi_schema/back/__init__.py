# SPDX-License-Identifier: Apache-2.0
"""Back ends: pure functions from a linked schema and options to text."""
