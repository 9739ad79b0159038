# SPDX-License-Identifier: Apache-2.0
"""The registration of one class, its wait for unknown names, and its rollback if a step fails.

A class with the same module, qualified name and type key as a former class replaces it, for example
when a notebook cell runs twice. The former class keeps its type and its objects; as soon as the new
class is complete, the key refers to the new type (docs/decisions/redefinition.md).
"""

from __future__ import annotations

from tvm_ffi import _abi, core
from tvm_ffi._forks import shared_lock
from tvm_ffi._types import info as infos

from . import collect, init_vars, members, methods, native_field, resolve, traits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from .field import Field

    #: completing  the decorator or a retry is at work
    #: waiting     names in the annotations are unknown; tried again after each other registration
    #: used        as waiting, but the class was used: another class may take its key
    #: complete    the type has its fields
    #: abandoned   rolled back; each use of the class raises `Registration.failure`
    State = Literal["completing", "waiting", "used", "complete", "abandoned"]

# Held while a class is being registered, completed or rolled back.
lock = shared_lock()

# Deferred registrations that are neither complete nor abandoned, in the order of decoration.
_deferred: list[Registration] = []

# The `globalns` argument of `methods.entries_of_body`. Any dictionary makes that function add
# metadata to its entries; it does not read names from the dictionary.
_NO_NAMES: dict[str, Any] = {}

#: Values of `structural_eq` -> the structural kind; None disables structural comparison.
_STRUCTURE_KIND_MAP: dict[str | None, int] = {
    None if name == "unsupported" else name: kind for name, kind in _abi.STRUCTURAL_KINDS.items()
}


