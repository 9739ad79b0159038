# SPDX-License-Identifier: Apache-2.0
"""The properties of modules; a separate module because importing :mod:`enum` is slow."""

from __future__ import annotations

from enum import IntEnum


class ModulePropertyMask(IntEnum):
    """The bits of ``Module.get_property_mask()``."""

    BINARY_SERIALIZABLE = 1
    RUNNABLE = 2
    COMPILATION_EXPORTABLE = 4


# The public path.
ModulePropertyMask.__module__ = "tvm_ffi.module"
