# SPDX-License-Identifier: Apache-2.0
"""Builds of libraries and wheels from generated files."""
