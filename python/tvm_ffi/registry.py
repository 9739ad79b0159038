# SPDX-License-Identifier: Apache-2.0
"""Register and look up classes and global functions."""

from __future__ import annotations

import sys
import warnings

from . import _ffi_api, core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar, overload

    _ClassT = TypeVar("_ClassT", bound=type)

# A package sets this variable to True if its library may lack some of its types. Then registering
# a class for an unknown type key does not change the class.
_SKIP_UNKNOWN_OBJECTS = False

# ---- classes ----

if TYPE_CHECKING:

    @overload
    def register_object(type_key: _ClassT) -> _ClassT: ...
    @overload
    def register_object(
        type_key: str | None = None, *, init: bool = True
    ) -> Callable[[_ClassT], _ClassT]: ...


def register_object(type_key: str | type | None = None, *, init: bool = True) -> Any:
    """Register a class as the Python class of a type.

    From then on, values of the type are instances of the class; an existing wrapper keeps its
    class. The class gets the reflected fields and methods of the type, except names that its body
    defines. A class that derives from ``EnumObject`` also gets the registered variants.

    Parameters
    ----------
    type_key
        The key of the type; by default the name of the class. The decorator may also be applied
        without parentheses.
    init
        Whether to install ``__init__`` if the body does not define it: the type's initializer, or
        a function that raises ``TypeError`` if the type does not have one.

    Raises
    ------
    ValueError
        If there is no type with that key.
    TypeError
        If ``type_key`` is neither a string nor a class nor ``None``; if the class is not a subclass
        of :class:`tvm_ffi.Object`; if its layout differs from the layout of a built-in type (the
        class for ``ffi.Function`` must derive from :class:`tvm_ffi.Function`); or if a base is the
        class of another type that has fields and is not an ancestor of this type.

    Examples
    --------
    >>> import tvm_ffi, tvm_ffi.testing
    >>> @tvm_ffi.register_object("testing.TestIntPair")
    ... class IntPair(tvm_ffi.Object):
    ...     a: int
    ...     b: int
    >>> IntPair(1, 2).b
    2

    """
    if isinstance(type_key, type):
        return _bind_class(type_key, type_key.__name__, init)
    if type_key is not None and not isinstance(type_key, str):
        raise TypeError("type_key must be a string, type, or None")
    return lambda cls: _bind_class(
        cls, getattr(cls, "__name__", "") if type_key is None else type_key, init
    )


def _bind_class(cls: _ClassT, type_key: str, init: bool) -> _ClassT:
    if not isinstance(cls, type):
        raise TypeError(f"register_object expects a class, got {type(cls).__name__}")
    type_index = core._object_type_key_to_index(type_key)
    if type_index is None:
        if _SKIP_UNKNOWN_OBJECTS:
            return cls
        raise _unknown_type_key(type_key)
    _require_object_class(cls, type_key)
    body = dict(vars(cls))
    core._register_object_by_index(type_index, cls, init)
    bind_variants = getattr(type(cls), "_bind_variants", None)
    if bind_variants is not None:
        bind_variants(cls)
    if cls.__module__ == "__main__":
        from ._pickle import definition  # Needed only for classes of the module `__main__`.

        definition.note(cls, _define_again, type_key, {"init": init}, body)
    return cls


def _define_again(cls: Any, type_key: str, options: dict[str, Any]) -> None:
    """Register a class that a pickle has made; pickles call this function by name."""
    register_object(type_key, **options)(cls)


def _unknown_type_key(type_key: str) -> ValueError:
    """Return the error for an unknown type key."""
    from . import _nearest  # Needed only for error messages.

    hint = _nearest.hint(
        type_key,
        get_registered_type_keys(),
        "; load the library that registers the type first, or define the type in Python with "
        "tvm_ffi.py_class",
    )
    return ValueError(f"Cannot find object type index for {type_key}{hint}")


