# SPDX-License-Identifier: Apache-2.0
"""Read files, write all files of a plan or none, and import modules of the runtime."""
