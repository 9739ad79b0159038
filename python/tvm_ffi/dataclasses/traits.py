# SPDX-License-Identifier: Apache-2.0
"""Traits: assignments in the body of a registered class that become type attributes.

``ir_trait = SideEffectFree`` stays an attribute of the Python class, and other languages read the
value as a type attribute with the same name. Access to the class attribute reads or changes the
type attribute, so there is only one value.
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

# Types that are stored by value; other values are stored as opaque Python objects.
_VALUES = (bool, int, float, str, bytes, list, tuple, dict)
_FFI_VALUES = (core.CObject, core.PyNativeObject, core.DataType, core.Device)


def publish(cls: type, type_index: int, body: Mapping[str, Any]) -> None:
    """Store the trait assignments of a class body as type attributes.

    ``body`` is the namespace of the body, before fields were removed from it.
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
            _store(cls, type_index, name, value)


def assign(cls: Any, name: str, *values: Any) -> None:
    """Assign or delete a trait of a registered class. The metaclass calls this function.

    Without a value, the attribute is deleted. A value that cannot be a trait, such as a function or
    None, removes the type attribute.
    """
    type_index = cls.__tvm_ffi_type_info__.type_index
    if values and _is_trait(cls, values[0]):
        _store(cls, type_index, name, values[0])
        return
    core._class_set(cls, name, *values[:1])
    core._type_register_attr(type_index, name, None)


def _store(cls: type, type_index: int, name: str, value: Any) -> None:
    core._type_register_attr(type_index, name, _stored(value))
    core._class_set(cls, name, core._trait_new(type_index, name, value))


def _is_trait(cls: type, value: Any) -> bool:
    if value is None or isinstance(value, (Field, init_property)):
        return False
    if isinstance(value, type):
        return not value.__qualname__.startswith(f"{cls.__qualname__}.")
    return not hasattr(type(value), "__get__") and not hasattr(type(value), "__set__")


def _stored(value: Any) -> Any:
    """Return the value itself if native code can store it, else an opaque Python object."""
    if isinstance(value, _FFI_VALUES):
        return value
    fits = not isinstance(value, int) or -(2**63) <= value < 2**63
    if type(value) in _VALUES and fits:
        return value
    if isinstance(value, str) and hasattr(value, "_tvm_ffi_dtype"):
        return value  # The value is a `dtype`, a subclass of `str`.
    return core._convert_to_opaque_object(value)
