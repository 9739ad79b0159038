# SPDX-License-Identifier: Apache-2.0
"""Functions in pickles: by name, by module and name, or by the Python callable inside."""

from __future__ import annotations

import importlib
import sys

from .. import core
from ..module import restore_module
from . import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def reduce(function: core.Function) -> tuple[Any, ...]:
    """Reduce a function for a pickle; the extension calls this.

    Raise TypeError if the function is native code that is not registered or exported under a name.
    """
    if not function.__chandle__():
        raise TypeError("cannot pickle an empty Function: it was moved from")
    callable_, _, found, _ = core._describe_function(function)
    kind, place, name = [str(part) for part in found[:3]] if len(found) else ("", "", "")
    if kind == "module":
        reference = library.reference(place, restore_module)
        return restore_module_function, (reference, name)
    if callable_ is not None and (kind != "global" or not _is_importable(callable_)):
        return restore_function, (callable_, name if kind == "global" else None)
    if kind == "global":
        return restore_global_function, (name, _module_of(callable_, name))
    if kind in ("method", "static"):
        return restore_method, (place, name, _prefix_module(place))
    raise TypeError(
        "cannot pickle ffi.Function: a closure of native code has no name; register it as a global "
        "function in each process, or make it where it is called"
    )


def _is_importable(callable_: Any) -> bool:
    """Return whether another process can import the module that defines the callable."""
    module = getattr(callable_, "__module__", None)
    return isinstance(module, str) and module != "__main__"


def _module_of(callable_: Any, name: str) -> str | None:
    """Return the module that another process has to import to get the function."""
    return _prefix_module(name) if callable_ is None else str(callable_.__module__)


def _prefix_module(name: str) -> str | None:
    """Return the longest prefix of a dotted name that is the name of an imported module, if any."""
    while "." in name:
        name = name.rpartition(".")[0]
        if name in sys.modules:
            return name
    return None


# ---- reading


def restore_global_function(name: str, module: str | None) -> Any:
    """Return a global function; import the Python module, if given, if the name is not registered.

    Pickles call ``tvm_ffi.serialization.restore_global_function`` by this name: do not rename it.
    Raise ValueError if there is no such function.
    """
    found: core.Function | None = core._get_global_func(name, True)
    if found is None and module is not None:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise _missing(name) from error
        found = core._get_global_func(name, True)
    if found is None:
        raise _missing(name)
    return found


def _missing(name: str) -> ValueError:
    return ValueError(
        f"function {name} is not registered in this process; import the module that registers it, "
        "or load the library"
    )


def restore_function(callable: Any, name: str | None) -> Any:
    """Return the Function of a Python callable, or the global function with the name, if any.

    Pickles call ``tvm_ffi.serialization.restore_function`` by this name, so do not rename it.
    """
    from .._values.convert import convert

    found = None if name is None else core._get_global_func(name, True)
    return convert(callable) if found is None else found


def restore_method(type_key: str, name: str, module: str | None) -> Any:
    """Return a method of an object type as a Function; import the Python module of an unknown type.

    Pickles call ``tvm_ffi.serialization.restore_method`` by this name, so do not rename it. Raise
    ValueError if there is no such type or method.
    """
    type_index = core._object_type_key_to_index(type_key)
    if type_index is None and module is not None:
        importlib.import_module(module)
        type_index = core._object_type_key_to_index(type_key)
    spec: Any = None if type_index is None else core._describe_type(type_index)
    for method in () if spec is None else spec[4]:
        if method[0] == name:
            return method[3]
    raise ValueError(
        f"type {type_key!r} with method {name!r} is not known in this process; import the module "
        "or load the library that registers it"
    )


def restore_module_function(module: Any, name: str) -> Any:
    """Return a function of a module.

    Pickles call ``tvm_ffi.serialization.restore_module_function`` by this name: do not rename it.
    Raise ValueError if the module does not have the function.
    """
    try:
        return module.get_function(name)
    except AttributeError as error:
        raise ValueError(f"the pickle needs function {name!r} of {module!r}: {error}") from error


for _function in (
    restore_function,
    restore_global_function,
    restore_method,
    restore_module_function,
):
    _function.__module__ = "tvm_ffi.serialization"  # The published path.
