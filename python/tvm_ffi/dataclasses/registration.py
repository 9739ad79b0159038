# SPDX-License-Identifier: Apache-2.0
"""The registration of one class, and its rollback if a step fails."""

from __future__ import annotations

from threading import RLock

from tvm_ffi import _abi, core

from . import (
    collect,
    deferral,
    init_vars,
    members,
    methods,
    native_field,
    redefinition,
    resolve,
    traits,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .field import Field

# Held while a class is being registered, completed or rolled back.
lock = RLock()

# The `globalns` argument of `methods.entries_of_body`. Any dictionary makes that function add
# metadata to its entries; it does not read names from the dictionary.
_NO_NAMES: dict[str, Any] = {}

#: Values of `structural_eq` -> the structural kind; None disables structural comparison.
_STRUCTURE_KIND_MAP: dict[str | None, int] = {
    None if name == "unsupported" else name: kind for name, kind in _abi.STRUCTURAL_KINDS.items()
}


class Registration:
    """A class whose registration has begun; it may still be incomplete.

    Parameters
    ----------
    cls
        The class.
    type_key
        The type key of the class.
    options
        The options of the decorator; the type's info stores this dictionary.

    Raises
    ------
    TypeError
        If no base of the class is registered, or the class is registered under another key.
    ValueError
        If the key is taken, by this class or by another one. The exception is an earlier
        definition with the same module, qualified name and key, which this class replaces.

    """

    def __init__(self, cls: type, type_key: str, options: dict[str, Any]) -> None:
        _make_way(cls, type_key)
        known = core._type_cls_to_type_info(cls)
        if known is not None:
            if known.type_key == type_key:
                raise ValueError(f"Type key {type_key!r} is already registered, by this very class")
            raise TypeError(f"{cls.__name__} is already registered as {known.type_key!r}")
        _remove_failed_init(cls)
        self.cls = cls
        self.options = options
        self.parent, parent_info = _parent_of(cls)
        self.owners = collect.owners_of(cls, self.parent)
        self.body = dict(vars(cls))
        self.unresolved: list[str] = []
        self.missing: set[str | None] = set()
        # The error because of which the class was abandoned; every use of the class raises it.
        self.failure: BaseException | None = None
        # Whether the declarations were accepted. A later error abandons the class.
        self.is_collected = False
        # Whether the class was used before it was complete. If so, another class may take its key.
        self.was_used = False
        self.former = redefinition.find(cls, type_key)
        self.info: Any = core._register_py_class(parent_info, type_key, cls, self.former)
        cls.__tvm_ffi_type_info__ = self.info  # type: ignore[attr-defined]
        vars(self.info)["_decorator_args"] = options
        resolve.remember(cls)

    # ---- completion and rollback ----

    def complete(self) -> bool:
        """Complete the class and return True, or return False if a name is still unknown."""
        parent_info = self.info.parent_type_info
        if parent_info.fields is None:
            parent = deferral.deferred_class(self.parent)
            if parent is None or not parent.try_complete():
                self.unresolved = [] if parent is None else parent.unresolved
                return False
        found = collect.collect(self.cls, parent_info, self.owners, self.options)
        self.unresolved, self.missing = found.unresolved, found.missing
        if found.unresolved:
            return False
        self.is_collected = True
        self._commit(found, parent_info)
        self.replace_former()
        deferral.remove(self)
        return True

    def replace_former(self) -> None:
        """Take the key from the former definition; abandon other deferred classes with the key."""
        redefinition.commit(self.info)
        for other in deferral.deferred_with_key(self.info.type_key):
            if other is not self:
                other.abandon(redefinition.refusal(self.info.type_key))

    def may_complete(self) -> bool:
        """Return whether a retry may succeed; this check is cheaper than the retry."""
        scope = resolve.Scope(self.cls, self.owners)
        return all(name is None or scope.knows(name) for name in self.missing)

    def try_complete(self) -> bool:
        """Call `complete`; return False on an error.

        If the declarations are rejected, the class stays deferred, because a name in them may get
        another value. Any other error abandons the class; then each use of the class raises it.
        """
        try:
            return self.complete()
        except Exception as error:
            # Store the error only if it is needed, because it keeps the frames of all callers
            # alive.
            if self.is_collected:
                self.abandon(error)
            return False

    def complete_for_use(self) -> bool:
        """Complete the parent if it is deferred, then this class; raise any error."""
        parent = deferral.deferred_class(self.parent)
        if parent is not None:
            parent.complete_for_use()
        try:
            return self.complete()
        except Exception as error:
            if self.is_collected:
                self.abandon(error)
            raise

    def abandon(self, error: Exception) -> None:
        """Roll back the class, and make each use of the class raise the error."""
        self.roll_back()
        self.failure = error
        install_deferred_init(self)

    def withdraw(self) -> None:
        """Undo the deferral; unlike `roll_back`, keep attributes that the user has changed."""
        deferral.remove(self)
        resolve.forget(self.cls, self.former)
        core._rollback_py_class(self.info)
        self.restore_init()
        for name in _MARKS_OF_DEFERRED:
            delattr(self.cls, name)

    def roll_back(self) -> None:
        """Restore the class and the key to their state before the decorator."""
        deferral.remove(self)
        resolve.forget(self.cls, self.former)
        core._rollback_py_class(self.info)
        cls, now = self.cls, dict(vars(self.cls))
        for name in now:
            if name not in self.body and name not in _CACHES:
                delattr(cls, name)
        for name, value in self.body.items():
            if name not in _CACHES and now.get(name, self) is not value:
                setattr(cls, name, value)

    # ---- completion of a class whose names are all resolved ----

    def _commit(self, found: collect.Declarations, parent_info: Any) -> None:
        """Register the type and install its members; call this after all checks that may fail."""
        cls, info, options = self.cls, self.info, self.options
        if "__ffi_py_class_is_deferred_init__" in vars(cls):
            self.restore_init()
        inherited = vars(parent_info).get("_decorator_args", {}).get("field_markers", ())
        options["field_markers"] = (*inherited, *found.markers)
        own = found.fields
        _run_hooks(cls, info, own)
        _check_options(cls, own)
        kind = _STRUCTURE_KIND_MAP[options["structural_eq"]]
        names, to_inherit = methods._type_attr_options(cls)
        entries = methods.entries_of_body(cls, names, _NO_NAMES, options["auto_methods"])
        entries += methods._inherited_type_attrs(info, to_inherit)

        for name in found.to_remove:
            delattr(cls, name)
        for name in found.init_vars:  # As in dataclasses, the default stays a class attribute.
            default = found.parameters[name].default
            if default is not core.MISSING:
                setattr(cls, name, default)
        defined = set(vars(cls))
        info._register_fields(own, kind)
        if entries:
            info._register_py_methods(entries, names)
        for name, func in methods.hooks_of_body(cls, names):
            core._type_register_attr(info.type_index, name, func)
        self._install(found, defined)
        traits.publish(cls, info.type_index, self.body)

    def _install(self, found: collect.Declarations, defined: set[str]) -> None:
        cls, info, options = self.cls, self.info, self.options
        for field in info.fields:
            if field.name not in defined:
                setattr(cls, field.name, field.as_property(cls))
        cls.__ffi_fields__ = native_field.fields_of(info)  # type: ignore[attr-defined]
        if found.init_properties:
            cls.__ffi_init_property_funcs__ = found.init_properties  # type: ignore[attr-defined]
        members.install_copies(cls, defined)
        init_vars.note_parameters(cls, found)
        members.install_operators(cls, options, defined)
        if options["match_args"] and "__match_args__" not in defined:
            members.set_match_args(cls, cls.__ffi_fields__)  # type: ignore[attr-defined]
        members.install_doc(cls)
        members.update_abstract(cls)

        if "__ffi_init__" not in defined:
            core._make_ffi_init(cls, info)
        if "__init__" in defined:
            members.install_user_init(cls)
        elif not options["init"]:
            members.install_refusal(cls)
        else:
            _install_init(cls, info)

    def restore_init(self) -> None:
        """Undo `install_deferred_init`."""
        del self.cls.__ffi_py_class_is_deferred_init__  # type: ignore[attr-defined]
        if "__init__" in self.body:
            self.cls.__init__ = self.body["__init__"]  # type: ignore[misc]
        else:
            delattr(self.cls, "__init__")


# Attributes that the interpreter itself sets and removes.
_CACHES = frozenset({"__annotations_cache__", "__annotate_func__", "__dict__", "__weakref__"})

# Attributes that `py_class` sets on a class whose registration it defers.
_MARKS_OF_DEFERRED = ("__ffi_fields__", "__ffi_is_dataclass__")


def _make_way(cls: type, type_key: str) -> None:
    """Free the type key for ``cls`` if a deferred class that has been used holds the key."""
    waiting = deferral.deferred_class(cls)
    if waiting is not None and waiting.was_used:
        waiting.withdraw()
    for other in deferral.deferred_with_key(type_key):
        name = f"{cls.__module__}.{cls.__qualname__}"
        owner = f"{other.cls.__module__}.{other.cls.__qualname__}"
        if other.was_used and owner != name:  # With equal names, `cls` redefines `other.cls`.
            other.abandon(TypeError(f"the type key {type_key!r} was given to the class `{name}`"))


def _parent_of(cls: type) -> tuple[type, Any]:
    """Return the nearest base that is the class of a type, and the type's info."""
    for base in cls.__mro__[1:]:
        info = core._type_cls_to_type_info(base)
        if info is not None:
            return base, info
    raise TypeError(
        f"{cls.__name__} must inherit from a registered FFI Object type (e.g. tvm_ffi.Object)"
    )


def _run_hooks(cls: type, info: Any, own: list[Field]) -> None:
    """Call the hooks ``__ffi_on_fields_resolved__`` of all bodies, root first."""
    for owner in reversed(cls.__mro__):
        if owner.__module__ in ("tvm_ffi.core", "builtins"):
            continue
        for value in list(vars(owner).values()):
            hook = value.__func__ if isinstance(value, staticmethod) else value
            if callable(hook) and getattr(hook, "__ffi_on_fields_resolved__", False) is True:
                hook(info, own)  # The hook is user code.


def _check_options(cls: type, own: list[Field]) -> None:
    for field in own:
        if field.extra_kwargs:
            names = ", ".join(sorted(field.extra_kwargs))
            raise TypeError(f"{cls.__name__}.{field.name}: unrecognized field options: {names}")


def _install_init(cls: type, info: Any) -> None:
    properties = members.init_properties_of(cls)
    if init_vars.parameters_of(cls):
        init_vars.install(cls, info, properties)
    else:
        has_post_init = hasattr(cls, "__post_init__")
        core._make_init(cls, info, has_post_init, list(properties.items()))


# ---- deferred completion ----


def install_deferred_init(registration: Registration) -> None:
    """Install an ``__init__`` that first completes the registration."""
    cls = registration.cls

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        _finish(registration)
        type(self).__init__(self, *args, **kwargs)

    init.registration = registration  # type: ignore[attr-defined]
    members.set_init(cls, init)
    cls.__ffi_py_class_is_deferred_init__ = True  # type: ignore[attr-defined]


def _remove_failed_init(cls: type) -> None:
    """Remove the ``__init__`` of an earlier registration that was abandoned."""
    if vars(cls).get("__ffi_py_class_is_deferred_init__", False):
        vars(cls)["__init__"].registration.restore_init()


def _finish(registration: Registration) -> None:
    """Complete a deferred class; raise the error if the class cannot be completed."""
    with lock:
        if registration.failure is not None:
            raise registration.failure
        if registration.info.fields is not None:
            return
        registration.was_used = True
        if registration.complete_for_use():
            deferral.retry()
            return
        raise TypeError(
            f"Cannot instantiate {registration.cls.__name__}: "
            f"unresolved forward references: {registration.unresolved}"
        )
