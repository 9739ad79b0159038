# SPDX-License-Identifier: Apache-2.0
"""``EnumObject``: the base class of enums."""

from __future__ import annotations

import sys

from ... import core
from ..._pickle import definition
from .annotations import is_class_var, names_own_class, own_annotations
from .attr_map import EnumAttrMap
from .body import Body, is_variant_name, payload_type
from .entries import make_entries
from .entry import _EnumEntry, _not_registered
from .state import state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from typing_extensions import Self

    from ...container import Dict
    from .entries import EnumEntries


class EnumMeta(core._EnumMeta):
    """Metaclass of enums: a class is the collection of its variants."""

    if not TYPE_CHECKING:  # `_PayloadMeta` also derives from `enum.EnumMeta`, which has its own.

        @classmethod
        def __prepare__(cls, name: str, bases: tuple[type, ...], /, **_: Any) -> Body:
            return Body(name, next(filter(None, map(payload_type, bases)), None))

    def __init__(self, name: str, bases: tuple[type, ...], body: dict[str, Any], **_: Any) -> None:
        super().__init__(name, bases, body)
        # Execute the request of `__init_subclass__` here, because now the class is complete.
        request = vars(self).get("__tvm_ffi_enum_request__")
        if request is None:
            self._mark_plain_values()
            return
        delattr(self, "__tvm_ffi_enum_request__")
        request(self)

    def __dir__(self) -> list[str]:
        # Without the entry that comes first in a pickle of the class (_pickle/definition.py).
        return [name for name in super().__dir__() if name.isidentifier()]

    def _mark_plain_values(self) -> None:
        """Replace the plain values that declare variants by entries.

        A class without a type key has no variants until a decorator registers it. Until then, an
        entry raises an error when it is read; a number or a text would look like a variant.
        """
        payload = payload_type(self)
        plain = {
            name: value
            for name, value in vars(self).items()
            if type(value) is payload and is_variant_name(name)
        }
        annotations = own_annotations(self) if plain else {}
        for name, value in plain.items():
            if name not in annotations or is_class_var(annotations[name], self):
                setattr(self, name, _EnumEntry(value=value))

    def _refuse_unregistered(self) -> None:
        """Raise TypeError if the class declares variants with payloads, but is not registered."""
        if payload_type(self) is None:
            return
        for value in vars(self).values():
            if isinstance(value, _EnumEntry):
                raise _not_registered(value, self)

    def _refuse_call(self, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> None:
        """Raise TypeError: the call neither looks up nor creates a variant."""
        if not hasattr(self, "_int_index"):
            raise TypeError(
                f"`{self.__name__}` cannot be constructed directly: its variants are its only "
                "instances"
            )
        payload = payload_type(self)
        what = "name or the number" if payload is None else "value"
        what += " or the name" if payload is int else ""
        names = [*(type(arg).__name__ for arg in args), *(f"{name}=..." for name in kwargs or ())]
        raise TypeError(
            f"{self.__name__}() expects the {what} of a variant, got "
            f"{', '.join(names) or 'nothing'}; new variants are declared in the body of the class"
        )

    if not TYPE_CHECKING:

        @property
        def __signature__(self) -> Any:
            """The signature of a lookup, for a class whose calls only look up variants."""
            if not core._enum_is_closed(self):
                raise AttributeError("__signature__")
            import inspect

            index = inspect.Parameter(
                "index", inspect.Parameter.POSITIONAL_ONLY, annotation=int | str
            )
            return inspect.Signature([index])

    def _bind_variants(self) -> None:
        """Bind the variants of a native enum whose class was given to ``register_object``."""
        if state_of(self) is not None:
            core._enum_reset(self)
            core._enum_bind(self, "__tvm_ffi_enum_is_native__", True)
            bind_all(self)  # type: ignore[arg-type]

    def _refuse_py_class(self) -> None:
        """Raise TypeError if ``py_class`` would treat entries as defaults of fields."""
        for name, value in vars(self).items():
            if isinstance(value, _EnumEntry) and name[:1] != "_":
                raise _no_entry(self, name)
        for name, annotation in own_annotations(self).items():
            is_bare = name not in vars(self) and is_class_var(annotation, self)
            if is_bare and names_own_class(annotation, self):
                raise _no_entry(self, name)


def _no_entry(cls: type, name: str) -> TypeError:
    return TypeError(f"{cls.__name__}.{name} is an enum entry: use py_enum in place of py_class")


class _AttrDict:
    """``A.attr_dict``: a live view of the columns of the class."""

    def __get__(self, instance: object, owner: type) -> Dict[str, Dict[Any, Any]]:
        state = state_of(owner)
        if state is not None:
            return state.attrs
        from ...container import Dict

        return Dict({})


class EnumObject(core.Object, core._EnumBase, metaclass=EnumMeta):
    """Base class of enums: classes whose instances are named, frozen singletons.

    Derive a class from ``EnumObject`` and decorate it with :func:`py_enum` (an enum defined in
    Python) or :func:`c_enum` (a native enum), or derive from ``Enum``, ``IntEnum`` or ``StrEnum``.

    A class is the collection of its variants: ``A.get(name)``, ``A[name]`` and ``A(name)`` look up
    a variant by name or number; ``iter(A)``, ``len(A)`` and ``x in A`` use the order of
    registration. The number is the position in this order, also if the variants have a field
    ``value``; only in an ``IntEnum`` it is the value. Each variant is one Python object until the
    process ends, and is equal only to itself.
    """

    attr_dict = _AttrDict()

    if TYPE_CHECKING:
        __entry_name__: str
        # The field of an enum whose entries are `entry(<int>)`. A subclass may declare another
        # type.
        value: int | Any

        def __init__(self, index: int | str | Self, /) -> None: ...
        @classmethod
        def get(cls, index: int | str = ..., *, name: int | str = ...) -> Self: ...

    @classmethod
    def entries(cls) -> EnumEntries[Self]:
        """Return names and variants in order of registration, as a new dictionary.

        ``for name, variant in A.entries()`` works as well.
        """
        return make_entries((variant.__entry_name__, variant) for variant in cls)

    @classmethod
    def all_entries(cls) -> Iterator[Self]:
        """Return an iterator over the variants in order of registration."""
        return iter(cls)

    @classmethod
    def def_attr(cls, name: str, *, default: Any = core.MISSING) -> EnumAttrMap[Self]:
        """Return the column with this name; create it if it does not exist."""
        return EnumAttrMap(cls, name, default=default)

    @classmethod
    def _refresh_entries(cls) -> None:
        """Bind the variants that a library has registered since the class was created.

        ``get`` finds them without this call. Does nothing for enums that are defined in Python.
        """
        if vars(cls).get("__tvm_ffi_enum_is_native__", False):
            bind_all(cls)

    # ---- one object per variant

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name.isidentifier()]

    def __copy__(self) -> Self:
        return self if core._enum_is_variant(self) else _duplicate(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self if core._enum_is_variant(self) else _duplicate(self)

    def __replace__(self, /, **changes: Any) -> Self:
        if core._enum_is_variant(self):
            raise TypeError(
                f"{self!r} is an enum variant and cannot be replaced: use a variant of "
                f"{type(self).__name__} that has the values"
            )
        copied = _duplicate(self)
        for name, value in changes.items():
            field = getattr(type(self), name, None)
            if not isinstance(field, core.FFIProperty):
                raise AttributeError(f"type object {type(self).__name__!r} has no field {name!r}")
            field.set(copied, value)
        return copied  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        if not core._enum_is_variant(self):
            return super().__reduce__()
        cls = type(self)
        _check_current(cls)
        if _is_importable(cls) and cls.__module__ != "__main__":
            return (cls.get, (str(self.__entry_name__),))
        own = vars(cls).get(definition.ATTRIBUTE)
        if own is not None and "<locals>" not in cls.__qualname__:
            return definition.reduce_variant(cls, own, str(self.__entry_name__))
        key = cls.__tvm_ffi_type_info__.type_key  # type: ignore[attr-defined]
        return (definition.restore_variant, (key, str(self.__entry_name__)))


def _check_current(cls: Any) -> None:
    """Raise TypeError if ``cls`` was redefined: unpickling would find the new definition."""
    info = cls.__tvm_ffi_type_info__
    if core._object_type_key_to_index(info.type_key) != info.type_index:
        raise TypeError(
            f"`{info.type_key}` was defined again; this variant belongs to the earlier definition "
            "and cannot be pickled: take that of the new one"
        )


def _duplicate(variant: Any) -> Any:
    """Return an unregistered object with the same fields."""
    index = type(variant).__tvm_ffi_type_info__.type_index
    shallow_copy = core._type_get_attr(index, "__ffi_shallow_copy__")
    if shallow_copy is None:
        raise TypeError(f"{type(variant).__name__} does not support copy")
    return shallow_copy(variant)


def _is_importable(cls: type) -> bool:
    found: Any = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is cls


# ---- binding of registered variants


def bind_all(cls: type[EnumObject]) -> None:
    """Set registered variants as attributes of the class, if their names are free."""
    for variant in cls:
        name = str(variant.__entry_name__)
        if name.isidentifier() and _is_free(cls, name):
            core._enum_bind(cls, name, variant)


def _is_free(cls: type, name: str) -> bool:
    """Return whether a name is unused on the class, or is an inherited variant."""
    if core._reason_against_name(name, True) is not None:
        return False
    for owner in cls.__mro__:
        if name in vars(owner):
            return owner is not cls and isinstance(vars(owner)[name], EnumObject)
    return True