def _require_object_class(cls: type, type_key: str) -> None:
    """Reject a class whose instances cannot hold a handle."""
    if not issubclass(cls, (core.CObject, core.PyNativeObject)):
        raise TypeError(
            f"cannot register class `{cls.__qualname__}` for type `{type_key}`: it must be a "
            "subclass of `tvm_ffi.Object`, because instances have to hold a handle"
        )


def get_registered_type_keys() -> Sequence[str]:
    """Return the keys of all registered types."""
    keys: Sequence[str] = _ffi_api.GetRegisteredTypeKeys()
    return keys


# ---- global functions ----

if TYPE_CHECKING:

    @overload
    def register_global_func(
        func_name: str, f: Callable[..., Any], override: bool = False
    ) -> core.Function: ...
    @overload
    def register_global_func(
        func_name: str, f: None = None, override: bool = False
    ) -> Callable[[Callable[..., Any]], core.Function]: ...
    @overload
    def register_global_func(
        func_name: Callable[..., Any], f: None = None, override: bool = False
    ) -> core.Function: ...


def register_global_func(
    func_name: str | Callable[..., Any], f: Callable[..., Any] | None = None, override: bool = False
) -> Any:
    """Register a function under a global name, for use from every language.

    A Python function with the same module and qualified name replaces its earlier definition, so
    that a notebook cell can run again and a module can be reloaded.

    Parameters
    ----------
    func_name
        The name; or the function itself, whose ``__name__`` is then the name.
    f
        The function. If it is omitted, a decorator is returned.
    override
        Whether to replace a function with this name. Existing references keep the old function.

    Returns
    -------
    The registered ``Function``, or a decorator that returns it.

    Raises
    ------
    RuntimeError
        If another function has the name and ``override`` is false.
    TypeError
        If the function is not callable, or the arguments are swapped.
    AttributeError
        If no name is given and the function does not have a ``__name__``.
    ValueError
        If the name is empty, or no name is given and the ``__name__`` of the function is not a
        string.

    Examples
    --------
    >>> import tvm_ffi
    >>> @tvm_ffi.register_global_func("doc.add_one")
    ... def add_one(x):
    ...     return x + 1
    >>> tvm_ffi.get_global_func("doc.add_one")(41)
    42
    >>> tvm_ffi.remove_global_func("doc.add_one")

    """
    if not isinstance(func_name, str):
        if f is not None:
            raise TypeError(
                "register_global_func expects the name before the function, got "
                f"{type(func_name).__name__} as the name"
            )
        f = func_name
        if not callable(f):
            raise TypeError(
                "register_global_func expects a name, or a function whose __name__ is the name, "
                f"got {type(f).__name__}"
            )
        if not hasattr(f, "__name__"):
            raise AttributeError(
                f"a {type(f).__name__} object has no attribute '__name__': pass the name to "
                "register_global_func as its first argument"
            )
        func_name = f.__name__
        if not isinstance(func_name, str):
            raise ValueError("expect string function name")
    if not func_name:
        raise ValueError("register_global_func expects a name that is not empty")
    if f is not None:
        return core._register_global_func(func_name, _require_callable(f), override)
    name = func_name
    return lambda decorated: core._register_global_func(
        name, _require_callable(decorated), override
    )


def _require_callable(f: Any) -> Callable[..., Any]:
    if callable(f):
        return f  # type: ignore[no-any-return]
    raise TypeError(
        f"register_global_func expects a function or another callable, got {type(f).__name__}"
    )


get_global_func = core.get_global_func


def get_global_func_metadata(name: str) -> dict[str, Any]:
    """Return the metadata of a global function, such as its ``type_schema``.

    A function that was registered from Python does not have metadata.

    Raises
    ------
    RuntimeError
        If there is no such function.
    TypeError
        If the name is not a string.

    Examples
    --------
    >>> import tvm_ffi
    >>> sorted(tvm_ffi.get_global_func_metadata("testing.add_one"))
    ['type_schema']

    """
    import json  # Importing `json` takes half as long as importing this whole package.

    if not isinstance(name, str):
        raise TypeError(f"get_global_func_metadata expects a str, got {type(name).__name__}")
    if name.startswith("testing."):
        # This lookup loads the library of test fixtures; GetGlobalFuncMetadata does not load it.
        core._get_global_func(name, True)
    metadata: dict[str, Any] = json.loads(_ffi_api.GetGlobalFuncMetadata(name) or "{}")
    return metadata


