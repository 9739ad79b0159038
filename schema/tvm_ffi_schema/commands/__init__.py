# SPDX-License-Identifier: Apache-2.0
"""The commands, one module each; `cli` imports only the module that has the command's name."""
