# SPDX-License-Identifier: Apache-2.0
"""The version of the tool; a release of the tool has the same version as the runtime."""

__version__ = "0.1.16"