_remove: core.Function | None = None


def remove_global_func(name: str) -> None:
    """Remove a global function from the registry; do nothing if the name is not registered.

    Examples
    --------
    >>> import tvm_ffi
    >>> tvm_ffi.remove_global_func("doc.never_registered")

    """
    global _remove
    if _remove is None:
        _remove = get_global_func("ffi.FunctionRemoveGlobal")
    _remove(name)


def list_global_func_names() -> list[str]:
    """Return the names of all global functions."""
    names = _ffi_api.FunctionListGlobalNamesFunctor()
    return [names(i) for i in range(names(-1))]


def _explain_missing(module_name: str, prefix: str) -> Callable[[str], Any]:
    """Return a ``__getattr__`` whose error explains that the namespace has no functions."""

    def explain(name: str) -> Any:
        hint = ""
        if not name.startswith("_"):
            from . import _nearest  # Needed only for error messages.

            known = {f"{name.rpartition('.')[0]}." for name in list_global_func_names()}
            otherwise = "; load the library that registers them first"
            if prefix in known:
                otherwise = "; there are some now: call init_ffi_api again"
                known.clear()
            what = f": init_ffi_api found no global function whose name begins with {prefix!r}"
            hint = what + _nearest.hint(prefix, known, otherwise)
        raise AttributeError(f"module {module_name!r} has no attribute {name!r}{hint}")

    return explain


def init_ffi_api(namespace: str, target_module_name: str | None = None) -> None:
    """Set the global functions of a namespace as attributes of a module.

    ``ns.f`` becomes attribute ``f``. Names with a further dot are omitted, and so are functions
    that are registered later. If the namespace has no functions, the module gets a ``__getattr__``
    whose error explains this.

    Parameters
    ----------
    namespace
        The namespace; a leading ``tvm.`` is removed.
    target_module_name
        The name of the module, which must have been imported; by default ``namespace``.

    Raises
    ------
    KeyError
        If the module has not been imported.

    Warns
    -----
    ImportWarning
        If no global function has a name in the namespace: the library with the functions has not
        been loaded, or the namespace is misspelled. Python hides this category by default, because
        packages such as apache-tvm import modules for parts of their library that are not
        installed.

    Examples
    --------
    In your own module: ``tvm_ffi.init_ffi_api("my_library", __name__)``.

    >>> import sys, types, tvm_ffi
    >>> sys.modules["doc_api"] = types.ModuleType("doc_api")
    >>> tvm_ffi.init_ffi_api("testing", "doc_api")
    >>> sys.modules.pop("doc_api").add_one(1)
    2

    """
    target = target_module_name or namespace
    module = sys.modules.get(target)
    if module is None:
        raise KeyError(f"module {target!r} has not been imported; for your own, pass __name__")
    prefix = namespace[4:] if namespace.startswith("tvm.") else namespace
    if prefix == "testing":
        core._load_testing_library()
    prefix += "."
    names = [name for name in list_global_func_names() if name.startswith(prefix)]
    if not names and not _SKIP_UNKNOWN_OBJECTS:
        warnings.warn(
            f"no global function has a name that begins with {prefix!r}; "
            "load the library that registers the functions first",
            ImportWarning,
            stacklevel=2,
        )
    space: dict[str, Any] = getattr(module, "__dict__", {})
    present = space.get("__getattr__")
    if present is None and not names:
        space["__getattr__"] = _explain_missing(target, prefix)
    elif names and getattr(present, "__qualname__", "").startswith("_explain_missing."):
        del space["__getattr__"]
    for name in names:
        attribute = name[len(prefix) :]
        if attribute and "." not in attribute:
            setattr(module, attribute, get_global_func(name))
