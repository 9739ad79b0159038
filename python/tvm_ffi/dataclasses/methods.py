# SPDX-License-Identifier: Apache-2.0
"""Functions of a class body that become methods or type attributes of the type."""

from __future__ import annotations

import re
import types

from tvm_ffi import core

from . import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    _F = TypeVar("_F")

    # The name, the function or value, whether a method is static, and the metadata as JSON text
    # (None for a type attribute).
    Entry = tuple[str, Any, bool, "str | None"]

# Names in a body that become type attributes instead of methods.
_FFI_TYPE_ATTR_NAMES = frozenset(
    {
        *("__ffi_repr__", "__ffi_hash__", "__ffi_eq__", "__ffi_compare__", "__ffi_convert__"),
        *("__ffi_convert_type_schema__", "__any_hash__", "__any_equal__", "__s_equal__"),
        *("__s_hash__", "__s_visit__", "__s_mutate__", "__s_maybe_inplace_mutate__"),
        *("__data_to_json__", "__data_from_json__"),
    }
)

_DEFAULT_INHERIT_TYPE_ATTRS = (
    *("__s_equal__", "__s_hash__", "__s_visit__"),
    *("__data_to_json__", "__data_from_json__"),
)

# Names that are generated for each class, and ignored in a body.
_SYSTEM_NAMES = frozenset(
    {
        *("__ffi_init__", "__ffi_new__", "__ffi_shallow_copy__"),
        *("__tvm_ffi_type_info__", "_abc_impl"),
    }
)

_HOOK_NAME = re.compile(r"__ffi_[a-z0-9_]+__")


def method(fn: _F) -> _F:
    """Mark a function of a ``@py_class`` body as a method of the type, callable in every language.

    Parameters
    ----------
    fn
        A function or a staticmethod, which is returned unchanged.

    Raises
    ------
    TypeError
        If ``fn`` is a classmethod, or is not callable.

    Examples
    --------
    >>> import tvm_ffi
    >>> from tvm_ffi.dataclasses import py_class
    >>> @py_class("doc.method.Pair")
    ... class Pair(tvm_ffi.Object):
    ...     a: int
    ...     b: int
    ...
    ...     @tvm_ffi.method
    ...     def sum(self) -> int:
    ...         return self.a + self.b
    >>> Pair(1, 2).sum()
    3

    """
    if isinstance(fn, classmethod):
        raise TypeError(
            "@tvm_ffi.method: @classmethod is not supported; a type has no class to pass. "
            "Use @staticmethod or an ordinary method"
        )
    func = fn.__func__ if isinstance(fn, staticmethod) else fn
    if not callable(func):
        raise TypeError(f"@tvm_ffi.method: expected a callable, got {type(func).__name__}.")
    func.__ffi_method__ = True  # type: ignore[attr-defined]
    return fn


def _is_method_marked(value: Any) -> bool:
    func = getattr(value, "__func__", value)
    return getattr(func, "__ffi_method__", False) is True


# ---- functions of a body ----


def _collect_py_methods(
    cls: type, globalns: dict[str, Any] | None = None, auto_methods: bool = False
) -> list[Any] | None:
    """Return the method and attribute entries of the body, or None if there are none.

    An entry is ``(name, function, is static)``, with the metadata as fourth element if
    ``globalns`` is given.
    """
    names, _ = _type_attr_options(cls)
    return entries_of_body(cls, names, globalns, auto_methods) or None


def entries_of_body(
    cls: type, names: frozenset[str], globalns: dict[str, Any] | None, auto_methods: bool
) -> list[Any]:
    """Return the entries of `_collect_py_methods`; ``names`` are those of type attributes."""
    entries: list[Any] = []
    for name, value in list(vars(cls).items()):
        if name in _SYSTEM_NAMES:
            continue
        is_attribute = name in names
        if not is_attribute and (
            type(value) in _NO_FUNCTIONS or not _is_method(name, value, auto_methods)
        ):
            continue
        if isinstance(value, classmethod):
            raise TypeError(
                f"@py_class({cls.__name__!r}): {name!r} is wrapped by @classmethod, which is "
                "incompatible with FFI registration; use @staticmethod or an ordinary method"
            )
        is_static = isinstance(value, staticmethod)
        func = value.__func__ if is_static else value
        entry: tuple[Any, ...] = (name, func, is_static)
        if globalns is not None:
            entry += (None if is_attribute else _metadata_text(cls, func, is_static),)
        entries.append(entry)
    return entries


