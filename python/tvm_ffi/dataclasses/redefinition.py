# SPDX-License-Identifier: Apache-2.0
"""Redefinition of classes, for example when a notebook cell runs twice or a module is reloaded.

A class with the same module, qualified name and type key replaces the former class, which keeps its
type and its objects. As soon as the new class is complete, the key refers to the new type. If the
new class is deferred and the former class is not complete either, the key already refers to the new
type during the deferral.
"""

from __future__ import annotations

from tvm_ffi import core
from tvm_ffi._types import info as infos

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def find(cls: type, type_key: str) -> Any:
    """Return the info of the class that ``cls`` redefines, or None."""
    type_index = core._object_type_key_to_index(type_key)
    info: Any = None if type_index is None else infos.by_index.get(type_index)
    # Consider only types that `py_class` has registered, because a class cannot redefine a native
    # type.
    if info is None or info.type_cls is None or "_decorator_args" not in vars(info):
        return None
    return info if _full_name(info.type_cls) == _full_name(cls) else None


def _full_name(cls: type) -> tuple[str, str]:
    """Return the module and the qualified name of a class.

    A process that ``multiprocessing`` spawns imports the main program as ``__mp_main__``. A class
    that arrives there in a pickle of cloudpickle still belongs to ``__main__``.
    """
    module = "__main__" if cls.__module__ == "__mp_main__" else cls.__module__
    return module, cls.__qualname__


def commit(info: Any) -> None:
    """Make the type key refer to this definition, if it does not already."""
    type_index = core._object_type_key_to_index(info.type_key)
    if type_index != info.type_index:
        core._take_type_key(info, None if type_index is None else infos.by_index.get(type_index))


def is_current(info: Any) -> bool:
    """Return whether the type key refers to this definition."""
    return bool(core._object_type_key_to_index(info.type_key) == info.type_index)


def refusal(type_key: str) -> TypeError:
    """Return the error for using a class that was replaced before it was complete."""
    return TypeError(f"`{type_key}` was defined again before this definition was complete")
