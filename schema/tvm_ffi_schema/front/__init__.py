# SPDX-License-Identifier: Apache-2.0
"""Readers: convert schema files, modules and JSON to the IR."""
