# SPDX-License-Identifier: Apache-2.0
"""``EnumObject``: what every enum class and every variant can do."""

from __future__ import annotations

import sys

from ... import core
from .attr_map import EnumAttrMap
from .entries import make_entries
from .entry import _EnumEntry
from .state import state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from typing_extensions import Self

    from ...container import Dict
    from .entries import EnumEntries


class EnumMeta(core._EnumMeta):
    """Metaclass of enums: the class is the collection of its variants."""

    def __init__(self, name: str, bases: tuple[type, ...], body: dict[str, Any], **_: Any) -> None:
        super().__init__(name, bases, body)
        # What `__init_subclass__` was told is carried out here, where the class is complete.
        request = vars(self).get("__tvm_ffi_enum_request__")
        if request is not None:
            delattr(self, "__tvm_ffi_enum_request__")
            request(self)

    def _refuse_py_class(self) -> None:
        """Raise TypeError where ``py_class`` would take entries for defaults of fields."""
        for name, value in vars(self).items():
            if isinstance(value, _EnumEntry) and name[:1] != "_":
                raise TypeError(
                    f"{self.__name__}.{name} is an enum entry: use py_enum in place of py_class"
                )


class _AttrDict:
    """``A.attr_dict``: the columns of the class, live."""

    def __get__(self, instance: object, owner: type) -> Dict[str, Dict[Any, Any]]:
        state = state_of(owner)
        if state is not None:
            return state.attrs
        from ...container import Dict

        return Dict({})


class EnumObject(core.Object, core._EnumBase, metaclass=EnumMeta):
    """Base class of enums: classes whose instances are named, frozen singletons.

    Derive from it under :func:`py_enum` (an enum defined in Python) or :func:`c_enum` (one that a
    library has registered), or derive from ``Enum``, ``IntEnum`` or ``StrEnum``.

    A class is the collection of its variants: ``A.get(name)``, ``A[name]`` and ``A(name)`` look one
    up by name or number, ``iter(A)``, ``len(A)`` and ``x in A`` go through them in order of
    registration. Each variant is one Python object for the life of the process, wherever it is read
    from, and equal to nothing else.
    """

    attr_dict = _AttrDict()

    if TYPE_CHECKING:
        __entry_name__: str

        @classmethod
        def get(cls, index: int | str = ..., *, name: int | str = ...) -> Self: ...

    @classmethod
    def entries(cls) -> EnumEntries[Self]:
        """Return names and variants in order of registration, as a dictionary of its own.

        ``for name, variant in A.entries()`` works as well.
        """
        return make_entries(
            (variant.__entry_name__, variant) for variant in core._enum_members(cls)
        )

    @classmethod
    def all_entries(cls) -> Iterator[Self]:
        """Return an iterator over the variants in order of registration."""
        return iter(core._enum_members(cls))

    @classmethod
    def def_attr(cls, name: str, *, default: Any = core.MISSING) -> EnumAttrMap[Self]:
        """Return the column of values of that name, whether or not somebody has begun it."""
        return EnumAttrMap(cls, name, default=default)

    @classmethod
    def _refresh_entries(cls) -> None:
        """Bind the variants that a library has registered since the class was made.

        ``get`` finds them without that. Nothing happens for enums that are defined in Python.
        """
        if vars(cls).get("__tvm_ffi_enum_is_native__", False):
            bind_all(cls)

    # ---- one object per variant

    def __copy__(self) -> Self:
        return self if _is_registered(self) else _duplicate(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self if _is_registered(self) else _duplicate(self)

    def __reduce__(self) -> tuple[Any, ...]:
        if not _is_registered(self):
            return super().__reduce__()
        cls = type(self)
        _check_current(cls)
        key = cls if _is_importable(cls) else cls.__tvm_ffi_type_info__.type_key  # type: ignore[attr-defined]
        return (_load_variant, (key, self.__entry_name__))


def _is_registered(variant: EnumObject) -> bool:
    name = getattr(variant, "__entry_name__", None)
    return name is not None and core._enum_find(type(variant), name) is variant


def _check_current(cls: Any) -> None:
    """Raise TypeError where the name of a variant would be looked up in a later definition."""
    from ..redefinition import is_current

    info = cls.__tvm_ffi_type_info__
    if not is_current(info):
        raise TypeError(
            f"`{info.type_key}` was defined again; this variant belongs to the earlier definition "
            "and cannot be pickled: take that of the new one"
        )


def _duplicate(variant: Any) -> Any:
    """Make an unregistered object with the same fields."""
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


def _load_variant(key: Any, name: str) -> Any:
    """Find the variant of a pickle: of a class, or of a type that has none to import."""
    if isinstance(key, type):
        return key.get(name)  # type: ignore[attr-defined]
    type_index = core._object_type_key_to_index(key)
    state = None if type_index is None else core._type_get_attr(type_index, "__ffi_enum__")
    if state is None:
        raise ValueError(f"there is no enum {key!r}")
    return state.indexes[name]


# ---- binding registered variants


def bind_all(cls: type[EnumObject]) -> None:
    """Make registered variants attributes of the class, as far as their names are free."""
    for variant in core._enum_members(cls):
        name = str(variant.__entry_name__)
        if name.isidentifier() and _is_free(cls, name):
            core._enum_bind(cls, name, variant)


def _is_free(cls: type, name: str) -> bool:
    """Tell whether a name means nothing on the class, or a variant that it has inherited."""
    for owner in cls.__mro__:
        if name in vars(owner):
            return owner is not cls and isinstance(vars(owner)[name], EnumObject)
    return True
