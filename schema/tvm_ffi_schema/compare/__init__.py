# SPDX-License-Identifier: Apache-2.0
"""Compare a schema with an older schema, with hand-written C++, and with a built library."""
