# SPDX-License-Identifier: Apache-2.0
"""Add operation, class and position of a refused value to the error of the operation.

``tvm_ffi.serialization`` and the CPython extension (structural equality and hash, ``deepcopy``)
call this module only after an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .. import core
from .._types.info import _type_cls_to_type_info

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# Native errors that name the type of the refused value.
_REFUSAL = re.compile(
    r"[Tt]ype [`\"]([^`\"]+)[`\"](?:, so StructuralHash is not supported for this type| does not "
    r"support ToJSONGraph \(.*\)| because it is not copy-constructible)$"
)
# Maximum number of values that the search visits.
_MAX_VALUES = 100_000
_PLAIN = (str, bytes, bytearray, int, float, bool, type(None))


def add_place(error: BaseException, operation: str, *roots: Any) -> None:
    """Add the operation, the refused value and its position to the message of an error.

    The error stays unchanged if it is not about a type that the operation refuses. ``roots`` are
    the values that were given to the operation.
    """
    match = _REFUSAL.search(str(error))
    if match is None:
        return
    for root in roots:
        try:
            found = _find(root, match.group(1))
        except Exception:  # a property or an iterator of the user's classes raised
            continue
        if found is not None:
            path, value = found
            kind = type(value)
            name = kind.__name__ if kind.__module__ == "builtins" else _full_name(kind)
            error.args = (f"{error}; {operation} reached a `{name}` at <root>{path}",)
            return


def _full_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _find(root: Any, type_key: str) -> tuple[str, Any] | None:
    """Return the path to the first value of the type, and the value."""
    seen: dict[int, Any] = {}  # id -> value; keeps the values alive, so that no id is used again
    waiting: list[Iterator[tuple[str, Any]]] = [iter((("", root),))]
    prefixes = [""]
    while waiting and len(seen) < _MAX_VALUES:
        step = next(waiting[-1], None)
        if step is None:
            waiting.pop()
            prefixes.pop()
            continue
        path, value = prefixes[-1] + step[0], step[1]
        if isinstance(value, _PLAIN) or id(value) in seen:
            continue
        seen[id(value)] = value
        if _has_type(value, type_key):
            return path, value
        waiting.append(_parts_of(value))
        prefixes.append(path)
    return None


def _has_type(value: Any, type_key: str) -> bool:
    if type_key == "ffi.Function":
        return callable(value)
    info = _type_cls_to_type_info(type(value))
    if info is not None:
        return info.type_key == type_key
    is_container = isinstance(value, (list, tuple, dict))
    return type_key == "ffi.OpaquePyObject" and not is_container and not callable(value)


def _parts_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield (step of the path, value) for the contents of a container or an object."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            shown = f'"{key}"' if isinstance(key, str) else repr(key)
            yield f"[{shown}]", one
    elif isinstance(value, Sequence):
        for index, one in enumerate(value):
            yield f"[{index}]", one
    elif isinstance(value, core.Object):
        info = _type_cls_to_type_info(type(value))
        while info is not None:
            for field in info.fields or ():
                yield f".{field.name}", getattr(value, field.name, None)
            info = info.parent_type_info
