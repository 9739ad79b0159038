# SPDX-License-Identifier: Apache-2.0
"""TVM FFI: values, objects, tensors, functions and errors that cross between Python and C++.

Importing loads the runtime library, with global symbols, and the extension ``tvm_ffi.core``; every
other module is imported when one of its names is first used. In a source tree that has not been
built the import succeeds, ``libinfo`` and ``config`` work, and any native name raises
``ImportError``.
"""

from __future__ import annotations

from . import _forks as _forks, _native
from ._version import __version__, __version_tuple__

TYPE_CHECKING = False
if TYPE_CHECKING:  # For type checkers; at run time `__getattr__` imports each name.
    import ctypes
    from typing import Any

    from . import (
        _convert as _convert,
        _dtype as _dtype,
        _dunder as _dunder,
        _ffi_api as _ffi_api,
        _optional_torch_c_dlpack as _optional_torch_c_dlpack,
        _tensor as _tensor,
        access_path,
        config as config,
        container as container,
        core as core,
        cpp,
        dataclasses,
        error as error,
        libinfo as libinfo,
        module as module,
        registry as registry,
        serialization,
        stream as stream,
        structural,
        type_attr as type_attr,
        typing as typing,
        utils as utils,
    )
    from ._display.full import format_full as format_full
    from ._values.convert import convert, convert_func
    from ._values.dtype import (
        bfloat16 as bfloat16,
        bool as bool,
        dtype,
        float4_e2m1fn as float4_e2m1fn,
        float4_e2m1fnx2 as float4_e2m1fnx2,
        float6_e2m3fn as float6_e2m3fn,
        float6_e3m2fn as float6_e3m2fn,
        float8_e3m4 as float8_e3m4,
        float8_e4m3 as float8_e4m3,
        float8_e4m3b11fnuz as float8_e4m3b11fnuz,
        float8_e4m3fn as float8_e4m3fn,
        float8_e4m3fnuz as float8_e4m3fnuz,
        float8_e5m2 as float8_e5m2,
        float8_e5m2fnuz as float8_e5m2fnuz,
        float8_e8m0fnu as float8_e8m0fnu,
        float16 as float16,
        float32 as float32,
        float64 as float64,
        int8 as int8,
        int16 as int16,
        int32 as int32,
        int64 as int64,
        uint8 as uint8,
        uint16 as uint16,
        uint32 as uint32,
        uint64 as uint64,
    )
    from ._values.tensor import Device, DLDeviceType, Shape, Tensor, device, from_dlpack
    from .container import Array, Dict, List, Map
    from .core import (
        CAny as CAny,
        CContainerBase as CContainerBase,
        Function,
        Object,
        ObjectConvertible,
    )
    from .dataclasses.auto_methods import py_class as py_class
    from .dataclasses.methods import method
    from .error import register_error
    from .module import Module, load_module, system_lib
    from .registry import (
        get_global_func,
        get_global_func_metadata,
        init_ffi_api,
        register_global_func,
        register_object,
        remove_global_func,
    )
    from .stream import StreamContext, get_raw_stream, use_raw_stream, use_torch_stream
    from .structural import (
        DefRegionKind,
        InplaceMode,
        StructuralKey,
        StructuralMutator,
        StructuralVisitor,
        VisitInterrupt,
        WalkOrder,
        WalkResult,
        get_first_structural_mismatch,
        structural_equal,
        structural_hash,
        structural_map,
        structural_mutate,
        structural_visit,
        structural_walk,
    )
    from .type_attr import get_type_attr as get_type_attr, set_type_attr as set_type_attr

    LIB: ctypes.CDLL
    """The runtime library, opened through ctypes."""

