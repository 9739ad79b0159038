# SPDX-License-Identifier: Apache-2.0
"""Find out whether a type key, given to a class decorator, names a type of a library."""

from __future__ import annotations

from tvm_ffi import core


class SchemaMismatchError(TypeError):
    """A native class differs from its declaration in Python."""


SchemaMismatchError.__module__ = "tvm_ffi.dataclasses"


def is_native(type_key: str) -> bool:
    """Return whether a library has registered the type, and not only reserved its key."""
    type_index = core._object_type_key_to_index(type_key)
    if type_index is None:
        return False
    info = core._lookup_or_register_type_info_from_type_key(type_key)
    if "_decorator_args" in vars(info):
        return False  # The type is defined in Python; py_class rejects a second registration.
    spec = core._describe_type(type_index)
    return spec is not None and (spec[2] > 0 or bool(spec[3]) or bool(spec[4]))
