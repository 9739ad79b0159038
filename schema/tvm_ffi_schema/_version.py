# SPDX-License-Identifier: Apache-2.0
"""The version of the tool; it is released together with the runtime, under the same number."""

__version__ = "0.1.16"
