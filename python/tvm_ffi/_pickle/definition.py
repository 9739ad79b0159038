# SPDX-License-Identifier: Apache-2.0
"""Support for cloudpickle, which pickles classes of ``__main__`` by value.

cloudpickle sends the bases, the metaclass and the class dictionary. The reader makes an empty class
and sets the entries one by one, in the order of their names. Most entries of a registered class are
members that the registration made. In the pickle, ``core.MISSING`` replaces them, and classes
ignore an assignment of ``core.MISSING``. One entry, ``__tvm_ffi_definition__``, contains the class
body before the registration, and the options of the decorator. Setting this entry on a class that
is not registered yet registers the class. If another class is registered under the same type key,
the new class replaces it (docs/decisions/redefinition.md).
"""

from __future__ import annotations

import copyreg
import sys
from threading import get_ident

from .. import core
from .._forks import shared_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Define = Callable[[Any, str, dict[str, Any]], Any]

ATTRIBUTE = "__tvm_ffi_definition__"
# cloudpickle sorts the entries of a class by name. This name comes before every identifier, so its
# entry is pickled first.
_FIRST = "!tvm_ffi_variants"

# Entries that the interpreter makes for each class.
_NOT_OURS = frozenset(
    [
        *("__dict__", "__weakref__", "_abc_impl", "__abstractmethods__", "__slots__"),
        *("__annotate_func__", "__annotations_cache__", "__static_attributes__"),
        *("__firstlineno__", "__module__", ATTRIBUTE, _FIRST),
    ]
)

# One class is registered at a time. The lock is reentrant, because applying a definition may apply
# another definition.
_lock = shared_lock()


class Definition:
    """The arguments and the body with which a class was defined.

    The function ``define(cls, type_key, options)`` of a module defines the class again; pickles
    store it by name. ``body`` has the entries of the class before it was registered.
    """

    __slots__ = ("body", "cls", "define", "expected", "options", "qualname", "slots", "type_key")

    def __init__(
        self,
        cls: type,
        define: Define,
        type_key: str,
        options: dict[str, Any],
        body: dict[str, Any],
    ) -> None:
        self.cls = cls
        self.define = define
        self.type_key = type_key
        self.options = dict(options)
        self.body = {name: value for name, value in body.items() if name not in _NOT_OURS}
        self.qualname = cls.__qualname__
        self.slots = tuple(body.get("__slots__", ()))
        self.expected = {}

    expected: dict[int, set[str]]
    """Thread -> the variants that are still to come in the class that it is pickling."""

    def __reduce__(self) -> tuple[Any, ...]:
        if self.slots:
            raise TypeError(
                f"cannot pickle the class {self.qualname} by value: it has "
                f"__slots__ = {self.slots!r}; put it into a module that all processes import"
            )
        body = {**self.body, "__annotations__": _evaluated_annotations(self.cls, self.body)}
        return _restore, (self.cls, self.define, self.type_key, self.options, body, self.qualname)


def _evaluated_annotations(cls: type, body: dict[str, Any]) -> dict[str, Any]:
    """Evaluate the annotations of a class body.

    The process that reads the pickle may lack the names that the annotations use.
    """
    from ..dataclasses import resolve  # Needed only when a class is pickled.

    found = dict(body.get("__annotations__") or {})
    if not found and sys.version_info >= (3, 14):
        found = dict(resolve.own_annotations(cls))
    scope = resolve.Scope(cls, [cls])
    for name, annotation in found.items():
        try:
            found[name] = resolve.evaluate(annotation, scope)
        except Exception:
            continue  # Keep the text: the process that reads the pickle may know the name.
    return found


class _BeforeVariants:
    """The first entry of an enum class in a pickle.

    Pickling this entry records the names of the variants that are also entries of the class, for
    ``reduce_variant``. A reader of the pickle needs these variants before it registers the class.
    """

    __slots__ = ("definition",)

    def __init__(self, definition: Definition) -> None:
        self.definition = definition

    def __reduce__(self) -> tuple[Any, ...]:
        cls: Any = self.definition.cls
        own: Any = [value for value in vars(cls).values() if isinstance(value, cls)]
        names = {str(variant.__entry_name__) for variant in own}
        self.definition.expected[get_ident()] = names
        return missing, ()


