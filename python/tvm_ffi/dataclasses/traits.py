# SPDX-License-Identifier: Apache-2.0
"""Traits: plain assignments in the body of a ``py_class`` are type attributes as well.

``ir_trait = SideEffectFree`` stays an attribute of the Python class, and every language reads it
under that name from the type table.
"""

from __future__ import annotations

from tvm_ffi import core

from . import resolve
from .field import Field
from .init_property import init_property

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Kinds that the table holds as they are; everything else is kept as the object that it is.
_VALUES = (bool, int, float, str, bytes, list, tuple, dict)
_FFI_VALUES = (core.CObject, core.PyNativeObject, core.DataType, core.Device)


def publish(cls: type, type_index: int, body: Mapping[str, Any]) -> None:
    """Store the trait assignments of a class body as type attributes.

    Parameters
    ----------
    cls
        The class, registered.
    type_index
        Its type.
    body
        What the body assigned, before fields were taken out of it.

    """
    suppressed = body.get("__ffi_no_traits__", ())
    if suppressed is True:
        return
    names = (suppressed,) if isinstance(suppressed, str) else tuple(suppressed or ())
    annotated = resolve.own_annotations(cls)
    for name, value in body.items():
        if name[:1] == "_" or name in annotated or name in names:
            continue
        if _is_trait(cls, value):
            core._type_register_attr(type_index, name, _stored(value))


def _is_trait(cls: type, value: Any) -> bool:
    if value is None or isinstance(value, (Field, init_property)):
        return False
    if isinstance(value, type):
        return not value.__qualname__.startswith(f"{cls.__qualname__}.")
    return not hasattr(type(value), "__get__") and not hasattr(type(value), "__set__")


def _stored(value: Any) -> Any:
    """Return what goes into the table: values by value, anything else in a box."""
    if isinstance(value, _FFI_VALUES):
        return value
    fits = not isinstance(value, int) or -(2**63) <= value < 2**63
    if type(value) in _VALUES and fits:
        return value
    if isinstance(value, str) and hasattr(value, "_tvm_ffi_dtype"):
        return value  # a data type
    return core._convert_to_opaque_object(value)
