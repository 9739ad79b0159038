# SPDX-License-Identifier: Apache-2.0
"""The commands, one file each; `cli` finds a command by its name and imports only its file."""
