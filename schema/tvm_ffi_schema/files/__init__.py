# SPDX-License-Identifier: Apache-2.0
"""Read files, write a set of files as a whole or not at all, import modules of the runtime."""
