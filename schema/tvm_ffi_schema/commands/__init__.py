# SPDX-License-Identifier: Apache-2.0
"""The commands, one file each; `cli` finds them by name and imports the one that runs."""