__all__ = [
    "LIB",
    "Array",
    "DLDeviceType",
    "DefRegionKind",
    "Device",
    "Dict",
    "Function",
    "InplaceMode",
    "List",
    "Map",
    "Module",
    "Object",
    "ObjectConvertible",
    "Shape",
    "StreamContext",
    "StructuralKey",
    "StructuralMutator",
    "StructuralVisitor",
    "Tensor",
    "VisitInterrupt",
    "WalkOrder",
    "WalkResult",
    "__version__",
    "__version_tuple__",
    "access_path",
    "convert",
    "convert_func",
    "cpp",
    "dataclasses",
    "device",
    "dtype",
    "from_dlpack",
    "get_first_structural_mismatch",
    "get_global_func",
    "get_global_func_metadata",
    "get_raw_stream",
    "init_ffi_api",
    "load_module",
    "method",
    "register_error",
    "register_global_func",
    "register_object",
    "remove_global_func",
    "serialization",
    "structural",
    "structural_equal",
    "structural_hash",
    "structural_map",
    "structural_mutate",
    "structural_visit",
    "structural_walk",
    "system_lib",
    "use_raw_stream",
    "use_torch_stream",
]

_SUBMODULES = (
    *("access_path", "config", "container", "core", "cpp", "dataclasses", "error", "libinfo"),
    *("module", "registry", "serialization", "stream", "structural", "torch", "type_attr"),
    *("typing", "utils"),
)

# Not part of the public interface, but clients use these modules as attributes of the package.
_PRIVATE_SUBMODULES = (
    *("_convert", "_dtype", "_dunder", "_ffi_api", "_optional_torch_c_dlpack", "_tensor"),
)

# Module -> the public names that the package re-exports from it.
_NAMES_OF = {
    "_convert": "convert convert_func",
    "_display.full": "format_full",
    "_dtype": (
        "dtype bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
        "bfloat16 float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz "
        "float8_e5m2 float8_e5m2fnuz float8_e8m0fnu float6_e2m3fn float6_e3m2fn float4_e2m1fn "
        "float4_e2m1fnx2"
    ),
    "_tensor": "DLDeviceType Device Shape Tensor device from_dlpack",
    "container": "Array Dict List Map",
    "core": "CAny CContainerBase Function Object ObjectConvertible",
    "dataclasses.auto_methods": "py_class",
    "dataclasses.methods": "method",
    "error": "register_error",
    "module": "Module load_module system_lib",
    "registry": (
        "get_global_func get_global_func_metadata init_ffi_api register_global_func "
        "register_object remove_global_func"
    ),
    "stream": "StreamContext get_raw_stream use_raw_stream use_torch_stream",
    "structural": (
        "DefRegionKind InplaceMode StructuralKey StructuralMutator StructuralVisitor "
        "VisitInterrupt WalkOrder WalkResult get_first_structural_mismatch structural_equal "
        "structural_hash structural_map structural_mutate structural_visit structural_walk"
    ),
    "type_attr": "get_type_attr set_type_attr",
}
_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names.split()}


def _get_lazily(name: str) -> Any:
    """Import the module that defines ``name``, and cache the value."""
    if name in _MODULE_OF:
        value = getattr(_import(_MODULE_OF[name]), name)
    elif name in _SUBMODULES or name in _PRIVATE_SUBMODULES:
        value = _import(name)
    elif name == "LIB":
        value = _open_library()
    else:
        raise AttributeError(f"module 'tvm_ffi' has no attribute {name!r}")
    globals()[name] = value
    return value


if not TYPE_CHECKING:  # Hidden from type checkers, so that they report unknown names.
    __getattr__ = _get_lazily


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF, *_SUBMODULES, "LIB"})


def _import(module: str) -> Any:
    if module == "core":
        return _native.load_core()
    from importlib import import_module

    return import_module(f"tvm_ffi.{module}")


def _open_library() -> ctypes.CDLL:
    """Open the runtime library through ctypes."""
    import ctypes

    _native.load_core()
    from . import libinfo

    return ctypes.CDLL(libinfo.find_libtvm_ffi(), mode=ctypes.RTLD_GLOBAL)


try:
    _native.load_core()
except ImportError as _error:
    from ._distribution import MixedInstallationError as _MixedInstallationError

    if isinstance(_error, _MixedInstallationError):
        raise
    # The first use of a name that the extension defines raises the import error again.
    del _error, _MixedInstallationError
