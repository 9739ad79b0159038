# SPDX-License-Identifier: Apache-2.0
"""Libraries and wheels from what was written."""
