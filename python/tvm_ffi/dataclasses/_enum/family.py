# SPDX-License-Identifier: Apache-2.0
"""``Enum``, ``IntEnum`` and ``StrEnum``: enums by class statement, ``class A(Enum, type_key=...)``.

The number and the name are native fields of the objects, so C++ code reads them without a lookup.
"""

from __future__ import annotations

from ... import core
from ..._pickle import definition
from ...registry import register_object
from ..c_class import c_class
from ..library_type import is_native
from ..py_class import py_class
from . import declare, variants
from .attempt import Attempt
from .body import payload_type
from .enum_object import EnumObject, _duplicate

TYPE_CHECKING = False
if TYPE_CHECKING:
    import enum
    from collections.abc import Callable
    from typing import Any, overload

    from typing_extensions import Self

    from .enum_object import EnumMeta

    # With this base, type checkers treat `low = 10` as a member; see
    # docs/decisions/payload-enums.md.
    class _PayloadMeta(EnumMeta, enum.EnumMeta):
        pass
else:
    _PayloadMeta = type(EnumObject)


@register_object("ffi.Enum")
class Enum(EnumObject):
    """Base class of enums whose variants are identified by name.

    ``class A(Enum, type_key="my.A")`` registers the enum; if a library has registered a type with
    that key, the class becomes the Python class of that type. Without ``type_key`` nothing is
    registered.

    The body declares variants as ``X = entry(field=value)`` or, with defaults, ``X = auto()`` or
    ``X: ClassVar[A]``. In a class for a native enum the last form refers to a registered variant.

    Parameters
    ----------
    type_key
        The key of the type.
    frozen
        Whether fields can be set only through their descriptors.
    init, repr
        The same as for ``py_class`` and ``c_class``.

    Raises
    ------
    TypeError
        If a variant cannot be created.
    ValueError
        If an index is declared twice.
    RuntimeError
        If the native enum does not have a variant with an annotated name.

    Examples
    --------
    >>> from tvm_ffi.dataclasses import Enum, entry
    >>> class Color(Enum, type_key="doc.Enum.Color"):
    ...     cost: int = 0
    ...     red = entry(cost=5)
    ...     green = entry()
    >>> Color.get("red") is Color.red, Color(1), Color.red.cost, len(Color)
    (True, doc.Enum.Color.green, 5, 2)

    """

    if TYPE_CHECKING:
        _int_index: int
        _str_index: str
        # The names of the index fields in releases 0.1.11 and 0.1.12.
        _value: int
        _name: str

        @overload
        def __init__(self, index: int | str | Self, /) -> None: ...
        @overload
        def __init__(self, *, _int_index: int, _str_index: str, **fields: Any) -> None: ...
        def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    def __init_subclass__(
        cls,
        *,
        type_key: str | None = None,
        frozen: bool = True,
        init: bool = True,
        repr: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init_subclass__(**kwargs)
        if type_key is not None:
            options = {"frozen": frozen, "init": init, "repr": repr}
            # The metaclass executes the request when the class is complete.
            cls.__tvm_ffi_enum_request__ = staticmethod(  # type: ignore[attr-defined]
                lambda made: define(made, type_key, options)
            )

    def __copy__(self) -> Self:
        # The copy is not registered, so no lookup returns it.
        copied: Self = _duplicate(self)
        return copied


core._enum_bind(Enum, "_value", vars(Enum)["_int_index"])
core._enum_bind(Enum, "_name", vars(Enum)["_str_index"])


class _Payload(Enum, metaclass=_PayloadMeta):
    """Base class of ``IntEnum`` and ``StrEnum``."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self._str_index}"


@register_object("ffi.IntEnum")
class IntEnum(_Payload, core._IntPayload):  # type: ignore[misc]
    """Base class of enums with integer values: ``class Level(IntEnum, type_key=...)``.

    ``low = 10`` declares a variant. A variant compares and hashes like its ``value``; fields of the
    type accept raw numbers. Two names with the same number are one variant.

    Examples
    --------
    >>> from tvm_ffi.dataclasses import IntEnum
    >>> class Level(IntEnum, type_key="doc.IntEnum.Level"):
    ...     low = 10
    ...     high = 20
    >>> Level(20), Level.low == 10, Level.low.name, Level.low.value
    (Level.high, True, 'low', 10)

    """

    if TYPE_CHECKING:
        value: int

        @property
        def name(self) -> str: ...
    else:
        name = vars(Enum)["_str_index"]

    def __int__(self) -> int:
        return self._int_index

    def __index__(self) -> int:
        return self._int_index


@register_object("ffi.StrEnum")
class StrEnum(_Payload, core._StrPayload):  # type: ignore[misc]
    """Base class of enums with string values: ``class Op(StrEnum, type_key=...)``.

    ``add = "+"`` declares a variant. A variant compares and hashes like its ``value``, which is
    also its lookup key; fields of the type accept raw text.

    Examples
    --------
    >>> from tvm_ffi.dataclasses import StrEnum
    >>> class Op(StrEnum, type_key="doc.StrEnum.Op"):
    ...     add = "+"
    ...     sub = "-"
    >>> Op("-") is Op.sub, Op.add == "+", str(Op.add), Op.add.value
    (True, True, '+', '+')

    """

    if TYPE_CHECKING:
        value: str

        @property
        def name(self) -> str: ...
    else:
        name = vars(Enum)["_str_index"]


def define(cls: type[Enum], type_key: str, options: dict[str, Any]) -> None:
    """Register a class of this family, and create or bind the variants that it declares.

    Pickles of classes call this function by name.
    """
    body = dict(vars(cls))
    _define(cls, type_key, options)
    if definition.ATTRIBUTE not in body:
        definition.note(cls, define, type_key, options, body)


def _define(cls: type[Enum], type_key: str, options: dict[str, Any]) -> None:
    payload = payload_type(cls)
    found = declare.collect(cls, payload)
    options = {**options, "repr": False}
    type_index = core._object_type_key_to_index(type_key)
    if type_index is not None and is_native(type_key):
        check_family(cls, type_key, type_index)
        with Attempt(cls, found, type_index):
            declare.remove_defaults(cls, type_key)
            wrap_native(cls, type_key, options)
            for name in found.binders:
                variants.bind(cls, name, type_key)
            variants.add(cls, found.entries, payload, is_native=True)
        return
    declare.refuse_plain_values(cls, found, payload)
    if payload is int and found.binders:
        raise TypeError(f"{cls.__name__}.{found.binders[0]} requires an integer value")
    has_init = "__init__" in vars(cls)
    with Attempt(cls, found):
        register(cls, type_key, {"structural_eq": "singleton", **options})
        core._enum_close(cls, not has_init)
        variants.add(cls, found.in_order(), payload, is_native=False)


def check_family(cls: type, type_key: str, type_index: int) -> None:
    """Reject a class that derives from ``IntEnum`` or ``StrEnum`` if its native type does not."""
    payload = payload_type(cls)
    if payload is None:
        return
    family: Any = IntEnum if payload is int else StrEnum
    base_index = family.__tvm_ffi_type_info__.type_index
    type_info = core._lookup_or_register_type_info_from_type_key(type_key)
    if base_index not in (type_index, *type_info.type_ancestors):
        raise TypeError(
            f"{cls.__name__} derives from {family.__name__}, but the type {type_key!r} does not "
            f"derive from 'ffi.{family.__name__}'"
        )


def wrap_native(cls: type[EnumObject], type_key: str, options: dict[str, Any]) -> None:
    """Register a class for a native enum."""
    _decorate(cls, c_class(type_key, **options))
    if options.get("frozen", False):
        _freeze_inherited(cls)
    core._enum_bind(cls, "__tvm_ffi_enum_is_native__", True)


def _freeze_inherited(cls: type[EnumObject]) -> None:
    """Reject assignment to inherited fields, even if the ancestors allow it."""
    info = cls.__tvm_ffi_type_info__.parent_type_info  # type: ignore[attr-defined]
    while info is not None:
        for field in info.fields or ():
            found = getattr(cls, field.name, None)
            if isinstance(found, core.FFIProperty) and not found.frozen:
                frozen = core.FFIProperty(found.get, found.set, True, doc=found.__doc__)
                core._enum_bind(cls, field.name, frozen)
        info = info.parent_type_info


def register(cls: type[EnumObject], type_key: str, options: dict[str, Any]) -> None:
    """Register a class as a new enum without variants."""
    _decorate(cls, py_class(type_key, **options))
    variants.mark(cls.__tvm_ffi_type_info__.type_index)  # type: ignore[attr-defined]


def _decorate(cls: type[EnumObject], decorator: Callable[[Any], Any]) -> None:
    own = set(vars(cls))
    decorator(cls)
    # The decorator has installed the copy methods of data classes. Remove them, unless the class
    # body defines them, so that the class inherits those of EnumObject or Enum, which keep one
    # registered object per variant.
    for name in ("__copy__", "__deepcopy__", "__replace__"):
        if name in vars(cls) and name not in own:
            delattr(cls, name)
    core._enum_reset(cls)
