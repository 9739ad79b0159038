# SPDX-License-Identifier: Apache-2.0
"""Builds of libraries from generated files."""
