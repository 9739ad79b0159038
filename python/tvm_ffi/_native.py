# SPDX-License-Identifier: Apache-2.0
"""Loads the native part, and connects the extension with the Python modules above it."""

from __future__ import annotations

import sys
from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Type keys whose Python class lives in a module that the front door does not import.
_CLASS_MODULES = {
    "DataType": "tvm_ffi._dtype",
    **dict.fromkeys(("ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"), "tvm_ffi.container"),
    "ffi.Module": "tvm_ffi.module",
    "ffi.reflection.AccessPath": "tvm_ffi.access_path",
    "ffi.reflection.AccessStep": "tvm_ffi.access_path",
    "ffi.Shape": "tvm_ffi._tensor",
    **dict.fromkeys(
        (
            *("ffi.StructuralKey", "ffi.StructuralMutator", "ffi.StructuralVisitor"),
            "ffi.VisitInterrupt",
        ),
        "tvm_ffi.structural",
    ),
    **dict.fromkeys(
        ("ffi.Enum", "ffi.EnumState", "ffi.IntEnum", "ffi.StrEnum"), "tvm_ffi.dataclasses.enum"
    ),
}

# Names of the extension that are written in Python -> the module that has them.
_PYTHON_NAMES = {
    "DLDeviceType": "_tensor",
    **dict.fromkeys(
        (
            *("TypeInfo", "_type_cls_to_type_info", "_type_index_to_type_info"),
            "_lookup_or_register_type_info_from_type_key",
            *("_set_type_cls", "_print_debug_info"),
        ),
        "_type_info",
    ),
    **dict.fromkeys(("FieldGetter", "FieldSetter", "TypeField", "TypeMethod"), "_type_field"),
    **dict.fromkeys(("_register_py_class", "_rollback_py_class", "_register_fields"), "_py_class"),
    **dict.fromkeys(("TypeSchema", "_ConvertError"), "_type_schema"),
    "_convert_numpy_dtype_to_ffi_dtype": "_foreign_dtype",
    "_convert_torch_dtype_to_ffi_dtype": "_foreign_dtype",
}

# Third parties that the extension must see only when somebody else has imported them.
_GUEST_MODULES = {
    "cuda_driver": "cuda.bindings.driver",
    "ml_dtypes": "ml_dtypes",
    "numpy": "numpy",
    "torch": "torch",
}


def load_core() -> Any:
    """Return ``tvm_ffi.core``, importing it first if need be.

    Raises
    ------
    ImportError
        If the extension or the runtime library is absent or cannot be loaded.

    """
    try:
        import tvm_ffi.core  # noqa: F401 - its name is bound below, once it is there
    except ImportError as error:
        raise ImportError(
            f"tvm_ffi has no native part that this Python can load ({error}). "
            "In a source tree, build and install it with `pip install .`",
            name="tvm_ffi.core",
        ) from error
    core = sys.modules["tvm_ffi.core"]
    if "__getattr__" not in vars(core):
        _connect(core)
    return core


def _connect(core: Any) -> None:
    """Give the extension what it looks for in the modules above it."""
    core._lazy_class_module.update(_CLASS_MODULES)
    core._testing_loader = load_testing_library
    core.__getattr__ = _core_getattr
    core.__dir__ = _core_dir


def _core_getattr(name: str) -> Any:
    """Names of ``tvm_ffi.core`` that are not made in C."""
    if name in _GUEST_MODULES:
        return sys.modules.get(_GUEST_MODULES[name])
    if name in _PYTHON_NAMES:
        from importlib import import_module

        value = getattr(import_module(f"tvm_ffi.{_PYTHON_NAMES[name]}"), name)
        setattr(sys.modules["tvm_ffi.core"], name, value)  # for the next time
        return value
    raise AttributeError(f"module 'tvm_ffi.core' has no attribute {name!r}")


def _core_dir() -> list[str]:
    return sorted({*vars(sys.modules["tvm_ffi.core"]), *_PYTHON_NAMES, *_GUEST_MODULES})


class _Fixtures:
    """The library of test fixtures: who loads it lets others wait."""

    lock = RLock()
    loading = False


def load_testing_library() -> None:
    """Load the library of test fixtures, once and if it is there; it registers its names.

    A thread that asks while another one loads waits for it.
    """
    core = load_core()
    with _Fixtures.lock:
        if _Fixtures.loading or core._testing_loader is None:
            return
        from . import libinfo, module

        _Fixtures.loading = True
        try:
            path = libinfo._find_own_library("tvm_ffi_testing")
        except RuntimeError:  # Not there: an installation without it.
            pass
        else:
            module.load_module(path)
        finally:
            _Fixtures.loading = False
        core._testing_loader = None