class Registration:
    """A class whose registration has begun; it may still be incomplete.

    The type's info stores ``options``, the options of the decorator. Raise TypeError if no base of
    the class is registered, or the class is registered under another key. Raise ValueError if the
    key is taken, by this class or by another one. The exception is an earlier definition with the
    same module, qualified name and key, which this class replaces.
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
        self.state: State = "completing"
        self.failure: BaseException | None = None
        self.former = _former_of(cls, type_key)
        self.info: Any = core._register_py_class(parent_info, type_key, cls, self.former)
        cls.__tvm_ffi_type_info__ = self.info  # type: ignore[attr-defined]
        vars(self.info)["_decorator_args"] = options
        resolve.remember(cls)

    # ---- completion and rollback ----

    def complete(self) -> bool:
        """Complete the class and return True, or return False if a name is still unknown.

        If the declarations of a deferred class are rejected, the class stays deferred, because a
        name in them may get another value. Any later error abandons it.
        """
        before, self.state = self.state, "completing"
        try:
            found = self._collect()
        finally:
            self.state = before
        if found is None:
            return False
        self.state = "completing"
        try:
            self._commit(found, self.info.parent_type_info)
        except Exception as error:
            if before != "completing":
                self.abandon(error)
            raise
        self.replace_former()
        self._leave("complete")
        return True

    def _collect(self) -> collect.Declarations | None:
        """Return the declarations of the class, or None if a name is unknown."""
        parent_info = self.info.parent_type_info
        if parent_info.fields is None:
            parent = deferred_class(self.parent)
            if parent is None or not parent.try_complete():
                self.unresolved = [] if parent is None else parent.unresolved
                return None
        found = collect.collect(self.cls, parent_info, self.owners, self.options)
        self.unresolved, self.missing = found.unresolved, found.missing
        return None if found.unresolved else found

    def defer(self) -> None:
        """Let the class wait for names that are unknown."""
        self.state = "waiting"
        _deferred.append(self)
        self._install_deferred_init()
        self.cls.__ffi_fields__ = ()  # type: ignore[attr-defined]
        if self.former is not None and self.former.fields is None:
            self.replace_former()

    def _leave(self, state: State) -> None:
        """End the wait in a final state."""
        self.state = state
        if self in _deferred:
            _deferred.remove(self)

    def replace_former(self) -> None:
        """Take the key from the former definition; abandon other deferred classes with the key."""
        info, key = self.info, self.info.type_key
        owner = core._object_type_key_to_index(key)
        if owner != info.type_index:
            core._take_type_key(info, None if owner is None else infos.by_index.get(owner))
        for other in _deferred_with_key(key):
            if other is not self:
                text = f"`{key}` was defined again before this definition was complete"
                other.abandon(TypeError(text))

    def may_complete(self) -> bool:
        """Return whether a retry may succeed; this check is cheaper than the retry."""
        scope = resolve.Scope(self.cls, self.owners)
        return self.state in ("waiting", "used") and all(
            name is None or scope.knows(name) for name in self.missing
        )

    def try_complete(self) -> bool:
        """Call `complete` unless it is running; return False on an error."""
        try:
            return self.state != "completing" and self.complete()
        except Exception:
            return False

    def complete_for_use(self) -> bool:
        """Complete the parent if it is deferred, then this class; raise any error."""
        parent = deferred_class(self.parent)
        if parent is not None:
            parent.complete_for_use()
        return self.state != "completing" and self.complete()

    def abandon(self, error: Exception) -> None:
        """Roll back the class, and make each use of the class raise the error."""
        self.roll_back()
        self.failure = error
        self._install_deferred_init()

    def withdraw(self) -> None:
        """Undo the deferral; unlike `roll_back`, keep attributes that the user has changed."""
        self._unregister()
        self._restore_init()
        for name in _MARKS_OF_DEFERRED:
            delattr(self.cls, name)

    def _unregister(self) -> None:
        self._leave("abandoned")
        resolve.forget(self.cls, self.former)
        core._rollback_py_class(self.info)

    def roll_back(self) -> None:
        """Restore the class and the key to their state before the decorator."""
        self._unregister()
        restore_body(self.cls, self.body)

    # ---- completion of a class whose names are all resolved ----

    def _commit(self, found: collect.Declarations, parent_info: Any) -> None:
        """Register the type and install its members; call this after all checks that may fail."""
        cls, info, options = self.cls, self.info, self.options
        if "__ffi_py_class_is_deferred_init__" in vars(cls):
            self._restore_init()
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

    def _install_deferred_init(self) -> None:
        """Install an ``__init__`` that first completes the registration."""

        def init(instance: Any, *args: Any, **kwargs: Any) -> None:
            self._finish()
            type(instance).__init__(instance, *args, **kwargs)

        init.registration = self  # type: ignore[attr-defined]
        members.set_init(self.cls, init)
        self.cls.__ffi_py_class_is_deferred_init__ = True  # type: ignore[attr-defined]

    def _restore_init(self) -> None:
        """Undo `_install_deferred_init`."""
        del self.cls.__ffi_py_class_is_deferred_init__  # type: ignore[attr-defined]
        if "__init__" in self.body:
            self.cls.__init__ = self.body["__init__"]  # type: ignore[misc]
        else:
            delattr(self.cls, "__init__")

    def _finish(self) -> None:
        """Complete a deferred class; raise the error if the class cannot be completed."""
        with lock:
            if self.failure is not None:
                raise self.failure
            if self.info.fields is not None:
                return
            if self.state == "waiting":
                self.state = "used"
            if self.complete_for_use():
                retry()
                return
            raise TypeError(
                f"Cannot instantiate {self.cls.__name__}: "
                f"unresolved forward references: {self.unresolved}"
            )


# Attributes that the interpreter itself sets and removes.
_CACHES = frozenset({"__annotations_cache__", "__annotate_func__", "__dict__", "__weakref__"})


def restore_body(cls: type, body: dict[str, Any]) -> None:
    """Give a class the attributes that it had when ``body`` was copied from it."""
    now = dict(vars(cls))
    for name in now.keys() - body.keys() - _CACHES:
        delattr(cls, name)
    for name, value in body.items():
        if name not in _CACHES and now.get(name, body) is not value:
            setattr(cls, name, value)


# Attributes that `py_class` sets on a class whose registration it defers.
_MARKS_OF_DEFERRED = ("__ffi_fields__", "__ffi_is_dataclass__")


def _make_way(cls: type, type_key: str) -> None:
    """Free the type key for ``cls`` if a deferred class that has been used holds the key."""
    waiting = deferred_class(cls)
    if waiting is not None and waiting.state == "used":
        waiting.withdraw()
    for other in _deferred_with_key(type_key):
        # With equal names, `cls` redefines `other.cls`.
        if other.state == "used" and _full_name(other.cls) != _full_name(cls):
            name = ".".join(_full_name(cls))
            other.abandon(TypeError(f"the type key {type_key!r} was given to the class `{name}`"))


def _former_of(cls: type, type_key: str) -> Any:
    """Return the info of the class that ``cls`` redefines, or None."""
    type_index = core._object_type_key_to_index(type_key)
    info: Any = None if type_index is None else infos.by_index.get(type_index)
    # Consider only types that `py_class` has registered, because a class cannot redefine a native
    # type.
    if info is None or info.type_cls is None or "_decorator_args" not in vars(info):
        return None
    return info if _full_name(info.type_cls) == _full_name(cls) else None


def _full_name(cls: type) -> tuple[str, str]:
    """Return the module and the qualified name of a class.

    A process that ``multiprocessing`` spawns imports the main program as ``__mp_main__``. A class
    that arrives there in a pickle of cloudpickle still belongs to ``__main__``.
    """
    module = "__main__" if cls.__module__ == "__mp_main__" else cls.__module__
    return module, cls.__qualname__


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


# ---- deferred classes


def _remove_failed_init(cls: type) -> None:
    """Remove the ``__init__`` of an earlier registration that was abandoned."""
    if vars(cls).get("__ffi_py_class_is_deferred_init__", False):
        vars(cls)["__init__"].registration._restore_init()


def deferred_class(cls: type) -> Registration | None:
    """Return the deferred registration of a class."""
    return next((known for known in _deferred if known.cls is cls), None)


def _deferred_with_key(type_key: str) -> list[Registration]:
    return [known for known in _deferred if known.info.type_key == type_key]


def forget_class(cls: type) -> None:
    """End the wait of a class whose definition is rolled back."""
    known = deferred_class(cls)
    if known is not None:
        known._leave("abandoned")


def retry() -> None:
    """Try all deferred registrations until none of them makes progress.

    If a registration fails, the others continue.
    """
    progress = True
    while progress and _deferred:
        progress = False
        for registration in list(_deferred):
            if registration in _deferred and registration.may_complete():
                progress = registration.try_complete() or progress