def note(
    cls: type, define: Define, type_key: str, options: dict[str, Any], body: dict[str, Any]
) -> None:
    """Record the definition of a class if pickle can only store the class by value.

    The parameters are those of ``Definition``.
    """
    if cls.__module__ == "__main__" or "<locals>" in cls.__qualname__:
        definition = Definition(cls, define, type_key, options, body)
        core._set_class_attribute(cls, ATTRIBUTE, definition)
        _mark_variants(cls, definition)


def _mark_variants(cls: type, definition: Definition) -> None:
    if isinstance(cls, core._EnumMeta):
        core._set_class_attribute(cls, _FIRST, _BeforeVariants(definition))


def _restore(
    cls: type,
    define: Define,
    type_key: str,
    options: dict[str, Any],
    body: dict[str, Any],
    qualname: str,
) -> Definition:
    """Return the definition that the class already has, else the definition from the pickle."""
    own = vars(cls).get(ATTRIBUTE)
    if isinstance(own, Definition):
        return own
    restored = Definition.__new__(Definition)
    restored.cls, restored.define, restored.type_key = cls, define, type_key
    restored.options, restored.body, restored.qualname = options, body, qualname
    restored.slots, restored.expected = (), {}
    return restored


def apply(cls: type, definition: Any) -> None:
    """Register a class that a pickle has made, unless it is registered; called by the extension."""
    if not isinstance(definition, Definition):
        raise TypeError(f"{ATTRIBUTE} must be a Definition, got {type(definition).__name__}")
    with _lock:
        if "__tvm_ffi_type_info__" in vars(cls) or ATTRIBUTE in vars(cls):
            return
        for name in list(vars(cls)):
            if name not in _NOT_OURS:
                core._set_class_attribute(cls, name)
        cls.__qualname__ = definition.qualname
        for name, value in definition.body.items():
            if name != "__qualname__":
                core._set_class_attribute(cls, name, value)
        core._set_class_attribute(cls, ATTRIBUTE, definition)
        try:
            definition.define(cls, definition.type_key, dict(definition.options))
        except BaseException:
            core._set_class_attribute(cls, ATTRIBUTE)
            raise
        _mark_variants(cls, definition)


def variant(cls: Any, definition: Definition | None, name: str) -> Any:
    """Return a variant of an enum that is pickled by value; register the enum if necessary."""
    if definition is not None:
        apply(cls, definition)
    return cls.get(name)


def reduce_variant(cls: Any, definition: Definition, name: str) -> tuple[Any, ...]:
    """Reduce a variant for a pickle.

    If the pickle contains the class, the variants are entries of the class, and the reader of the
    pickle needs them before it has registered the class. So each of these variants is stored
    together with the definition, from which the reader registers the class. Plain pickle stores
    the class by name and needs no definition.
    """
    expected = definition.expected.get(get_ident(), set())
    is_part_of_class = name in expected
    expected.discard(name)
    return variant, (cls, definition if is_part_of_class else None, name)


def restore_variant(type_key: str, name: str) -> Any:
    """Return a variant of an enum whose Python class pickle cannot import.

    Pickles call ``tvm_ffi.serialization.restore_variant`` by this name, so do not rename it. The
    enum must have been defined or loaded before. Raise ValueError if there is no such enum, or the
    enum has no such variant.
    """
    type_index = core._object_type_key_to_index(type_key)
    state: Any = None if type_index is None else core._type_get_attr(type_index, "__ffi_enum__")
    if state is None:
        raise ValueError(
            f"there is no enum {type_key!r}: import the module or load the library that defines it"
        )
    if name not in state.indexes:
        raise ValueError(f"enum {type_key!r} has no variant {name!r}")
    return state.indexes[name]


restore_variant.__module__ = "tvm_ffi.serialization"  # The published path.


# ---- members that the registration makes


def missing() -> Any:
    """Return ``core.MISSING``. Pickles call ``missing`` by this name, so do not rename it."""
    return core.MISSING


def _reduce_member(_: Any) -> tuple[Any, ...]:
    return missing, ()


def _restore_info(cls: type) -> Any:
    return vars(cls).get("__tvm_ffi_type_info__", core.MISSING)


def _reduce_info(info: Any) -> Any:
    return info.__reduce__() if info.type_cls is None else (_restore_info, (info.type_cls,))


def _install() -> None:
    """Register the functions with which pickle stores the members of registered classes."""
    for name in ("FFIProperty", "_Initializer", "_Method", "_SharedMethod", "_Trait"):
        member = getattr(core, name, None)
        if member is not None:
            copyreg.pickle(member, _reduce_member)
    copyreg.pickle(core.TypeInfo, _reduce_info)


_install()
