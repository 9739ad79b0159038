# SPDX-License-Identifier: Apache-2.0
"""Functions in pickles: by name, by module and name, or by the Python callable inside."""

from __future__ import annotations

import importlib
import sys

from .. import core
from . import library, restore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def reduce(function: core.Function) -> tuple[Any, ...]:
    """Reduce a function for a pickle; the extension calls this.

    Raises
    ------
    TypeError
        If the function is native code that is not registered or exported under a name.

    """
    if not function.__chandle__():
        raise TypeError("cannot pickle an empty Function: it was moved from")
    callable_, _, found, _ = core._describe_function(function)
    kind, place, name = [str(part) for part in found[:3]] if len(found) else ("", "", "")
    if kind == "module":
        return restore.function("restore_module_function"), (library.reference(place), name)
    if callable_ is not None and (kind != "global" or not _is_importable(callable_)):
        return restore.function("restore_function"), (callable_, name if kind == "global" else None)
    if kind == "global":
        return restore.function("restore_global_function"), (name, _module_of(callable_, name))
    if kind in ("method", "static"):
        return restore.function("restore_method"), (place, name, _prefix_module(place))
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


def find_global(name: str, module: str | None) -> core.Function:
    """Return a global function; import its module if it is not registered."""
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
