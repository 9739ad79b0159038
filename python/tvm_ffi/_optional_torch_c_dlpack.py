# SPDX-License-Identifier: Apache-2.0
"""The DLPack exchange table for releases of PyTorch that do not provide one.

With the table, tensors are converted in C; without the table, PyTorch's DLPack functions in Python
convert them. Importing ``tvm_ffi`` does not load a table. When the first tensor is converted, a
table in the older attribute ``__c_dlpack_exchange_api__`` of ``torch.Tensor`` is copied to
``__dlpack_c_exchange_api__``. Only ``load_torch_c_dlpack_extension`` looks for a library that has
the table, and builds that library if necessary.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import sys
import warnings
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_EXCHANGE_API = "__dlpack_c_exchange_api__"
_OLDER_EXCHANGE_API = "__c_dlpack_exchange_api__"

# The library that has the table; None until a library is loaded.
_LIB: Any = None


def load_torch_c_dlpack_extension() -> Any:
    """Set the exchange table of ``torch.Tensor``, if PyTorch is installed and has not set it.

    The table comes from an older attribute of the class, from package ``torch_c_dlpack_ext``, or
    from a library in the cache, which is built if it is missing. If the library cannot be built or
    loaded, the class stays unchanged, and a warning is given.

    Returns
    -------
    The ``ctypes`` library, or ``None`` if no library was needed or loading it failed.

    """
    global _LIB
    try:
        import torch
    except ImportError:
        return None
    if _is_disabled() or _check_and_update_dlpack_c_exchange_api(torch.Tensor):
        return _LIB
    try:
        import_module("torch_c_dlpack_ext")  # the import adds the exchange table
        if _check_and_update_dlpack_c_exchange_api(torch.Tensor):
            return None
    except (ImportError, AttributeError):
        pass
    try:
        library = ctypes.CDLL(_find_or_build(torch))
        get = library.TorchDLPackExchangeAPIPtr
        get.restype, get.argtypes = ctypes.c_uint64, []
        capsule = _create_dlpack_exchange_api_capsule(get())
        setattr(torch.Tensor, _EXCHANGE_API, capsule)
        _LIB = library
    except ImportError:
        return None
    except Exception as error:  # After any failure, tensors are converted without the table.
        warnings.warn(
            "Failed to JIT torch c dlpack extension, EnvTensorAllocator will not be enabled. "
            f"Tensors of torch are converted in Python instead. ({error}) "
            "`pip install torch-c-dlpack-ext` installs one that is built already.",
            stacklevel=2,
        )
    return _LIB


def patch_torch_cuda_stream_protocol() -> None:
    """Add the protocol ``__cuda_stream__`` to ``torch.cuda.Stream``, if it is missing."""
    torch: Any = sys.modules.get("torch")
    if torch is None or _is_disabled():
        return
    try:
        stream_class = torch.cuda.Stream
        if torch.cuda.is_available() and not hasattr(stream_class, "__cuda_stream__"):
            stream_class.__cuda_stream__ = _cuda_stream
    except (AttributeError, TypeError):
        pass


def _patch_torch_tensor() -> None:
    """Copy the table in the older attribute of ``torch.Tensor``; the extension calls this."""
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        _check_and_update_dlpack_c_exchange_api(torch.Tensor)


def _cuda_stream(self: Any) -> tuple[int, int]:
    return (0, self.cuda_stream)


def _is_disabled() -> bool:
    return os.environ.get("TVM_FFI_DISABLE_TORCH_C_DLPACK", "0") != "0"


def _check_and_update_dlpack_c_exchange_api(tensor_cls: object) -> bool:
    """Return whether a class has an exchange table; copy it from the older attribute if needed."""
    if hasattr(tensor_cls, _EXCHANGE_API):
        return True
    table = getattr(tensor_cls, _OLDER_EXCHANGE_API, None)
    if table is None:
        return False
    if isinstance(table, int):
        table = _create_dlpack_exchange_api_capsule(table)
    try:
        setattr(tensor_cls, _EXCHANGE_API, table)
    except TypeError:  # A class defined in C that does not accept attributes.
        return False
    return True


def _create_dlpack_exchange_api_capsule(ptr_as_int: int) -> Any:
    """Return a capsule around the address of a table; raise ValueError if the address is 0."""
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ptr_as_int, b"dlpack_exchange_api", None)


def _torch_extension_device(torch_module: Any) -> str:
    """Return the platform to build the library for: ``cpu``, ``cuda`` or ``rocm``."""
    if not torch_module.cuda.is_available():
        return "cpu"
    if torch_module.version.cuda is not None:
        return "cuda"
    return "rocm" if torch_module.version.hip is not None else "cuda"


def _library_name(torch_module: Any, device: str) -> str:
    """Return the file name of the library; it differs between builds of one PyTorch release."""
    major, minor = torch_module.__version__.split(".")[:2]
    has_new_abi = int(bool(torch_module.compiled_with_cxx11_abi()))
    tag = hashlib.sha256(f"{torch_module.__version__}|cxx11abi={has_new_abi}".encode()).hexdigest()
    suffix = "dll" if sys.platform == "win32" else "so"
    return f"libtorch_c_dlpack_addon_torch{major}{minor}-{device}-{tag[:8]}.{suffix}"


def _find_or_build(torch_module: Any) -> str:
    from .cpp import cache

    device = _torch_extension_device(torch_module)
    name = _library_name(torch_module, device)
    directory = cache.private_root()
    path = os.path.join(directory, name)
    if not os.path.exists(path):
        script = os.path.join(
            os.path.dirname(__file__), "utils", "_build_optional_torch_c_dlpack.py"
        )
        command = [sys.executable, script, "--output-dir", directory, "--libname", name]
        if device != "cpu":
            command.append(f"--build-with-{device}")
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"building it failed: {done.stderr.strip()[-2000:]}")
    return path
