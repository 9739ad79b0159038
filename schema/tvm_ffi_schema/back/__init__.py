# SPDX-License-Identifier: Apache-2.0
"""Backends: functions that compute text from a linked schema and options."""
