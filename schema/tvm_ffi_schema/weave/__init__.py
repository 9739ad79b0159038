# SPDX-License-Identifier: Apache-2.0
"""Generated text meets hand-written text: tokens, markers, weaving, writing files."""
