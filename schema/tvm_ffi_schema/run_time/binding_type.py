# SPDX-License-Identifier: Apache-2.0
"""Make the annotations of run-time classes from the types of schema classes."""

from __future__ import annotations

import sys
import typing
from importlib import import_module
from typing import Any

from .. import ty
from ..front import annotation
from ..front.raw import ClassName, Unreadable
from ..ir import TypeRef

#: Schema type -> Python type: a name in `collections.abc` (`_CONTAINERS`), the type itself
#: (`_PLAIN`), or a name in `tvm_ffi` (`_NATIVE`).
_CONTAINERS = {"Array": "Sequence", "List": "MutableSequence"}
_CONTAINERS.update({"Map": "Mapping", "Dict": "MutableMapping"})
_PLAIN: dict[str, Any] = {"bool": bool, "float": float, "double": float, "String": str}
_PLAIN.update({"Bytes": bytes, "Any": Any, "None": None})
_NATIVE = {"DataType": "dtype", "Device": "Device", "Tensor": "Tensor", "Shape": "Shape"}
_NATIVE.update({"Module": "Module", "ObjectRef": "Object"})


def annotations_of(cls: type) -> dict[str, Any]:
    """Return the annotations of a class body; they may contain names that are not defined yet."""
    if sys.version_info >= (3, 14):
        import annotationlib

        found: dict[str, Any] = annotationlib.get_annotations(
            cls, format=annotationlib.Format.FORWARDREF
        )
        return found
    return dict(vars(cls).get("__annotations__", {}))


def runtime_type(hint: Any, env: dict[str, Any], own_name: str) -> Any:
    """Convert an annotation of a schema class to an annotation of the run-time class.

    A class that does not exist yet becomes a forward reference.

    Raises
    ------
    TypeError
        If the annotation is not a type of the schema language.

    """
    names = {name: _named(value) for name, value in env.items()}
    names.setdefault(own_name, ClassName(own_name))
    try:
        return _runtime(annotation.from_value(_named(hint), names), env)
    except Unreadable as problem:
        raise TypeError(str(problem)) from None


def _named(value: Any) -> Any:
    """Convert a run-time class to a class name for readers; return other values unchanged."""
    if isinstance(value, type) and "__tvm_ffi_type_info__" in vars(value):
        info = vars(value)["__tvm_ffi_type_info__"]
        if not value.__module__.startswith("tvm_ffi."):
            return ClassName(f"={info.type_key}")
    return value


def _runtime(type_: TypeRef, env: dict[str, Any]) -> Any:
    if type_.cpp is not None:
        return Any if type_.cpp.as_type is None else _runtime(type_.cpp.as_type, env)
    if type_.origin in _PLAIN:
        return _PLAIN[type_.origin]
    if type_.origin in _NATIVE:
        return getattr(import_module("tvm_ffi"), _NATIVE[type_.origin])
    if type_.origin == "class":
        return _class(type_.name)
    args = [_runtime(arg, env) for arg in type_.args]
    abc: Any = import_module("collections.abc")
    if type_.origin in _CONTAINERS:
        return getattr(abc, _CONTAINERS[type_.origin])[tuple(args)]
    if type_.origin == "Function":
        return typing.Callable[args[1:], args[0]] if args else abc.Callable
    if type_.origin == "Handle":
        return import_module("ctypes").c_void_p
    if type_.origin == "Optional":
        return typing.Optional[args[0]]  # noqa: UP045 - `args` may contain texts
    if type_.origin == "Union":
        return typing.Union[tuple(args)]  # noqa: UP007
    if type_.origin == "Tuple":
        return typing.Tuple[tuple(args)]  # noqa: UP006 - holds texts on every version
    row = ty.row_of(type_.origin)
    return int if row is not None and row.python == "int" else Any


def _class(name: str) -> Any:
    """Return the class that a name of an unresolved type means.

    The name has the form ``=key``, ``extern:key``, ``module:Name`` or ``Name``.
    """
    key = name[1:] if name.startswith("=") else name.partition("extern:")[2]
    if key:
        core: Any = import_module("tvm_ffi").core
        if core._object_type_key_to_index(key) is None:
            return import_module("tvm_ffi").Object
        return core._lookup_or_register_type_info_from_type_key(key).type_cls
    return typing.ForwardRef(name.rpartition(":")[2])
