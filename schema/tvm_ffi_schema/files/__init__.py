# SPDX-License-Identifier: Apache-2.0
"""Files: reading, writing all or none of them, and where tvm-ffi keeps its own."""
