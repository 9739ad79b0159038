# SPDX-License-Identifier: Apache-2.0
"""Run-time classes from schema classes, for ``@declare(bind=...)``.

Only this module of the package touches the native library, and only when it is called.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from . import dsl, ty
from .front import annotation
from .ir import TypeRef

_PYTHON: dict[str, Any] = {"bool": bool, "float": float, "double": float, "String": str}
_PYTHON.update({"Bytes": bytes, "Any": Any, "None": None})


class SchemaMismatchError(TypeError):
    """A native class does not have the fields that its declaration says."""


def bind_class(cls: type, bind: str) -> type:
    """Return the run-time class of a declaration.

    Parameters
    ----------
    cls
        The class as it was written, on the stand-in base.
    bind
        ``python``: define it in Python; ``native``: bind it to the registered class; ``auto``: bind
        it when it is registered, define it otherwise.

    Raises
    ------
    ImportError
        If the native library or `tvm_ffi.dataclasses` is not there.
    SchemaMismatchError
        If a registered class has other fields.

    """
    dataclasses: Any = import_module("tvm_ffi.dataclasses")
    key = vars(cls)["type_key"]
    native = bind == "native" or (bind == "auto" and _is_registered(key))
    namespace = _namespace(cls, dataclasses)
    made = type(cls.__name__, _bases(cls), namespace)
    made.__module__, made.__qualname__ = cls.__module__, cls.__qualname__
    if not native:
        bound: type = dataclasses.py_class(key)(made)
        return bound
    _compare(key, namespace["__annotations__"])
    bound = dataclasses.c_class(key)(made)
    return bound


def _bases(cls: type) -> tuple[type, ...]:
    runtime: Any = import_module("tvm_ffi")
    return tuple(runtime.Object if base is dsl.Object else base for base in cls.__bases__)


def _is_registered(key: str) -> bool:
    core: Any = import_module("tvm_ffi").core
    try:
        core._lookup_or_register_type_info_from_type_key(key)
    except Exception:
        return False
    return True


def _namespace(cls: type, dataclasses: Any) -> dict[str, Any]:
    """Return the body of a class with the annotations and defaults of run-time classes."""
    from .front.settings import CHECKS

    hints = vars(cls).get("__annotations__", {})
    body = {
        name: _value(value, dataclasses)
        for name, value in vars(cls).items()
        if name not in CHECKS and name not in ("__dict__", "__weakref__", "__annotations__")
    }
    body["__annotations__"] = {
        name: _runtime(annotation.from_value(hint, vars(import_module(cls.__module__))))
        for name, hint in hints.items()
    }
    return body


def _value(value: Any, dataclasses: Any) -> Any:
    if not isinstance(value, dsl.FieldSpec):
        return value
    known = ("default", "default_factory", "frozen", "init", "kw_only", "repr", "compare", "hash")
    options = {
        name: option
        for name, option in value.options.items()
        if name in known and option is not None and option is not dsl.MISSING
    }
    return dataclasses.field(**options)


def _runtime(type_: TypeRef) -> Any:
    """Return the Python annotation of a type."""
    if type_.origin in _PYTHON:
        return _PYTHON[type_.origin]
    row = ty.row_of(type_.origin)
    if row is not None and row.python == "int":
        return int
    containers = {"Array": "Sequence", "List": "MutableSequence"}
    containers.update({"Map": "Mapping", "Dict": "MutableMapping"})
    if type_.origin in containers:
        abc: Any = import_module("collections.abc")
        return getattr(abc, containers[type_.origin])[tuple(map(_runtime, type_.args))]
    typing: Any = import_module("typing")
    if type_.origin == "Optional":
        return typing.Optional[_runtime(type_.args[0])]
    if type_.origin == "Union":
        return typing.Union[tuple(map(_runtime, type_.args))]
    return import_module("tvm_ffi").Object if type_.origin == "ObjectRef" else Any


def _compare(key: str, annotations: dict[str, Any]) -> None:
    core: Any = import_module("tvm_ffi").core
    info = core._lookup_or_register_type_info_from_type_key(key)
    native = [one.name for one in info.fields]
    if native != list(annotations):
        raise SchemaMismatchError(
            f"the declaration of {key} has the fields {list(annotations)}, "
            f"the native class has {native}; generate and build the library again"
        )
