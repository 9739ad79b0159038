# SPDX-License-Identifier: Apache-2.0
"""Parameters of native functions (``keywords``) and of generated initializers (``initializer``)."""
