# SPDX-License-Identifier: Apache-2.0
"""C++: the constructs of object classes, how they are read, and what they mean."""
