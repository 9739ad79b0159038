# SPDX-License-Identifier: Apache-2.0
"""Examples for TS9xx: none, since nothing that is written in a schema may raise them."""

TEXT = ""
