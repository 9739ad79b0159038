# SPDX-License-Identifier: Apache-2.0
"""The properties of modules, in a separate Python module because importing :mod:`enum` is slow."""

from __future__ import annotations

from enum import IntEnum


class ModulePropertyMask(IntEnum):
    """The bits of ``Module.get_property_mask()``."""

    BINARY_SERIALIZABLE = 1
    """The module can be written as bytes."""
    RUNNABLE = 2
    """The functions of the module can be called."""
    COMPILATION_EXPORTABLE = 4
    """The module can be written as source or object code."""


# The public path.
ModulePropertyMask.__module__ = "tvm_ffi.module"