# Types of common values in class bodies; values of these types are not functions.
_NO_FUNCTIONS = frozenset({str, tuple, dict, frozenset, int, float, bool, list, type(None)})


def _is_method(name: str, value: Any, auto_methods: bool) -> bool:
    if _is_method_marked(value):
        return True
    if not auto_methods or name.startswith("_"):
        return False
    func = value.__func__ if isinstance(value, staticmethod) else value
    return isinstance(func, types.FunctionType) and not hasattr(func, "__ffi_on_fields_resolved__")


def hooks_of_body(cls: type, names: frozenset[str]) -> list[tuple[str, Any]]:
    """Return the callables named ``__ffi_*__`` that are not in ``names``."""
    found = []
    for name, value in list(vars(cls).items()):
        if name[:6] != "__ffi_" or name in names or name in _SYSTEM_NAMES:
            continue
        func = value.__func__ if isinstance(value, staticmethod) else value
        if callable(func) and _HOOK_NAME.fullmatch(name):
            found.append((name, func))
    return found


# ---- schemas ----


def _metadata_text(cls: type, func: Any, is_static: bool) -> str:
    import json

    schema = _method_schema(cls, func, is_static)
    raw = {"type": "Callable"} if schema is None else schema.to_json()
    return json.dumps({"type_schema": raw})


def _method_schema(cls: type, func: Any, is_static: bool) -> core.TypeSchema | None:
    """Return the schema of a method, or None if a schema cannot express its signature."""
    code = getattr(func, "__code__", None)
    if code is None or code.co_kwonlyargcount or code.co_flags & _VARIADIC:
        return None
    names = code.co_varnames[: code.co_argcount]
    scope = resolve.Scope(cls, (cls,))
    scope.globals = func.__globals__
    annotations = resolve.function_annotations(func)
    make = core.TypeSchema.from_annotation

    def schema_of(name: str) -> core.TypeSchema:
        if name not in annotations:
            return core.TypeSchema("Any")
        return make(resolve.unwrap(resolve.evaluate(annotations[name], scope))[0])

    try:
        params = [schema_of(name) for name in names]
        if not is_static and names and names[0] not in annotations:
            params[0] = make(cls)
        return core.TypeSchema(
            "Callable", named_args={"return": (schema_of("return"),), "params": tuple(params)}
        )
    except (NameError, AttributeError, SyntaxError, TypeError):
        return None


_VARIADIC = 0x04 | 0x08  # CO_VARARGS, CO_VARKEYWORDS

# ---- type attributes: own and inherited ----


def _type_attr_options(cls: type) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the names of type attributes in a body, and of attributes copied from an ancestor."""
    extra = _name_list(getattr(cls, "__ffi_type_attr_names__", ()))
    inherited = _name_list(getattr(cls, "__ffi_inherit_type_attrs__", _DEFAULT_INHERIT_TYPE_ATTRS))
    if not extra and inherited is _DEFAULT_INHERIT_TYPE_ATTRS:
        return _FFI_TYPE_ATTR_NAMES, inherited
    return _FFI_TYPE_ATTR_NAMES.union(extra, inherited), inherited


def _name_list(names: Any) -> tuple[str, ...]:
    if not isinstance(names, (tuple, list)) or not all(isinstance(name, str) for name in names):
        raise TypeError("TypeAttr registration lists must be tuples or lists of strings")
    return names if isinstance(names, tuple) else tuple(names)


def _inherited_type_attrs(type_info: core.TypeInfo, names: tuple[str, ...]) -> list[Entry]:
    """Return entries for attributes to copy, each from the nearest ancestor that has it."""
    parent = type_info.parent_type_info
    if parent is None or parent.parent_type_info is None:
        return []  # There is no ancestor except the root, whose attributes are not copied.
    own = vars(type_info.type_cls) if type_info.type_cls is not None else {}
    found: list[Entry] = []
    for name in names:
        if name in own:
            continue
        ancestor = type_info.parent_type_info
        while ancestor is not None:
            body = {} if ancestor.type_cls is None else vars(ancestor.type_cls)
            if body.get(name, ...) is None:
                break
            value = core._lookup_type_attr(ancestor.type_index, name)
            if value is not None:
                found.append((name, value, False, None))
                break
            ancestor = ancestor.parent_type_info
    return found
