# SPDX-License-Identifier: Apache-2.0
"""Commands of the package that do not load native code.

``import tvm_ffi`` loads the runtime library and the extension. Build systems must be able to find
these files even if they cannot be loaded: on another platform, or before they are built.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any


def module(name: str) -> Any:
    """Return a module below ``tvm_ffi``, imported without running ``tvm_ffi/__init__.py``.

    Raises
    ------
    ModuleNotFoundError
        If the package is not installed next to this one.

    """
    if "tvm_ffi" not in sys.modules:
        spec = importlib.util.find_spec("tvm_ffi")
        if spec is None or spec.submodule_search_locations is None:
            raise ModuleNotFoundError("the package tvm_ffi is not installed", name="tvm_ffi")
        package = ModuleType("tvm_ffi")
        package.__path__ = list(spec.submodule_search_locations)
        package.__spec__ = spec
        sys.modules["tvm_ffi"] = package
    return importlib.import_module(f"tvm_ffi.{name}")
