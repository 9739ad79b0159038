# SPDX-License-Identifier: Apache-2.0
"""Load images, and query the definitions of loaded types."""
