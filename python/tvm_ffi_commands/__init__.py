# SPDX-License-Identifier: Apache-2.0
"""Commands of the package that do not load native code.

``import tvm_ffi`` loads the runtime library and the extension. Build systems must be able to find
these files even if they cannot be loaded: on another platform, or before they are built.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from types import ModuleType
from typing import Any


def module(name: str) -> Any:
    """Return a module below ``tvm_ffi``, imported without running ``tvm_ffi/__init__.py``.

    Raises
    ------
    ModuleNotFoundError
        If the package is not installed next to this one.
    SystemExit
        If another installation removed files of the package; the message says how to repair it.

    """
    if "tvm_ffi" not in sys.modules:
        spec = importlib.util.find_spec("tvm_ffi")
        if spec is None or spec.submodule_search_locations is None:
            if spec is not None:
                _exit_with_reason()
            raise ModuleNotFoundError("the package tvm_ffi is not installed", name="tvm_ffi")
        package = ModuleType("tvm_ffi")
        package.__path__ = list(spec.submodule_search_locations)
        package.__spec__ = spec
        sys.modules["tvm_ffi"] = package
    return importlib.import_module(f"tvm_ffi.{name}")


def _exit_with_reason() -> None:
    """Exit with the message of ``tvm_ffi.py``, which Python finds if the package is damaged."""
    try:
        importlib.import_module("tvm_ffi")
    except ImportError as error:
        raise SystemExit(f"{os.path.basename(sys.argv[0])}: {error}") from None
