# SPDX-License-Identifier: Apache-2.0
"""The properties of modules; apart from them, since few ask, and :mod:`enum` is dear to import."""

from __future__ import annotations

from enum import IntEnum


class ModulePropertyMask(IntEnum):
    """The bits of ``Module.get_property_mask()``."""

    BINARY_SERIALIZABLE = 1
    RUNNABLE = 2
    COMPILATION_EXPORTABLE = 4


# Where everybody imports it from.
ModulePropertyMask.__module__ = "tvm_ffi.module"
