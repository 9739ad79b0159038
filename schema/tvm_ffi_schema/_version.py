# SPDX-License-Identifier: Apache-2.0
"""The version of the tool; a release of the tool has the same version as ``fast-tvm-ffi``."""

__version__ = "1.0.0.dev0"
