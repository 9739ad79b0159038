# SPDX-License-Identifier: Apache-2.0
"""Load the native extension, and register the Python modules that it calls."""

from __future__ import annotations

import sys

from ._forks import shared_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Type key -> the module of its Python class, which `tvm_ffi/__init__.py` does not import.
_CLASS_MODULES = {
    "DataType": "tvm_ffi._values.dtype",
    **dict.fromkeys(("ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"), "tvm_ffi.container"),
    "ffi.Module": "tvm_ffi.module",
    "ffi.reflection.AccessPath": "tvm_ffi.access_path",
    "ffi.reflection.AccessStep": "tvm_ffi.access_path",
    "ffi.Shape": "tvm_ffi._values.tensor",
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

# Names of `tvm_ffi.core` that are implemented in Python -> the module that defines them.
_PYTHON_NAMES = {
    "DLDeviceType": "_values.tensor",
    **dict.fromkeys(
        (
            *("TypeInfo", "_type_cls_to_type_info", "_type_index_to_type_info"),
            "_lookup_or_register_type_info_from_type_key",
            *("_set_type_cls", "_print_debug_info"),
        ),
        "_types.info",
    ),
    **dict.fromkeys(("FieldGetter", "FieldSetter", "TypeField", "TypeMethod"), "_types.field"),
    **dict.fromkeys(
        (
            *("_register_py_class", "_rollback_py_class", "_take_type_key"),
            *("_register_fields", "_register_py_methods"),
        ),
        "_types.define",
    ),
    **dict.fromkeys(("TypeSchema", "_ConvertError"), "_types.schema"),
    "_convert_numpy_dtype_to_ffi_dtype": "_values.foreign_dtype",
    "_convert_torch_dtype_to_ffi_dtype": "_values.foreign_dtype",
}

# Third-party modules that the extension uses only if the program has already imported them.
_THIRD_PARTY_MODULES = {
    "cuda_driver": "cuda.bindings.driver",
    "ml_dtypes": "ml_dtypes",
    "numpy": "numpy",
    "torch": "torch",
}


def load_core() -> Any:
    """Return ``tvm_ffi.core``; import it first if necessary.

    Raise ImportError if the extension or the runtime library is missing or cannot be loaded. The
    error is a ``MixedInstallationError`` if another installation has changed the files of the
    package.
    """
    try:
        import tvm_ffi.core  # noqa: F401 - returned below through sys.modules
    except ImportError as error:
        from ._distribution import MixedInstallationError, describe_mixture

        mixture = describe_mixture()
        if mixture is not None:
            raise MixedInstallationError(
                f"the native extension of tvm_ffi cannot be loaded ({error}). {mixture}",
                name="tvm_ffi.core",
            ) from error
        raise ImportError(
            f"the native extension of tvm_ffi cannot be loaded ({error}). "
            "In a source tree, build and install it with `pip install .`",
            name="tvm_ffi.core",
        ) from error
    core = sys.modules["tvm_ffi.core"]
    if "__getattr__" not in vars(core):
        _connect(core)
    return core


def _connect(core: Any) -> None:
    """Register with the extension the Python functions and classes that the extension needs."""
    core._lazy_class_module.update(_CLASS_MODULES)
    core._testing_loader = core._load_testing_library = load_testing_library
    core.__getattr__ = _core_getattr
    core.__dir__ = _core_dir


def _core_getattr(name: str) -> Any:
    """Return a name of ``tvm_ffi.core`` that is not implemented in C."""
    if name in _THIRD_PARTY_MODULES:
        return sys.modules.get(_THIRD_PARTY_MODULES[name])
    if name in _PYTHON_NAMES:
        from importlib import import_module

        value = getattr(import_module(f"tvm_ffi.{_PYTHON_NAMES[name]}"), name)
        setattr(sys.modules["tvm_ffi.core"], name, value)  # cache
        return value
    raise AttributeError(f"module 'tvm_ffi.core' has no attribute {name!r}")


def _core_dir() -> list[str]:
    return sorted({*vars(sys.modules["tvm_ffi.core"]), *_PYTHON_NAMES, *_THIRD_PARTY_MODULES})


class _Fixtures:
    """State of the library of test fixtures. The lock is held while a thread loads the library."""

    lock = shared_lock()
    loading = False


def load_testing_library() -> None:
    """Load the library of test fixtures, if it is installed and not loaded yet.

    Loading it registers the types and functions whose names begin with ``testing.``. If another
    thread is loading the library, this call waits until that thread has finished.
    """
    core = load_core()
    with _Fixtures.lock:
        if _Fixtures.loading or core._testing_loader is None:
            return
        from . import libinfo, module

        _Fixtures.loading = True
        try:
            path = libinfo._find_own_library("tvm_ffi_testing")
        except RuntimeError:  # This installation does not have the library.
            pass
        else:
            module.load_module(path)
        finally:
            _Fixtures.loading = False
        core._testing_loader = None
