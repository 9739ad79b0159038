# SPDX-License-Identifier: Apache-2.0
"""Classes that are defined again: a notebook cell that runs twice, a module that is reloaded.

The rule: a class of the same module, qualified name and type key replaces the earlier one. The
earlier class keeps its type and its objects; the key names the new type as soon as the new class is
complete, or, where the earlier one is not complete either, as soon as the new one waits.
"""

from __future__ import annotations

from tvm_ffi import _type_info, core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def find(cls: type, type_key: str) -> Any:
    """Return the info of the class that ``cls`` defines again; None where there is none."""
    type_index = core._object_type_key_to_index(type_key)
    info: Any = None if type_index is None else _type_info._infos.get(type_index)
    # Only what `py_class` has registered: types of libraries are not defined by a class.
    if info is None or info.type_cls is None or "_decorator_args" not in vars(info):
        return None
    known = info.type_cls
    is_same = (known.__module__, known.__qualname__) == (cls.__module__, cls.__qualname__)
    return info if is_same else None


def commit(info: Any) -> None:
    """Let the key of a type name this definition; nothing happens when it does."""
    type_index = core._object_type_key_to_index(info.type_key)
    if type_index != info.type_index:
        from tvm_ffi._py_class import _take_key

        _take_key(info, None if type_index is None else _type_info._infos.get(type_index))


def is_current(info: Any) -> bool:
    """Tell whether the key of a type names this definition."""
    return bool(core._object_type_key_to_index(info.type_key) == info.type_index)


def refusal(type_key: str) -> TypeError:
    """Return the error for the use of a class that was replaced before it was complete."""
    return TypeError(f"`{type_key}` was defined again before this definition was complete")
