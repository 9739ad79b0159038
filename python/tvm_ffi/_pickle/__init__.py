# SPDX-License-Identifier: Apache-2.0
"""Pickling of values that the runtime cannot pack."""
